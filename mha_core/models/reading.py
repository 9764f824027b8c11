"""What is read from disk of a model: the network, its tokenizer, its output layer.

This file must not know catalogues, devices or taps' results: it reads files and says what they
lack.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoTokenizer,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING

from mha_core.text.byte_tokenizer import byte_tokenizer
from mha_core.errors import ModelFailed
from mha_core.models.quiet import quiet
from mha_core.models.architecture import Architecture, own_architecture, architecture_of
from mha_core.tap import NAME, register
from mha_core.transformer import load_transformer

OutputLayer = Callable[[Tensor], Tensor]
"""From last hidden states [..., D] to logits [..., V]."""


@dataclass(frozen=True, eq=False)
class ModelParts:
    """What is read from disk, before it is put on a device."""

    whole: nn.Module  # all there is, to be moved together
    network: nn.Module  # the part that gives hidden states
    tokenizer: PreTrainedTokenizerFast
    architecture: Architecture
    output_layer: OutputLayer | None = None  # None: the files hold none, or guesses take more than one layer
    start_id: int | None = None  # what an encoder-decoder's decoder reads first


def read_own(
    checkpoint: Path, _: torch.dtype, make_room: Callable[[], None] = lambda: None
) -> ModelParts:
    """HeadScope's own model, from its one file."""
    make_room()
    network = load_transformer(checkpoint)
    tokenizer = byte_tokenizer(network.config.max_tokens)
    return ModelParts(network, network, tokenizer, own_architecture(network.config), network.logits)


def read_directory(
    directory: Path, dtype: torch.dtype, make_room: Callable[[], None] = lambda: None
) -> ModelParts:
    """A model as transformers saves it; raises ModelFailed where the files are not whole.

    `make_room` is called before the weights come into memory.
    """
    quiet()
    register()
    tokenizer = AutoTokenizer.from_pretrained(
        directory, local_files_only=True, trust_remote_code=False
    )
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise ModelFailed(
            f"{directory} has a tokenizer without offsets ({type(tokenizer).__name__}): HeadScope "
            f"needs a tokenizer.json beside the model."
        )
    config = AutoConfig.from_pretrained(directory, local_files_only=True, trust_remote_code=False)
    architecture = architecture_of(config)
    guesses = architecture.kind == "decoder" and type(config) in MODEL_FOR_CAUSAL_LM_MAPPING
    auto: Any = AutoModelForCausalLM if guesses else AutoModel
    make_room()
    whole, report = auto.from_pretrained(
        directory,
        dtype=dtype,
        attn_implementation=NAME,
        use_safetensors=True,
        local_files_only=True,
        trust_remote_code=False,
        output_loading_info=True,
    )
    network = whole.base_model
    lost = _lost(whole, report["missing_keys"])
    if lost:
        raise ModelFailed(
            f"{directory} lacks {len(lost)} weights of its model, {lost[0]} among them: "
            f"the files are not whole, or belong to another architecture."
        )
    network.config.use_cache = False  # one pass over one text reuses no keys
    starts_with = None
    if architecture.kind == "encoder-decoder":
        starts_with = start_id(network.config, _generation_config(directory), str(directory))
    return ModelParts(
        whole=whole,
        network=network,
        tokenizer=tokenizer,
        architecture=architecture,
        output_layer=_output_layer(whole) if guesses and not report["missing_keys"] else None,
        start_id=starts_with,
    )


def _lost(whole: PreTrainedModel, missing: set[str]) -> list[str]:
    """Weights that no head can do without among those the files lack.

    A pooler and an output layer sit on top of the last layer, where no head looks; many files
    lack them.
    """
    inside = "" if whole.base_model is whole else f"{whole.base_model_prefix}."
    return sorted(key for key in missing if key.startswith(inside) and "pooler" not in key)


@torch.inference_mode()
def _output_layer(whole: PreTrainedModel) -> OutputLayer | None:
    """The output layer, if nothing else stands between the last hidden state and the logits.

    Seen in a short run: some families scale or cap their logits, and a layer that gives others
    than the model's own is not offered.
    """
    head = whole.get_output_embeddings()
    if head is None:
        return None
    ids = torch.arange(3)[None]
    hidden = whole.base_model(input_ids=ids).last_hidden_state
    same = torch.allclose(head(hidden).float(), whole(input_ids=ids).logits.float())
    return head if same else None


def start_id(config: PretrainedConfig, generation: Mapping[str, Any], whose: str) -> int:
    """What a decoder reads before its text: as configured, else padding, which T5 starts with."""
    for found in (
        getattr(config, "decoder_start_token_id", None),
        generation.get("decoder_start_token_id"),
        config.pad_token_id,
    ):
        if found is not None:
            return int(found)
    raise ModelFailed(
        f"{whose} does not say what its decoder starts with: set `decoder_start_token_id` in its "
        f"configuration."
    )


def _generation_config(directory: Path) -> dict[str, Any]:
    file = directory / "generation_config.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
