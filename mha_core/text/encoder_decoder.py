"""The two texts of an encoder-decoder as one list of tokens: the source's, then the decoder's.

The decoder reads a start token and then what it is to have written so far: the second text as the
tokenizer cuts it, without the end mark a tokenizer puts behind, for to have written that is to have
stopped. This file must not know models or tensors.
"""

from dataclasses import replace

from transformers import PreTrainedTokenizerFast

from mha_core.stacks import DECODER_INPUT
from mha_core.text.tokenization import open_ended, tokenize
from mha_core.text.tokens import Token, TokenizedText


def tokenize_two(
    tokenizer: PreTrainedTokenizerFast,
    source: str,
    target: str | None,
    start_id: int,
    max_tokens: int | None = None,
) -> TokenizedText:
    """Cut a source and what the decoder reads; without a target it reads its start token alone.

    Either of more than `max_tokens` is refused.
    """
    read = tokenize(tokenizer, source, max_tokens=max_tokens)
    written: tuple[Token, ...] = ()
    if target is not None:
        written = open_ended(tokenize(tokenizer, target, max_tokens=max_tokens)).tokens
    piece = str(tokenizer.convert_ids_to_tokens(start_id))
    start = Token(0, start_id, piece, piece, "special", None, None, None, 1)
    # One running index and one count of words over both texts.
    n_words = 1 + max((it.word for it in read.tokens if it.word is not None), default=-1)
    decoder = tuple(
        replace(
            token,
            index=index,
            segment=1,
            word=None if token.word is None else n_words + token.word,
        )
        for index, token in enumerate((start, *written), len(read.tokens))
    )
    inputs = {
        "input_ids": read.inputs["input_ids"],
        "attention_mask": [1] * len(read.tokens),
        DECODER_INPUT: [token.id for token in decoder],
    }
    return replace(read, text_pair=target, tokens=(*read.tokens, *decoder), inputs=inputs)
