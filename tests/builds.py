"""Builds in the background: waiting for one, and holding its model."""

import threading
from collections.abc import Callable, Sequence

import pytest
from torch import Tensor

from mha_core.models.loading import LoadedModel
from mha_core.tap import Tap
from mha_core.text.tokens import TokenizedText

PATIENCE = 60
THREAD = "headscope-build"


def wait_for_build() -> None:
    """Return when no build is under way in this process."""
    for thread in threading.enumerate():
        if thread.name == THREAD:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the build did not end"


class HeldModel:
    """Counts the runs of models in builds, and holds the first one that a test is waiting for."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.n_runs = 0
        self.hold_when: Callable[[], bool] = lambda: False
        self.reached, self.released = threading.Event(), threading.Event()
        forward_all = LoadedModel.forward_all

        def held(
            model: LoadedModel, texts: Sequence[TokenizedText], tap: Tap | None = None
        ) -> Tensor:
            if threading.current_thread().name == THREAD:
                self.n_runs += 1
                if not self.released.is_set() and self.hold_when():
                    self.reached.set()
                    assert self.released.wait(PATIENCE)
            return forward_all(model, texts, tap)

        patch.setattr(LoadedModel, "forward_all", held)

    def hold(self, when: Callable[[], bool]) -> None:
        """From now on hold the next run for which this is true, until it is released."""
        self.reached.clear()
        self.released.clear()
        self.hold_when = when

    def release(self) -> None:
        self.released.set()
