"""How widely attention is spread."""

from typing import NamedTuple

import torch
from torch import Tensor

from mha_core.metrics.head_maps import SMALLEST, Maps
from mha_core.metrics.map_metric import over
from mha_core.metrics.passage import Passage, cached_per_passage


class EntropyRows(NamedTuple):
    """Rows and normalisation of an entropy over some keys."""

    rows: Tensor  # [T] float: 1 for the rows that count, which see more than one of the keys
    per_nat: Tensor  # [T]: one over the largest entropy of a row, 0 where the row does not count
    n: int  # rows that count

    @classmethod
    def of(cls, passage: Passage, keys: Tensor, rows: Tensor) -> "EntropyRows":
        """From keys and rows, [T] bool."""
        n_visible = passage.count_visible(keys)  # [T]
        # A row of one key always has entropy 0: leave it out, and avoid 1 / ln 1.
        rows = rows & (n_visible > 1)
        per_nat = torch.where(rows, 1 / n_visible.log(), 0)
        return cls(rows.float(), per_nat, int(rows.sum()))


@cached_per_passage
def entropy_rows(passage: Passage) -> EntropyRows:
    return EntropyRows.of(passage, torch.ones_like(passage.special), passage.choosing)


@cached_per_passage
def entropy_rows_without_sink(passage: Passage) -> EntropyRows:
    """Without special tokens and position 0, as keys and as rows."""
    return EntropyRows.of(passage, passage.no_sink, passage.no_sink)


@over(lambda passage: entropy_rows(passage).n, uniform=lambda _: 1.0)
def entropy(maps: Maps) -> Tensor:
    """Mean over rows of the entropy as a share of the largest possible."""
    counted = entropy_rows(maps.passage)
    return maps.nats[0] @ counted.per_nat[maps.block.rows] / counted.n


def _mean_over_rows_with_rest(_: Passage, total: Tensor) -> Tensor:
    return total[:, 0] / total[:, 1]  # NaN, by 0 / 0, for a head that looks at nothing but the sink


@over(
    lambda passage: entropy_rows_without_sink(passage).n,
    uniform=lambda _: 1.0,
    finish=_mean_over_rows_with_rest,
)
def entropy_without_sink(maps: Maps) -> Tensor:
    """Entropy of each row without its attention on special and first tokens, rescaled to sum 1."""
    counted, rows = entropy_rows_without_sink(maps.passage), maps.block.rows
    left = maps.attention_without_sink  # [H, b]
    # A row may give all its attention to the sink, to the last bit: it has no entropy left.
    has_rest = (left > SMALLEST).to(left.dtype)
    left = left.clamp_min(SMALLEST)
    # Of a row scaled by its sum S: -sum (A/S) ln (A/S) = ln S - sum (A ln A) / S.
    nats = left.log() + maps.nats[1] / left  # [H, b]
    total, n = (nats * has_rest) @ counted.per_nat[rows], has_rest @ counted.rows[rows]
    return torch.stack([total, n], 1)
