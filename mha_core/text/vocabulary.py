"""How a vocabulary spells text: each id as its piece and as the characters it stands for.

This file must not know texts, models or HTTP.
"""

import re
from collections.abc import Sequence
from functools import cache

from transformers import PreTrainedTokenizerFast

from mha_core.text.byte_tokenizer import byte_characters
from mha_core.text.visible import visible

_LARGEST_ID = 2**32 - 1  # tokenizers count in 32 bits


class Spelling:
    """How a tokenizer's vocabulary spells text."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast) -> None:
        backend, added = tokenizer.backend_tokenizer, tokenizer.added_tokens_decoder
        parts = (backend.decoder, backend.pre_tokenizer)
        # The pickled state tells what a sequence of parts holds, and is short: no vocabulary in it.
        self.byte_level = any(part and b'"ByteLevel"' in part.__getstate__() for part in parts)
        self._id_to_token = backend.id_to_token
        self.added = frozenset(added)
        self.special = frozenset(tokenizer.all_special_ids).union(
            id for id, token in added.items() if token.special
        )
        self.unknown = tokenizer.unk_token_id
        self.prefix = getattr(backend.model, "continuing_subword_prefix", None) or ""
        self.suffix = getattr(backend.model, "end_of_word_suffix", None) or ""

    def knows(self, id: int) -> bool:
        """Whether the vocabulary has a token of that number."""
        return 0 <= id <= _LARGEST_ID and self._id_to_token(id) is not None

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The vocabulary's own string of each id."""
        return [self._id_to_token(id) or f"⟨{id}⟩" for id in ids]

    def read(self, id: int, piece: str, typed: str) -> str:
        """The characters of a piece; bytes that are no whole character as U+DC80 to U+DCFF."""
        byte = re.fullmatch("<0x([0-9A-F]{2})>", piece)
        if byte and typed != piece:
            return bytes.fromhex(byte[1]).decode(errors="surrogateescape")
        if id in self.added:
            return piece
        piece = piece.removeprefix(self.prefix).removesuffix(self.suffix)
        if not self.byte_level:
            return piece.replace("▁", " ")
        letters = _byte_letters()
        if not letters.keys() >= set(piece):  # no text leads to it, but a model may name any id
            return piece
        return bytes(letters[char] for char in piece).decode(errors="surrogateescape")

    def shown(self, id: int) -> str:
        """A token by itself, for people: "␣cat" starts a word, "cat" goes on with one."""
        [piece] = self.pieces([id])
        return visible((piece if id in self.special else self.read(id, piece, "")) or piece)


@cache
def _byte_letters() -> dict[str, int]:
    return {character: byte for byte, character in enumerate(byte_characters())}
