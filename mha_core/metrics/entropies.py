"""How widely attention is spread."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from mha_core.metrics.map_metric import over
from mha_core.metrics.map_summary import MapSummary
from mha_core.metrics.passage import Flags, Passage, cached_per_passage

SMALLEST = torch.finfo(torch.float32).tiny  # replaces 0 in a logarithm and a denominator


class EntropyRows(NamedTuple):
    """Rows and normalisation of an entropy over some keys."""

    rows: Tensor  # [T]: 1 for the rows that count, which see more than one of the keys
    per_nat: Tensor  # [T]: one over the largest entropy of a row, 0 where the row does not count
    n: int  # rows that count

    @classmethod
    def of(cls, passage: Passage, keys: Flags, rows: Flags) -> "EntropyRows":
        """From keys and rows, [T] each."""
        # A row of one key always has entropy 0: leave it out, and avoid 1 / ln 1.
        rows = rows & (passage.count_visible(keys) > 1)
        most = np.log(passage.count_visible(keys).clip(min=2))  # [T]
        to_device = passage.to_device
        return cls(to_device(rows), to_device(rows / most), int(rows.sum()))


@cached_per_passage
def entropy_rows(passage: Passage) -> EntropyRows:
    return EntropyRows.of(passage, np.ones_like(passage.special), passage.choosing)


@cached_per_passage
def entropy_rows_without_sink(passage: Passage) -> EntropyRows:
    """Without special tokens and position 0, as keys and as rows."""
    return EntropyRows.of(passage, passage.no_sink, passage.no_sink)


@over(lambda passage: entropy_rows(passage).n, uniform=lambda _: 1.0)
def entropy(maps: MapSummary) -> Tensor:
    """Mean over rows of the entropy as a share of the largest possible."""
    counted = entropy_rows(maps.passage)
    return maps.nats @ counted.per_nat / counted.n


@over(lambda passage: entropy_rows_without_sink(passage).n, uniform=lambda _: 1.0)
def entropy_without_sink(maps: MapSummary) -> Tensor:
    """Entropy of each row without its attention on special and first tokens, rescaled to sum 1."""
    counted = entropy_rows_without_sink(maps.passage)
    # A row may give all its attention to the sink, to the last bit: it has no entropy left.
    has_rest = (maps.without_sink > SMALLEST).to(maps.nats.dtype)
    left = maps.without_sink.clamp_min(SMALLEST)
    # Of a row scaled by its sum S: -sum (A/S) ln (A/S) = ln S - sum (A ln A) / S.
    nats = left.log() + maps.nats_without_sink / left  # [H, T]
    # NaN, by 0 / 0, for a head that looks at nothing but the sink.
    return (nats * has_rest) @ counted.per_nat / (has_rest @ counted.rows)
