"""The two texts of an encoder-decoder as one list of tokens: first the source, then the target.

The decoder reads a start token and the target so far, without the end token that a tokenizer
appends: after an end token nothing more is written.
"""

from dataclasses import replace

from transformers import PreTrainedTokenizerFast

from mha_core.errors import TextTooLong
from mha_core.stacks import DECODER_INPUT
from mha_core.text.tokenization import drop_end_token, tokenize
from mha_core.text.tokens import Token, TokenizedText


def tokenize_two(
    tokenizer: PreTrainedTokenizerFast,
    source: str,
    target: str | None,
    start_id: int,
    max_tokens: int | None = None,
) -> TokenizedText:
    """Tokenize both texts, each of at most `max_tokens`; without a target only the start token."""
    read = tokenize(tokenizer, source, max_tokens=max_tokens)
    piece = str(tokenizer.convert_ids_to_tokens(start_id))
    decoder = [Token(0, start_id, piece, piece, "special", None, None, None, 1)]
    if target is not None:
        decoder += _tokenize_target(tokenizer, target, max_tokens).tokens
    # Indices and words are numbered through both texts.
    n_words = 1 + max((it.word for it in read.tokens if it.word is not None), default=-1)
    for at, token in enumerate(decoder):
        word = None if token.word is None else n_words + token.word
        decoder[at] = replace(token, index=len(read.tokens) + at, segment=1, word=word)
    inputs = {
        "input_ids": read.inputs["input_ids"],
        "attention_mask": [1] * len(read.tokens),
        DECODER_INPUT: [token.id for token in decoder],
    }
    return replace(read, text_pair=target, tokens=(*read.tokens, *decoder), inputs=inputs)


def _tokenize_target(
    tokenizer: PreTrainedTokenizerFast, target: str, max_tokens: int | None
) -> TokenizedText:
    try:
        return drop_end_token(tokenize(tokenizer, target, max_tokens=max_tokens))
    except TextTooLong as error:
        counts, cut = error.details, error.details.get("cut")
        where = cut and {**cut, "field": "text_pair"}
        raise TextTooLong.of(
            counts["n_tokens"], counts["max_tokens"], "The decoder's text has", where
        ) from None
