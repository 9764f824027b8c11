"""What a map looks like, by rule."""

from math import nan

import torch
from torch import Tensor

from mha_core.metrics.catalogue import BLOCK, SHAPE_LIFT
from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.cells import NEAR, sees_near
from mha_core.metrics.head_maps import Maps
from mha_core.metrics.map_metric import over
from mha_core.metrics.passage import Passage, cached_per_passage
from mha_core.metrics.row_block import RowBlock

_BAND = slice(NEAR.index(-1), NEAR.index(1) + 1)  # the offsets around the diagonal


def _classify(passage: Passage, total: Tensor) -> Tensor:
    """Index into SHAPES, [H]."""
    band, stripes = _line_shares(passage, total[:, :-1])
    uniform_band, uniform_stripes = _uniform_line_shares(passage)
    diagonal = band - uniform_band > SHAPE_LIFT
    vertical = stripes - uniform_stripes > SHAPE_LIFT
    table = cell_table(passage)
    segment = total[:, -1] - table.expected[table.names.index("segment")]
    block = segment > BLOCK  # False for one sentence, where it is NaN
    # In the order of SHAPES: vertical 0, diagonal 1, both 2; block 3, heterogeneous 4.
    striped = diagonal.float() + (vertical & diagonal)
    return torch.where(vertical | diagonal, striped, 4 - block.float())


@over(lambda passage: passage.n_choosing, uniform=lambda _: nan, finish=_classify)
def shape(maps: Maps) -> Tensor:
    """[H, T + 2]: sums of the columns outside the band around the diagonal, the band, `segment`."""
    segment = cell_table(maps.passage).names.index("segment")
    lines = _lines(maps.block, maps.row_sums[:, 0], maps.near[:, _BAND])
    return torch.cat([lines, maps.linear[:, segment, None]], 1)


def _lines(block: RowBlock, columns: Tensor, near: Tensor) -> Tensor:
    """[H, T + 1]: the columns outside the band around the diagonal, and the band.

    From sums of whole columns [H, T] and the attention near the diagonal, [H, 3, b].
    """
    passage, rows = block.passage, block.rows
    near = near * (sees_near(passage)[_BAND, rows] & passage.choosing[rows])
    keys = block.near_keys[_BAND].flatten()
    outside = columns.index_add(1, keys, near.flatten(1), alpha=-1)
    return torch.cat([outside, near.sum((1, 2))[:, None]], 1)


def _line_shares(passage: Passage, lines: Tensor) -> tuple[Tensor, Tensor]:
    """Share of the band, and of the two heaviest columns outside it, [H]."""
    columns, band = lines[:, :-1], lines[:, -1]
    stripes = columns.topk(min(2, columns.shape[1])).values.sum(-1)
    return band / passage.n_choosing, stripes / passage.n_choosing


@cached_per_passage
def _uniform_line_shares(passage: Passage) -> tuple[Tensor, Tensor]:
    per_key = (passage.choosing / passage.n_visible)[None]  # [1, T]: in each row
    columns = per_key.flip(1).cumsum(1).flip(1)  # of a causal model only later rows see a key
    columns = columns if passage.causal else columns[:, :1].expand(per_key.shape)
    whole = RowBlock(passage, 0, passage.n_tokens)
    return _line_shares(passage, _lines(whole, columns, per_key[:, None].expand(-1, 3, -1)))
