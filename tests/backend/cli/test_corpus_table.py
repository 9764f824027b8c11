"""The table fits a terminal of 80 columns, whatever is in it."""

from collections.abc import Callable

import pytest
from rich.console import Console

from backend.cli.corpus_table import describe_corpus
from backend.corpus.jobs import measure_corpus
from backend.corpus.schemas import CorpusLinkRequest, CorpusRequest
from backend.engine.session import Session


def printed(session: Session, texts: list[str], link: CorpusLinkRequest | None) -> str:
    request = CorpusRequest(model="minilm", texts=tuple(texts), link=link)
    console = Console(width=80, no_color=True)
    with console.capture() as captured:
        console.print(describe_corpus(measure_corpus(session, request)), highlight=False)
    return captured.get()


@pytest.mark.parametrize("link", [None, CorpusLinkRequest(from_word="it", to_word="cat")])
def test_no_line_is_longer_and_no_number_is_cut(
    link: CorpusLinkRequest | None, session_for: Callable[..., Session]
) -> None:
    texts = ["the cat saw it", "it saw the cat", "a dog", *[""] * 30]
    text = printed(session_for(), texts, link)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "…" not in text.replace("11, …", "")
    assert "left out, 30: no text in the line (line 4, 5, 6, 7, 8, 9, 10, 11, …)" in text
    assert ("no link, 1" in text) == (link is not None)


def test_one_text_is_said_to_have_no_interval(session_for: Callable[..., Session]) -> None:
    link = CorpusLinkRequest(from_word="it", to_word="cat")
    assert "one text" in printed(session_for(), ["the cat saw it"], link)
