"""The attention function registered with transformers: a tap observes and edits its heads.

Transformers lets a caller register an attention function by name, and passes extra keyword
arguments of a model call on to it. So a run is `model(**inputs, tap=tap)`: without a tap the
function is torch's fused attention; with a tap it also reports Q, K, V and the pattern of each
layer, and lets the tap edit the output of each head. Nothing is stored on a module or a global, so
threads may share a model.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import sdpa_mask

from mha_core.attention import (
    Weights,
    Workspace,
    attention_weights,
    causal_bias,
    causal_mask,
    mix,
)
from mha_core.errors import ModelFailed
from mha_core.stacks import Site, StackName

NAME = "headscope"
"""The value for `attn_implementation`."""


@dataclass(frozen=True)
class LayerCapture:
    """The tensors kept of one attention layer; its map is derived from them, never stored."""

    site: Site
    q: Tensor  # [B, H, Q, d]
    k: Tensor  # [B, G, K, d]
    v: Tensor  # [B, G, K, d]
    mask: Tensor | None  # broadcasts to [B, H, Q, K]; boolean, or added to the scores
    causal: bool  # queries see no later keys; the causal mask itself is not kept
    scale: float
    lse: Tensor  # [B, H, Q] float32: log-sum-exp of each row's scores; 0 if all keys are masked

    def pattern(self, heads: Sequence[int] | None = None) -> Tensor:
        """Maps of the chosen heads (None: all), float32 [B, heads, Q, K]."""
        return self.weights(heads).pattern

    def weights(
        self, heads: Sequence[int] | None = None, workspace: Workspace | None = None
    ) -> Weights:
        """The same with their scores and log-sum-exps."""
        q, k, mask = self.q, self.k, _with_causal_bias(self.mask, self.q, self.k, self.causal)
        if heads is not None:
            chosen = torch.tensor(heads, dtype=torch.long, device=q.device)
            if mask is not None and mask.ndim == 4 and mask.shape[1] > 1:
                mask = mask[:, chosen]
            k = k[:, chosen // (q.shape[1] // k.shape[1])]
            q = q[:, chosen]
        return attention_weights(q, k, mask, self.scale, workspace)

    def at_query(self, query: int) -> "LayerCapture":
        """The same layer with one query: one row of each map costs far less than all of them."""
        n_queries, n_keys = self.q.shape[2], self.k.shape[2]
        row, mask = slice(query, query + 1), self.mask
        if mask is not None:
            mask = mask.expand(*self.q.shape[:2], n_queries, n_keys)[:, :, row]  # a view
        if self.causal:
            last_seen = query + n_keys - n_queries
            back = torch.arange(n_keys, device=self.q.device) <= last_seen  # [K]
            mask = _and_causal(mask, back)
        q, lse = self.q[:, :, row], self.lse[:, :, row]
        return replace(self, q=q, mask=mask, causal=False, lse=lse)


OnLayer = Callable[[LayerCapture], None]
"""Called with the tensors of each layer; raising stops the run."""


class OnPattern(Protocol):
    """Called with each layer's pattern; raising stops the run."""

    def __call__(self, capture: LayerCapture, pattern: Tensor, /) -> None:
        """`pattern` [B, H, Q, K] is valid during the call; derive it from `capture` afterwards."""


class OnWeights(Protocol):
    """Called with each layer's pattern and scores; raising stops the run."""

    def __call__(self, capture: LayerCapture, weights: Weights, /) -> None:
        """`weights` are valid during the call; their scores may be overwritten."""


Edit = Callable[[Site, Tensor], Tensor]
"""Edits z [B, Q, H, d], the per-head outputs of a layer, before the output projection."""


