"""What comes next in a text, and a socket that generates token after token.

On the socket one message asks for one text, a newer one cancels it. Answers come in order:
progress, start, for each token its message and a binary frame of rows, done; or an error.
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
    summary="Which token comes next?",
    responses=describe_responses("next"),
)
async def next_tokens(request: NextRequest, engine: EngineOfApp) -> NextResponse:
    """The most probable tokens after a text, for causal models.

    `rest` is the probability of all tokens that are not named, so that `candidates` and `rest`
    sum to 1. An end token that a tokenizer's template puts after every text is left out of the
    text first: after it nothing comes.
    """
    return await engine.run(predict_next, request)


@router.websocket("/generate")
async def generate(socket: WebSocket, engine: EngineOfApp) -> None:
    """Continue the newest text of this socket until it closes."""
    await converse(socket, GenerateRequest, lambda request: engine.stream(generate_tokens, request))
