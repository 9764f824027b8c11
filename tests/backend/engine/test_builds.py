"""One build at a time: what it says while it runs, how it ends, what it refuses."""

import threading
from collections.abc import Callable

import pytest

from backend.engine.builds import Builds, BuildState
from backend.wire.errors import BuildRunning
from mha_core.errors import Cancelled, ModelFailed
from mha_core.progress import Progress
from tests.backend.conftest import PATIENCE
from tests.builds import wait_for_build


class Held:
    """Work that reports once and then waits until it is released or cancelled."""

    def __init__(self, end: Callable[[], None] = lambda: None) -> None:
        self.reported, self.released = threading.Event(), threading.Event()
        self._end = end

    def __call__(self, cancelled: threading.Event, report: Progress) -> None:
        report("Loading", 1, 2)
        report("sink: first token (trained)", 3, 9)
        self.reported.set()
        assert self.released.wait(PATIENCE)
        if cancelled.is_set():
            raise Cancelled("stopped")
        self._end()


@pytest.fixture
def builds() -> Builds:
    return Builds()


def run(builds: Builds, work: Held) -> BuildState:
    builds.start("mine", ("surface", "sink"), work)
    assert work.reported.wait(PATIENCE)
    return builds.state("mine")


def test_a_model_that_nobody_built_is_idle(builds: Builds) -> None:
    assert builds.state("mine") == BuildState()
    assert builds.state("mine").state == "idle"
    builds.stop("mine")
    assert builds.state("mine").state == "idle"


def test_a_running_build_says_its_section_and_its_step(builds: Builds) -> None:
    work = Held()
    state = run(builds, work)
    assert (state.state, state.section) == ("running", "sink")
    assert state.message == "first token (trained)"
    assert (state.done, state.total, state.sections) == (3, 9, ("surface", "sink"))
    assert state.started is not None
    assert builds.state("other").state == "idle"
    work.released.set()
    wait_for_build()
    assert builds.state("mine").state == "done"
    assert builds.state("mine").error is None


def test_one_build_at_a_time_and_the_next_when_it_has_ended(builds: Builds) -> None:
    work = Held()
    run(builds, work)
    for model in ("mine", "other"):
        with pytest.raises(BuildRunning) as refused:
            builds.start(model, ("sink",), work)
        assert refused.value.details == {"model": "mine"}
    work.released.set()
    wait_for_build()
    builds.start("other", ("sink",), work)
    wait_for_build()
    assert builds.state("other").state == "done"


def test_a_stopped_build_says_so_only_when_it_has_ended(builds: Builds) -> None:
    work = Held()
    run(builds, work)
    builds.stop("other")
    assert builds.state("mine").message != "Stopping"
    builds.stop("mine")
    assert (builds.state("mine").state, builds.state("mine").message) == ("running", "Stopping")
    work.released.set()
    wait_for_build()
    assert builds.state("mine").state == "stopped"
    assert builds.state("mine").section == "sink"


def fail(error: Exception) -> None:
    raise error


def test_a_build_that_fails_says_why_and_leaves_room_for_the_next(builds: Builds) -> None:
    work = Held(lambda: fail(ModelFailed("The weights are damaged.")))
    run(builds, work)
    work.released.set()
    wait_for_build()
    state = builds.state("mine")
    assert (state.state, state.message) == ("failed", "The weights are damaged.")
    assert state.error is not None
    assert state.error.code == "model_failed"
    again = Held()
    assert run(builds, again).error is None
    again.released.set()
    wait_for_build()


def test_what_nobody_foresaw_is_told_in_brief(
    builds: Builds, caplog: pytest.LogCaptureFixture
) -> None:
    work = Held(lambda: fail(ZeroDivisionError("a secret")))
    run(builds, work)
    work.released.set()
    wait_for_build()
    error = builds.state("mine").error
    assert error is not None
    assert (error.code, "secret" in error.message) == ("internal", False)
    assert "a secret" in caplog.text
