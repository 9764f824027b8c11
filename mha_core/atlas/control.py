"""The control of an atlas: the same model with random weights.

What a measure finds in it, it finds without any knowledge of language.
"""

from copy import deepcopy
from dataclasses import replace

import torch

from mha_core.models.loading import LoadedModel
from mha_core.tap import attention_sites


def randomize_weights(model: LoadedModel, seed: int) -> LoadedModel:
    """The model with new weights, drawn as its own code draws them before training.

    Class, configuration, tokenizer, device and dtype are the same. The global random state is
    left as it was.
    """
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = type(model.network)(deepcopy(model.network.config))
    network.to(model.device, model.dtype).eval().requires_grad_(False)
    return replace(
        model,
        network=network,
        sites=attention_sites(network),
        output_layer=None,  # the trained one would predict nothing from these
        revision=f"random-init-{seed}",
    )
