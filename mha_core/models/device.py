"""The device and the number format a model runs in. This file must not know models."""

import torch

from mha_core.errors import ModelFailed

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


def resolve_device(name: str) -> torch.device:
    """The device meant by "auto", "cpu", "cuda", "cuda:1" or "mps".

    "auto" is a GPU of the CUDA kind where there is one, else the CPU; never mps, which has been
    seen to give wrong numbers without a word, so a person has to ask for it.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    there = available_devices()
    # "cuda" alone is the first one.
    if name not in there and not (name == "cuda" and "cuda:0" in there):
        raise ModelFailed(
            f"There is no device {name!r} here. There is: {', '.join(there)}; "
            f'"auto" chooses the best of them.',
            device=name,
            available=there,
        )
    return torch.device(name)


def available_devices() -> list[str]:
    """Names of the devices this machine has."""
    there = ["cpu", *(f"cuda:{index}" for index in range(torch.cuda.device_count()))]
    return [*there, "mps"] if torch.backends.mps.is_available() else there


def resolve_dtype(name: str) -> torch.dtype:
    """The number format meant by "float32", "float16" or "bfloat16"."""
    if name not in DTYPES:
        raise ModelFailed(
            f"There is no number format {name!r} for models: choose one of {', '.join(DTYPES)}.",
            dtype=name,
            available=list(DTYPES),
        )
    return DTYPES[name]
