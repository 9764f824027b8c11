"""Where each family keeps the weights of its computation.

A family is supported by one function here, which reads a network as a `Computation`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from mha_core.anatomy.computation import (
    AttentionWeights,
    Block,
    Computation,
    Linear,
)
from mha_core.anatomy.modules import (
    linear_at,
    linear_of,
    make_mlp,
    norm_at,
    unembedding_of,
    weight_at,
)
from mha_core.errors import NoAnatomy
from mha_core.models.loading import LoadedModel
from mha_core.runs.generation import find_no_tokens


def check_family(model: LoadedModel) -> None:
    """Raise NoAnatomy for a model of a family that is not known here."""
    family = model.architecture.family
    if family not in READERS or model.architecture.kind == "encoder-decoder":
        raise NoAnatomy(
            f"{model.entry.name} cannot be shown step by step: HeadScope does not know what its "
            f"family {family!r} computes. Choose a model of one of the families "
            f"{', '.join(READERS)}, such as headscope-tiny or minilm.",
            family=family,
            families=list(READERS),
        )


def read_computation(model: LoadedModel) -> Computation:
    """The computation of a model; raises NoAnatomy as above."""
    check_family(model)
    computation = READERS[model.architecture.family](model)
    if computation.unembedding is None:
        return computation
    n_logits = len(computation.unembedding.weight)
    return replace(computation, no_tokens=find_no_tokens(model.tokenizer, n_logits))


def _read_own(model: LoadedModel) -> Computation:
    network = model.network
    return Computation(
        tokens=weight_at(network, "tokens"),
        positions=network.get_parameter("positions"),
        position_ids=_count,
        segments=None,
        embedding_norm=None,
        rotary=None,
        blocks=tuple(map(_own_block, _layers(model, "blocks.{}"))),
        final_norm=norm_at(network, "final_norm"),
        unembedding=unembedding_of(model),
        may_shift_keys=True,
    )


def _own_block(block: nn.Module) -> Block:
    attention: Any = block.get_submodule("attention")
    w_q, w_k, w_v = (_join(getattr(attention, name)) for name in ("query", "key", "value"))
    w_o = Linear(_cat([part.weight for part in attention.output], 1), attention.output_bias)
    mlp: Any = getattr(block, "mlp", None)
    return Block(
        norm_first=True,
        first_norm=norm_at(block, "attention_norm"),
        attention=AttentionWeights(
            w_q, w_k, w_v, w_o, attention.n_heads, attention.n_kv_heads, attention.d_head
        ),
        second_norm=None if mlp is None else norm_at(block, "mlp_norm"),
        mlp=None if mlp is None else make_mlp(linear_of(mlp[0]), linear_of(mlp[2]), None, mlp[1]),
    )


def _join(parts: nn.ModuleList) -> Linear:
    """The matrices of all heads as one; the only one as it is."""
    linears = [linear_of(part) for part in parts]
    biases = [it.bias for it in linears if it.bias is not None]
    return Linear(_cat([it.weight for it in linears], 0), _cat(biases, 0) if biases else None)


def _cat(tensors: list[Tensor], axis: int) -> Tensor:
    return tensors[0] if len(tensors) == 1 else torch.cat(tensors, axis)


def _read_bert(model: LoadedModel) -> Computation:
    embeddings: Any = model.network.get_submodule("embeddings")
    return Computation(
        tokens=weight_at(embeddings, "word_embeddings"),
        positions=weight_at(embeddings, "position_embeddings"),
        position_ids=_count,
        segments=weight_at(embeddings, "token_type_embeddings"),
        embedding_norm=norm_at(embeddings, "LayerNorm"),
        rotary=None,
        blocks=tuple(_bert_block(model, it) for it in _layers(model, "encoder.layer.{}")),
        final_norm=None,
        unembedding=unembedding_of(model),
    )


def _read_roberta(model: LoadedModel) -> Computation:
    embeddings: Any = model.network.get_submodule("embeddings")

    def count_from_padding(ids: Tensor) -> Tensor:
        positions: Tensor = embeddings.create_position_ids_from_input_ids(
            ids[None], embeddings.padding_idx
        )
        return positions[0]

    return replace(_read_bert(model), position_ids=count_from_padding)


def _bert_block(model: LoadedModel, layer: nn.Module) -> Block:
    names = ("attention.self.query", "attention.self.key", "attention.self.value")
    matrices = [linear_at(layer, name) for name in (*names, "attention.output.dense")]
    activation: Any = layer.get_submodule("intermediate")
    return Block(
        norm_first=False,
        first_norm=norm_at(layer, "attention.output.LayerNorm"),
        attention=_attention(model, *matrices),
        second_norm=norm_at(layer, "output.LayerNorm"),
        mlp=make_mlp(
            linear_at(layer, "intermediate.dense"),
            linear_at(layer, "output.dense"),
            None,
            activation.intermediate_act_fn,
        ),
    )


def _read_gpt2(model: LoadedModel) -> Computation:
    network = model.network
    return Computation(
        tokens=weight_at(network, "wte"),
        positions=weight_at(network, "wpe"),
        position_ids=_count,
        segments=None,
        embedding_norm=None,
        rotary=None,
        blocks=tuple(_gpt2_block(model, block) for block in _layers(model, "h.{}")),
        final_norm=norm_at(network, "ln_f"),
        unembedding=unembedding_of(model),
    )


def _gpt2_block(model: LoadedModel, block: nn.Module) -> Block:
    # One matrix holds W_Q, W_K and W_V; all are stored [in, out].
    fused, output, up, down = (
        _transposed(block.get_submodule(name))
        for name in ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj")
    )
    assert fused.bias is not None  # noqa: S101 (for the type checker)
    w_q, w_k, w_v = map(Linear, fused.weight.chunk(3), fused.bias.chunk(3))
    mlp: Any = block.get_submodule("mlp")
    return Block(
        norm_first=True,
        first_norm=norm_at(block, "ln_1"),
        attention=_attention(model, w_q, w_k, w_v, output),
        second_norm=norm_at(block, "ln_2"),
        mlp=make_mlp(up, down, None, mlp.act),
    )


def _transposed(module: nn.Module) -> Linear:
    stored = linear_of(module)
    return Linear(stored.weight.T, stored.bias)


def _read_llama(model: LoadedModel) -> Computation:
    network = model.network
    return Computation(
        tokens=weight_at(network, "embed_tokens"),
        positions=None,
        position_ids=_count,
        segments=None,
        embedding_norm=None,
        rotary=network.get_submodule("rotary_emb"),
        blocks=tuple(_llama_block(model, layer) for layer in _layers(model, "layers.{}")),
        final_norm=norm_at(network, "norm"),
        unembedding=unembedding_of(model),
    )


def _llama_block(model: LoadedModel, layer: nn.Module) -> Block:
    matrices = [linear_at(layer, f"self_attn.{name}_proj") for name in "qkvo"]
    up, down, gate = (linear_at(layer, f"mlp.{name}_proj") for name in ("up", "down", "gate"))
    mlp: Any = layer.get_submodule("mlp")
    return Block(
        norm_first=True,
        first_norm=norm_at(layer, "input_layernorm"),
        attention=_attention(model, *matrices),
        second_norm=norm_at(layer, "post_attention_layernorm"),
        mlp=make_mlp(up, down, gate, mlp.act_fn),
    )


READERS: dict[str, Callable[[LoadedModel], Computation]] = {
    "headscope": _read_own,
    "bert": _read_bert,
    "roberta": _read_roberta,
    "gpt2": _read_gpt2,
    "llama": _read_llama,
    "qwen2": _read_llama,
}
"""Family -> what reads its network."""


def _count(ids: Tensor) -> Tensor:
    """Positions from 0."""
    return torch.arange(len(ids), device=ids.device)


def _layers(model: LoadedModel, path: str) -> list[nn.Module]:
    n_layers = model.architecture.n_layers
    return [model.network.get_submodule(path.format(layer)) for layer in range(n_layers)]


def _attention(
    model: LoadedModel, query: Linear, key: Linear, value: Linear, output: Linear
) -> AttentionWeights:
    sizes = model.architecture
    return AttentionWeights(
        query, key, value, output, sizes.n_heads, sizes.n_kv_heads, sizes.d_head
    )
