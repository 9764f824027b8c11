"""The size of a model, in one vocabulary for all families, read off its configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from types import SimpleNamespace

    from transformers import PretrainedConfig

    from mha_core.transformer import TransformerConfig

ModelKind = Literal["encoder", "decoder", "encoder-decoder"]

NO_LIMIT = 1_000_000
"""`max_tokens` of a model with relative positions, which takes texts of any length."""

_COUNTED_FROM_PADDING = frozenset(
    {"roberta", "xlm-roberta", "camembert", "roberta-prelayernorm", "xlm-roberta-xl", "xmod"}
    | {"data2vec-text", "longformer", "mpnet", "ibert", "esm"}
)
"""Families that number positions from the one after the padding token's id."""


@dataclass(frozen=True)
class Architecture:
    family: str
    kind: ModelKind
    n_layers: int
    n_heads: int
    n_kv_heads: int
    d_model: int
    d_head: int
    max_tokens: int  # of an encoder-decoder: of each of its two texts
    decoder_layers: int = 0  # of an encoder-decoder's decoder, whose size is its own
    decoder_heads: int = 0

    @property
    def takes_pairs(self) -> bool:
        """Whether there is a second text: an encoder's other sentence, or what a decoder reads."""
        return self.kind != "decoder"


def architecture_of(config: PretrainedConfig) -> Architecture:
    """The shape that a configuration promises; of an encoder-decoder, its encoder's first.

    Transformers maps each family's own names of its sizes to common ones (`num_attention_heads`
    and so on); some families leave the others out.
    """
    n_heads = int(config.num_attention_heads)
    d_model = int(config.hidden_size)
    d_head = getattr(config, "head_dim", None) or getattr(config, "d_kv", None)
    kind = _kind(config)
    decoder_layers, decoder_heads = _decoder(config) if kind == "encoder-decoder" else (0, 0)
    return Architecture(
        family=config.model_type,
        kind=kind,
        n_layers=int(config.num_hidden_layers),
        n_heads=n_heads,
        n_kv_heads=int(getattr(config, "num_key_value_heads", None) or n_heads),
        d_model=d_model,
        d_head=int(d_head or d_model // n_heads),
        max_tokens=_max_tokens(config),
        decoder_layers=decoder_layers,
        decoder_heads=decoder_heads,
    )


def own_architecture(config: TransformerConfig | SimpleNamespace) -> Architecture:
    """The shape of HeadScope's own model, from its class or from the header of its file."""
    return Architecture(
        family="headscope",
        kind="decoder",
        n_layers=config.n_layers,
        n_heads=config.n_heads,
        n_kv_heads=config.n_heads,
        d_model=config.d_model,
        d_head=config.d_model // config.n_heads,
        max_tokens=config.max_tokens,
    )


def _kind(config: PretrainedConfig) -> ModelKind:
    # Imported here because it takes seconds, and listing the catalogue needs none of it.
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    if config.is_encoder_decoder:
        return "encoder-decoder"
    # No configuration says "bidirectional", but the families that have a masked language model
    # are. `is_decoder` makes such a family causal.
    bidirectional = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    return "encoder" if bidirectional and not getattr(config, "is_decoder", False) else "decoder"


def _decoder(config: PretrainedConfig) -> tuple[int, int]:
    """Layers and heads of an encoder-decoder's decoder, the encoder's where none are named."""
    layers = getattr(config, "decoder_layers", None) or getattr(config, "num_decoder_layers", None)
    heads = getattr(config, "decoder_attention_heads", None)
    return int(layers or config.num_hidden_layers), int(heads or config.num_attention_heads)


def _max_tokens(config: PretrainedConfig) -> int:
    positions = getattr(config, "max_position_embeddings", None) or getattr(
        config, "n_positions", None
    )
    if positions is None:
        return NO_LIMIT
    return without_padding(int(positions), config.model_type, config.pad_token_id)


def without_padding(positions: int, family: str, pad_token_id: int | None) -> int:
    """How many of a family's positions a text can have."""
    if family not in _COUNTED_FROM_PADDING:
        return positions
    return positions - (1 if pad_token_id is None else pad_token_id) - 1
