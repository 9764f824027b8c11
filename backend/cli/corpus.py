"""`headscope corpus`: means over the lines of a file, as a table and in a file."""

from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from backend.cli.corpus_table import describe_corpus
from backend.cli.fetch import find_model, get_model, show_progress
from backend.corpus.jobs import measure_corpus
from backend.corpus.schemas import CorpusLinkRequest, CorpusRequest, CorpusResponse
from backend.corpus.table import FORMATS
from backend.engine.session import Resources, Session
from backend.settings import Settings
from backend.wire.formats import Format
from mha_core.errors import InputError


def run_corpus(
    model: str,
    file: Path,
    *,
    from_word: str | None,
    to_word: str | None,
    marked: bool,
    values: Literal["raw", "weighted"],
    out: Path | None,
) -> None:
    """Measure every line of a file, print a table and write all numbers."""
    form = None if out is None else format_for(out)
    lines = read_lines(file)
    link = choose_link(from_word, to_word, marked=marked)
    entry, settings = find_model(model, Settings())
    get_model(entry, settings)
    # The limits of a request protect a server that others use too.
    unlimited = {"max_texts": len(lines), "max_corpus_characters": sum(map(len, lines))}
    session = Session(Resources(settings.model_copy(update=unlimited)))
    request = CorpusRequest(model=entry.id, texts=tuple(lines), values=values, link=link)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with show_progress(*columns, TimeElapsedColumn()) as report:
        answer = measure_corpus(session, request, report)
    Console().print(describe_corpus(answer), highlight=False)
    if out is not None and form is not None:
        try:
            out.write_bytes(form.write(answer))
        except OSError as error:
            raise InputError(f"Cannot write {out}: {error.strerror}.") from error
        Console().print(f"\n{out}: every metric of every head", highlight=False, soft_wrap=True)


def choose_link(
    from_word: str | None, to_word: str | None, *, marked: bool
) -> CorpusLinkRequest | None:
    """The link that the options ask for, if any."""
    has_words = bool(from_word) and bool(to_word)
    if marked == has_words and (marked or from_word is not None or to_word is not None):
        raise InputError("Give --from and --to, each with a word, or --marked without them.")
    if not (marked or has_words):
        return None
    return CorpusLinkRequest(from_word=from_word, to_word=to_word, marked=marked)


def format_for(out: Path) -> Format[CorpusResponse]:
    """How to write a file of that name; raises InputError before anything is run."""
    for form in FORMATS:
        if out.suffix == f".{form.extension}":
            if not out.parent.is_dir():
                raise InputError(f"There is no directory {out.parent}: make it first.")
            return form
    names = " or ".join(f".{form.extension}" for form in FORMATS)
    raise InputError(f"Cannot write {out.name}: choose a name with {names}.")


def read_lines(file: Path) -> list[str]:
    """The lines of a text file, empty ones too, so that their numbers are those of an editor."""
    try:
        with file.open(encoding="utf-8-sig") as opened:
            lines = [line.rstrip("\n") for line in opened]
    except OSError as error:
        raise InputError(f"Cannot read {file}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file} is not UTF-8, at byte {error.start + 1}: save it as plain text in UTF-8."
        ) from error
    if not lines:
        raise InputError(f"{file} is empty: write one text per line.")
    return lines
