"""What metrics need to know about a text: token kinds, words, segments, and which keys are visible.

Everything is a vector over the T tokens, so that a long text costs no more than its length. The
vectors are in host memory: numpy takes a tenth of the time that torch takes for so few numbers.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from mha_core.text.function_words import is_function_word
from mha_core.text.tokens import Token

Result = TypeVar("Result")
Flags: TypeAlias = NDArray[np.bool_]
Integers: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Passage:
    """One text as one model reads it, the same for every head."""

    ids: Integers  # [T]
    special: Flags  # [T]
    punctuation: Flags  # [T]
    word: Integers  # [T]: -1 for special tokens
    segment: Integers  # [T]
    content: Flags  # [T]: pieces of words that are not function words
    directions: Tensor | None  # [T, D]: input embeddings of length 1; None if unknown
    causal: bool
    device: torch.device  # where the maps are
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
        content = (
            token.kind in ("word_start", "continuation") and not is_function_word(words[token.word])
            for token in tokens
        )
        directions = None
        if embeddings is not None:
            directions = F.normalize(embeddings.to(device, torch.float32), dim=-1)
        return cls(
            ids=np.array([token.id for token in tokens], np.int64),
            special=np.array([token.kind == "special" for token in tokens], np.bool_),
            punctuation=np.array([token.kind == "punctuation" for token in tokens], np.bool_),
            word=np.array([-1 if it.word is None else it.word for it in tokens], np.int64),
            segment=np.array([token.segment for token in tokens], np.int64),
            content=np.fromiter(content, np.bool_, len(tokens)),
            directions=directions,
            causal=causal,
            device=torch.device(device),
        )

    def to_device(self, values: NDArray[Any]) -> Tensor:
        """Numbers where the maps are: whole ones as they are, flags and others as float32."""
        if values.dtype != np.int64:
            values = values.astype(np.float32)
        return torch.from_numpy(values).to(self.device)

    @property
    def n_tokens(self) -> int:
        return len(self.ids)

    @cached_property
    def positions(self) -> Integers:
        """[T]: 0 to T - 1."""
        return np.arange(self.n_tokens)

    @cached_property
    def n_visible(self) -> Integers:
        """[T]: the number of keys each row sees."""
        return self.count_visible(np.ones_like(self.special))

    def count_visible(self, keys: Flags) -> Integers:
        """How many of the keys [..., T] each row sees, [..., T]."""
        if self.causal:
            return np.cumsum(keys, -1)
        return np.broadcast_to(keys.sum(-1, keepdims=True), keys.shape)

    @cached_property
    def choosing(self) -> Flags:
        """[T]: rows that see more than one key; a causal model's first row does not."""
        return self.positions >= int(self.causal)

    @cached_property
    def n_choosing(self) -> int:
        return int(self.choosing.sum())

    @cached_property
    def ordinary(self) -> Flags:
        """[T]: rows with a choice that are no special token."""
        return self.choosing & ~self.special

    @cached_property
    def no_sink(self) -> Flags:
        """[T]: neither a special token nor the first one."""
        return ~self.special & (self.positions > 0)


def cached_per_passage(make: Callable[[Passage], Result]) -> Callable[[Passage], Result]:
    """Cache what a function computes from a passage on that passage, so both are freed together."""

    @wraps(make)
    def get(passage: Passage) -> Result:
        if make not in passage.cache:
            passage.cache[make] = make(passage)
        return cast(Result, passage.cache[make])

    return get
