"""What metrics need to know about a text: token kinds, words, segments, and which keys are visible.

Everything is a vector over the T tokens, so that a long text costs no more than its length.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TypeVar, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from mha_core.text.function_words import is_function_word
from mha_core.text.tokens import Token

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Passage:
    """One text as one model reads it, the same for every head; all tensors are on one device."""

    ids: Tensor  # [T] long
    special: Tensor  # [T] bool
    punctuation: Tensor  # [T] bool
    word: Tensor  # [T] long, -1 for special tokens
    segment: Tensor  # [T] long
    content: Tensor  # [T] bool: pieces of words that are not function words
    directions: Tensor | None  # [T, D]: input embeddings of length 1; None if unknown
    causal: bool
    cache: dict[Callable[..., object], object] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(
        cls,
        tokens: Sequence[Token],
        *,
        causal: bool,
        embeddings: Tensor | None = None,
        device: torch.device | str = "cpu",
    ) -> "Passage":
        """The passage of tokens; `embeddings` [T, D] are the model's input embeddings of them."""
        words: dict[int | None, str] = defaultdict(str)
        for token in tokens:
            words[token.word] += token.text
        columns: dict[str, list[int]] = {
            "ids": [token.id for token in tokens],
            "special": [token.kind == "special" for token in tokens],
            "punctuation": [token.kind == "punctuation" for token in tokens],
            "word": [-1 if token.word is None else token.word for token in tokens],
            "segment": [token.segment for token in tokens],
            "content": [
                token.kind in ("word_start", "continuation")
                and not is_function_word(words[token.word])
                for token in tokens
            ],
        }
        tensors = {name: torch.tensor(column, device=device) for name, column in columns.items()}
        directions = None
        if embeddings is not None:
            directions = F.normalize(embeddings.to(device, torch.float32), dim=-1)
        return cls(**tensors, directions=directions, causal=causal)

    @property
    def n_tokens(self) -> int:
        return self.ids.shape[0]

    @cached_property
    def positions(self) -> Tensor:
        """[T] long: 0 to T - 1."""
        return torch.arange(self.n_tokens, device=self.ids.device)

    @cached_property
    def n_visible(self) -> Tensor:
        """[T] long: the number of keys each row sees."""
        return self.count_visible(torch.ones_like(self.special))

    def count_visible(self, keys: Tensor) -> Tensor:
        """How many of the keys [..., T] bool each row sees, [..., T] long."""
        if self.causal:
            return keys.cumsum(-1)
        return keys.sum(-1, keepdim=True).expand(keys.shape)

    @cached_property
    def choosing(self) -> Tensor:
        """[T] bool: rows that see more than one key; a causal model's first row does not."""
        return self.positions >= int(self.causal)

    @cached_property
    def n_choosing(self) -> int:
        return int(self.choosing.sum())

    @cached_property
    def ordinary(self) -> Tensor:
        """[T] bool: rows with a choice that are no special token."""
        return self.choosing & ~self.special

    @cached_property
    def no_sink(self) -> Tensor:
        """[T] bool: neither a special token nor the first one."""
        return ~self.special & (self.positions > 0)


def cached_per_passage(make: Callable[[Passage], Result]) -> Callable[[Passage], Result]:
    """Cache what a function computes from a passage on that passage, so both are freed together."""

    @wraps(make)
    def get(passage: Passage) -> Result:
        if make not in passage.cache:
            passage.cache[make] = make(passage)
        return cast(Result, passage.cache[make])

    return get
