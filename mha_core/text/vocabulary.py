"""A tokenizer's vocabulary: the piece of each id, its characters, and where words start."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from transformers import PreTrainedTokenizerFast

from mha_core.text.byte_tokenizer import byte_characters
from mha_core.text.visible import STRAY, make_visible

_MAX_ID = 2**32 - 1  # tokenizers use 32-bit ids
_BYTE = re.compile("<0x([0-9A-F]{2})>")


class Vocabulary:
    def __init__(self, tokenizer: PreTrainedTokenizerFast) -> None:
        backend, added = tokenizer.backend_tokenizer, tokenizer.added_tokens_decoder
        parts = (backend.decoder, backend.pre_tokenizer)
        # The pickled state also names the members of a sequence, and holds no vocabulary.
        self.byte_level = any(part and b'"ByteLevel"' in part.__getstate__() for part in parts)
        added_special = {id for id, token in added.items() if token.special}
        self.special_ids = added_special.union(tokenizer.all_special_ids)
        self.unknown_id = tokenizer.unk_token_id
        self.blanks = " " if self.byte_level else None  # SentencePiece writes any white space as ▁
        self._pre_tokenizer = backend.pre_tokenizer
        self._id_to_token = backend.id_to_token
        self._added_ids = frozenset(added)
        self._prefix = getattr(backend.model, "continuing_subword_prefix", None) or ""
        self._suffix = getattr(backend.model, "end_of_word_suffix", None) or ""

    def __contains__(self, id: int) -> bool:
        return 0 <= id <= _MAX_ID and self._id_to_token(id) is not None

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The vocabulary's own string of each id."""
        return [self._id_to_token(id) or f"⟨{id}⟩" for id in ids]

    def decode(self, id: int, piece: str, typed: str = "") -> str:
        """The characters of a piece; bytes that are no whole character as U+DC80 to U+DCFF.

        `typed` is the text the token came from: a typed "<0xE2>" is six characters, not a byte.
        """
        byte = _BYTE.fullmatch(piece)
        if byte and typed != piece:
            return bytes.fromhex(byte[1]).decode(errors="surrogateescape")
        if id in self._added_ids:
            return piece
        piece = piece.removeprefix(self._prefix).removesuffix(self._suffix)
        if not self.byte_level:
            return piece.replace("▁", " ")
        byte_values = _byte_values()
        if not byte_values.keys() >= set(piece):  # no text gives this id, but a model may
            return piece
        return bytes(byte_values[char] for char in piece).decode(errors="surrogateescape")

    def word_numbers(self, sentence: str, contents: list[str]) -> list[int]:
        """The word in which each content starts when appended to the sentence; 0 is its last."""
        if self._pre_tokenizer is None:
            return [0] * len(contents)
        # Joined as bytes, so that pieces with parts of one character make the whole character.
        parts = [part.encode(errors="surrogateescape") for part in (sentence, *contents)]
        whole = b"".join(parts).decode(errors="surrogateescape")
        readable = STRAY.sub(lambda stray: "\ufffd" * len(stray[0]), whole)
        words = [start for _, (start, _) in self._pre_tokenizer.pre_tokenize_str(readable)]
        widths = (len(char.encode(errors="surrogateescape")) for char in whole)
        characters = list(accumulate(widths, initial=0))  # the byte each starts at

        def word_at(byte: int) -> int:
            return bisect_right(words, bisect_right(characters, byte) - 1)

        last = word_at(len(parts[0]) - 1)
        return [word_at(start) - last for start in accumulate(map(len, parts[:-1]))]

    def display(self, id: int) -> str:
        """A token by itself as shown to people: "␣cat" starts a word, "cat" continues one."""
        [piece] = self.pieces([id])
        return make_visible((piece if id in self.special_ids else self.decode(id, piece)) or piece)


@cache
def _byte_values() -> dict[str, int]:
    return {character: byte for byte, character in enumerate(byte_characters())}
