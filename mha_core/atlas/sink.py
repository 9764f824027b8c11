"""Attention to the first token in windows of one length.

The longer a text, the more there is to attend to: shares on the first token compare only at a
fixed length. The windows are cut from the running text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.sample import sample
from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.atlas.template import Template
from mha_core.atlas.wilson import Z_95
from mha_core.attention import uniform_attention
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokenization import tokenize

N_TOKENS = 64
_WINDOWS_IN_BATCH = 16


@dataclass(frozen=True, eq=False)
class Sink(ArrayResult):
    """Means over windows, [L, H] each, with 95 % intervals."""

    first: Numbers
    first_low: Numbers
    first_high: Numbers
    first_baseline: Numbers  # []: of uniform attention
    windows: Numbers  # []


def measure_sink(
    model: LoadedModel, sentences: Sequence[str], *, size: int = 100, seed: int = 0
) -> Sink:
    """The sink of every head, on up to `size` windows of 64 tokens, special ones included."""
    template = Template.of(model.tokenizer)
    running = tokenize(model.tokenizer, " ".join(sentences)).tokens
    ids = [token.id for token in running if token.kind != "special"]
    length = N_TOKENS - template.n_special
    starts = range(0, len(ids) - length + 1, length)
    windows = sample([template.around(ids[at : at + length]) for at in starts], size, seed)
    found: list[list[Tensor]] = [[] for _ in range(model.architecture.n_layers)]

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        found[capture.site.layer].append(_share_of_first(pattern).cpu())

    for at in range(0, len(windows), _WINDOWS_IN_BATCH):
        model.forward_all(windows[at : at + _WINDOWS_IN_BATCH], Tap(on_pattern))
    nothing = torch.full((2, model.architecture.n_heads), torch.nan)  # a text below one window
    shares = torch.stack([torch.cat(rows) if rows else nothing for rows in found]).double()
    mean = shares.mean(1).numpy()  # [L, H]
    # One window has no spread: its interval is not known.
    spread = shares.std(1).numpy() if len(windows) > 1 else np.nan * mean
    error = spread / np.sqrt(max(len(windows), 1))
    causal = model.architecture.kind == "decoder"
    uniform = uniform_attention(N_TOKENS, N_TOKENS, causal=causal)
    return Sink(
        first=mean,
        first_low=np.maximum(mean - Z_95 * error, 0),
        first_high=np.minimum(mean + Z_95 * error, 1),
        first_baseline=np.array(float(_share_of_first(uniform))),
        windows=np.array(float(len(windows))),
    )


def _share_of_first(pattern: Tensor) -> Tensor:
    """Mean attention to the first token [...] of a pattern [..., T, T]; it has no choice itself."""
    return pattern[..., 1:, 0].mean(-1)
