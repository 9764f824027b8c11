"""How much a head's map depends on the text: near 0, it follows positions and not words.

    variability = sum |A - mean A| / (2 sum A)        over texts and their first ten tokens

Vig and Belinkov 2019. The map of each text is compared with the mean map, cell by cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.sample import sample
from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.atlas.word_maps import batch_by_length
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress, silent
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokens import TokenizedText

N_TOKENS = 10
_TOKENS_IN_BATCH = 2048


@dataclass(frozen=True, eq=False)
class Variability(ArrayResult):
    """A number in [0, 1] for each head, and the texts it comes from."""

    values: Numbers  # [L, H]
    n: Numbers  # []: texts that have ten tokens and were used


@dataclass(frozen=True)
class _Text:
    tokenized: TokenizedText


def measure_variability(
    model: LoadedModel,
    texts: Sequence[TokenizedText],
    *,
    size: int = 500,
    seed: int = 0,
    progress: Progress = silent,
) -> Variability:
    """The variability of every head, on up to `size` of the texts that are long enough."""
    enough = [text for text in texts if len(text.tokens) >= N_TOKENS]
    chosen = sample(enough, size, seed)
    if model.architecture.kind == "decoder":  # later tokens change nothing
        chosen = [_first_tokens(text) for text in chosen]
    maps: list[list[Tensor]] = [[] for _ in range(model.architecture.n_layers)]

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        maps[capture.site.layer].append(pattern[:, :, :N_TOKENS, :N_TOKENS].cpu())

    batches = list(batch_by_length(map(_Text, chosen), _TOKENS_IN_BATCH))
    for at, batch in enumerate(batches):
        progress("variability", at, len(batches))
        model.forward_all([text.tokenized for text in batch], Tap(on_pattern))
    progress("variability", len(batches), len(batches))
    if not batches:
        values = np.full((model.architecture.n_layers, model.architecture.n_heads), np.nan)
    else:
        values = torch.stack([_spread(torch.cat(layer)) for layer in maps]).double().numpy()
    return Variability(values, np.array(float(len(chosen))))


def _first_tokens(text: TokenizedText) -> TokenizedText:
    inputs = {name: values[:N_TOKENS] for name, values in text.inputs.items()}
    return replace(text, tokens=text.tokens[:N_TOKENS], inputs=inputs)


def _spread(maps: Tensor) -> Tensor:
    """Variability [H] of maps [S, H, 10, 10]."""
    apart = (maps - maps.mean(0)).abs().sum((0, 2, 3))  # [H]
    return apart / (2 * maps.sum((0, 2, 3)))
