"""The tokenizer of HeadScope's own model: one token per byte of UTF-8, after an initial `<bos>`.

Built in code as an ordinary transformers tokenizer, so there is no vocabulary file.
"""

from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

BOS = "<bos>"  # before every text: an attention sink for heads that find nothing
BOS_ID = 256  # after the 256 bytes, whose ids are their values
VOCAB_SIZE = 257


def byte_characters() -> list[str]:
    """The visible character that stands for each byte in a byte-level vocabulary.

    GPT-2's convention: bytes printable in Latin-1 stand for themselves, the others are numbered
    from U+0100, so that no token is white space or a control character.
    """
    printed = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in printed]
    return [chr(b) if b in printed else chr(256 + others.index(b)) for b in range(256)]


def byte_tokenizer(max_tokens: int) -> PreTrainedTokenizerFast:
    vocabulary = {character: byte for byte, character in enumerate(byte_characters())}
    tokenizer = Tokenizer(BPE({**vocabulary, BOS: BOS_ID}, merges=[]))
    # Nothing is merged, so splitting at words only gives the tokens their word numbers.
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
