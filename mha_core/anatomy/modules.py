"""Modules of a network as the description of its computation has them."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from mha_core.anatomy.computation import Linear, Mlp, Norm
from mha_core.models.loading import LoadedModel


def weight_at(module: nn.Module, path: str) -> Tensor:
    return module.get_submodule(path).get_parameter("weight")


def linear_of(module: nn.Module) -> Linear:
    return Linear(module.get_parameter("weight"), getattr(module, "bias", None))


def linear_at(module: nn.Module, path: str) -> Linear:
    return linear_of(module.get_submodule(path))


def norm_at(module: nn.Module, path: str) -> Norm:
    """A LayerNorm of torch, or an RMSNorm of transformers."""
    norm: Any = module.get_submodule(path)
    centred = isinstance(norm, nn.LayerNorm)
    eps = norm.eps if centred else norm.variance_epsilon
    return Norm(norm.weight, norm.bias if centred else None, float(eps), centred)


def make_mlp(
    up: Linear, down: Linear, gate: Linear | None, activation: Callable[[Tensor], Tensor]
) -> Mlp:
    name = type(activation).__name__.removesuffix("Activation")
    return Mlp(up, down, gate, activation, name)


def unembedding_of(model: LoadedModel) -> Linear | None:
    """The matrix behind the output layer, which is linear in every family here."""
    layer = model.output_layer
    if layer is None or isinstance(layer, nn.Linear):
        return None if layer is None else linear_of(layer)
    # HeadScope's own model has a function: what it makes of each unit vector is a column.
    device, width = model.device, model.architecture.d_model
    with torch.inference_mode():
        bias = layer(torch.zeros(width, device=device, dtype=model.dtype))  # [V]
        columns = layer(torch.eye(width, device=device, dtype=model.dtype)) - bias  # [D, V]
    return Linear(columns.T, bias if bias.any() else None)
