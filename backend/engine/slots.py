"""Slots for runs: how many models run at once, and how they share the processor's cores."""

import threading
from collections.abc import Callable

import torch

SECONDS_BETWEEN_CHECKS = 0.1


class Slots:
    """A fixed number of slots; a thread that holds one may run a model."""

    def __init__(self, n_slots: int) -> None:
        self._free = threading.Semaphore(n_slots)
        self._n_cores = torch.get_num_threads()
        self._n_running = 0
        self._lock = threading.Lock()

    def acquire(self, check: Callable[[], None]) -> None:
        """Wait for a slot; `check` is called now and then, and gives up by raising."""
        while not self._free.acquire(timeout=SECONDS_BETWEEN_CHECKS):
            check()
        self._count(1)
        self.share_cores()

    def release(self) -> None:
        self._count(-1)
        self._free.release()

    def share_cores(self) -> None:
        """Give the calling thread its share: all cores to a run alone, a part to each of several.

        Torch keeps the number of threads for each calling thread, so runs do not disturb each
        other. Called at each layer, because others start and end meanwhile.
        """
        share = max(1, self._n_cores // max(1, self._n_running))
        if torch.get_num_threads() != share:
            torch.set_num_threads(share)

    def _count(self, change: int) -> None:
        with self._lock:
            self._n_running += change
