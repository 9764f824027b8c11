"""The head calculator, exercises, and the socket that times three ways to compute attention.

Each message on the socket is one request; a newer one cancels the running one. The server sends
start, the times of each round, done; or an error.
"""

from typing import Annotated

from fastapi import APIRouter, Path, WebSocket

from backend.engine.dependencies import EngineOfApp
from backend.lessons.jobs import (
    calculate,
    check_answer,
    compare_loops,
    list_exercises,
    list_presets,
)
from backend.lessons.schemas import (
    AnswerRequest,
    AnswerResponse,
    CalculatorRequest,
    CalculatorResponse,
    ExerciseOut,
    LoopsRequest,
    PresetsResponse,
)
from backend.wire.conversation import converse
from backend.wire.examples import describe_errors, show_example

router = APIRouter(tags=["learn"], prefix="/learn")

ExerciseId = Annotated[str, Path(description="An id of `GET /api/v1/learn/exercises`.")]


@router.get(
    "/calculator",
    summary="Sizes of attention in known models",
    responses=show_example("presets"),
)
async def presets(engine: EngineOfApp) -> PresetsResponse:
    """Published models with their sources, then those that come with HeadScope, and the limits."""
    return await engine.run(list_presets, None)


@router.post(
    "/calculator",
    summary="What do sizes of attention cost?",
    responses=describe_errors(422) | show_example("calculator"),
)
async def calculator(request: CalculatorRequest, engine: EngineOfApp) -> CalculatorResponse:
    """Parameters, operations, K/V cache and maps of given sizes, and what they can express.

    Sizes that do not divide are no error: `problems` says what would divide. A matrix is (in, out);
    `separate` counts a small matrix for each head and `fused` one for all of them, biases included.
    """
    return await engine.run(calculate, request)


@router.get(
    "/exercises",
    summary="Exercises about attention",
    responses=show_example("exercises"),
)
async def exercises(engine: EngineOfApp) -> list[ExerciseOut]:
    """Small questions whose answers the server computes, in the order of the steps."""
    return await engine.run(list_exercises, None)


@router.post(
    "/exercises/{id}",
    summary="Check an answer",
    responses=describe_errors(404, 422) | show_example("answer"),
)
async def answer(id: ExerciseId, request: AnswerRequest, engine: EngineOfApp) -> AnswerResponse:
    """Whether an answer is right, the right one and why; a hint where the mistake is a known one.

    An answer that cannot be read gets the error `unreadable_answer`.
    """
    return await engine.run(check_answer, (id, request))


@router.websocket("/loops")
async def loops(socket: WebSocket, engine: EngineOfApp) -> None:
    """Run the newest request of this socket until it closes."""
    await converse(socket, LoopsRequest, lambda request: engine.stream(compare_loops, request))
