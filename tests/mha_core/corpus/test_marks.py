"""Marked lines: what is marked, what is plain, and every line that cannot be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.corpus.marks import read_marks
from mha_core.errors import BadMarks


def marked_words(line: str) -> tuple[str, list[str], list[str]]:
    marked = read_marks(line, 1)
    words = [[marked.text[a:b] for a, b in it or ()] for it in (marked.from_spans, marked.to_spans)]
    return marked.text, words[0], words[1]


@pytest.mark.parametrize(
    ("line", "text", "from_words", "to_words"),
    [
        (
            "The {to:animal} slept as {from:it} was.",
            "The animal slept as it was.",
            ["it"],
            ["animal"],
        ),
        ("{from:it} {to:it}", "it it", ["it"], ["it"]),
        ("{to:a cat}{from:'s} {to:dog}", "a cat's dog", ["'s"], ["a cat", "dog"]),
        (r"\{from:x\} {from:\{a\}} {to:b\\}", r"{from:x} {a} b" + "\\", ["{a}"], ["b\\"]),
        (r"C:\new {from:a} {to:b}", r"C:\new a b", ["a"], ["b"]),
        ("{from:from:} {to:to}", "from: to", ["from:"], ["to"]),
        ("{from:😀} {to:né}", "😀 né", ["😀"], ["né"]),
    ],
)
def test_marks_are_taken_out_and_remembered(
    line: str, text: str, from_words: list[str], to_words: list[str]
) -> None:
    assert marked_words(line) == (text, from_words, to_words)


@given(st.text(), st.text(min_size=1).filter(str.strip), st.text())
def test_any_text_can_be_marked_once_its_braces_and_backslashes_are_escaped(
    before: str, word: str, after: str
) -> None:
    def escape(text: str) -> str:
        return "".join(f"\\{it}" if it in "\\{}" else it for it in text)

    line = f"{escape(before)}{{from:{escape(word)}}}{escape(after)}{{to:x}}"
    assert marked_words(line) == (f"{before}{word}{after}x", [word], ["x"])


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [
        ("plain", 1, "no mark {from:…}"),
        ("{from:it} was", 1, "no mark {to:…}"),
        ("the {to:cat}", 1, "no mark {from:…}"),
        ("a {to:b {from:c}}", 9, "inside another"),
        ("a } b", 3, "this } belongs to no mark"),
        ("a {b}", 3, "this { belongs to no mark"),
        ("{form:it} {to:b}", 1, "this { belongs to no mark"),
        ("{from: } {to:b}", 8, "holds no text"),
        ("{to:a} {from:it", 15, "{from:…} is not closed"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_with_its_place(
    line: str, column: int, problem: str
) -> None:
    with pytest.raises(BadMarks) as refused:
        read_marks(line, 7)
    assert refused.value.details == {"line": 7, "column": column}
    assert refused.value.message.startswith(f"Line 7, column {column}: ")
    assert problem in refused.value.message
    assert "{to:animal}" in refused.value.message, "the message shows how it is done"
