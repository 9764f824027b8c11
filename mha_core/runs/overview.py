"""The small map of a head: pooled where long, coded in one byte a cell, made on the model's device.

A cell is `round(255 * sqrt(weight))`: the square root keeps small weights visible and costs an
eighth of the entropy error of linear coding. Where a text is longer than SIDE tokens, blocks of
tokens are pooled by their maximum, because an average erases the isolated strong link that makes
a head interesting. This file must not know frames, sockets or threads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import torch
from torch import Tensor

from mha_core.tap import LayerCapture

SIDE = 128
"""Longest side of an overview, in cells."""


def block_size(n_tokens: int) -> int:
    """How many neighbouring tokens share a cell."""
    return max(1, ceil(n_tokens / SIDE))


def overview(pattern: Tensor) -> Tensor:
    """Coded map of each head, uint8 [H, rows, cols], from a pattern [H, Q, K], on its device."""
    for side in (1, 2):  # rows first: neighbours in memory, four times quicker than max_pool2d
        block = block_size(pattern.shape[side])
        if block > 1:
            pattern = _pooled(pattern, side, block)
    return pattern.sqrt().mul_(255).round_().to(torch.uint8)


def _pooled(maps: Tensor, side: int, block: int) -> Tensor:
    """Maximum of each block of neighbours along a side; the last block may be shorter."""
    n = maps.shape[side]
    whole = n // block * block
    parts = [maps.narrow(side, 0, whole).unflatten(side, (-1, block)).amax(side + 1)]
    if whole < n:
        parts.append(maps.narrow(side, whole, n - whole).amax(side, keepdim=True))
    return torch.cat(parts, side)


@dataclass(frozen=True)
class LayerOverview:
    """The coded maps of one layer, in host memory."""

    capture: LayerCapture
    codes: Tensor  # uint8 [H, rows, cols]


class OverviewOutbox:
    """Hands overviews on in order, without making the device wait for the copy.

    On a GPU a layer's codes go to pinned memory while the next layer already runs, and are handed
    on when that one looks in; on a CPU there is nothing to wait for.
    """

    def __init__(self, send: Callable[[LayerOverview], None]) -> None:
        self._send = send
        self._waiting: list[tuple[LayerOverview, torch.cuda.Event]] = []

    def put(self, capture: LayerCapture, pattern: Tensor) -> None:
        """Code the maps of a batch of one, pattern [1, H, Q, K], and start them on their way."""
        codes = overview(pattern[0])
        self._flush(wait=False)
        if codes.device.type != "cuda":
            self._send(LayerOverview(capture, codes.cpu()))
            return
        pinned = torch.empty(codes.shape, dtype=codes.dtype, pin_memory=True)
        pinned.copy_(codes, non_blocking=True)
        copied = torch.cuda.Event()
        copied.record()
        self._waiting.append((LayerOverview(capture, pinned), copied))

    def close(self) -> None:
        """Send what is still on its way."""
        self._flush(wait=True)

    def _flush(self, *, wait: bool) -> None:
        while self._waiting and (wait or self._waiting[0][1].query()):
            ready, copied = self._waiting.pop(0)
            copied.synchronize()
            self._send(ready)
