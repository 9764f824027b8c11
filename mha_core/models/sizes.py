"""Limits of what a model may claim to be, checked before anything of that size is built."""

from collections.abc import Iterator, Mapping
from typing import Any

from mha_core.models.architecture import Architecture

MAX_LAYERS = 1_000
_MAX_WIDTH = 1_000_000  # of the residual stream, of a head or of an MLP

_LIMITS = {
    **dict.fromkeys(("num_hidden_layers", "n_layer", "n_layers", "num_layers"), MAX_LAYERS),
    **dict.fromkeys(("encoder_layers", "decoder_layers", "num_decoder_layers"), MAX_LAYERS),
    **dict.fromkeys(("num_attention_heads", "n_head", "n_heads", "num_heads"), 4_096),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 4_096),
    "num_key_value_heads": 4_096,
    **dict.fromkeys(("hidden_size", "n_embd", "dim", "d_model", "head_dim", "d_kv"), _MAX_WIDTH),
    **dict.fromkeys(("intermediate_size", "n_inner", "hidden_dim", "d_ff"), _MAX_WIDTH),
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim", "embedding_size"), _MAX_WIDTH),
    **dict.fromkeys(("max_position_embeddings", "n_positions", "n_ctx"), 1_000_000_000),
    "vocab_size": 20_000_000,
}
"""Every key of a config.json that sizes something, in the words of all families."""


def check_config(config: Mapping[str, Any]) -> None:
    """Raise ValueError for a size in a config.json that no model can have."""
    for key, value in _sizes(config):
        if type(value) is not int or not 1 <= value <= _LIMITS[key]:
            raise ValueError(
                f"its config.json says {key} = {value!r}, which should be a whole number from 1 "
                f"to {_LIMITS[key]}."
            )


def _sizes(config: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for key, value in config.items():
        if isinstance(value, dict):
            yield from _sizes(value)
        elif key in _LIMITS and value is not None:
            # A list has one size a layer.
            yield from ((key, each) for each in (value if isinstance(value, list) else [value]))


def check_weights(model: Architecture, tensors: Mapping[str, tuple[int, ...]]) -> None:
    """Raise ValueError if the sizes do not fit each other or the tensors (name -> shape)."""
    for heads in filter(None, (model.n_heads, model.decoder_heads)):
        divided = model.d_model // heads
        # A head width that a config states itself need not divide the width of the model.
        if model.d_head < 1 or (model.d_head == divided and model.d_model % heads):
            raise ValueError(f"{heads} heads do not divide a width of {model.d_model}.")
    if model.n_heads % model.n_kv_heads:
        raise ValueError(f"{model.n_kv_heads} key/value heads do not divide {model.n_heads}.")
    n_layers = model.n_layers + model.decoder_layers
    if n_layers > len(tensors):
        raise ValueError(
            f"its config.json says {n_layers} layers, and its files hold {len(tensors)} tensors."
        )
    if not any(model.d_model in dimensions for dimensions in tensors.values()):
        raise ValueError(
            f"its config.json says a width of {model.d_model}, which no tensor in its files has."
        )
