"""What is read from disk of a model: the network, its tokenizer, its output layer."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    AutoModel,
    AutoModelForCausalLM,
    AutoTokenizer,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING
from transformers.utils import logging

from mha_core.errors import ModelFailed
from mha_core.models.architecture import Architecture, own_architecture
from mha_core.models.config import LOCAL_FILES_ONLY, build_config, copy_without_code
from mha_core.models.directory import checked_architecture
from mha_core.models.weights_header import read_header
from mha_core.tap import NAME, register
from mha_core.text.byte_tokenizer import byte_tokenizer
from mha_core.text.word_tokenizer import word_tokenizer
from mha_core.transformer import load_transformer

OutputLayer = Callable[[Tensor], Tensor]
"""From last hidden states [..., D] to logits [..., V]."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelParts:
    """What is read from disk."""

    architecture: Architecture
    tokenizer: PreTrainedTokenizerFast = field(repr=False)
    network: nn.Module = field(repr=False)  # the part that computes hidden states
    # None: not in the files, or logits need more than it
    output_layer: OutputLayer | None = field(default=None, repr=False)
    start_id: int | None = None  # what an encoder-decoder's decoder reads first


def read_own(checkpoint: Path) -> ModelParts:
    """HeadScope's own model, from its one file; one without a vocabulary of words reads bytes."""
    network = load_transformer(checkpoint)
    limit, words = network.config.max_tokens, read_header(checkpoint).metadata.get("vocabulary")
    return ModelParts(
        architecture=own_architecture(network.config),
        tokenizer=word_tokenizer(json.loads(words), limit) if words else byte_tokenizer(limit),
        network=network,
        output_layer=network.logits,
    )


def read_directory(
    directory: Path, dtype: torch.dtype, make_room: Callable[[], None] = lambda: None
) -> ModelParts:
    """A model as transformers saves it; raises ModelFailed where weights are missing.

    `make_room` is called before the weights come into memory.
    """
    quiet()
    register()
    _serialize_building()
    architecture = checked_architecture(directory)  # before transformers builds any such size
    with copy_without_code(directory) as clean:
        config = build_config(clean)
        config.name_or_path = str(directory)
        tokenizer = AutoTokenizer.from_pretrained(clean, config=config, **LOCAL_FILES_ONLY)
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise ModelFailed(
            f"{directory} has a tokenizer without offsets ({type(tokenizer).__name__}): HeadScope "
            f"needs a tokenizer.json beside the model."
        )
    has_logits = architecture.kind == "decoder" and type(config) in MODEL_FOR_CAUSAL_LM_MAPPING
    auto: Any = AutoModelForCausalLM if has_logits else AutoModel
    make_room()
    whole, report = auto.from_pretrained(
        directory,
        config=config,
        dtype=dtype,
        attn_implementation=NAME,
        use_safetensors=True,
        output_loading_info=True,
        **LOCAL_FILES_ONLY,
    )
    network = whole.base_model
    missing = _missing_weights(whole, report["missing_keys"])
    if missing:
        raise ModelFailed(
            f"{directory} lacks {len(missing)} weights of its model, {missing[0]} among them: "
            f"the files are incomplete, or belong to another architecture."
        )
    network.config.use_cache = False  # one pass over one text reuses no keys
    first_id = None
    if architecture.kind == "encoder-decoder":
        file = directory / "generation_config.json"
        generation = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        first_id = start_id(network.config, generation, str(directory))
    return ModelParts(
        architecture=architecture,
        tokenizer=tokenizer,
        network=network,
        output_layer=_output_layer(whole) if has_logits and not report["missing_keys"] else None,
        start_id=first_id,
    )


def quiet() -> None:
    """No progress bars and no warnings from transformers; its errors are raised."""
    logging.disable_progress_bar()
    logging.set_verbosity_error()


_BUILDING = threading.RLock()


@cache
def _serialize_building() -> None:
    """Let one thread at a time run the parts of `from_pretrained` that change the whole process.

    While it builds an empty model, transformers changes torch's default dtype and linspace, and
    makes `tie_weights` do nothing; another thread must neither build nor tie weights meanwhile.
    Reading the weights, which takes the time, needs no lock.
    """
    contexts = PreTrainedModel.get_init_context.__func__  # type: ignore[attr-defined]
    finalize = PreTrainedModel._finalize_model_loading

    def get_init_context(cls: type, /, *args: object, **options: object) -> list[object]:
        return [_BUILDING, *contexts(cls, *args, **options)]

    def finalize_alone(*args: object, **options: object) -> object:
        with _BUILDING:
            return finalize(*args, **options)  # type: ignore[arg-type]

    PreTrainedModel.get_init_context = classmethod(get_init_context)  # type: ignore[assignment]
    PreTrainedModel._finalize_model_loading = staticmethod(finalize_alone)  # type: ignore[assignment]


def _missing_weights(whole: PreTrainedModel, missing: set[str]) -> list[str]:
    """Those of the missing weights that heads depend on.

    A pooler and an output layer come after the last attention layer; many files lack them.
    """
    inside = "" if whole.base_model is whole else f"{whole.base_model_prefix}."
    return sorted(key for key in missing if key.startswith(inside) and "pooler" not in key)


@torch.inference_mode()
def _output_layer(whole: PreTrainedModel) -> OutputLayer | None:
    """The output layer, if it alone turns the last hidden state into logits.

    Compared with the model's own logits in a short run: some families scale or cap them.
    """
    head = whole.get_output_embeddings()
    if head is None:
        return None
    ids = torch.arange(3)[None] % whole.config.vocab_size
    hidden = whole.base_model(input_ids=ids).last_hidden_state
    same = torch.allclose(head(hidden).float(), whole(input_ids=ids).logits.float())
    return head if same else None


def start_id(config: PretrainedConfig, generation: Mapping[str, Any], whose: str) -> int:
    """What a decoder reads before its text: as configured, else padding, which T5 starts with."""
    configured = getattr(config, "decoder_start_token_id", None)
    for found in (configured, generation.get("decoder_start_token_id"), config.pad_token_id):
        if found is not None:
            return int(found)
    raise ModelFailed(
        f"{whose} does not say what its decoder starts with: set `decoder_start_token_id` in its "
        f"configuration."
    )
