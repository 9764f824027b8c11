"""Next-token prediction, and the socket that generates token by token.

Each message on the socket is one request; a newer one cancels the running one. The server sends
progress, start, for each token a message and a binary frame of rows, done; or an error.
"""

from fastapi import APIRouter, WebSocket

from backend.engine.dependencies import EngineOfApp
from backend.generate.jobs import generate_tokens, predict_next
from backend.generate.schemas import GenerateRequest, NextRequest, NextResponse
from backend.wire.conversation import converse
from backend.wire.examples import describe_responses

router = APIRouter(tags=["generation"])


@router.post(
    "/next",
    summary="Predict the next token",
    responses=describe_responses("next"),
)
async def next_tokens(request: NextRequest, engine: EngineOfApp) -> NextResponse:
    """The most probable tokens after a text, for causal models.

    `rest` is the probability of all other tokens, so `candidates` and `rest` sum to 1. If the
    tokenizer's template appends an end token to every text, it is removed first, because nothing
    follows it.
    """
    return await engine.run(predict_next, request)


@router.websocket("/generate")
async def generate(socket: WebSocket, engine: EngineOfApp) -> None:
    """Run the newest request of this socket until it closes."""
    await converse(socket, GenerateRequest, lambda request: engine.stream(generate_tokens, request))