@dataclass(frozen=True)
class Tap:
    """Callbacks of one forward pass: those named `on_...` observe, `edit` changes.

    `sites` and `query_scales` are facts of the model; `LoadedModel.forward_all` fills them in.
    """

    on_pattern: OnPattern | None = None
    on_weights: OnWeights | None = None
    on_layer: OnLayer | None = None
    edit: Edit | None = None
    workspace: Workspace | None = None  # None: each layer's maps get memory of their own
    sites: Mapping[nn.Module, Site] = field(default_factory=dict)
    query_scales: Mapping[Site, Tensor] = field(default_factory=dict)  # [H]: factors of the queries

    def attend(
        self,
        site: Site,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None,
        scale: float,
        causal: bool = False,
    ) -> Tensor:
        """Attention at a site, observed and edited by the tap; returns z [B, H, Q, d]."""
        if site in self.query_scales:
            q = q * self.query_scales[site].to(q)[:, None, None]  # [B, H, Q, d] * [H, 1, 1]
        weights = lse = None
        wants_maps = self.on_pattern is not None or self.on_weights is not None
        if not wants_maps and self.on_layer is None:
            z = fused_attention(q, k, v, mask, scale, causal)
        elif not wants_maps and _has_kernel_with_lse(q, k, v):
            z, lse = fused_attention_with_lse(q, k, v, mask, scale, causal)
        else:
            back = _with_causal_bias(mask, q, k, causal)
            weights = attention_weights(q, k, back, scale, self.workspace)
            z, lse = mix(weights.pattern, v), weights.lse
        if lse is not None:
            _check_finite(lse, site)
            capture = LayerCapture(site, q, k, v, mask, causal, scale, lse)
            if self.on_layer is not None:
                self.on_layer(capture)
            if self.on_weights is not None and weights is not None:
                self.on_weights(capture, weights)
            if self.on_pattern is not None and weights is not None:
                self.on_pattern(capture, weights.pattern)
        return z if self.edit is None else self.edit(site, z.transpose(1, 2)).transpose(1, 2)


def fused_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float, causal: bool
) -> Tensor:
    """Torch's fused kernel, z [B, H, Q, d]: fast, but without a pattern."""
    mask, causal = _fused_mask(q, k, mask, causal)
    return F.scaled_dot_product_attention(
        q, k, v, mask, is_causal=causal, scale=scale, enable_gqa=q.shape[1] != k.shape[1]
    )


def fused_attention_with_lse(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float, causal: bool
) -> tuple[Tensor, Tensor]:
    """The CPU kernel behind `fused_attention`, which also returns lse [B, H, Q] at no cost."""
    mask, causal = _fused_mask(q, k, mask, causal)
    if mask is not None and mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=q.dtype).masked_fill(~mask, -torch.inf)
    elif mask is not None:
        mask = mask.to(q.dtype)
    z, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
        q, k, v, 0.0, causal, attn_mask=mask, scale=scale
    )
    return z, lse


def _has_kernel_with_lse(q: Tensor, k: Tensor, v: Tensor) -> bool:
    """Whether the CPU kernel accepts these: equal head sizes, contiguous last dimension."""
    dense = all(it.stride(-1) == 1 for it in (q, k, v))
    return q.device.type == "cpu" and q.shape[-1] == v.shape[-1] and dense


def _fused_mask(
    q: Tensor, k: Tensor, mask: Tensor | None, causal: bool
) -> tuple[Tensor | None, bool]:
    """The mask for torch's kernels, and whether to set their `is_causal`.

    They accept a mask or `is_causal`, not both, and align the causal mask with the first key; with
    a cache it must align with the last.
    """
    if not causal or (mask is None and q.shape[2] == k.shape[2]):
        return mask, causal
    back = causal_mask(q.shape[2], k.shape[2], q.device)
    return _and_causal(mask, back), False


def _and_causal(mask: Tensor | None, back: Tensor) -> Tensor:
    """A mask, boolean or added, that also hides the keys for which `back` is false."""
    if mask is None:
        return back
    # A decoder may have a position bias as well as a causal mask.
    return mask & back if mask.dtype == torch.bool else _bias_as_mask(mask, back)


