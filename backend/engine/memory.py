"""Want of memory: how it is known, what can be freed, how it is told.

This file must not run models.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from mha_core.errors import OutOfMemory
from mha_core.runs.analysis import Subject


def is_out_of_memory(error: Exception) -> bool:
    """Torch has a class for it on accelerators; on the CPU only the words tell."""
    words = ("not enough memory", "can't allocate memory")
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or any(
        word in str(error) for word in words
    )


def collect() -> None:
    """Give back what nobody holds any more, to the system and to other runs on the device."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


@contextmanager
def memory_told(subject: Subject) -> Iterator[None]:
    """Want of memory as an error of its own, whatever torch or numpy call it."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        raise OutOfMemory(
            f"There is not enough memory on {subject.device} for {subject.n_tokens} tokens: "
            f"shorten the text, or choose fewer heads or a smaller model.",
            device=subject.device,
            n_tokens=subject.n_tokens,
            cause=str(error).partition("\n")[0],
        ) from error
