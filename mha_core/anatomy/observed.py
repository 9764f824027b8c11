"""What an attention layer does beyond its weights, read off a run of the model itself.

Mask, scale and shifted keys are not guessed from a configuration: they are what the tap saw.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.anatomy.computation import Computation
from mha_core.attention import causal_mask
from mha_core.errors import NoAnatomy
from mha_core.tap import LayerCapture

SAME = 1e-2
"""Relative distance up to which two keys are the same: far above rounding in half precision."""


@dataclass(frozen=True, eq=False)
class Rotation:
    """Rotary positions: each pair of dimensions c and c + d/2 is turned by an angle."""

    cos: Tensor  # [T, d]
    sin: Tensor  # [T, d]

    def __call__(self, x: Tensor) -> Tensor:
        """Queries or keys [..., T, d], rotated."""
        first, second = x.chunk(2, -1)
        return x * self.cos + torch.cat([-second, first], -1) * self.sin


@dataclass(frozen=True, eq=False)
class Observed:
    """How one layer attends on one text."""

    visible: Tensor  # bool [T, T]
    scale: float
    rotation: Rotation | None
    key_sources: Tensor | None = None  # [T]: the position whose key is read; -1: a key of zeros

    def apply_positions(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        """Queries and keys as the scores use them: rotated, or shifted, or as they are."""
        if self.rotation is not None:
            return self.rotation(q), self.rotation(k)
        if self.key_sources is None:
            return q, k
        read = self.key_sources >= 0
        return q, k[..., self.key_sources.clamp_min(0), :] * read[:, None]


def observe(capture: LayerCapture, rotation: Rotation | None) -> Observed:
    """What the tap saw of a layer; raises NoAnatomy for scores that are changed otherwise."""
    n_tokens, mask = capture.q.shape[2], capture.mask
    visible = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=capture.q.device)
    if mask is not None:
        seen = mask if mask.dtype == torch.bool else mask > torch.finfo(mask.dtype).min / 2
        biased = mask.dtype != torch.bool and bool(mask[seen].any())
        seen = seen.expand(1, capture.q.shape[1], n_tokens, n_tokens)[0]  # [H, T, T]
        if biased or not torch.equal(seen, seen[:1].expand_as(seen)):
            raise NoAnatomy(
                "This model adds a bias to its scores, or hides other keys from each head: its "
                "computation cannot be shown step by step."
            )
        visible = seen[0]
    if capture.causal:
        visible = visible & causal_mask(n_tokens, n_tokens, visible.device)
    return Observed(visible, capture.scale, rotation)


def find_key_sources(projected: Tensor, used: Tensor) -> Tensor | None:
    """Whose key each position reads, [T]; None where each reads its own.

    Both are [G, T, d]: the keys that W_K gives, and those that the scores were computed from.
    """
    size = SAME * float(projected.norm(dim=-1).mean())
    n_tokens = used.shape[1]
    ours, theirs = (it.transpose(0, 1).reshape(n_tokens, -1) for it in (projected, used.float()))
    if float((theirs - ours).norm(dim=-1).max()) <= size * projected.shape[0] ** 0.5:
        return None
    sources = torch.cdist(theirs, ours).argmin(-1)  # [T]
    sources = torch.where(theirs.any(-1), sources, -1)
    own = torch.arange(n_tokens, device=sources.device)
    return None if torch.equal(sources, own) else sources  # coarse numbers are no shift


def rotation_of(computation: Computation, x: Tensor) -> Rotation | None:
    """The angles of each position for a text of embeddings x [T, D], by the network's module."""
    if computation.rotary is None:
        return None
    positions = torch.arange(len(x), device=x.device)[None]
    cos, sin = computation.rotary(x[None], position_ids=positions)
    return Rotation(cos[0].float(), sin[0].float())
