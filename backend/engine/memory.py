"""Memory: keeping what runs free for the next one, and what happens when there is too little."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from mha_core.errors import OutOfMemory
from mha_core.runs.analysis import RunInfo

# Options of glibc's mallopt, and values for them.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_KEPT_BYTES = 2**28  # free memory at the end of the heap that is not given back
_LARGEST_KEPT = 2**25  # larger blocks are always given back; the most that glibc accepts


def keep_freed_memory() -> None:
    """Let the C library keep the memory that runs free, for all threads.

    By default glibc gives large blocks back to the system, which clears each page when it is used
    again: at 512 tokens that took a tenth of the time of a run. Other C libraries are left alone.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)  # what one thread frees serves the others too
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_KEPT)
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)


def is_out_of_memory(error: Exception) -> bool:
    """Torch has a class for it on accelerators; on the CPU only the message says so."""
    words = ("not enough memory", "can't allocate memory")
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or any(
        word in str(error) for word in words
    )


def free_memory() -> None:
    """Give unused memory back to the system and to other runs on the device."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
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
