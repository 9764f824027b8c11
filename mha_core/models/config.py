"""A model's config.json: cleaned of what names code, and read without importing transformers."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from mha_core.models.architecture import (
    NO_LIMIT,
    Architecture,
    ModelKind,
    architecture_of,
    without_padding,
)
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
_TEXT_FILES = (".json", ".txt", ".model", ".jinja")


@dataclass(frozen=True)
class _Keys:
    """What a family calls its sizes."""

    kind: ModelKind
    layers: str = "num_hidden_layers"
    heads: str = "num_attention_heads"
    width: str = "hidden_size"
    positions: str = "max_position_embeddings"
    required: tuple[str, ...] = ()  # keys whose default is not derived from the others


_BART = _Keys("encoder-decoder", "encoder_layers", "encoder_attention_heads", "d_model")
_T5 = _Keys("encoder-decoder", "num_layers", "num_heads", "d_model", "n_positions", ("d_kv",))
_GROUPED = _Keys("decoder", required=("num_key_value_heads",))
FAMILIES = {
    **dict.fromkeys(("bert", "roberta", "xlm-roberta", "camembert", "electra"), _Keys("encoder")),
    "distilbert": _Keys("encoder", "n_layers", "n_heads", "dim"),
    "gpt2": _Keys("decoder", "n_layer", "n_head", "n_embd", "n_positions"),
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
    """The shape that the folder's config.json promises, as transformers would read it."""
    config = read_config(directory)
    described = _describe(config)
    if described is not None:
        return described
    with copy_without_code(directory) as clean:
        return architecture_of(build_config(clean))


def build_config(clean: Path) -> "PretrainedConfig":
    """The configuration object of transformers for a folder made by `copy_without_code`."""
    from transformers import AutoConfig

    config: PretrainedConfig = AutoConfig.from_pretrained(
        clean, local_files_only=True, trust_remote_code=False
    )
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
        config = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"its {path.name} is no JSON: {error}.") from error
    if not isinstance(config, dict):
        raise ValueError(f"its {path.name} holds no settings.")
    return _clean(config)  # type: ignore[no-any-return]


def _clean(value: Any) -> Any:  # noqa: ANN401 (any JSON value)
    if isinstance(value, dict):
        return {key: _clean(each) for key, each in value.items() if key not in _NAMES_CODE}
    return [_clean(each) for each in value] if isinstance(value, list) else value


def _describe(config: Mapping[str, Any]) -> Architecture | None:
    """The shape by the table above; None where only transformers knows what is left out."""
    keys = FAMILIES.get(config["model_type"])
    if keys is None or any(config.get(key) is None for key in keys.required):
        return None
    two_stacks = keys.kind == "encoder-decoder"
    if config.get("is_encoder_decoder", two_stacks) is not two_stacks:
        return None
    sizes = (
        _size(config, keys.layers, "num_hidden_layers"),
        _size(config, keys.heads, "num_attention_heads"),
        _size(config, keys.width, "hidden_size"),
    )
    if None in sizes:
        return None
    n_layers, n_heads, d_model = (size or 0 for size in sizes)
    positions = config.get("max_position_embeddings") or config.get(keys.positions)
    if positions is None and keys is not _T5:
        return None
    decoder = (0, 0)
    if two_stacks:
        layers = config.get("decoder_layers") or config.get("num_decoder_layers")
        heads = config.get("decoder_attention_heads")
        decoder = (layers or n_layers, heads or n_heads)
        if keys is _BART and None in (layers, heads):
            return None
    return Architecture(
        family=config["model_type"],
        kind="decoder" if keys.kind == "encoder" and config.get("is_decoder") else keys.kind,
        n_layers=n_layers,
        n_heads=n_heads,
        n_kv_heads=config.get("num_key_value_heads") or n_heads,
        d_model=d_model,
        d_head=config.get("head_dim") or config.get("d_kv") or d_model // n_heads,
        max_tokens=without_padding(
            NO_LIMIT if positions is None else positions,
            config["model_type"],
            config.get("pad_token_id"),
        ),
        decoder_layers=decoder[0],
        decoder_heads=decoder[1],
    )


def _size(config: Mapping[str, Any], own: str, usual: str) -> int | None:
    """A size under the family's own name or the usual one; None if they are missing or differ."""
    found = {config[key] for key in (own, usual) if config.get(key) is not None}
    return found.pop() if len(found) == 1 else None
