"""The byte-level tokenizer: every text round-trips, and offsets point at the right character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.pre_tokenizers import ByteLevel

from mha_core.text.byte_tokenizer import BOS, BOS_ID, VOCAB_SIZE, byte_characters, byte_tokenizer

TOKENIZER = byte_tokenizer(256)

TEXTS = st.one_of(
    st.text(),
    st.text(alphabet="aé漢😀\u0301\u200d🇸🇪 \n\t"),
    st.lists(st.sampled_from(["<bos>", "a", " ", "<", "bos>"])).map("".join),
)


@given(TEXTS)
def test_any_text_round_trips(text: str) -> None:
    ids = TOKENIZER(text)["input_ids"]
    assert ids[0] == BOS_ID
    assert bytes(ids[1:]) == text.encode()
    assert TOKENIZER.decode(ids, skip_special_tokens=True) == text


@given(TEXTS)
def test_offsets_point_at_the_character_a_byte_belongs_to(text: str) -> None:
    encoded = TOKENIZER(text, return_offsets_mapping=True)
    homes = [(n, n + 1) for n, character in enumerate(text) for _ in character.encode()]
    assert encoded["offset_mapping"] == [(0, 0), *homes]


@given(TEXTS)
def test_words_are_counted_from_zero_without_gaps(text: str) -> None:
    first, *words = TOKENIZER(text).word_ids()
    assert first is None
    steps = [b - a for a, b in zip([-1, *words], words, strict=False)]
    assert words[:1] in ([], [0])
    assert set(steps) <= {0, 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [("The cat, sat.", ["The", " cat", ",", " sat", "."]), ("né 😀!", ["né", " 😀!"])],
)
def test_bytes_are_grouped_into_words(text: str, words: list[str]) -> None:
    encoded = TOKENIZER(text)
    grouped: dict[int, bytes] = {}
    for token, word in zip(encoded["input_ids"][1:], encoded.word_ids()[1:], strict=True):
        grouped[word] = grouped.get(word, b"") + bytes([token])
    assert [piece.decode() for piece in grouped.values()] == words


def test_an_empty_text_is_bos_alone() -> None:
    assert TOKENIZER("")["input_ids"] == [BOS_ID]


def test_bos_is_special_unless_it_was_typed() -> None:
    encoded = TOKENIZER(BOS, return_special_tokens_mask=True)
    assert encoded["special_tokens_mask"] == [1, 0, 0, 0, 0, 0]
    assert TOKENIZER.all_special_tokens == [BOS]


def test_the_id_of_a_byte_is_its_value() -> None:
    assert len(TOKENIZER) == VOCAB_SIZE
    assert TOKENIZER.convert_ids_to_tokens(list(range(256))) == byte_characters()
    assert sorted(byte_characters()) == sorted(ByteLevel.alphabet())


def test_there_are_no_token_type_ids() -> None:
    assert set(TOKENIZER("a")) == {"input_ids", "attention_mask"}
