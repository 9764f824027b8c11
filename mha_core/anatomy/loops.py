"""Attention computed in three ways, for the same weights and input: equal results, other times.

loop      head after head, each with small matrices of its own
fused     one matrix for all heads, and the formula for all of them at once
kernel    the same projections around torch's fused attention, which never holds a whole map
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Literal

import torch
from torch import Tensor

from mha_core.anatomy.calculator import HeadShape, count_flops, find_problems
from mha_core.anatomy.seeded import draw, draw_attention
from mha_core.attention import MultiHeadAttention, attention, causal_bias
from mha_core.errors import BadDimensions, ComparisonTooLarge
from mha_core.tap import fused_attention

Way = Literal["loop", "fused", "kernel"]
WAYS: tuple[Way, ...] = ("loop", "fused", "kernel")

MAX_BYTES = 1_000_000_000
MAX_FLOPS = 100_000_000_000  # of one way: about a second on two cores
_BYTES = 4  # float32


@dataclass(frozen=True)
class LoopSizes:
    """The sizes of the attention that is computed in three ways."""

    d_model: int
    n_heads: int
    n_tokens: int
    batch: int
    causal: bool

    @property
    def shape(self) -> HeadShape:
        return HeadShape(self.d_model, self.n_heads, self.n_heads, n_tokens=self.n_tokens)

    @property
    def n_flops(self) -> int:
        """Operations of one way."""
        return self.batch * count_flops(self.shape).one_layer

    @property
    def n_bytes(self) -> int:
        """Memory that is needed at once: both modules, vectors of all tokens, scores and maps."""
        weights = (2 * 4 + 2) * self.d_model**2 + 2 * 4 * self.d_model  # two while one is drawn
        vectors = 10 * self.batch * self.n_tokens * self.d_model
        maps = 2 * self.batch * self.n_heads * self.n_tokens**2
        mask = 2 * self.n_tokens**2 if self.causal else 0
        return _BYTES * (weights + vectors + maps + mask)

    def check(self) -> None:
        """Raise BadDimensions or ComparisonTooLarge, each with what to change."""
        for problem in find_problems(self.shape):
            raise BadDimensions(problem.message, nearest=list(problem.nearest))
        if self.n_bytes > MAX_BYTES:
            raise ComparisonTooLarge(
                f"These sizes need about {self.n_bytes / 1e9:.1f} GB of memory and the limit is "
                f"{MAX_BYTES / 1e9:.1f} GB: choose fewer tokens, fewer heads, a smaller batch or a "
                f"smaller d_model.",
                n_bytes=self.n_bytes,
                max_bytes=MAX_BYTES,
            )
        if self.n_flops > MAX_FLOPS:
            raise ComparisonTooLarge(
                f"These sizes take {self.n_flops / 1e9:,.0f} billion operations each time and the "
                f"limit is {MAX_FLOPS / 1e9:,.0f}: choose fewer tokens, a smaller batch or a "
                f"smaller d_model.",
                n_flops=self.n_flops,
                max_flops=MAX_FLOPS,
            )


class LoopComparison:
    """The three ways on one device, for sizes that were checked."""

    def __init__(self, sizes: LoopSizes, device: torch.device) -> None:
        generator = torch.Generator().manual_seed(0)
        separate = draw_attention(generator, sizes.d_model, sizes.n_heads, fused=False)
        fused = draw_attention(generator, sizes.d_model, sizes.n_heads)
        fused.copy_from(separate)
        separate, fused = separate.to(device), fused.to(device)
        x = draw(generator, sizes.batch, sizes.n_tokens, sizes.d_model).to(device)
        mask = causal_bias(sizes.n_tokens, sizes.n_tokens, device) if sizes.causal else None
        kernel = partial(fused_attention, causal=sizes.causal)
        self._device = device
        self._ways: Mapping[Way, Callable[[], Tensor]] = {
            "loop": lambda: loop_over_heads(separate, x, mask),
            "fused": lambda: fused(x, mask=mask),
            "kernel": lambda: fused(x, attend=kernel),
        }

    def results(self) -> dict[Way, Tensor]:
        """What each way computes, [B, T, D]."""
        with torch.inference_mode():
            return {way: compute() for way, compute in self._ways.items()}

    def time_round(self, number: int) -> dict[Way, float]:
        """Seconds of each way, run in turn; each round begins with another one."""
        first = number % len(WAYS)
        return {way: self._time(way) for way in (*WAYS[first:], *WAYS[:first])}

    def _time(self, way: Way) -> float:
        with torch.inference_mode():
            began = perf_counter()
            self._ways[way]()
            if self._device.type != "cpu":
                torch.accelerator.synchronize(self._device)
            return perf_counter() - began


def loop_over_heads(module: MultiHeadAttention, x: Tensor, mask: Tensor | None = None) -> Tensor:
    """Attention of a module that is not fused, [B, T, D], written as a loop over its heads."""
    parts = (module.get_submodule(name) for name in ("query", "key", "value", "output"))
    heads = zip(*(part.children() for part in parts), strict=True)
    result = torch.zeros_like(x) if module.output_bias is None else module.output_bias
    for w_q, w_k, w_v, w_o in heads:
        q, k, v = (w(x)[:, None] for w in (w_q, w_k, w_v))  # [B, 1, T, d]
        z = attention(q, k, v, mask, module.d_head**-0.5)[:, 0]  # [B, T, d]
        result = result + w_o(z)  # [B, T, D]
    return result


def largest_differences(results: Mapping[Way, Tensor]) -> dict[Way, float]:
    """The largest absolute difference of each result to that of the loop."""
    return {way: float((result - results["loop"]).abs().max()) for way, result in results.items()}
