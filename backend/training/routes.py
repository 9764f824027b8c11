"""Endpoints for training runs, and the socket that follows one."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Response, WebSocket

from backend.engine.dependencies import EngineOfApp, SettingsOfApp
from backend.training.events import follow_run
from backend.training.film import FILM_FORMATS
from backend.training.jobs import (
    list_runs,
    list_tasks,
    read_run,
    remove_run,
    resume_run,
    show_film,
    show_sweeps,
    start_run,
    stop_run,
)
from backend.training.schemas import (
    EventsRequest,
    FilmRequest,
    FilmResponse,
    NewRun,
    RunRecord,
    RunSummary,
    TaskOut,
)
from backend.wire.conversation import converse
from backend.wire.examples import (
    Responses,
    describe_errors,
    describe_responses,
    read_examples,
    show_example,
)
from backend.wire.formats import JSON, choose_format
from backend.wire.responses import Accept, max_cells, respond, respond_json
from mha_core.learn.sweep_record import Sweeps

router = APIRouter(tags=["training"], prefix="/learn")

_SUMMARY: Responses = {
    202: {"content": {JSON: {"example": next(iter(read_examples().get("runs") or []), None)}}}
}
"""A run as it is listed."""

RunId = Annotated[str, Path(description="A run's id, as listed by `GET /api/v1/learn/runs`.")]


@router.get("/tasks", summary="What can be trained?", responses=show_example("tasks"))
async def tasks(engine: EngineOfApp) -> list[TaskOut]:
    """Tasks whose structure is known exactly, with their usual settings."""
    return await engine.run(list_tasks, None)


@router.get("/sweeps", summary="How many heads, and who does it?", responses=show_example("sweeps"))
async def sweeps(engine: EngineOfApp) -> Sweeps:
    """Two experiments over many runs: the same model with 1 to d_model heads, and the same model
    from five seeds, its heads matched by their maps.

    Only the numbers are kept, not the models.
    """
    return await engine.run(show_sweeps, None)


@router.get("/runs", summary="Which runs are there?", responses=show_example("runs"))
async def runs(engine: EngineOfApp) -> list[RunSummary]:
    """Those that come with HeadScope, then those trained here, newest first."""
    return await engine.run(list_runs, None)


@router.post(
    "/runs",
    summary="Train a small model",
    status_code=202,
    responses=describe_errors(409, 422) | _SUMMARY,
)
async def start(request: NewRun, engine: EngineOfApp) -> RunSummary:
    """Starts in a process of its own, or waits for the run before it; answers at once.

    What is left out is as usual for the task. `WS /api/v1/learn/events` says how it goes.
    """
    return await engine.run(start_run, request)


@router.get(
    "/runs/{id}",
    summary="What happened in a run?",
    response_model=RunRecord,
    responses=describe_errors(404, 422) | show_example("run"),
)
async def run(id: RunId, engine: EngineOfApp) -> Response:
    """The losses, and at each checkpoint every metric and role of every head."""
    return respond_json(await engine.run(read_run, id))


@router.post(
    "/runs/{id}/resume",
    summary="Go on with a run",
    status_code=202,
    responses=describe_errors(404, 409, 422) | _SUMMARY,
)
async def resume(id: RunId, engine: EngineOfApp) -> RunSummary:
    """It goes on from the step it stopped at, as if it had never stopped."""
    return await engine.run(resume_run, id)


@router.post(
    "/runs/{id}/stop",
    summary="Stop a run",
    status_code=202,
    responses=describe_errors(404, 422) | _SUMMARY,
)
async def stop(id: RunId, engine: EngineOfApp) -> RunSummary:
    """It stops after the step it is at; what is done is kept."""
    return await engine.run(stop_run, id)


@router.delete(
    "/runs/{id}",
    summary="Delete a run",
    responses=describe_errors(404, 409, 422) | show_example("runs"),
)
async def remove(id: RunId, engine: EngineOfApp) -> list[RunSummary]:
    """Its files are deleted, unless it is being trained; answers with the runs that are left."""
    return await engine.run(remove_run, id)


@router.post(
    "/runs/{id}/maps",
    summary="All heads at every step",
    response_model=FilmResponse,
    responses=describe_responses("film", FILM_FORMATS),
)
async def maps(
    id: RunId,
    request: FilmRequest,
    engine: EngineOfApp,
    settings: SettingsOfApp,
    accept: Accept = JSON,
) -> Response:
    """The maps of every head on a text, at every step whose weights are kept.

    As NPZ or safetensors: `patterns` [steps, layers, heads, queries, keys] and `steps`.
    """
    chosen = choose_format(accept, FILM_FORMATS)
    job = partial(show_film, max_cells=max_cells(chosen, settings))
    return await respond(chosen, await engine.run(job, (id, request)), f"{id}-maps")


@router.websocket("/events")
async def events(socket: WebSocket, engine: EngineOfApp) -> None:
    """Follow the newest run this socket asked for until it closes."""
    await converse(socket, EventsRequest, lambda request: engine.stream(follow_run, request))
