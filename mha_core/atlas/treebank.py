"""Sentences with annotated grammar, read from JSON lines or from CoNLL-U."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mha_core.errors import InputError

SPLITS = ("dev", "test")


@dataclass(frozen=True)
class Sentence:
    """A sentence and its tree: each word hangs on one other, by a named relation."""

    id: str
    text: str
    words: tuple[str, ...]
    upos: tuple[str, ...]
    heads: tuple[int, ...]  # the word each hangs on, counted from 0; -1 for the root
    relations: tuple[str, ...]  # as Universal Dependencies names them, subtypes kept: "acl:relcl"


def read_treebank(path: Path) -> list[Sentence]:
    """All sentences of a .jsonl or .conllu file."""
    readers = {".jsonl": _read_json_lines, ".conllu": _read_conllu}
    reader = readers.get(path.suffix)
    if reader is None:
        raise InputError(f"{path} is no treebank: its name must end in .jsonl or .conllu.")
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The treebank {path} cannot be read: {error}") from error
    sentences = list(reader(path, lines))
    if not sentences:
        raise InputError(f"The treebank {path} holds no sentences.")
    return sentences


def find_splits(directory: Path) -> dict[str, Path]:
    """The files of the dev and the test split, found by their names ("en_ewt-ud-dev.conllu")."""
    if not directory.is_dir():
        raise InputError(f"{directory} is no directory: name the one that holds the treebank.")
    files = sorted(p for p in directory.iterdir() if p.suffix in (".jsonl", ".conllu"))
    found: dict[str, Path] = {}
    for split in SPLITS:
        named = [p for p in files if re.search(rf"(?<![a-z]){split}(?![a-z])", p.stem.lower())]
        if len(named) != 1:
            seen = ", ".join(p.name for p in named) or "none"
            raise InputError(
                f"{directory} must hold one .jsonl or .conllu file with the word {split!r} in its "
                f"name; found: {seen}."
            )
        found[split] = named[0]
    return found


def fingerprint(path: Path) -> str:
    """The start of a file's SHA-256: the version of the data a result comes from."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _read_json_lines(path: Path, lines: Sequence[str]) -> Iterator[Sentence]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row: dict[str, Any] = json.loads(line)
            columns = [list(row[name]) for name in ("words", "upos", "head", "rel")]
            name, text = str(row["id"]), str(row["text"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}, line {number}: not a sentence with id, text, words, upos, head and rel "
                f"({error!r})."
            ) from error
        yield _sentence(f"{path}, line {number}", name, text, columns)


def _read_conllu(path: Path, lines: Sequence[str]) -> Iterator[Sentence]:
    """Words only: a range ("3-4") repeats words that follow, and "8.1" is not in the text."""
    comments: dict[str, str] = {}
    rows: list[list[str]] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            comments[key.strip()] = value.strip()
        elif line.strip():
            columns = line.split("\t")
            if len(columns) != 10:
                raise InputError(
                    f"{path}, line {number}: {len(columns)} columns where CoNLL-U has 10."
                )
            if columns[0].isdigit():
                rows.append(columns)
        else:
            if rows:
                _, words, _, upos, _, _, heads, relations, _, _ = map(list, zip(*rows, strict=True))
                place = f"{path}, the sentence before line {number}"
                name = comments.get("sent_id", f"line {number - len(rows)}")
                text = comments.get("text", " ".join(words))
                yield _sentence(place, name, text, (words, upos, heads, relations))
            comments, rows = {}, []


def _sentence(place: str, name: str, text: str, columns: Sequence[list[Any]]) -> Sentence:
    """The sentence of a file, heads counted from 1 there; refused where the tree is broken."""
    words, upos, heads, relations = columns
    if not words or not len(words) == len(upos) == len(heads) == len(relations):
        raise InputError(f"{place}: each word needs its part of speech, its head and its relation.")
    try:
        counted = tuple(int(head) - 1 for head in heads)
    except (ValueError, TypeError) as error:
        raise InputError(f"{place}: a head is no number ({error}).") from error
    wrong = [h for i, h in enumerate(counted) if not -1 <= h < len(words) or h == i]
    if wrong:
        raise InputError(f"{place}: no word can hang on word {wrong[0] + 1}.")
    return Sentence(name, text, tuple(words), tuple(upos), counted, tuple(relations))
