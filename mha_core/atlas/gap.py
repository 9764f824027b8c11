"""Pronouns with two candidate names each, read from a file of the GAP corpus (Webster 2018)."""

import csv
from dataclasses import dataclass
from pathlib import Path

from mha_core.errors import InputError
from mha_core.text.spans import Span

_MARKS = {"TRUE": True, "FALSE": False}


@dataclass(frozen=True)
class GapItem:
    """A text with a pronoun and two names, of which one, or neither, is who it means."""

    id: str
    line: int  # counted from 0, without the heading
    text: str
    pronoun: Span
    candidates: tuple[Span, Span]
    answer: int | None  # which candidate; None when neither or both
    document: str = ""  # the page it is from; without one the item is a document of its own

    def __post_init__(self) -> None:
        object.__setattr__(self, "document", self.document or self.id)

    @property
    def nearest(self) -> int:
        """The candidate that starts nearest to the pronoun."""
        distances = [abs(start - self.pronoun[0]) for start, _ in self.candidates]
        return distances.index(min(distances))


def read_gap(path: Path) -> list[GapItem]:
    """All items of a GAP file, in its order."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The GAP file {path} cannot be read: {error}") from error
    rows = csv.DictReader(filter(None, lines), delimiter="\t", quoting=csv.QUOTE_NONE)
    items: list[GapItem] = []
    for line, row in enumerate(rows):
        try:
            items.append(_read_item(line, row))
        except (KeyError, ValueError, TypeError) as error:
            raise InputError(
                f"{path}, item {line + 1}: not as the GAP corpus has it ({error})."
            ) from error
    if not items:
        raise InputError(f"The GAP file {path} holds no items.")
    return items


def _read_item(line: int, row: dict[str, str]) -> GapItem:
    if None in row.values():  # how csv marks a short line
        raise ValueError("columns are missing")
    true = [_MARKS[row[f"{name}-coref"].upper()] for name in "AB"]
    return GapItem(
        id=row["ID"],
        line=line,
        text=row["Text"],
        pronoun=_span(row, "Pronoun"),
        candidates=(_span(row, "A"), _span(row, "B")),
        answer=true.index(True) if sum(true) == 1 else None,
        document=row.get("URL", ""),
    )


def _span(row: dict[str, str], name: str) -> Span:
    start, words = int(row[f"{name}-offset"]), row[name]
    if not words or row["Text"][start : start + len(words)] != words:
        raise ValueError(f"{words!r} does not stand at {start}")
    return start, start + len(words)
