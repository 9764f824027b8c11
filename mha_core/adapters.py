"""Where each family keeps what the hooks do not show: W_O, the unembedding, the input embeddings.

A family not in the table is no error: what depends on it is then not offered. This file must not
know texts or metrics.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

OUTPUT_PROJECTIONS = {
    "bert": "encoder.layer.{}.attention.output.dense",
    "roberta": "encoder.layer.{}.attention.output.dense",
    "distilbert": "transformer.layer.{}.attention.out_lin",
    "gpt2": "h.{}.attn.c_proj",
    "gpt_neox": "layers.{}.attention.dense",
    "llama": "layers.{}.self_attn.o_proj",
    "qwen2": "layers.{}.self_attn.o_proj",
    "bart": "layers.{}.self_attn.out_proj",
    "t5": "block.{}.layer.0.SelfAttention.o",
    "headscope": "blocks.{}.attention.output",
}
"""Family -> path of the matrix that takes the heads' outputs back to the width of the model."""

FINAL_NORMS = {
    "gpt2": "ln_f",
    "gpt_neox": "final_layer_norm",
    "llama": "norm",
    "qwen2": "norm",
    "headscope": "final_norm",
}
"""Family -> path of the norm between the last layer and the guess of the next token."""

_INPUTS_FIRST = frozenset({"gpt2"})
"""Families whose matrices are stored [in, out], the other way round than torch's own."""


def output_projection(network: nn.Module, family: str, layer: int) -> Tensor | None:
    """W_O of a layer, [D, H*d]: column block h takes what head h gathered; None where unknown."""
    path = OUTPUT_PROJECTIONS.get(family)
    if path is None:
        return None
    module = network.get_submodule(path.format(layer))
    if isinstance(module, nn.ModuleList):  # a matrix for each head, or one for all of them
        return torch.cat([part.get_parameter("weight") for part in module], dim=1)
    weight = module.get_parameter("weight")
    return weight.T if family in _INPUTS_FIRST else weight


@dataclass(frozen=True, eq=False)
class Unembedding:
    """What turns a hidden state into guesses: logits = (norm(x) * gamma) @ weight.T."""

    weight: Tensor  # [V, D]
    gamma: Tensor  # [D]


def unembedding(network: nn.Module, family: str, *, tied: bool) -> Unembedding | None:
    """The unembedding of a causal model whose guesses reuse its input embeddings (`tied`).

    None for other families and for untied models: their unembedding is not among the weights that
    HeadScope loads.
    """
    path = FINAL_NORMS.get(family)
    if path is None or not tied:
        return None
    gamma = network.get_submodule(path).get_parameter("weight")
    return Unembedding(input_embeddings(network), gamma)


def input_embeddings(network: nn.Module) -> Tensor:
    """The vector each token id starts as, [V, D]."""
    find = getattr(network, "get_input_embeddings", None)
    # HeadScope's own model is no model of transformers, and keeps them under their plain name.
    embedding = network.get_submodule("tokens") if find is None else find()
    assert isinstance(embedding, nn.Module)  # noqa: S101 (for the type checker)
    return embedding.get_parameter("weight")
