"""The attention of one layer, run by HeadScope's own `MultiHeadAttention` and written down.

The module gets the model's weights, as views. Its `attend` argument is where rotary positions,
shifted keys, another scale and heads that are off come in: they are no projections.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from mha_core.anatomy.computation import AttentionWeights, Linear
from mha_core.anatomy.observed import Observed
from mha_core.attention import MultiHeadAttention, attention_pattern, mix


@dataclass(frozen=True, eq=False)
class AttentionSteps:
    """Every step from the input of the heads to their output."""

    weights: AttentionWeights
    how: Observed
    heads_off: tuple[int, ...]
    normed: Tensor  # [T, D]: what W_Q, W_K and W_V read
    q: Tensor  # [H, T, d]
    k: Tensor  # [G, T, d]
    v: Tensor  # [G, T, d]
    used_q: Tensor  # [H, T, d]: rotated, where the model does that
    used_k: Tensor  # [G, T, d]: rotated or shifted
    pattern: Tensor  # [H, T, T]
    z: Tensor  # [H, T, d]
    output: Tensor  # [T, D]
    n_parameters: int  # of the module that ran

    @cached_property
    def raw(self) -> Tensor:
        """Scores before they are scaled, q . k, [H, T, T]."""
        keys = self.used_k.repeat_interleave(len(self.used_q) // len(self.used_k), 0)
        return self.used_q @ keys.transpose(-1, -2)

    @cached_property
    def scores(self) -> Tensor:
        """Scaled scores, [H, T, T]."""
        return self.raw * self.how.scale

    def softmax(self, scores: Tensor) -> Tensor:
        """Softmax of scores [..., T, T] over the visible keys; a row that sees none is zeros."""
        return hide(scores, self.how.visible).softmax(-1).nan_to_num(0)

    @cached_property
    def one_head_scores(self) -> Tensor:
        """Scores of one head as large as all of them: q . k over all dimensions, [T, T]."""
        return self.raw.sum(0) / math.sqrt(len(self.raw) * self.weights.d_head)

    @cached_property
    def results(self) -> Tensor:
        """What each head writes to the residual stream, [H, T, D]."""
        parts = [self.weights.part("output", head).weight for head in range(len(self.z))]
        return self.z @ torch.stack(parts).float().transpose(-1, -2)


def hide(scores: Tensor, visible: Tensor) -> Tensor:
    """Scores with minus infinity where a key is hidden."""
    return scores.masked_fill(~visible, -torch.inf)


def run_attention(
    weights: AttentionWeights,
    normed: Tensor,
    how: Observed,
    heads_off: tuple[int, ...] = (),
    *,
    fused: bool,
) -> AttentionSteps:
    """Run one layer's heads on their input [T, D], as one matrix or as one for each head."""
    module = build_module(weights, fused=fused)
    seen: dict[str, Tensor] = {}

    def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, _: float) -> Tensor:
        used_q, used_k = how.apply_positions(q, k)
        pattern = attention_pattern(used_q, used_k, mask, how.scale)
        z = mix(pattern, v)
        z[:, list(heads_off)] = 0
        seen.update(q=q, k=k, v=v, used_q=used_q, used_k=used_k, pattern=pattern, z=z)
        return z

    output = module(normed[None], mask=how.visible, attend=attend)
    steps = {name: tensor[0] for name, tensor in seen.items()}
    n_parameters = sum(it.numel() for it in module.parameters())
    return AttentionSteps(
        weights, how, heads_off, normed, **steps, output=output[0], n_parameters=n_parameters
    )


def build_module(weights: AttentionWeights, *, fused: bool) -> MultiHeadAttention:
    """HeadScope's module with these weights, which are not copied."""
    n_heads, n_kv_heads = weights.n_heads, weights.n_kv_heads
    with torch.device("meta"):  # no memory, no random numbers
        module = MultiHeadAttention(
            weights.query.weight.shape[1],
            n_heads,
            n_kv_heads,
            d_head=weights.d_head,
            fused=fused,
            bias=False,
        )
    counts = {"query": n_heads, "key": n_kv_heads, "value": n_kv_heads, "output": n_heads}
    for name, count in counts.items():
        whole: Linear = getattr(weights, name)
        axis = 1 if name == "output" else 0  # heads are inputs of W_O, outputs of the others
        n_parts = 1 if fused else count
        parts = whole.weight.float().chunk(n_parts, axis)
        for linear, part in zip(module.get_submodule(name).children(), parts, strict=True):
            linear.register_parameter("weight", _frozen(part))
        if whole.bias is None:
            continue
        if name == "output":
            module.output_bias = _frozen(whole.bias.float())
            continue
        biases = whole.bias.float().chunk(n_parts)
        for linear, bias in zip(module.get_submodule(name).children(), biases, strict=True):
            linear.register_parameter("bias", _frozen(bias))
    return module


def _frozen(tensor: Tensor) -> nn.Parameter:
    return nn.Parameter(tensor, requires_grad=False)
