"""The size of a model, in one vocabulary for all families, read off its configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from types import SimpleNamespace

    from transformers import PretrainedConfig

    from mha_core.transformer_config import TransformerConfig

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


def architecture_of(
    config: PretrainedConfig | SimpleNamespace, kind: ModelKind | None = None
) -> Architecture:
    """The sizes in a configuration; for an encoder-decoder, those of its encoder first.

    Transformers maps each family's own names of its sizes to common ones (`num_attention_heads`
    and so on); some families leave the others out.
    """
    kind = kind or _kind(config)
    n_layers, n_heads = int(config.num_hidden_layers), int(config.num_attention_heads)
    d_model = int(config.hidden_size)
    decoder_layers = decoder_heads = 0
    if kind == "encoder-decoder":
        decoder_layers = _size(config, "decoder_layers", "num_decoder_layers") or n_layers
        decoder_heads = _size(config, "decoder_attention_heads") or n_heads
    return Architecture(
        family=config.model_type,
        kind=kind,
        n_layers=n_layers,
        n_heads=n_heads,
        n_kv_heads=_size(config, "num_key_value_heads") or n_heads,
        d_model=d_model,
        d_head=_size(config, "head_dim", "d_kv") or d_model // n_heads,
        max_tokens=_max_tokens(config),
        decoder_layers=decoder_layers,
        decoder_heads=decoder_heads,
    )


def own_architecture(config: TransformerConfig | SimpleNamespace) -> Architecture:
    """The architecture of HeadScope's own model, from its class or from the header of its file."""
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


def _kind(config: PretrainedConfig | SimpleNamespace) -> ModelKind:
    # Imported here because it takes seconds, and listing the catalogue needs none of it.
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    if config.is_encoder_decoder:
        return "encoder-decoder"
    # No configuration says "bidirectional", but the families that have a masked language model
    # are. `is_decoder` makes such a family causal.
    bidirectional = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    return "encoder" if bidirectional and not getattr(config, "is_decoder", False) else "decoder"


def _max_tokens(config: PretrainedConfig | SimpleNamespace) -> int:
    positions = _size(config, "max_position_embeddings", "n_positions")
    if positions is None:
        return NO_LIMIT
    if config.model_type not in _COUNTED_FROM_PADDING:
        return positions
    padding = getattr(config, "pad_token_id", None)
    return positions - (1 if padding is None else padding) - 1


def _size(config: PretrainedConfig | SimpleNamespace, *names: str) -> int | None:
    """The first of these sizes that the configuration has."""
    found = (getattr(config, name, None) for name in names)
    return next((int(size) for size in found if size), None)
