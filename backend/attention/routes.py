"""Texts in, tokens and maps out."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from backend.wire import frames
from backend.wire.dependencies import EngineOfApp, SettingsOfApp
from backend.wire.formats import ATTENTION_FORMATS, HEAD_FORMATS, JSON, NPZ, SAFETENSORS, choose
from backend.wire.response_examples import ATTENTION, HEAD, TOKENS
from backend.wire.responses import Accept, described, max_cells, written
from backend.wire.schemas import (
    AttentionRequest,
    AttentionResponse,
    HeadResponse,
    StackChoice,
    TextRequest,
    TokenizeResponse,
)

router = APIRouter(tags=["attention"])


@router.post("/tokenize", summary="The tokens of a text", responses=described(TOKENS))
async def tokenize(request: TextRequest, engine: EngineOfApp) -> TokenizeResponse:
    """Ids, display texts, offsets, words and kinds, from one call of the model's tokenizer."""
    tokens = await engine.tokens(request)
    return TokenizeResponse(tokens=tokens, n_tokens=len(tokens))


@router.post(
    "/attention",
    summary="The attention maps of a text",
    response_model=AttentionResponse,
    responses=described(ATTENTION, NPZ, SAFETENSORS),
)
async def attention(
    request: AttentionRequest, engine: EngineOfApp, settings: SettingsOfApp, accept: Accept = JSON
) -> Response:
    """Exact float32 maps of the chosen layers and heads, raw or, by `values`, value-weighted.

    As JSON for people; as arrays with `Accept: application/x-npz` or
    `application/vnd.safetensors`: `attention` [layers, heads, queries, keys], `layers`,
    `heads`, and the tokens. An encoder-decoder has three attentions: say which as `stack`; those of
    `cross` are not square, their rows being the decoder's tokens and their columns the source's.
    """
    chosen = choose(accept, ATTENTION_FORMATS)
    result = await engine.attention(request, max_cells(chosen, settings))
    return await written(chosen, result, result.provenance.id)


@router.get(
    "/analyses/{id}/heads/{layer}/{head}",
    summary="The exact map of one head",
    response_model=HeadResponse,
    responses=described(HEAD, frames.MEDIA_TYPE, NPZ, SAFETENSORS),
)
async def head(
    id: Annotated[str, Path(description="As given by `POST /attention` or the stream.")],
    layer: Annotated[int, Path(ge=0)],
    head: Annotated[int, Path(ge=0)],
    engine: EngineOfApp,
    settings: SettingsOfApp,
    stack: StackChoice = None,
    accept: Accept = JSON,
) -> Response:
    """Float32 weights, derived from the kept queries and keys of an earlier analysis."""
    chosen = choose(accept, HEAD_FORMATS)
    result = await engine.head(id, layer, head, stack, max_cells(chosen, settings))
    return await written(chosen, result, result.provenance.id)
