"""What the most attended token adds to its own logit: does a head copy it, or suppress it?

    a = A[i, j] (v_j W_O) . (gamma * (W_U[token j] - mean W_U))           j = argmax A[i]
    copying = sum a / sum |a|

copying is 1 for a head that always makes the token it looks at likelier, -1 for one that always
makes it less likely. Only the direct path to the logits counts: what later layers make of a head's
output is not in it. The scale of the final norm changes the size of a, never its sign, and is left
out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mha_core.atlas.means import ratio_interval
from mha_core.atlas.tally import Numbers
from mha_core.models.family import Unembedding, output_projection, unembedding
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture

MIN_WRITTEN_ROWS = 100
"""Rows that a sign needs: a head that nearly always rests on the first token has fewer."""


@dataclass(frozen=True, eq=False)
class TokenDirections:
    """The directions that make tokens likelier."""

    unembedding: Unembedding
    mean: Tensor  # [D]: of W_U over ordinary tokens

    @classmethod
    def of(cls, model: LoadedModel, ordinary: Sequence[int]) -> "TokenDirections | None":
        """Those of a causal model; None where its unembedding is not known."""
        # HeadScope's own model has no such setting: it always reads its embeddings both ways.
        tied = bool(getattr(model.network.config, "tie_word_embeddings", True))
        found = unembedding(model.network, model.architecture.family, tied=tied)
        if found is None:
            return None
        return cls(found, found.weight[list(ordinary)].float().mean(0))

    def __call__(self, ids: Tensor) -> Tensor:
        """gamma * (W_U - mean W_U) of these ids, [..., D] from [...]."""
        return (self.unembedding.weight[ids].float() - self.mean) * self.unembedding.gamma.float()


def own_logits(directions: Tensor, v: Tensor, projection: Tensor, n_heads: int) -> Tensor:
    """What each token would add to its own logit if a head attended only to it, [B, H, T].

    From directions [B, T, D] of the text's tokens, v [B, G, T, d] and W_O [D, H*d].
    """
    through = (directions @ projection.float()).unflatten(-1, (n_heads, -1))  # [B, T, H, d]
    values = v.float().repeat_interleave(n_heads // v.shape[1], 1)  # [B, H, T, d]
    own: Tensor = (through.transpose(1, 2) * values).sum(-1)
    return own


@dataclass(frozen=True)
class Writing:
    """What heads write about the tokens they attend to: sums over the rows that count."""

    total: Numbers  # [B, H]: of a
    total_abs: Numbers  # [B, H]: of |a|
    rows: Numbers  # [H]

    @classmethod
    def of(cls, pattern: Tensor, own: Tensor, allowed: Tensor) -> "Writing":
        """From rows of attention [B, H, Q, T], `own_logits` and the allowed favourites [B, Q, T].

        A row counts if its favourite is allowed.
        """
        weight, key = pattern.max(-1)  # [B, H, Q]
        places = key[..., None]
        counts = allowed[:, None].expand(*pattern.shape).gather(3, places)[..., 0]  # [B, H, Q]
        a = own.gather(2, key) * weight * counts
        sums = (a.sum(2), a.abs().sum(2), counts.sum((0, 2)))
        return cls(*(part.double().cpu().numpy() for part in sums))


@torch.inference_mode()
def measure_writing(
    model: LoadedModel, directions: Tensor, capture: LayerCapture, pattern: Tensor, allowed: Tensor
) -> Writing:
    """The writing of one layer in its last Q rows [B, H, Q, T]; `directions` [B, T, D]."""
    projection = output_projection(model.network, model.architecture.family, capture.site)
    assert projection is not None  # noqa: S101 (a family with an unembedding has one)
    v = capture.v[:, :, : pattern.shape[3]]
    return Writing.of(pattern, own_logits(directions, v, projection, pattern.shape[1]), allowed)


@dataclass(frozen=True, eq=False)
class Copying:
    """How far heads raise (1) or lower (-1) the logits of the tokens they attend to, [L, H] each.

    NaN where fewer than MIN_WRITTEN_ROWS rows count.
    """

    value: Numbers
    low: Numbers
    high: Numbers
    rows: Numbers
    clear: NDArray[np.bool_]  # enough rows, and the interval excludes 0

    @classmethod
    def of(cls, written: Numbers, written_abs: Numbers, rows: Numbers) -> "Copying":
        """From sums of a and of |a| over the rows of each text [N, L, H], and their number."""
        enough = rows >= MIN_WRITTEN_ROWS
        found = ratio_interval(written, written_abs)
        value, low, high = (np.where(enough, part.clip(-1, 1), np.nan) for part in found)
        return cls(value, low, high, rows, (low > 0) | (high < 0))
