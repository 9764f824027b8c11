"""Sequences from random Markov chains: to predict well, a model must count pairs in its context.

Every sequence has a chain of its own, whose rows are drawn from Dirichlet(1). A model that counts
symbols reaches one level of the loss, a model that counts pairs (which symbol follows which) a
lower one. Counting pairs takes an induction head, and that takes a previous-token head below it.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor

from mha_core.learn.tasks.task import Batch, Line, Task

_LINE_SEED, _LINE_TEXTS = 2**31, 8192
_SMOOTHING = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)


@dataclass(frozen=True)
class Markov(Task):
    """Chains of `n_symbols` symbols."""

    id: ClassVar[str] = "markov"
    label: ClassVar[str] = "Markov chains"
    about: ClassVar[str] = (
        "Every sequence follows a random chain of its own: the model must find out in its context "
        "which symbol follows which."
    )
    source: ClassVar[str] = (
        "Edelman and others 2024, The Evolution of Statistical Induction Heads: In-Context "
        "Learning Markov Chains"
    )

    n_symbols: int = 2
    n_tokens: int = 100

    @property
    def vocabulary(self) -> tuple[str, ...]:
        return tuple("abcdefgh"[: self.n_symbols])

    @cached_property
    def examples(self) -> tuple[str, ...]:
        drawn = self.draw(seed=7, n=3).tokens[:, :40]
        return tuple(" ".join(self.vocabulary[id] for id in row) for row in drawn.tolist())

    def draw(self, seed: int, n: int) -> Batch:
        generator = torch.Generator().manual_seed(seed)
        tokens = draw_chains(generator, n, self.n_symbols, self.n_tokens)
        lengths = torch.full((n,), self.n_tokens)
        return Batch(tokens, lengths, torch.ones(n, self.n_tokens - 1, dtype=torch.bool))

    def lines(self) -> tuple[Line, ...]:
        """From many sequences of the generator, so that they hold for this length."""
        generator = torch.Generator().manual_seed(_LINE_SEED)
        tokens = draw_chains(generator, _LINE_TEXTS, self.n_symbols, self.n_tokens)
        return (
            Line(
                "nothing", "uses nothing", math.log(self.n_symbols), "All symbols equally likely."
            ),
            Line(
                "counts",
                "counts symbols",
                symbol_loss(tokens, self.n_symbols),
                "The best guess from how often each symbol came so far.",
            ),
            Line(
                "pairs",
                "counts pairs",
                pair_loss(tokens, self.n_symbols),
                "The best guess from how often each symbol came after the current one.",
            ),
        )


def draw_chains(generator: torch.Generator, n: int, n_symbols: int, n_tokens: int) -> Tensor:
    """Sequences [n, T], each from a chain of its own that is in equilibrium from the start."""
    gamma = -torch.rand(n, n_symbols, n_symbols, generator=generator, dtype=torch.float64).log()
    chain = gamma / gamma.sum(-1, keepdim=True)  # rows from Dirichlet(1), [n, S, S]
    edges = chain.cumsum(-1)
    equilibrium = torch.linalg.matrix_power(chain, 1024)[:, 0].cumsum(-1)  # [n, S]
    chance = torch.rand(n, n_tokens, 1, generator=generator, dtype=torch.float64)
    tokens = torch.empty(n, n_tokens, dtype=torch.long)
    row = equilibrium
    for position in range(n_tokens):
        # Rounding may leave the last edge below 1.
        tokens[:, position] = (chance[:, position] > row).sum(-1).clamp_max(n_symbols - 1)
        row = edges[torch.arange(n), tokens[:, position]]
    return tokens


def symbol_loss(tokens: Tensor, n_symbols: int) -> float:
    """Nats a prediction from the counts of symbols, smoothed as is best."""
    seen = F.one_hot(tokens, n_symbols).double().cumsum(1)[:, :-1]  # [n, T - 1, S]
    n_seen = seen.sum(-1, keepdim=True)
    losses = (_loss((seen + added) / (n_seen + n_symbols * added), tokens) for added in _SMOOTHING)
    return min(losses)


def pair_loss(tokens: Tensor, n_symbols: int) -> float:
    """Nats a prediction from the counts of pairs: exact for rows from Dirichlet(1)."""
    return _loss(pair_predictions(tokens, n_symbols), tokens)


def pair_predictions(tokens: Tensor, n_symbols: int) -> Tensor:
    """What counting pairs predicts at each position, [n, T - 1, S]: (count + 1) / (all + S)."""
    one_hot = F.one_hot(tokens, n_symbols).double()  # [n, T, S]
    pairs = one_hot[:, :-1, :, None] * one_hot[:, 1:, None]  # [n, T - 1, S, S]
    before = pairs.cumsum(1) - pairs  # those that are complete before the prediction
    after_this = (one_hot[:, :-1, :, None] * before).sum(2)  # [n, T - 1, S]
    return (after_this + 1) / (after_this.sum(-1, keepdim=True) + n_symbols)


def _loss(predictions: Tensor, tokens: Tensor) -> float:
    return -float(predictions.gather(-1, tokens[:, 1:, None]).log().mean())
