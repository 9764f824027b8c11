"""Runs in the words of the API."""

import numpy as np

from backend.engine.session import Session
from backend.training.film import FilmAnswer
from backend.training.schemas import FilmAbout, RelationOut, RunRecord, RunSummary, TaskOut
from backend.wire.describe import describe_tokens
from mha_core.learn.film import Film
from mha_core.learn.record import Event, LossPoint, Point, StateChange, StateName
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import SHIPPED
from mha_core.learn.settings import SYMBOLS, RunSettings
from mha_core.learn.tasks.catalogue import make_task


def describe_task(settings: RunSettings) -> TaskOut:
    task = make_task(settings)
    return TaskOut(
        id=task.id,
        label=task.label,
        about=task.about,
        source=task.source,
        settings=settings,
        symbols=[*SYMBOLS[settings.task]],
        vocabulary=[*task.vocabulary],
        examples=[*task.examples],
        relations=[RelationOut(**vars(it)) for it in task.relations],
    )


def describe_run(session: Session, run: RunDirectory) -> RunSummary:
    return RunSummary(**_summary(session, run, run.events()))


def describe_record(session: Session, run: RunDirectory) -> RunRecord:
    events = run.events()
    task = make_task(run.description.settings)
    return RunRecord(
        **_summary(session, run, events),
        lines=run.description.lines,
        losses=[it for it in events if isinstance(it, LossPoint)],
        points=[it for it in events if isinstance(it, Point)],
        kept_steps=run.kept_steps(),
        examples=[*task.examples],
        vocabulary=[*task.vocabulary],
        n_events=len(events),
    )


def _summary(session: Session, run: RunDirectory, events: list[Event]) -> dict[str, object]:
    description, ahead = run.description, session.trainings.position(run.id)
    state = run.state
    points = [it for it in events if isinstance(it, Point)]
    steps = [it.step for it in events]
    return {
        "id": run.id,
        "name": description.name,
        "shipped": run.path.parent == SHIPPED,
        "state": true_state(state, ahead),
        "message": state.message,
        "ahead": ahead,
        "step": max(steps, default=0),
        "loss": points[-1].loss if points else None,
        "accuracy": points[-1].accuracy if points else None,
        "settings": description.settings,
        "n_parameters": description.n_parameters,
        "created": description.created.isoformat(),
    }


def true_state(state: StateChange, ahead: int | None) -> StateName:
    """The state, but for one that waited in the queue of a server that is gone."""
    return "stopped" if state.state == "queued" and ahead is None else state.state


def describe_film(run: RunDirectory, film: Film) -> FilmAnswer:
    about = FilmAbout(
        run=run.id,
        steps=film.steps,
        tokens=describe_tokens(film.tokenized),
        predictions=film.predictions,
    )
    return FilmAnswer(about, film.patterns.numpy().astype(np.float32))