def _with_causal_bias(mask: Tensor | None, q: Tensor, k: Tensor, causal: bool) -> Tensor | None:
    if not causal:
        return mask
    if mask is not None and mask.dtype == torch.bool:
        return mask & causal_mask(q.shape[2], k.shape[2], q.device)
    back = causal_bias(q.shape[2], k.shape[2], q.device)
    return back if mask is None else mask + back


def _check_finite(lse: Tensor, site: Site) -> None:
    """Raise ModelFailed unless all are finite: NaN in a row's scores makes its log-sum-exp NaN."""
    if not math.isfinite(float(lse.detach().sum())):
        raise ModelFailed(
            f"The attention of {site.stack} layer {site.layer} is not finite: the weights are "
            f"damaged, or the number format is too coarse for this model. Fetch or save the model "
            f"again, or run it in float32.",
            layer=site.layer,
            stack=site.stack,
        )


def tapped_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    is_causal: bool | None = None,
    position_bias: Tensor | None = None,
    tap: Tap | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    **_: object,
) -> tuple[Tensor, None]:
    """The function that transformers calls in every attention layer; returns z [B, Q, H, d]."""
    if softcap is not None or s_aux is not None:
        raise ModelFailed(
            "This model changes its scores before the softmax (soft-capping or attention sinks), "
            "which HeadScope does not do: its maps would be wrong, so it is not shown."
        )
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    # A mask made for fused kernels is None if it would be plainly causal.
    wants_causal = bool(getattr(module, "is_causal", False) if is_causal is None else is_causal)
    causal = wants_causal and attention_mask is None and query.shape[2] > 1
    mask = attention_mask
    if position_bias is not None:
        # All layers share one bias: the causal mask is not added to it.
        mask = _bias_as_mask(position_bias, attention_mask)
    if tap is None:
        z = fused_attention(query, key, value, mask, scale, causal)
    else:
        site = tap.sites.get(module)
        if site is None:
            raise ModelFailed(
                f"HeadScope cannot tell which layer a {type(module).__name__} of this model is in."
            )
        z = tap.attend(site, query, key, value, mask, scale, causal)
    return z.transpose(1, 2).contiguous(), None


def _bias_as_mask(bias: Tensor, mask: Tensor | None) -> Tensor:
    """T5's position bias [1, H, Q, K], with masked keys set to the lowest number.

    Not minus infinity: for a fully masked query the softmax would be NaN.
    """
    if mask is None:
        return bias
    if mask.dtype != torch.bool:
        return bias + mask
    return bias.masked_fill(~mask, torch.finfo(bias.dtype).min)


def register() -> None:
    """Register `attn_implementation="headscope"` with transformers; safe to repeat."""
    AttentionInterface.register(NAME, tapped_attention)
    AttentionMaskInterface.register(NAME, sdpa_mask)


_CROSS = re.compile(r"cross|encoder_attn|encdec", re.IGNORECASE)


def attention_sites(model: nn.Module) -> dict[nn.Module, Site]:
    """Site of every submodule in a numbered layer, from its path in the model.

    All families have the layer as the first number of the path ("encoder.layer.3.attention.self",
    "h.3.attn", "decoder.block.3.layer.1.EncDecAttention").
    """
    config = getattr(model, "config", None)
    two_stacks = bool(getattr(config, "is_encoder_decoder", False))
    causal = any(bool(getattr(module, "is_causal", False)) for module in model.modules())
    sites: dict[nn.Module, Site] = {}
    for path, module in model.named_modules():
        number = re.search(r"\.(\d+)(?:\.|$)", "." + path)
        if number is None:
            continue
        in_decoder = "decoder" in path.split(".") if two_stacks else causal
        stack: StackName = "decoder" if in_decoder else "encoder"
        if _CROSS.search(path):
            stack = "cross"
        sites[module] = Site(int(number[1]), stack)
    return sites
