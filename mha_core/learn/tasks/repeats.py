"""Random symbols that repeat: to continue, a model must find what followed the last time.

Period and start of the repetition differ from sequence to sequence: with fixed ones, a head could
look back by a fixed distance and never read.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import torch

from mha_core.learn.tasks.task import Batch, Line, Task

_SHORTEST, _LONGEST, _LATEST = 4, 24, 12


@dataclass(frozen=True)
class Repeats(Task):
    """A few random symbols, then a unit of 4 to 24 random symbols over and over."""

    id: ClassVar[str] = "repeats"
    label: ClassVar[str] = "Repeated random symbols"
    about: ClassVar[str] = (
        "A unit of random symbols is repeated: the model must look up what followed the last time."
    )
    source: ClassVar[str] = (
        "Olsson and others 2022, In-context Learning and Induction Heads; Singh and others 2024, "
        "What needs to go right for an induction head?"
    )

    n_symbols: int = 32
    n_tokens: int = 64

    @property
    def vocabulary(self) -> tuple[str, ...]:
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        return tuple(letters[: self.n_symbols])

    @cached_property
    def examples(self) -> tuple[str, ...]:
        drawn = self.draw(seed=7, n=3).tokens[:, :40]
        return tuple(" ".join(self.vocabulary[id] for id in row) for row in drawn.tolist())

    def draw(self, seed: int, n: int) -> Batch:
        generator = torch.Generator().manual_seed(seed)
        period = torch.randint(_SHORTEST, _LONGEST + 1, (n, 1), generator=generator)
        start = torch.randint(_LATEST, (n, 1), generator=generator)
        symbols = torch.randint(self.n_symbols, (n, self.n_tokens), generator=generator)
        position = torch.arange(self.n_tokens)[None]
        in_unit = start + (position - start) % period
        tokens = symbols.gather(1, torch.where(position < start, position, in_unit))  # [n, T]
        # The first symbol of the repetition cannot be predicted, all later ones can.
        scored = position[:, 1:] > start + period  # [n, T - 1]
        return Batch(tokens, torch.full((n,), self.n_tokens), scored)

    def lines(self) -> tuple[Line, ...]:
        chance = math.log(self.n_symbols)
        return (Line("nothing", "uses nothing", chance, "All symbols equally likely."),)
