"""The events of a run as they are written, for a page that watches it."""

from collections.abc import Callable
from time import sleep

from backend.engine.session import Session
from backend.training.describe import true_state
from backend.training.schemas import EventsRequest, RunDone, RunEvent, RunMessage, RunRestart
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import find_run

SECONDS_BETWEEN_LOOKS = 0.2


def follow_run(
    session: Session, request: EventsRequest, emit: Callable[[RunMessage], None]
) -> None:
    """Emit every event that is not known yet, until the run ends."""
    run = find_run(request.run, session.settings.runs_dir)
    known, number = request.skip, request.request
    while True:
        session.check()
        # In this order: an event written in between is found by the next look.
        ahead = session.trainings.position(run.id)
        n_events, ended = run.count_events(), _has_ended(run, ahead)
        if n_events < known:
            emit(RunRestart(request=number))
            known = 0
        for event in run.events(skip=known):
            emit(RunEvent(request=number, event=event))
            known += 1
        if ended:
            emit(RunDone(request=number, state=true_state(run.state, ahead)))
            return
        sleep(SECONDS_BETWEEN_LOOKS)


def _has_ended(run: RunDirectory, ahead: int | None) -> bool:
    return ahead is None and true_state(run.state, ahead) not in ("queued", "running")
