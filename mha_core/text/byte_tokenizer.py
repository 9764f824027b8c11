"""The tokenizer of HeadScope's own model: one token per byte of UTF-8, after a first `<bos>`.

Built in code, so there is no vocabulary file to lose. It is an ordinary transformers tokenizer:
whoever uses it need not know that it is this one. This file must not know models.
"""

from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

BOS = "<bos>"
"""Stands before every text: a place to look for heads that find nothing."""

BOS_ID = 256  # a byte is its own number, so the first free one
VOCAB_SIZE = 257


def byte_characters() -> list[str]:
    """The visible character that stands for each byte in a byte-level vocabulary.

    GPT-2's convention: bytes that Latin-1 prints stand for themselves, the others are counted
    from U+0100 on, so that no token is a blank or a control character.
    """
    printed = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in printed]
    return [chr(b) if b in printed else chr(256 + others.index(b)) for b in range(256)]


def byte_tokenizer(max_tokens: int) -> PreTrainedTokenizerFast:
    """The byte-level tokenizer; the id of a byte is its value, the id of `<bos>` 256."""
    vocabulary = {character: byte for byte, character in enumerate(byte_characters())}
    tokenizer = Tokenizer(BPE({**vocabulary, BOS: BOS_ID}, merges=[]))
    # Splitting at words merges nothing here; it is what gives the tokens their word numbers.
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = TemplateProcessing(
        single=f"{BOS} $A", special_tokens=[(BOS, BOS_ID)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=BOS,
        split_special_tokens=True,  # a person who types "<bos>" means those five characters
        clean_up_tokenization_spaces=False,
        model_max_length=max_tokens,
        model_input_names=["input_ids", "attention_mask"],
    )
