"""Marks in a line: where a link starts and where it ends.

    The {to:animal} slept because {from:it} was tired.

A line has one or more of each. A backslash before {, } or another backslash takes that character as
it is; before anything else a backslash is itself.
"""

import re
from dataclasses import dataclass

from mha_core.errors import BadMarks
from mha_core.text.spans import Span

_PART = re.compile(
    r"\\(?P<escaped>[\\{}])|\{(?P<opening>from|to):|(?P<brace>[{}])|(?P<plain>[^\\{}]+|\\)"
)


@dataclass(frozen=True)
class MarkedText:
    """A text without its marks, and the characters that a link starts from and leads to."""

    text: str
    from_spans: tuple[Span, ...] | None  # None: no link is looked for
    to_spans: tuple[Span, ...] | None


def read_marks(marked: str, line: int) -> MarkedText:
    """The text of a marked line; `line` is its number, for the error."""
    text, opened = "", ""
    starts = {"from": list[int](), "to": list[int]()}
    spans = {"from": list[Span](), "to": list[Span]()}
    for part in _PART.finditer(marked):
        column = part.start() + 1
        if part["opening"]:
            if opened:
                raise BadMarks.of(line, column, "a mark begins inside another one; close it first")
            opened = part["opening"]
            starts[opened].append(len(text))
        elif part["brace"] == "}" and opened:
            start = starts[opened][-1]
            if not text[start:].strip():
                raise BadMarks.of(line, column, "the mark holds no text")
            spans[opened].append((start, len(text)))
            opened = ""
        elif part["brace"]:
            raise BadMarks.of(line, column, f"this {part['brace']} belongs to no mark")
        else:
            text += part["escaped"] or part["plain"]
    if opened:
        raise BadMarks.of(line, len(marked), f"the mark {{{opened}:…}} is not closed")
    for name in ("from", "to"):
        if not spans[name]:
            raise BadMarks.of(line, 1, f"there is no mark {{{name}:…}}")
    return MarkedText(text, tuple(spans["from"]), tuple(spans["to"]))
