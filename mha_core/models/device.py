"""The device and the number format a model runs in."""

import subprocess
import sys
from functools import cache

import torch

from mha_core.errors import ModelFailed

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


def resolve_device(name: str) -> torch.device:
    """The device meant by "auto", "cpu", "cuda", "cuda:1" or "mps".

    "auto" is a CUDA GPU where there is one, else the CPU; never mps, which has returned wrong
    numbers silently, so it has to be asked for.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    available = available_devices()
    # "cuda" alone is the first one.
    if name not in available and not (name == "cuda" and "cuda:0" in available):
        raise ModelFailed(
            f"There is no device {name!r} here. There is: {', '.join(available)}; "
            f'"auto" chooses the best of them.',
            device=name,
            available=available,
        )
    return torch.device(name)


def available_devices() -> list[str]:
    devices = ["cpu", *(f"cuda:{index}" for index in range(torch.cuda.device_count()))]
    return [*devices, "mps"] if torch.backends.mps.is_available() else devices


def resolve_dtype(name: str) -> torch.dtype:
    if name not in DTYPES:
        raise ModelFailed(
            f"There is no number format {name!r} for models: choose one of {', '.join(DTYPES)}.",
            dtype=name,
            available=list(DTYPES),
        )
    return DTYPES[name]


def check_bfloat16(device: torch.device, dtype: torch.dtype) -> None:
    """Raise ModelFailed where bfloat16 would kill the process.

    Some virtual CPUs announce AMX and do not run it: the first product ends in SIGILL.
    """
    if device.type == "cpu" and dtype == torch.bfloat16 and not _cpu_multiplies_bfloat16():
        raise ModelFailed(
            "This CPU announces bfloat16 instructions that it cannot run. Start HeadScope with "
            "ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16 in its environment, or with dtype float32.",
            dtype="bfloat16",
        )


@cache
def _cpu_multiplies_bfloat16() -> bool:
    """Tried in a process of its own, which may die of it."""
    code = "import torch; a = torch.ones(32, 32, dtype=torch.bfloat16); a @ a"
    # -P keeps a file called torch.py in the current directory from being run.
    command = [sys.executable, "-P", "-c", code]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0  # noqa: S603
