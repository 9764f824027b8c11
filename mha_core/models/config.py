"""A model's config.json: cleaned of what names code, and read without importing transformers."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from mha_core.models.architecture import Architecture, ModelKind, architecture_of
from mha_core.models.sizes import check_config

if TYPE_CHECKING:
    from transformers import PretrainedConfig

_NAMES_CODE = frozenset(
    {"auto_map", "custom_pipelines", "trust_remote_code", "code_revision"}
    | {"attn_implementation", "_attn_implementation", "_attn_implementation_internal"}
    | {"experts_implementation", "_experts_implementation", "_experts_implementation_internal"}
    | {"use_kernels", "kernel_config", "fusion_config", "allow_all_kernels"}
    # Attention weights as an output would switch to transformers' own attention function.
    | {"output_attentions", "_output_attentions"}
    # Another file of weights than the ones that are checked.
    | {"transformers_weights"}
)
LOCAL_FILES_ONLY = {"local_files_only": True, "trust_remote_code": False}
_TEXT_FILES = (".json", ".txt", ".model", ".jinja")


_USUAL = ("num_hidden_layers", "num_attention_heads", "hidden_size", "max_position_embeddings")


@dataclass(frozen=True)
class _Keys:
    """What a family calls its sizes."""

    kind: ModelKind
    sizes: tuple[str, ...] = _USUAL  # in the order of `_USUAL`
    required: tuple[str, ...] = ()  # keys whose default is not derived from the others


_BART = _Keys(
    "encoder-decoder",
    ("encoder_layers", "encoder_attention_heads", "d_model", "max_position_embeddings"),
    required=("decoder_layers", "decoder_attention_heads"),
)
_T5 = _Keys("encoder-decoder", ("num_layers", "num_heads", "d_model"), required=("d_kv",))
_GROUPED = _Keys("decoder", required=("num_key_value_heads",))
FAMILIES = {
    **dict.fromkeys(("bert", "roberta", "xlm-roberta", "camembert", "electra"), _Keys("encoder")),
    "distilbert": _Keys("encoder", ("n_layers", "n_heads", "dim", "max_position_embeddings")),
    "gpt2": _Keys("decoder", ("n_layer", "n_head", "n_embd", "n_positions")),
    "gpt_neox": _Keys("decoder"),
    **dict.fromkeys(("llama", "qwen2"), _GROUPED),
    "qwen3": _Keys("decoder", required=("num_key_value_heads", "head_dim")),
    **dict.fromkeys(("bart", "mbart", "marian", "pegasus"), _BART),
    **dict.fromkeys(("t5", "mt5"), _T5),
}
"""Families (`model_type`) that can be described without importing transformers."""


def read_config(directory: Path) -> dict[str, Any]:
    """The folder's config.json without what names code; raises ValueError for impossible sizes."""
    config = _read_clean(directory / "config.json")
    if not config.get("model_type"):
        raise ValueError("its config.json has no model_type.")
    check_config(config)
    return config


def read_architecture(directory: Path) -> Architecture:
    """The architecture that the folder's config.json promises, as transformers would read it."""
    described = _describe(read_config(directory))
    if described is not None:
        return described
    with copy_without_code(directory) as clean:
        return architecture_of(build_config(clean))


def build_config(clean: Path) -> "PretrainedConfig":
    """The configuration object of transformers for a folder made by `copy_without_code`."""
    from transformers import AutoConfig

    config: PretrainedConfig = AutoConfig.from_pretrained(clean, **LOCAL_FILES_ONLY)
    return config


@contextmanager
def copy_without_code(directory: Path) -> Iterator[Path]:
    """A temporary folder with a model's configuration and tokenizer, where nothing names code.

    Transformers looks for code to run in several files and in several ways; it never sees the
    folder that could name any.
    """
    with TemporaryDirectory(prefix="headscope-") as name:
        clean = Path(name)
        for path in directory.iterdir():
            if path.name.endswith("config.json"):
                (clean / path.name).write_text(json.dumps(_read_clean(path)), encoding="utf-8")
            elif path.suffix in _TEXT_FILES and path.is_file():
                shutil.copyfile(path, clean / path.name)
        yield clean


def _read_clean(path: Path) -> dict[str, Any]:
    try:
        config = json.loads(path.read_text(encoding="utf-8"), object_hook=_drop_code)
    except ValueError as error:
        raise ValueError(f"its {path.name} is no JSON: {error}.") from error
    if not isinstance(config, dict):
        raise ValueError(f"its {path.name} holds no settings.")
    return config


def _drop_code(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in _NAMES_CODE}


def _describe(config: Mapping[str, Any]) -> Architecture | None:
    """The architecture by the table above; None where only transformers knows what is left out."""
    keys = FAMILIES.get(config["model_type"])
    if keys is None or any(config.get(key) is None for key in keys.required):
        return None
    two_stacks = keys.kind == "encoder-decoder"
    if config.get("is_encoder_decoder", two_stacks) is not two_stacks:
        return None
    known = SimpleNamespace(**config)
    for own, usual in zip(keys.sizes, _USUAL, strict=False):
        found = {config[key] for key in (own, usual) if config.get(key) is not None}
        if len(found) != 1:  # missing, or two that differ
            return None
        setattr(known, usual, found.pop())
    causal = keys.kind == "encoder" and config.get("is_decoder")
    return architecture_of(known, "decoder" if causal else keys.kind)
