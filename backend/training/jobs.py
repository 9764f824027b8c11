"""Jobs about training runs: tasks, lists, records, starting and stopping, maps at every step."""

from backend.engine.interface import light
from backend.engine.session import Session
from backend.engine.stopwatch import Stopwatch
from backend.training.describe import describe_film, describe_record, describe_run, describe_task
from backend.training.film import FilmAnswer
from backend.training.schemas import FilmRequest, NewRun, RunRecord, RunSummary, TaskOut
from backend.wire.errors import TooManyCells
from mha_core.learn.film import make_film, tokenize_for
from mha_core.learn.runs import all_runs, delete_run, find_run, new_run
from mha_core.learn.settings import SYMBOLS, RunSettings
from mha_core.learn.sweep_record import Sweeps, read_sweeps


@light
def list_tasks(_: Session, __: None) -> list[TaskOut]:
    return [describe_task(RunSettings.model_validate({"task": id})) for id in SYMBOLS]


@light
def list_runs(session: Session, _: None) -> list[RunSummary]:
    return [describe_run(session, run) for run in all_runs(session.settings.runs_dir)]


@light
def show_sweeps(_: Session, __: None) -> Sweeps:
    return read_sweeps()


@light
def read_run(session: Session, id: str) -> RunRecord:
    return describe_record(session, find_run(id, session.settings.runs_dir))


@light
def start_run(session: Session, request: NewRun) -> RunSummary:
    """Write a run and have it trained as soon as those before it are done."""
    settings = RunSettings.model_validate(request.model_dump(exclude={"name"}))
    run = new_run(settings, session.settings.runs_dir, request.name)
    session.trainings.start(run)
    return describe_run(session, run)


@light
def resume_run(session: Session, id: str) -> RunSummary:
    run = find_run(id, session.settings.runs_dir)
    session.trainings.start(run)
    return describe_run(session, run)


@light
def stop_run(session: Session, id: str) -> RunSummary:
    """It stops after the step it is at; what is done is kept."""
    run = find_run(id, session.settings.runs_dir)
    session.trainings.stop(run)
    return describe_run(session, run)


@light
def remove_run(session: Session, id: str) -> list[RunSummary]:
    delete_run(id, session.settings.runs_dir)
    return list_runs(session, None)


def show_film(
    session: Session, asked: tuple[str, FilmRequest], max_cells: int | None = None
) -> FilmAnswer:
    """The maps of a text at every kept step; refuses what this task's words cannot write."""
    id, request = asked
    run = find_run(id, session.settings.runs_dir)
    settings = run.description.settings
    n_tokens = len(tokenize_for(settings, request.text).tokens)
    n_maps = len(run.kept_steps()) * settings.n_layers * settings.n_heads
    TooManyCells.check(n_maps * n_tokens**2, max_cells)
    with session.slot(Stopwatch()):
        return describe_film(run, make_film(run, request.text, session.check))
