"""Every token has exactly one place in an alignment, whatever the text and the tokenizer."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from transformers import PreTrainedTokenizerFast

from mha_core.errors import EmptyText
from mha_core.models.loading import LoadedModel
from mha_core.text.alignment import Unit, align
from mha_core.text.byte_tokenizer import byte_tokenizer
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import Token, TokenizedText

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = TIRED.replace("tired", "wide")
FAMILY = "👨\u200d👩\u200d👧"
MODELS = ("minilm", "smollm2", "tiny")
SNIPPETS = (
    *("the", "The", "cat", "cats", "didn't", " ", "  ", "\n", "\t", ".", "...", "(a,b)", "x-y"),
    *(FAMILY, "👍🏽", "❤\ufe0f", "☃", "ﬃ", "각", "cafe\u0301", "\u0301", "हिन्दी", "مرحبا", "שלום"),
    *("我爱你。", "İ", "ß", "\u3000", "\u200b", "\ufeff", "\x00", "[SEP]", "[MASK]", "<bos>", "▁"),
)
texts = (
    st.lists(st.sampled_from(SNIPPETS) | st.text(max_size=3), max_size=10)
    .map("".join)
    .filter(str.strip)
)
moderately = settings(max_examples=60)

Encode = Callable[..., TokenizedText]


@pytest.fixture(scope="module")
def encode(minilm: LoadedModel, smollm2: LoadedModel) -> Encode:
    """A function (model, text, second text) -> its tokens."""
    tokenizers: dict[str, PreTrainedTokenizerFast] = {
        **{"minilm": minilm.tokenizer, "smollm2": smollm2.tokenizer},
        "tiny": byte_tokenizer(10_000),
    }

    def tokens(model: str, text: str, text_pair: str | None = None) -> TokenizedText:
        try:
            return tokenize(tokenizers[model], text, text_pair)
        except EmptyText:
            assume(False)
            raise

    return tokens


def read(units: tuple[Unit, ...]) -> list[tuple[str, str]]:
    return [(unit.text, unit.other_text) for unit in units]


def has_offsets(token: Token) -> bool:
    return token.kind != "special" and token.start is not None


@pytest.mark.parametrize("first", MODELS)
@pytest.mark.parametrize("second", MODELS)
@given(text=texts, other_text=texts, alike=st.booleans())
@moderately
def test_every_token_is_in_exactly_one_unit_of_its_side(
    first: str, second: str, text: str, other_text: str, alike: bool, encode: Encode
) -> None:
    one, other = encode(first, text), encode(second, text if alike else other_text)
    units = align(one, other, same_model=first == second)
    assert sorted(i for unit in units for i in unit.one) == list(range(len(one.tokens)))
    assert sorted(j for unit in units for j in unit.other) == list(range(len(other.tokens)))
    for unit in units:
        assert unit.one or unit.other
        assert bool(unit.text) == bool(unit.one)
        assert bool(unit.other_text) == bool(unit.other)
        assert unit.aligned or len(unit.one + unit.other) == 1
        assert not (unit.same and not unit.aligned)


@pytest.mark.parametrize("first", MODELS)
@pytest.mark.parametrize("second", MODELS)
@given(text=texts, other_text=texts)
@moderately
def test_aligned_units_never_cross(
    first: str, second: str, text: str, other_text: str, encode: Encode
) -> None:
    units = align(encode(first, text), encode(second, other_text), same_model=first == second)
    aligned = [unit for unit in units if unit.aligned]
    for before, after in pairwise(aligned):
        assert before.one[-1] < after.one[0]
        assert before.other[-1] < after.other[0]
    for side in ("one", "other"):
        firsts = [getattr(unit, side)[0] for unit in units if getattr(unit, side)]
        assert firsts == sorted(firsts)


@given(texts=st.lists(texts, min_size=4, max_size=4), same_model=st.booleans())
@moderately
def test_the_sentences_of_a_pair_are_never_mixed(
    texts: list[str], same_model: bool, encode: Encode
) -> None:
    one, other = encode("minilm", *texts[:2]), encode("minilm", *texts[2:])
    for unit in align(one, other, same_model=same_model):
        segments = {one.tokens[i].segment for i in unit.one}
        segments |= {other.tokens[j].segment for j in unit.other}
        assert len(segments) == 1


@pytest.mark.parametrize("model", MODELS)
@given(text=texts)
@moderately
def test_a_text_aligns_with_itself_token_by_token(model: str, text: str, encode: Encode) -> None:
    tokenized = encode(model, text)
    units = align(tokenized, tokenized, same_model=True)
    assert [unit.one for unit in units] == [(i,) for i in range(len(tokenized.tokens))]
    assert all(unit.one == unit.other and unit.same for unit in units)


@pytest.mark.parametrize("models", [("minilm", "smollm2"), ("tiny", "minilm"), ("smollm2", "tiny")])
@given(text=texts)
@moderately
def test_units_of_one_text_are_the_smallest_both_tokenizers_share(
    models: tuple[str, str], text: str, encode: Encode
) -> None:
    one, other = encode(models[0], text), encode(models[1], text)
    units = align(one, other, same_model=False)
    of_token = {("one", i): unit for unit in units for i in unit.one}
    of_token |= {("other", j): unit for unit in units for j in unit.other}
    sides = [("one", token) for token in one.tokens] + [("other", token) for token in other.tokens]
    placed = [(side, token) for side, token in sides if has_offsets(token)]
    for side, token in placed:
        unit = of_token[side, token.index]
        together = [it for key, it in placed if of_token[key, it.index] is unit]
        # No token opposite shares a character with it and is in another unit,
        for key, it in placed:
            if it.start < token.end and token.start < it.end and (unit.aligned or key != side):
                assert of_token[key, it.index] is unit
        # and splitting the unit at this token's end would split a token.
        if token.end < max(it.end for it in together):
            assert any(it.start < token.end < it.end for it in together)


@given(text=texts)
@moderately
def test_swapping_two_models_on_one_text_swaps_the_sides_of_their_units(
    text: str, encode: Encode
) -> None:
    one, other = encode("minilm", text), encode("smollm2", text)
    there = {(unit.one, unit.other) for unit in align(one, other, same_model=False)}
    back = {(unit.other, unit.one) for unit in align(other, one, same_model=False)}
    assert there == back


def test_a_minimal_pair_differs_in_its_one_word(encode: Encode) -> None:
    units = align(encode("minilm", TIRED), encode("minilm", WIDE), same_model=True)
    assert len(units) == 16
    assert all(len(unit.one) == len(unit.other) == 1 for unit in units)
    assert read(tuple(unit for unit in units if not unit.same)) == [("tired", "wide")]


def test_an_insertion_has_no_counterpart_and_a_longer_replacement_is_a_block(
    encode: Encode,
) -> None:
    def compared(text: str, other: str) -> list[tuple[str, str]]:
        return read(align(encode("smollm2", text), encode("smollm2", other), same_model=True))

    assert compared("He ran home", "He never ran home") == [
        *(("He", "He"), ("", "never"), ("ran", "ran"), ("home", "home"))
    ]
    assert compared("He ran home", "He walked slowly home") == [
        *(("He", "He"), ("ran", "walked slowly"), ("home", "home"))
    ]


def test_units_of_two_tokenizers_end_where_both_have_a_boundary(encode: Encode) -> None:
    units = align(encode("minilm", TIRED), encode("smollm2", TIRED), same_model=False)
    assert read(units)[:6] == [
        *(("[CLS]", ""), ("The", "The"), ("animal", "animal"), ("didn", "didn")),
        *(("'t", "'t"), ("cross", "cross")),
    ]
    assert read(units)[-1] == ("[SEP]", "")
    assert (units[4].one, units[4].other) == ((4, 5), (3,))


def test_bytes_of_a_character_are_read_as_the_character(encode: Encode) -> None:
    text = f"a {FAMILY} مرحبا"
    units = align(encode("minilm", text), encode("tiny", text), same_model=False)
    aligned = [pair for pair in read(units) if "" not in pair]
    assert aligned == [("a", "a"), (FAMILY, FAMILY), *((letter, letter) for letter in "مرحبا")]
    assert [unit.other_text for unit in units if not unit.one] == ["<bos>", "␣", "␣"]


def test_two_models_on_two_texts_match_words_whatever_their_case(encode: Encode) -> None:
    units = align(
        encode("tiny", "The cat didn't sleep."), encode("minilm", "the DOG didn't (sleep)!"),
        same_model=False,
    )  # fmt: skip
    assert [(it.text, it.other_text, it.same) for it in units if it.aligned] == [
        *(("The", "the", True), ("cat", "DOG", False), ("didn't", "didn't", True)),
        *(("sleep", "sleep", True), (".", ")!", False)),
    ]
    assert ("", "(") in read(units)


def test_a_special_token_aligns_only_with_the_same_special_token(encode: Encode) -> None:
    single, pair = encode("minilm", "a cat"), encode("minilm", "a dog", "it slept")
    assert read(align(single, pair, same_model=True)) == [
        *(("[CLS]", "[CLS]"), ("a", "a"), ("cat", "dog"), ("[SEP]", "[SEP]")),
        *(("", "it"), ("", "slept"), ("", "[SEP]")),
    ]
    named = encode("minilm", "a [SEP]")
    crossed = align(named, encode("smollm2", "a [SEP]"), same_model=False)
    assert read(tuple(unit for unit in crossed if unit.aligned)) == [("a", "a")]
    filled = align(encode("minilm", "a [MASK] sat"), encode("minilm", "a cat sat"), same_model=True)
    assert ("[MASK]", "cat") in read(filled)


def test_generated_tokens_are_matched_by_id_alone(encode: Encode) -> None:
    """What a model wrote has no offsets in the text."""
    typed = encode("smollm2", "He ran home")
    written = replace(
        typed, tokens=(*typed.tokens[:2], replace(typed.tokens[2], start=None, end=None))
    )
    assert all(unit.same for unit in align(typed, written, same_model=True))
    units = align(encode("minilm", "He ran home"), written, same_model=False)
    assert read(units)[1:] == [
        *(("He", "He"), ("ran", "ran"), ("home", ""), ("[SEP]", ""), ("", "home"))
    ]


def test_a_very_repetitive_text_is_aligned_fast(encode: Encode) -> None:
    """Matching every equal pair would take minutes; both ends are found all the same."""
    one = encode("tiny", "x" * 500 + "aab" * 300 + "y" * 9)
    other = encode("tiny", "x" * 500 + "a" * 700 + "y" * 9)
    units = align(one, other, same_model=True)
    blocks = [unit for unit in units if len(unit.one) > 1]
    assert [(len(block.one), len(block.other)) for block in blocks] == [(898, 698)]
    assert sum(unit.same for unit in units) == 1 + 500 + 2 + 9
