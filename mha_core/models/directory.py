"""A folder that holds a model as transformers saves it: what is wrong with it, and its shape.

This file must not load weights: it looks at names and at the configuration, which is quick.
"""

import hashlib
import json
from pathlib import Path

from transformers import AutoConfig

from mha_core.models.architecture import Architecture, architecture_of

_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")


def trouble_in(directory: Path) -> str | None:
    """Why the folder cannot be loaded, and what to do about it; None when it looks whole."""
    if not directory.is_dir():
        return f"There is no directory {directory}."
    if not (directory / "config.json").is_file():
        return (
            f"{directory} has no config.json, so it is not a model directory: save the model "
            f"there with save_pretrained()."
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
    """The safetensors files of the folder."""
    return sorted(directory.glob("*.safetensors"))


def _missing_shards(directory: Path) -> list[str]:
    """Files that the index of weights split into several names and the folder has not."""
    try:
        index = json.loads((directory / "model.safetensors.index.json").read_text())
        named = sorted(set(index["weight_map"].values()))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return ["model.safetensors.index.json"]
    return [name for name in named if not (directory / name).is_file()]


def revision_of(directory: Path) -> str:
    """A name for the folder's present contents: it changes when the model is trained again.

    Weights go by size and time of change, for hashing them would take as long as loading them.
    """
    digest = hashlib.sha256((directory / "config.json").read_bytes())
    for path in weight_files(directory):
        stat = path.stat()
        digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}".encode())
    return f"local-{digest.hexdigest()[:12]}"


def architecture_in(directory: Path) -> Architecture:
    """The shape that the folder's configuration promises; raises where it makes no sense."""
    return architecture_of(AutoConfig.from_pretrained(directory, trust_remote_code=False))
