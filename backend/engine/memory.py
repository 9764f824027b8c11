"""Out-of-memory handling: detection, freeing caches, the error message."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from mha_core.errors import OutOfMemory
from mha_core.runs.analysis import RunInfo


def is_out_of_memory(error: Exception) -> bool:
    """Torch has a class for it on accelerators; on the CPU only the message says so."""
    words = ("not enough memory", "can't allocate memory")
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or any(
        word in str(error) for word in words
    )


def free_memory() -> None:
    """Give unused memory back to the system and to other runs on the device."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


@contextmanager
def report_out_of_memory(info: RunInfo) -> Iterator[None]:
    """Turn what torch or numpy raise for lack of memory into an error of HeadScope's."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        raise OutOfMemory(
            f"There is not enough memory on {info.device} for {info.n_tokens} tokens: "
            f"shorten the text, or choose fewer heads or a smaller model.",
            device=info.device,
            n_tokens=info.n_tokens,
            cause=str(error).partition("\n")[0],
        ) from error
