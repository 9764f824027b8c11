"""The control of an atlas: a model of the same shape that has learned nothing.

What a measure finds here it finds without any knowledge of language. This file must not know what
is measured.
"""

from copy import deepcopy
from dataclasses import replace

import torch

from mha_core.models.loading import LoadedModel
from mha_core.tap import attention_sites


def random_init(model: LoadedModel, seed: int) -> LoadedModel:
    """The model with the weights it had before training, as far as `seed` can tell them.

    Same class, configuration, tokenizer, device and number format; the weights are drawn as the
    model's own code draws them. The caller's random numbers are left as they were.
    """
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = type(model.network)(deepcopy(model.network.config))
    network.to(model.device, model.dtype).eval().requires_grad_(False)
    return replace(
        model,
        network=network,
        sites=attention_sites(network),
        output_layer=None,  # the trained one would guess nothing from these
        revision=f"random-init-{seed}",
    )
