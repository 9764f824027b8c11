"""Source and target of an encoder-decoder in one list of tokens, shifted as in training."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer, PreTrainedTokenizerFast
from transformers.models.bart.modeling_bart import shift_tokens_right

from mha_core.errors import EmptyText, TextTooLong
from mha_core.text.encoder_decoder import tokenize_two
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import TokenizedText

SOURCE, TARGET = "The animal was tired.", "L'animal était fatigué."


@pytest.fixture(scope="module")
def bart(model_directory: Callable[[str], Path]) -> PreTrainedTokenizerFast:
    """A tokenizer with a start and an end token: <s> ... </s>."""
    tokenizer = AutoTokenizer.from_pretrained(model_directory("bart"))
    assert isinstance(tokenizer, PreTrainedTokenizerFast)
    return tokenizer


def decoder_ids(tokenized: TokenizedText) -> list[int]:
    return [token.id for token in tokenized.tokens if token.segment == 1]


@pytest.mark.parametrize("family", ["bart", "t5"])
def test_the_decoder_reads_the_labels_shifted_right(
    family: str, model_directory: Callable[[str], Path]
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(model_directory(family))
    labels = torch.tensor([tokenizer(text_target=TARGET)["input_ids"]])
    expected = shift_tokens_right(labels, 0, 2)[0].tolist()
    assert decoder_ids(tokenize_two(tokenizer, SOURCE, TARGET, 2)) == expected


def test_indices_and_words_are_numbered_through_both_texts(
    bart: PreTrainedTokenizerFast,
) -> None:
    tokenized = tokenize_two(bart, SOURCE, TARGET, 2)
    tokens, alone = tokenized.tokens, tokenize(bart, SOURCE)
    assert [token.index for token in tokens] == list(range(len(tokens)))
    assert tokens[: len(alone.tokens)] == alone.tokens
    assert {token.segment for token in alone.tokens} == {0}
    start, *written = tokens[len(alone.tokens) :]
    assert (start.id, start.piece, start.text, start.kind) == (2, "</s>", "</s>", "special")
    assert (start.word, start.start, start.end, start.segment) == (None, None, None, 1)
    words = [token.word for token in tokens if token.word is not None]
    assert sorted(set(words)) == list(range(max(words) + 1))
    assert words == sorted(words)
    for token, theirs in zip(written, tokenize(bart, TARGET).tokens, strict=False):
        assert (token.id, token.text, token.start) == (theirs.id, theirs.text, theirs.start)
    assert (tokenized.text, tokenized.text_pair) == (SOURCE, TARGET)


def test_the_model_inputs_keep_both_texts_apart(bart: PreTrainedTokenizerFast) -> None:
    tokenized = tokenize_two(bart, SOURCE, TARGET, 2)
    ids, mask, decoder = tokenized.inputs.values()
    assert list(tokenized.inputs) == ["input_ids", "attention_mask", "decoder_input_ids"]
    assert [*ids, *decoder] == [token.id for token in tokenized.tokens]
    assert mask == [1] * len(ids)


def test_without_a_second_text_the_decoder_reads_its_start_token_alone(
    bart: PreTrainedTokenizerFast,
) -> None:
    tokenized = tokenize_two(bart, SOURCE, None, 2)
    assert decoder_ids(tokenized) == [2]
    assert tokenized.text_pair is None


def test_an_end_token_is_read_only_if_it_was_typed(bart: PreTrainedTokenizerFast) -> None:
    plain = decoder_ids(tokenize_two(bart, SOURCE, TARGET, 2))
    typed = decoder_ids(tokenize_two(bart, SOURCE, f"{TARGET}</s>", 2))
    assert typed == [*plain, 2]


def test_an_empty_second_text_is_refused(bart: PreTrainedTokenizerFast) -> None:
    with pytest.raises(EmptyText):
        tokenize_two(bart, SOURCE, " ", 2)


def test_either_text_over_the_limit_is_refused(bart: PreTrainedTokenizerFast) -> None:
    tokenized = tokenize_two(bart, SOURCE, TARGET, 2)
    n_read, n_written = (len(tokenized.inputs[it]) for it in ("input_ids", "decoder_input_ids"))
    assert n_read < n_written
    assert tokenize_two(bart, SOURCE, TARGET, 2, n_written) == tokenized
    for limit, n_tokens, field in ((3, n_read, "text"), (n_read, n_written, "text_pair")):
        with pytest.raises(TextTooLong) as refused:
            tokenize_two(bart, SOURCE, TARGET, 2, limit)
        cut = refused.value.details.pop("cut")
        assert refused.value.details == {"n_tokens": n_tokens, "max_tokens": limit}
        assert cut["field"] == field
        texts = {"text": SOURCE, "text_pair": TARGET}
        tokens = tokenize(bart, texts[field][: cut["n_characters"]]).tokens
        assert len(tokens) <= limit
