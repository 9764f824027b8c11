"""Attention to the first token in windows of one length.

The longer a text, the more there is to attend to: shares on the first token compare only at a
fixed length. The windows are cut from the running text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from mha_core.atlas.means import mean_interval
from mha_core.atlas.sample import sample
from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.atlas.template import Template
from mha_core.attention import uniform_attention
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import TokenizedText

N_TOKENS = 64
N_WINDOWS = 100
_WINDOWS_IN_BATCH = 16


@dataclass(frozen=True, eq=False)
class Sink(ArrayResult):
    """Means over windows, [L, H] each, with 95 % intervals."""

    first: Numbers
    first_low: Numbers
    first_high: Numbers
    first_baseline: Numbers  # []: of uniform attention
    windows: Numbers  # []


def cut_windows(
    model: LoadedModel, sentences: Sequence[str], *, size: int = N_WINDOWS, seed: int = 0
) -> list[TokenizedText]:
    """Up to `size` windows of 64 tokens of the running text, special tokens around each."""
    template = Template.of(model.tokenizer)
    running = tokenize(model.tokenizer, " ".join(sentences)).tokens
    ids = [token.id for token in running if token.kind != "special"]
    length = N_TOKENS - template.n_special
    starts = range(0, len(ids) - length + 1, length)
    return sample([template.around(ids[at : at + length]) for at in starts], size, seed)


def batch_windows(
    windows: Sequence[TokenizedText],
) -> Iterator[tuple[slice, Sequence[TokenizedText]]]:
    """Windows in batches, each with its place in the whole."""
    for at in range(0, len(windows), _WINDOWS_IN_BATCH):
        batch = windows[at : at + _WINDOWS_IN_BATCH]
        yield slice(at, at + len(batch)), batch


def measure_sink(
    model: LoadedModel, sentences: Sequence[str], *, size: int = N_WINDOWS, seed: int = 0
) -> Sink:
    """The sink of every head; NaN for a text below one window."""
    windows = cut_windows(model, sentences, size=size, seed=seed)
    heads = (model.architecture.n_layers, model.architecture.n_heads)
    shares = np.zeros((len(windows), *heads))
    for places, batch in batch_windows(windows):

        def on_pattern(capture: LayerCapture, pattern: Tensor, places: slice = places) -> None:
            found = _share_of_first(pattern)  # [B, H]
            shares[places, capture.site.layer] = found.double().cpu().numpy()

        model.forward_all(batch, Tap(on_pattern))
    mean, low, high = mean_interval(shares)
    causal = model.architecture.kind == "decoder"
    uniform = uniform_attention(N_TOKENS, N_TOKENS, causal=causal)
    return Sink(
        first=mean,
        first_low=np.maximum(low, 0),
        first_high=np.minimum(high, 1),
        first_baseline=np.array(float(_share_of_first(uniform))),
        windows=np.array(float(len(windows))),
    )


def _share_of_first(pattern: Tensor) -> Tensor:
    """Mean attention to the first token [...] of a pattern [..., T, T]; it has no choice itself."""
    return pattern[..., 1:, 0].mean(-1)
