"""What a map looks like, by rule."""

from math import nan

import torch
from torch import Tensor

from mha_core.metrics.catalogue import BLOCK, SHAPE_LIFT
from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.cells import NEAR, near_keys, sees_near
from mha_core.metrics.map_metric import over
from mha_core.metrics.map_summary import MapSummary
from mha_core.metrics.passage import Passage, cached_per_passage

_BAND = slice(NEAR.index(-1), NEAR.index(1) + 1)  # the offsets around the diagonal


@over(lambda passage: passage.n_choosing, uniform=lambda _: nan)
def shape(maps: MapSummary) -> Tensor:
    """Index into SHAPES."""
    passage, table = maps.passage, cell_table(maps.passage)
    band, stripes = _line_shares(passage, maps.row_sums[:, 0], maps.near[:, _BAND])
    uniform_band, uniform_stripes = _uniform_line_shares(passage)
    diagonal = band - uniform_band > SHAPE_LIFT
    vertical = stripes - uniform_stripes > SHAPE_LIFT
    segment = table.names.index("segment")
    # False for one sentence, where it is NaN.
    block = maps.linear[:, segment] - table.subtracted[segment] > BLOCK
    # In the order of SHAPES: vertical 0, diagonal 1, both 2; block 3, heterogeneous 4.
    striped = diagonal.float() + (vertical & diagonal)
    return torch.where(vertical | diagonal, striped, 4 - block.float())


def _line_shares(passage: Passage, columns: Tensor, near: Tensor) -> tuple[Tensor, Tensor]:
    """Share of the band around the diagonal, and of the two heaviest columns outside it, [H].

    From sums of whole columns [H, T] and the attention in the band, [H, 3, T].
    """
    counted, keys = _band(passage)
    near = near * counted
    outside = columns.index_add(1, keys, near.flatten(1), alpha=-1)
    stripes = outside.topk(min(2, passage.n_tokens)).values.sum(-1)
    return near.sum((1, 2)) / passage.n_choosing, stripes / passage.n_choosing


@cached_per_passage
def _band(passage: Passage) -> tuple[Tensor, Tensor]:
    """1 for each cell of the band that counts, [3, T], and the keys of its cells, [3 * T]."""
    counted = sees_near(passage)[_BAND] & passage.choosing
    return passage.to_device(counted), passage.to_device(near_keys(passage)[_BAND].ravel())


@cached_per_passage
def _uniform_line_shares(passage: Passage) -> tuple[Tensor, Tensor]:
    # [1, T]: in each row.
    per_key = passage.to_device(passage.choosing / passage.n_visible)[None]
    columns = per_key.flip(1).cumsum(1).flip(1)  # of a causal model only later rows see a key
    columns = columns if passage.causal else columns[:, :1].expand(per_key.shape)
    return _line_shares(passage, columns, per_key[:, None].expand(-1, 3, -1))
