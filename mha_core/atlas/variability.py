"""How much a head's map depends on the text: near 0, it follows positions and not words.

    variability = sum |A - mean A| / (2 sum A)        over texts and their first ten tokens

Vig and Belinkov 2019. The map of each text is compared with the mean map, cell by cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.batches import PlainText, batch_by_length, run_batch
from mha_core.atlas.sample import sample
from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.models.loading import LoadedModel
from mha_core.text.tokens import TokenizedText

N_TOKENS = 10


@dataclass(frozen=True, eq=False)
class Variability(ArrayResult):
    """A number in [0, 1] for each head, and the texts it comes from."""

    values: Numbers  # [L, H]
    n: Numbers  # []: texts that have ten tokens and were used


def measure_variability(
    model: LoadedModel, texts: Sequence[TokenizedText], *, size: int = 500, seed: int = 0
) -> Variability:
    """The variability of every head, on up to `size` of the texts that are long enough."""
    chosen = sample([text for text in texts if len(text.tokens) >= N_TOKENS], size, seed)
    if model.architecture.kind == "decoder":  # later tokens change nothing
        chosen = [_first_tokens(text) for text in chosen]
    maps: list[list[Tensor]] = [[] for _ in range(model.architecture.n_layers)]

    def on_layer(layer: int, pattern: Tensor) -> None:
        maps[layer].append(pattern[:, :, :N_TOKENS, :N_TOKENS].cpu())

    for batch in batch_by_length(map(PlainText, chosen)):
        run_batch(model, batch, on_layer)
    if not chosen:
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
