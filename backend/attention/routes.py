"""Endpoints for the tokens and the attention maps of a text."""

from functools import partial

from fastapi import APIRouter, Response

from backend.attention.jobs import compute_attention, tokenize_text
from backend.attention.schemas import AttentionRequest, AttentionResponse, TokenizeResponse
from backend.engine.dependencies import EngineOfApp, SettingsOfApp
from backend.wire.examples import describe_responses
from backend.wire.formats import AS_JSON, AS_NPZ, AS_SAFETENSORS, JSON, choose_format
from backend.wire.responses import Accept, max_cells, respond
from backend.wire.schemas import TextRequest

router = APIRouter(tags=["attention"])

FORMATS = (AS_JSON, AS_NPZ, AS_SAFETENSORS)


@router.post("/tokenize", summary="The tokens of a text", responses=describe_responses("tokenize"))
async def tokenize(request: TextRequest, engine: EngineOfApp) -> TokenizeResponse:
    """Id, display text, offsets, word and kind of each token, from the model's tokenizer."""
    return await engine.run(tokenize_text, request)


@router.post(
    "/attention",
    summary="The attention maps of a text",
    response_model=AttentionResponse,
    responses=describe_responses("attention", FORMATS),
)
async def attention(
    request: AttentionRequest, engine: EngineOfApp, settings: SettingsOfApp, accept: Accept = JSON
) -> Response:
    """Exact float32 maps of the chosen layers and heads, raw or value-weighted (`values`).

    JSON by default. `Accept: application/x-npz` or `application/vnd.safetensors` returns arrays:
    `attention` [layers, heads, queries, keys], `layers`, `heads`, and the tokens. For an
    encoder-decoder choose the `stack`; maps of `cross` are not square: their rows are the decoder's
    tokens and their columns the source's.
    """
    chosen = choose_format(accept, FORMATS)
    job = partial(compute_attention, max_cells=max_cells(chosen, settings))
    answer = await engine.run(job, request)
    return await respond(chosen, answer, answer.about.id)
