"""Where each family keeps what a tap does not show: W_O, the unembedding, the input embeddings.

A family that is not in the table is no error: features that depend on it are not offered.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from mha_core.stacks import Site, StackName

OUTPUT_PROJECTIONS = {
    "bert": "encoder.layer.{}.attention.output.dense",
    "roberta": "encoder.layer.{}.attention.output.dense",
    "distilbert": "transformer.layer.{}.attention.out_lin",
    "gpt2": "h.{}.attn.c_proj",
    "gpt_neox": "layers.{}.attention.dense",
    "llama": "layers.{}.self_attn.o_proj",
    "qwen2": "layers.{}.self_attn.o_proj",
    "headscope": "blocks.{}.attention.output",
}
"""Family -> path of W_O, the projection of the heads' outputs back to the residual stream."""

_LIKE_BART: dict[StackName, str] = {
    "encoder": "encoder.layers.{}.self_attn.out_proj",
    "decoder": "decoder.layers.{}.self_attn.out_proj",
    "cross": "decoder.layers.{}.encoder_attn.out_proj",
}
_LIKE_T5: dict[StackName, str] = {
    "encoder": "encoder.block.{}.layer.0.SelfAttention.o",
    "decoder": "decoder.block.{}.layer.0.SelfAttention.o",
    "cross": "decoder.block.{}.layer.1.EncDecAttention.o",
}
STACK_PROJECTIONS = {
    **dict.fromkeys(("bart", "marian", "mbart", "pegasus"), _LIKE_BART),
    **dict.fromkeys(("t5", "mt5"), _LIKE_T5),
}
"""Family of encoder-decoders -> the same path for each of its three stacks."""

FINAL_NORMS = {
    "gpt2": "ln_f",
    "gpt_neox": "final_layer_norm",
    "llama": "norm",
    "qwen2": "norm",
    "headscope": "final_norm",
}
"""Family -> path of the norm between the last layer and the unembedding."""

_INPUTS_FIRST = frozenset({"gpt2"})
"""Families whose matrices are stored [in, out], the transpose of torch's own."""


def output_projection(network: nn.Module, family: str, site: Site) -> Tensor | None:
    """W_O of a layer, [D, H*d]: column block h projects head h's output; None if unknown."""
    path = STACK_PROJECTIONS.get(family, {}).get(site.stack) or OUTPUT_PROJECTIONS.get(family)
    if path is None:
        return None
    module = network.get_submodule(path.format(site.layer))
    if isinstance(module, nn.ModuleList):  # one matrix for each head
        return torch.cat([part.get_parameter("weight") for part in module], dim=1)
    weight = module.get_parameter("weight")
    return weight.T if family in _INPUTS_FIRST else weight


@dataclass(frozen=True, eq=False)
class Unembedding:
    """What turns a hidden state into logits: (norm(x) * gamma) @ weight.T."""

    weight: Tensor  # [V, D]
    gamma: Tensor  # [D]


def unembedding(network: nn.Module, family: str, *, tied: bool) -> Unembedding | None:
    """The unembedding of a causal model that shares it with its input embeddings (`tied`).

    None for other families and for untied models, whose unembedding HeadScope does not load.
    """
    path = FINAL_NORMS.get(family)
    if path is None or not tied:
        return None
    gamma = network.get_submodule(path).get_parameter("weight")
    return Unembedding(input_embeddings(network), gamma)


def input_embeddings(network: nn.Module, stack: StackName | None = None) -> Tensor:
    """The input embeddings, [V, D]; the decoder of an encoder-decoder may have its own."""
    config = getattr(network, "config", None)
    two_texts = bool(getattr(config, "is_encoder_decoder", False))
    part = network.get_submodule("decoder") if two_texts and stack == "decoder" else network
    find = getattr(part, "get_input_embeddings", None)
    # HeadScope's own model is not a model of transformers.
    embedding = network.get_submodule("tokens") if find is None else find()
    assert isinstance(embedding, nn.Module)  # noqa: S101 (for the type checker)
    return embedding.get_parameter("weight")
