"""How many cores torch uses for an operation."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

WORTH_SHARING = 2**17
"""Numbers that operations go over from which on several cores are faster than one."""


@contextmanager
def cores_for(n_numbers: int) -> Iterator[None]:
    """One core for operations over few numbers: to wake another takes longer than the work.

    Torch keeps the number of threads for each calling thread, so other runs are not affected.
    """
    n_threads = torch.get_num_threads()
    if n_threads == 1 or n_numbers >= WORTH_SHARING:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(n_threads)
