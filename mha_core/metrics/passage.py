"""The facts of a text that metrics count by: kinds, words, segments, likeness, who sees whom.

    T tokens; visible[i, j]: query i may look at key j; uniform: attention spread over those keys

This file must not know heads or metrics: a passage is the same for every head of a model.
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

Table = TypeVar("Table")


@dataclass(frozen=True, eq=False)
class Passage:
    """One text as one model reads it; all tensors lie on one device."""

    ids: Tensor  # [T] long
    special: Tensor  # [T] bool
    punctuation: Tensor  # [T] bool
    word: Tensor  # [T] long, -1 for special tokens
    segment: Tensor  # [T] long
    content: Tensor  # [T] bool: pieces of words that are not function words
    likeness: Tensor | None  # [T, T] cosine of input embeddings
    causal: bool
    tables: dict[Callable[..., object], object] = field(
        default_factory=dict, init=False, repr=False
    )  # what was made of it, by what made it

    @classmethod
    def of(
        cls,
        tokens: Sequence[Token],
        *,
        causal: bool,
        embeddings: Tensor | None = None,
        device: torch.device | str = "cpu",
    ) -> "Passage":
        """The passage of tokens; `embeddings` [T, D], where known, are what the model feeds in."""
        spelling: dict[int | None, str] = defaultdict(str)
        for token in tokens:
            spelling[token.word] += token.text
        content = [
            token.kind in ("word_start", "continuation")
            and not is_function_word(spelling[token.word])
            for token in tokens
        ]
        likeness = None
        if embeddings is not None:
            directions = F.normalize(embeddings.to(device, torch.float32), dim=-1)  # [T, D]
            likeness = directions @ directions.T  # [T, T]
        return cls(
            ids=torch.tensor([token.id for token in tokens], device=device),
            special=torch.tensor([token.kind == "special" for token in tokens], device=device),
            punctuation=torch.tensor(
                [token.kind == "punctuation" for token in tokens], device=device
            ),
            word=torch.tensor(
                [-1 if token.word is None else token.word for token in tokens], device=device
            ),
            segment=torch.tensor([token.segment for token in tokens], device=device),
            content=torch.tensor(content, device=device),
            likeness=likeness,
            causal=causal,
        )

    @property
    def n_tokens(self) -> int:
        """Tokens of the text, special ones included."""
        return self.ids.shape[0]

    @cached_property
    def visible(self) -> Tensor:
        """[T, T] bool: whether the query (row) may look at the key (column)."""
        everything = torch.ones(
            self.n_tokens, self.n_tokens, dtype=torch.bool, device=self.ids.device
        )
        return everything.tril() if self.causal else everything

    @cached_property
    def places(self) -> Tensor:
        """[T] long: the position of each token."""
        return torch.arange(self.n_tokens, device=self.ids.device)

    @cached_property
    def ahead(self) -> Tensor:
        """[T, T] long: how far the key stands after the query; negative where it is before."""
        return self.places - self.places[:, None]

    @cached_property
    def choosing(self) -> Tensor:
        """[T] bool: rows with a choice; a causal model's first row has none."""
        return self.places >= int(self.causal)

    @cached_property
    def ordinary(self) -> Tensor:
        """[T] bool: rows with a choice that are no special token."""
        return self.choosing & ~self.special

    @cached_property
    def earlier(self) -> Tensor:
        """[T, T] bool: keys before their query, special tokens on neither side."""
        return (self.ahead < 0) & ~self.special & ~self.special[:, None]

    @cached_property
    def uniform(self) -> Tensor:
        """[T, T] float32: attention that prefers nothing among what it sees."""
        return self.visible / self.visible.sum(-1, keepdim=True)


def made_once(make: Callable[[Passage], Table]) -> Callable[[Passage], Table]:
    """Keep what a function makes of a passage with the passage: made at first use, gone with it."""

    @wraps(make)
    def table(passage: Passage) -> Table:
        if make not in passage.tables:
            passage.tables[make] = make(passage)
        return cast(Table, passage.tables[make])

    return table
