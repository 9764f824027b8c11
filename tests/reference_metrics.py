"""Every metric straight from its definition, in float64 with T x T masks: slow and easy to read.

What the server computes in other ways must give the same numbers.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from mha_core.metrics.catalogue import BLOCK, SHAPE_LIFT
from mha_core.metrics.passage import Passage
from tests.hand_made import visible_keys

MAX_PAIRS = 4096


def reference_metrics(pattern: Tensor, passage: Passage) -> dict[str, Tensor]:
    """Every metric of each head of a pattern [H, T, T]; NaN where undefined."""
    heads = [_Head(head.double(), passage) for head in pattern]
    return {
        name: torch.tensor([float(metric(head)) for head in heads], dtype=torch.float64)
        for name, metric in _METRICS.items()
    }


class _Head:
    """One head, A [T, T], and the masks of its text."""

    def __init__(self, a: Tensor, passage: Passage) -> None:
        self.a, self.passage, T = a, passage, passage.n_tokens  # noqa: N806 (the shape letters)
        self.visible = visible_keys(passage)
        self.offset = torch.arange(T) - torch.arange(T)[:, None]
        self.rows = torch.arange(T) >= int(passage.causal)
        self.ids, self.word, self.segment, self.special, self.content, self.punctuation = (
            torch.from_numpy(column)
            for column in (
                *(passage.ids, passage.word, passage.segment),
                *(passage.special, passage.content, passage.punctuation),
            )
        )
        self.ordinary = self.rows & ~self.special
        self.earlier = (self.offset < 0) & ~self.special & ~self.special[:, None]

    def mean(self, cells: Tensor, rows: Tensor) -> Tensor:
        """Mean over rows of the attention on cells; NaN if no cell counts."""
        cells = cells & self.visible & rows[:, None]
        if not cells.any():
            return torch.tensor(torch.nan)
        return (self.a * cells).sum() / rows.sum()

    def mean_where_seen(self, cells: Tensor) -> Tensor:
        return self.mean(cells, self.ordinary & (cells & self.visible).any(1))

    def neighbour(self, offset: int) -> Tensor:
        """[T, T]: the key at an offset, where it counts: special tokens never do.

        The first token does not count as the one before, because idle heads rest on it.
        """
        counts = ~self.special if offset >= 0 else self.no_sink
        return (self.offset == offset) & counts

    def hits(self, offset: int) -> Tensor:
        """How often the key at an offset has the largest weight; ties share."""
        cells = self.neighbour(offset) & self.visible
        rows = self.ordinary & cells.any(1)
        largest = self.a == self.a.amax(1, keepdim=True)
        shares = (largest & cells) / largest.sum(1, keepdim=True)
        return shares[rows].sum() / rows.sum()

    def entropy(self, keys: Tensor, rows: Tensor) -> Tensor:
        """Mean over rows of the entropy over some keys, as a share of the largest possible."""
        shares = []
        for row in rows.nonzero()[:, 0]:
            seen = keys & self.visible[row]
            kept = self.a[row] * seen
            if seen.sum() > 1 and kept.sum() > torch.finfo(torch.float32).tiny:
                p = kept / kept.sum()
                shares.append(-torch.xlogy(p, p).sum() / seen.sum().log())
        return torch.stack(shares).mean() if shares else torch.tensor(torch.nan)

    @property
    def no_sink(self) -> Tensor:
        return ~self.special & (torch.arange(len(self.a)) > 0)

    @property
    def own_segment(self) -> Tensor:
        """Attention within the own segment, minus that of uniform attention."""
        same = _same(self.segment)
        rows = self.ordinary & (~same & ~self.special & self.visible).any(1)
        uniform = _Head(self.visible / self.visible.sum(1, keepdim=True), self.passage)
        return self.mean(same & ~self.special, rows) - uniform.mean(same & ~self.special, rows)

    @property
    def similarity(self) -> Tensor:
        """Pearson's correlation of mean ranks over pairs of different content words."""
        passage = self.passage
        content = self.content & self.content[:, None]
        cells = content & ~_same(self.ids) & self.visible
        queries, keys = cells.nonzero(as_tuple=True)
        if passage.directions is None or len(queries) < 3:
            return torch.tensor(torch.nan)
        step = -(-len(queries) // MAX_PAIRS)
        queries, keys = queries[::step], keys[::step]
        directions = passage.directions.double()
        cosine = (directions[queries] * directions[keys]).sum(1)
        weights = self.a[queries, keys]
        ranks = torch.stack([_mean_ranks(weights.float()), _mean_ranks(cosine.float().double())])
        if (ranks.std(1) == 0).any():
            return torch.tensor(torch.nan)
        return torch.corrcoef(ranks)[0, 1]

    def lines(self) -> tuple[Tensor, Tensor]:
        """Share of the band around the diagonal, and of the two heaviest columns outside it."""
        rows = self.a[self.rows]
        band = (self.offset.abs() <= 1)[self.rows]
        columns = (rows * ~band).sum(0)
        return (rows * band).sum() / len(rows), columns.topk(min(2, len(columns)))[0].sum() / len(
            rows
        )

    @property
    def shape(self) -> Tensor:
        uniform = _Head(self.visible / self.visible.sum(1, keepdim=True), self.passage)
        if not self.rows.any():
            return torch.tensor(torch.nan)
        diagonal, vertical = (
            float(mine - theirs) > SHAPE_LIFT
            for mine, theirs in zip(self.lines(), uniform.lines(), strict=True)
        )
        if vertical or diagonal:
            return torch.tensor(2.0 if vertical and diagonal else float(diagonal))
        return torch.tensor(3.0 if self.own_segment > BLOCK else 4.0)


def _mean_ranks(values: Tensor) -> Tensor:
    below = (values[:, None] > values).sum(1)
    return below + ((values[:, None] == values).sum(1) - 1) / 2.0


def _same(column: Tensor) -> Tensor:
    return column == column[:, None]


def _successors(head: _Head) -> Tensor:
    same = _same(head.ids) & head.earlier
    return same.roll(1, dims=1) & head.earlier


_METRICS: dict[str, Callable[[_Head], Tensor]] = {
    "previous": lambda h: h.mean_where_seen(h.neighbour(-1)),
    "next": lambda h: h.mean_where_seen(h.neighbour(1)),
    "self": lambda h: h.mean_where_seen(h.neighbour(0)),
    "previous_hits": lambda h: h.hits(-1),
    "next_hits": lambda h: h.hits(1),
    "self_hits": lambda h: h.hits(0),
    "first": lambda h: h.mean(
        (torch.arange(len(h.a)) == 0).expand_as(h.a), torch.arange(len(h.a)) > 0
    ),
    "special": lambda h: h.mean(h.special.expand_as(h.a), h.rows),
    "separator": lambda h: h.mean(
        (h.special & (torch.arange(len(h.a)) > 0)).expand_as(h.a), h.rows
    ),
    "punctuation": lambda h: h.mean(h.punctuation.expand_as(h.a), h.rows),
    "entropy": lambda h: h.entropy(torch.ones_like(h.special), h.rows),
    "entropy_without_sink": lambda h: h.entropy(h.no_sink, h.no_sink),
    "confidence": lambda h: (h.a * ~h.special).amax(1)[h.ordinary].mean(),
    "distance": lambda h: (h.a * h.offset.abs()).sum(1)[h.rows].mean(),
    "locality": lambda h: h.mean(h.offset.abs() <= 2, h.rows),
    "duplicate": lambda h: h.mean_where_seen(_same(h.ids) & h.earlier),
    "induction": lambda h: h.mean_where_seen(_successors(h)),
    "current_word": lambda h: h.mean_where_seen(_same(h.word) & h.earlier),
    "segment": lambda h: h.own_segment,
    "similarity": lambda h: h.similarity,
    "shape": lambda h: h.shape,
}
