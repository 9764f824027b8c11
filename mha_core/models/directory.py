"""A folder with a model as transformers saves it: what it lacks, its revision and architecture."""

import hashlib
import json
from pathlib import Path

from mha_core.models.architecture import Architecture
from mha_core.models.config import read_architecture
from mha_core.models.sizes import check_weights
from mha_core.models.weights_header import read_header

MODEL_FILES = {
    *("config.json", "generation_config.json", "model.safetensors", "tokenizer.json"),
    *("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.txt", "vocab.json", "merges.txt", "chat_template.jinja"),
}
"""What is taken from a package or from the hub."""

_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")


def find_problem(directory: Path) -> str | None:
    """Why the folder cannot be loaded, and what to do about it; None if all files are there."""
    if not directory.is_dir():
        return f"There is no directory {directory}."
    if not (directory / "config.json").is_file():
        return (
            f"{directory} has no config.json, so it is not a model directory: save the model "
            f"there with save_pretrained()."
        )
    if (directory / "adapter_config.json").exists():
        return (
            f"{directory} holds an adapter, whose model lies elsewhere: merge both with "
            f"merge_and_unload() and save the result."
        )
    if not weight_files(directory):
        pickles = sorted(path.name for suffix in _PICKLES for path in directory.glob(suffix))
        if pickles:
            return (
                f"{directory} has its weights only as pickle ({pickles[0]}), which can run any "
                f"code when opened, so HeadScope never does: save the model as safetensors with "
                f"save_pretrained()."
            )
        return f"{directory} has no weights: there is no model.safetensors in it."
    missing = _missing_shards(directory)
    if missing:
        return (
            f"{directory} lacks {len(missing)} of its files of weights, {missing[0]} among them: "
            f"copy or fetch it again."
        )
    if not any((directory / name).is_file() for name in _TOKENIZERS):
        return (
            f"{directory} has no tokenizer (tokenizer.json): save it beside the model with "
            f"tokenizer.save_pretrained()."
        )
    return None


def weight_files(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.safetensors"))


def _missing_shards(directory: Path) -> list[str]:
    """Files of weights that the index lists and the folder lacks."""
    try:
        index = json.loads((directory / "model.safetensors.index.json").read_text())
        named = sorted(set(index["weight_map"].values()))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return ["model.safetensors.index.json"]
    return [name for name in named if not (directory / name).is_file()]


def revision_of(directory: Path) -> str:
    """A name for the folder's contents that changes when the model is trained again.

    Weights count by size and time of change: hashing them takes as long as loading them.
    """
    digest = hashlib.sha256((directory / "config.json").read_bytes())
    for path in weight_files(directory):
        stat = path.stat()
        digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}".encode())
    return f"local-{digest.hexdigest()[:12]}"


def checked_architecture(directory: Path) -> Architecture:
    """The architecture in config.json; raises ValueError if sizes or weights do not fit it."""
    architecture = read_architecture(directory)
    shapes: dict[str, tuple[int, ...]] = {}
    for path in weight_files(directory):
        shapes |= read_header(path).shapes
    check_weights(architecture, shapes)
    return architecture


def has_chat_template(directory: Path) -> bool:
    """Whether the folder holds a chat template, in a file of its own or in the tokenizer's."""
    if (directory / "chat_template.jinja").is_file():
        return True
    config = directory / "tokenizer_config.json"
    return config.is_file() and bool(
        json.loads(config.read_text(encoding="utf-8")).get("chat_template")
    )
