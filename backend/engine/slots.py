"""Slots for runs: how many models run at once, and how they share the processor's cores."""

import threading
from collections import deque
from collections.abc import Callable

import torch

SECONDS_BETWEEN_CHECKS = 0.1


class Slots:
    """A fixed number of slots; a thread that holds one may run a model. First come, first served:

    long work gives its slot back between batches, and whoever waits must get it before that work
    takes the next one.
    """

    def __init__(self, n_slots: int) -> None:
        self._n_slots = n_slots
        self._n_cores = torch.get_num_threads()
        self._n_running = 0
        self._waiting: deque[object] = deque()
        self._changed = threading.Condition()

    def acquire(self, check: Callable[[], None]) -> None:
        """Wait for a slot; `check` is called now and then, and gives up by raising."""
        me = object()
        with self._changed:
            self._waiting.append(me)
        try:
            while not self._take(me):
                check()
        finally:
            with self._changed:
                self._waiting.remove(me)
                self._changed.notify_all()
        self.share_cores()

    def _take(self, me: object) -> bool:
        """Whether a slot came free for the first in the queue within a short time."""

        def is_next() -> bool:
            return self._n_running < self._n_slots and self._waiting[0] is me

        with self._changed:
            if not self._changed.wait_for(is_next, SECONDS_BETWEEN_CHECKS):
                return False
            self._n_running += 1
            return True

    def release(self) -> None:
        with self._changed:
            self._n_running -= 1
            self._changed.notify_all()

    def share_cores(self) -> None:
        """Give the calling thread its share: all cores to a run alone, a part to each of several.

        Torch keeps the number of threads for each calling thread, so runs do not disturb each
        other. Called at each layer, because others start and end meanwhile.
        """
        share = max(1, self._n_cores // max(1, self._n_running))
        if torch.get_num_threads() != share:
            torch.set_num_threads(share)
