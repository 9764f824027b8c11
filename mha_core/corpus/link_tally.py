"""The weight of a link in every head, averaged over texts, with its interval and its baselines.

Each text counts once, however many tokens its link has: texts are independent, tokens are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.student import t_95
from mha_core.atlas.tally import Numbers, Tally
from mha_core.attention import uniform_attention
from mha_core.corpus.texts import CorpusText
from mha_core.models.loading import LoadedModel
from mha_core.runs.links import link_tables
from mha_core.stacks import stacks_of


@dataclass(frozen=True, eq=False)
class LinkTally(Tally):
    """Sums over the texts that have the link."""

    texts: Numbers  # []
    uniform: Numbers  # []: of the weight of uniform attention
    total: Numbers  # [L, H]: of the weight
    total_squared: Numbers  # [L, H]
    with_position: Numbers  # []: texts with other pairs at the same distances
    by_position: Numbers  # [L, H]: of the attention to these pairs

    @classmethod
    def empty(cls, n_layers: int, n_heads: int) -> "LinkTally":
        heads = (n_layers, n_heads)
        shapes = ((), (), heads, heads, (), heads)
        return cls(*(np.zeros(shape) for shape in shapes))

    @property
    def mean(self) -> Numbers:
        """[L, H]."""
        return self.total / self.texts

    @property
    def interval(self) -> tuple[Numbers, Numbers]:
        """Lower and upper end of the mean's 95 % interval, [L, H]; NaN for one text."""
        n, mean = self.texts, self.mean
        degrees = np.where(n > 1, n - 1, np.nan)
        variance = np.maximum(self.total_squared - n * mean**2, 0) / degrees
        reach = t_95(degrees) * np.sqrt(variance / n)
        return np.maximum(mean - reach, 0), np.minimum(mean + reach, 1)

    @property
    def mean_by_position(self) -> Numbers:
        """[L, H]; NaN if no text has other pairs at the same distances."""
        return self.by_position / np.where(self.with_position > 0, self.with_position, np.nan)


class LinkCounter:
    """Counts the links of a batch of texts of one length into `tally`, layer by layer."""

    def __init__(self, model: LoadedModel, batch: Sequence[CorpusText]) -> None:
        self.tally = LinkTally.empty(model.architecture.n_layers, model.architecture.n_heads)
        self._linked: list[int] = []  # places in the batch
        links: list[Tensor] = []
        elsewhere: list[Tensor] = []
        for at, text in enumerate(batch):
            if text.link is None:
                continue
            [stack] = stacks_of(model.architecture, text.tokenized)
            link, other = link_tables(
                stack, text.link.queries, text.link.keys, text.tokenized.tokens
            )
            self._linked.append(at)
            links.append(link)
            elsewhere.append(torch.zeros_like(link) if other is None else other)
            uniform = uniform_attention(stack.n_queries, stack.n_keys, causal=stack.causal)
            self.tally.uniform[...] += float((uniform * link).sum())
            self.tally.with_position[...] += other is not None
        self.tally.texts[...] = len(links)
        self._tables = (
            torch.stack([torch.stack(it) for it in (links, elsewhere)]).to(model.device)
            if links
            else None
        )  # [2, linked, T, T]

    def count(self, layer: int, pattern: Tensor) -> None:
        """Add one layer, pattern [B, H, T, T]."""
        if self._tables is None:
            return
        found = torch.einsum("bhqk,tbqk->tbh", pattern[self._linked], self._tables)
        weights, by_position = found.double().cpu().numpy()  # [linked, H] each
        self.tally.total[layer] += weights.sum(0)
        self.tally.total_squared[layer] += (weights**2).sum(0)
        self.tally.by_position[layer] += by_position.sum(0)
