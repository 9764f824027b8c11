"""Lines as texts: what is measured, and what is left out and counted."""

import pytest

from mha_core.corpus.links import LinkWords
from mha_core.corpus.reasons import REASONS
from mha_core.corpus.texts import read_corpus
from mha_core.errors import BadMarks, Cancelled, EmptyText, InputError, NoLink, TextTooLong
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load

LINK = LinkWords("it", "cat")


def test_lines_that_are_no_case_are_left_out_by_reason(minilm: LoadedModel) -> None:
    lines = ["one", "", " one ", "two", "  ", "one", "word " * 20, "\u200b"]
    corpus = read_corpus(minilm, lines, max_tokens=10)
    assert [text.line for text in corpus.texts] == [1, 4]
    assert corpus.skipped == {"empty": [2, 5, 8], "duplicate": [3, 6], "too_long": [7]}
    assert str(corpus.skipped).startswith(f"3: {REASONS['empty']}; 2: ")
    assert all(text.link is None for text in corpus.texts)
    assert corpus.without_link == {}


def test_a_text_without_the_link_is_measured_and_counted(smollm2: LoadedModel) -> None:
    lines = ["the cat saw it", "no such word", "it saw", "it saw the cat", "cat, it, cat"]
    corpus = read_corpus(smollm2, lines, LINK, max_tokens=99)
    assert len(corpus.texts) == 5
    assert [text.line for text in corpus.texts if text.link] == [1, 5]
    assert corpus.without_link == {"no_from": [2], "no_to": [3], "unseen": [4]}


def test_marks_make_the_same_link_as_words_and_do_not_reach_the_model(minilm: LoadedModel) -> None:
    [marked] = read_corpus(minilm, ["the {to:cat} saw {from:it}"], "marked", max_tokens=99).texts
    [plain] = read_corpus(minilm, ["the cat saw it"], LINK, max_tokens=99).texts
    assert marked == plain


def test_the_same_text_marked_otherwise_is_still_the_same_text(minilm: LoadedModel) -> None:
    lines = ["{from:it} saw {to:it}", "{to:it} saw {from:it}", ""]
    corpus = read_corpus(minilm, lines, "marked", max_tokens=99)
    assert corpus.skipped == {"duplicate": [2], "empty": [3]}


def test_braces_are_plain_where_no_marks_are_asked_for(minilm: LoadedModel) -> None:
    [text] = read_corpus(minilm, ["{from:it"], max_tokens=99).texts
    assert text.tokenized.text == "{from:it"


def test_a_faulty_line_is_named(minilm: LoadedModel) -> None:
    with pytest.raises(BadMarks, match="Line 2, column 1"):
        read_corpus(minilm, ["{from:a} {to:b}", "plain"], "marked", max_tokens=99)
    with pytest.raises(InputError, match=r"Line 2: .*surrogate") as refused:
        read_corpus(minilm, ["a", "\ud800"], max_tokens=99)
    assert refused.value.details == {"line": 2}


def test_a_corpus_without_any_text_or_link_is_refused_with_its_counts(minilm: LoadedModel) -> None:
    with pytest.raises(EmptyText, match="one text per line"):
        read_corpus(minilm, ["", " "], max_tokens=9)
    with pytest.raises(TextTooLong, match="Shorten") as refused:
        read_corpus(minilm, ["word " * 20, ""], max_tokens=9)
    assert refused.value.details == {"skipped": {"too_long": 1, "empty": 1}}
    with pytest.raises(NoLink, match="No text has the link") as unlinked:
        read_corpus(minilm, ["a cat", "it"], LINK, max_tokens=9)
    assert unlinked.value.details == {"skipped": {"no_from": 1, "no_to": 1}}


def test_reading_stops_when_nobody_waits(minilm: LoadedModel) -> None:
    def stop() -> None:
        raise Cancelled("nobody waits")

    with pytest.raises(Cancelled):
        read_corpus(minilm, ["a"], max_tokens=9, check=stop)


@pytest.mark.parametrize("family", ["bart", "t5"])
def test_of_an_encoder_decoder_only_the_encoder_reads(
    family: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue("model_directory")(family)
    model = load(entry_for(str(folder)), models_dir=folder, device="cpu", hub=False)
    [text] = read_corpus(model, ["the cat saw it"], LINK, max_tokens=99).texts
    assert "decoder_input_ids" not in text.tokenized.inputs
    assert {token.segment for token in text.tokenized.tokens} == {0}
