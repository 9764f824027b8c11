"""Compares two runs head by head: how much of a head's attention moved, how far two heads agree.

    R[q, k]      attention of unit q to unit k: mean over the tokens of q of the sum over those of k
    change       mean over q of sum_k |R - R'| / 2, where all unaligned tokens are one more k
    similarity   mean over q of sum_k min(R, R'), over the k visible to q in both models, after each
                 row is divided by its sum over these k: its share
links        the cells (q, k) visible in both models where |R - R'| is largest

Only aligned units count as q and k. Maps are derived one layer at a time; to match two models, a
block of layers of one is kept in memory.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from mha_core.errors import NothingAligned
from mha_core.text.alignment import Group, Unit

Layers = Sequence[Callable[[], Tensor]]
"""One function per layer, which derives its maps [H, T, T] at each call."""

BLOCK_BYTES = 64_000_000
"""Memory for the maps of one model while it is compared with all layers of the other."""


HALF = 0.5
"""A pair of heads with a smaller share of attention on aligned keys is compared only in part."""

N_LINKS = 3
"""How many of the links that changed most are given for each pair of heads."""


@dataclass(frozen=True)
class ChangedLink:
    """The attention from one aligned unit to another, on both sides."""

    query: int  # index of the unit among the aligned ones
    key: int
    one: float
    other: float


@dataclass(frozen=True)
class HeadPair:
    """A head of one run paired with a head of the other."""

    layer: int
    head: int
    other_layer: int
    other_head: int
    change: float
    similarity: float
    share_one: float
    share_other: float
    typical: float | None = None  # mean similarity to all heads of the other model
    links: tuple[ChangedLink, ...] = field(default=(), kw_only=True)  # largest difference first

    @property
    def is_partial(self) -> bool:
        """Whether most of the attention of a head is on keys that were not compared."""
        return min(self.share_one, self.share_other) < HALF


@dataclass(frozen=True, eq=False)
class UnitMaps:
    """Maps of N heads between U aligned units."""

    rows: Tensor  # [N, U, U + 1]: the last column is all unaligned tokens; rows sum to one
    seen: Tensor  # [N, U, U]: attention to units visible in both models; rows sum to one
    share: Tensor  # [N]: mean share of the rows on these units
    looks_back: bool = field(kw_only=True)  # whether only units up to q are visible in both models

    @property
    def n_bytes(self) -> int:
        """Size of the maps."""
        return self.rows.nbytes + self.seen.nbytes

    def changes(self, others: "UnitMaps") -> Tensor:
        """Change between heads of the same index, [N]."""
        return (self.rows - others.rows).abs_().sum(-1).mean(-1) / 2

    def similarities(self, others: "UnitMaps") -> Tensor:
        """Similarity of heads of the same index, [N]."""
        return torch.minimum(self.seen, others.seen).sum(-1).mean(-1)

    def all_similarities(self, others: "UnitMaps") -> Tensor:
        """Similarity of each head to each of M others, [N, M]."""
        flat, other_flat = self.seen.flatten(1), others.seen.flatten(1)
        # min(a, b) = (a + b - |a - b|) / 2, and sums of |a - b| need no array [N, M, U, U].
        both = flat.sum(1)[:, None] + other_flat.sum(1)
        shared = both - torch.cdist(flat, other_flat, p=1)
        return (shared / (2 * self.seen.shape[1])).clamp_(0, 1)

    def changed_links(self, others: "UnitMaps") -> Tensor:
        """Per head of the same index the N_LINKS cells that differ most, [N, L, 4]: q, k, R, R'."""
        U = self.seen.shape[1]  # noqa: N806
        one, other = (maps.rows[..., :U] for maps in (self, others))
        differences = (one - other).abs_()
        if self.looks_back:
            differences = differences.tril()
            differences[:, 0] = 0  # a causal model's first unit can only look at itself
        cells = differences.flatten(1).topk(min(N_LINKS, U * U)).indices  # [N, L]
        values = (maps.flatten(1).gather(1, cells) for maps in (one, other))
        return torch.stack((cells // U, cells % U, *values), -1)

    @classmethod
    def joined(cls, parts: Sequence["UnitMaps"]) -> "UnitMaps":
        """The heads of all parts, concatenated."""
        every = zip(*((maps.rows, maps.seen, maps.share) for maps in parts), strict=True)
        return cls(*map(torch.cat, every), looks_back=parts[0].looks_back)

    def __getitem__(self, heads: Tensor) -> "UnitMaps":
        picked = self.rows[heads], self.seen[heads], self.share[heads]
        return UnitMaps(*picked, looks_back=self.looks_back)


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a comparison: its layers, and the tokens of each aligned unit."""

    layers: Layers
    groups: Sequence[Group]
    looks_back: bool  # whether either model is causal: then q sees no later unit in both

    def unit_maps(self, layer: int) -> UnitMaps:
        """The maps of a layer's heads, between units."""
        pattern = self.layers[layer]()  # [H, T, T]
        H, T, _ = pattern.shape  # noqa: N806 (the shape letters)
        U = len(self.groups)  # noqa: N806
        unit_of = self._unit_of(T).to(pattern.device)  # [T]
        sizes = unit_of.bincount(minlength=U + 1)[:U, None]  # [U, 1]
        queries = pattern.new_zeros(H, U + 1, T).index_add_(1, unit_of, pattern)
        rows = pattern.new_zeros(H, U, U + 1).index_add_(2, unit_of, queries[:, :U] / sizes)
        seen = rows[..., :U].tril() if self.looks_back else rows[..., :U]
        given = seen.sum(-1, keepdim=True)  # [H, U, 1]
        smallest = torch.finfo(pattern.dtype).tiny  # avoids 0 / 0
        share = given.mean((1, 2))
        scaled = seen / given.clamp_min(smallest)
        return UnitMaps(rows, scaled, share, looks_back=self.looks_back)

    def _unit_of(self, n_tokens: int) -> Tensor:
        """The unit of each token, [T]; unaligned tokens share one more unit."""
        unit_of = [len(self.groups)] * n_tokens
        for unit, group in enumerate(self.groups):
            for index in group:
                unit_of[index] = unit
        return torch.tensor(unit_of)


def aligned_units(units: Iterable[Unit], n_one: int, n_other: int) -> list[Unit]:
    """The units with tokens on both sides, among the first n tokens of each."""
    aligned = [
        unit
        for unit in units
        if unit.aligned and max(unit.one) < n_one and max(unit.other) < n_other
    ]
    if not aligned:
        raise NothingAligned(
            "No token of one text is aligned with a token of the other, so there is nothing to "
            "compare: write words into both that are not names of special tokens."
        )
    return aligned


@torch.inference_mode()
def compare_heads(one: Side, other: Side) -> tuple[HeadPair, ...]:
    """Each head of a model paired with itself, most changed first."""
    pairs: list[HeadPair] = []
    for layer in range(len(one.layers)):
        maps, others = one.unit_maps(layer), other.unit_maps(layer)
        measured = maps.changes(others), maps.similarities(others), maps.share, others.share
        rows = torch.stack(measured, 1).tolist()
        links = _links_of(maps.changed_links(others))
        pairs += [
            HeadPair(layer, head, layer, head, *row, links=its)
            for head, (row, its) in enumerate(zip(rows, links, strict=True))
        ]
    # Sorting is stable: equals stay in model order.
    return tuple(sorted(pairs, key=lambda pair: -pair.change))


@torch.inference_mode()
def match_heads(one: Side, other: Side) -> tuple[HeadPair, ...]:
    """Each head of one model paired with the most similar of the other, most similar first.

    Pairs that were compared on less than `HALF` of the attention of a head come after all others.
    """
    pairs: list[HeadPair] = []
    for block in _blocks(one):
        places = [(layer, head) for layer, maps in block for head in range(len(maps.share))]
        rows, links = _best_matches(UnitMaps.joined([maps for _, maps in block]), other)
        pairs += [
            HeadPair(*place, int(layer), int(head), *measured, links=its)
            for place, (layer, head, *measured), its in zip(places, rows, links, strict=True)
        ]
    return tuple(sorted(pairs, key=lambda pair: (pair.is_partial, -pair.similarity)))


def _blocks(side: Side) -> Iterator[list[tuple[int, UnitMaps]]]:
    """Layers with their indices, in blocks of at most BLOCK_BYTES."""
    block: list[tuple[int, UnitMaps]] = []
    for layer in range(len(side.layers)):
        maps = side.unit_maps(layer)
        if block and sum(it.n_bytes for _, it in block) + maps.n_bytes > BLOCK_BYTES:
            yield block
            block = []
        block.append((layer, maps))
    yield block


def _best_matches(
    maps: UnitMaps, other: Side
) -> tuple[list[list[float]], list[tuple[ChangedLink, ...]]]:
    """For each head the layer and head of its match and the values of their `HeadPair`; links."""
    best = maps.share.new_full((len(maps.share), 6), -1)
    links = maps.changed_links(maps)
    total, n_others = torch.zeros_like(maps.share), 0
    for layer in range(len(other.layers)):
        others = other.unit_maps(layer)
        similarities = maps.all_similarities(others)  # [N, H]
        total, n_others = total + similarities.sum(1), n_others + len(others.share)
        similarity, match = similarities.max(1)
        better = (similarity > best[:, 3]).nonzero()[:, 0]  # of equals the first is kept
        ours, theirs, heads = maps[better], others[match[better]], match[better].float()
        found = (torch.full_like(heads, layer), heads, ours.changes(theirs), similarity[better])
        best[better] = torch.stack((*found, ours.share, theirs.share), 1)
        links[better] = ours.changed_links(theirs)
    return torch.cat((best, total[:, None] / n_others), 1).tolist(), _links_of(links)


def _links_of(found: Tensor) -> list[tuple[ChangedLink, ...]]:
    """The links of each head, from [N, L, 4]; those equal on both sides are left out."""
    return [
        tuple(
            ChangedLink(int(query), int(key), one, other)
            for query, key, one, other in links
            if one != other
        )
        for links in found.tolist()
    ]
