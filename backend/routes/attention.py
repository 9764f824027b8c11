"""Texts in, tokens and maps out."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Response
from fastapi.concurrency import run_in_threadpool

from backend import frames
from backend.formats import (
    ATTENTION_FORMATS,
    HEAD_FORMATS,
    JSON,
    NPZ,
    SAFETENSORS,
    Format,
    choose,
)
from backend.response_examples import ATTENTION, HEAD, TOKENS, refused, shown
from backend.routes.dependencies import EngineOfApp, SettingsOfApp
from backend.runner import Attention
from backend.schemas import (
    AttentionRequest,
    AttentionResponse,
    HeadResponse,
    TextRequest,
    TokenizeResponse,
)
from backend.settings import Settings

Accept = Annotated[str, Header(description="The format wanted; JSON when absent.")]
ARRAYS = {"schema": {"type": "string", "format": "binary"}}


def _responses(example: object, *media_types: str) -> dict[int | str, dict[str, Any]]:
    answer = shown(example)
    answer[200]["content"] |= dict.fromkeys(media_types, ARRAYS)
    return refused(404, 406, 413, 422, 503) | answer


router = APIRouter(tags=["attention"])


@router.post("/tokenize", summary="The tokens of a text", responses=_responses(TOKENS))
async def tokenize(request: TextRequest, engine: EngineOfApp) -> TokenizeResponse:
    """Ids, display texts, offsets, words and kinds, from one call of the model's tokenizer."""
    tokens = await engine.tokens(request)
    return TokenizeResponse(tokens=tokens, n_tokens=len(tokens))


@router.post(
    "/attention",
    summary="The attention maps of a text",
    response_model=AttentionResponse,
    responses=_responses(ATTENTION, NPZ, SAFETENSORS),
)
async def attention(
    request: AttentionRequest, engine: EngineOfApp, settings: SettingsOfApp, accept: Accept = JSON
) -> Response:
    """Exact float32 maps of the chosen layers and heads.

    As JSON for people; as arrays with `Accept: application/x-npz` or
    `application/vnd.safetensors`: `attention` [layers, heads, queries, keys], `layers`,
    `heads`, and the tokens.
    """
    chosen = choose(accept, ATTENTION_FORMATS)
    max_cells = _max_cells(chosen, settings)
    return await _answer(chosen, await engine.attention(request, max_cells))


@router.get(
    "/analyses/{id}/heads/{layer}/{head}",
    summary="The exact map of one head",
    response_model=HeadResponse,
    responses=_responses(HEAD, frames.MEDIA_TYPE, NPZ, SAFETENSORS),
)
async def head(
    id: Annotated[str, Path(description="As given by `POST /attention` or the stream.")],
    layer: Annotated[int, Path(ge=0)],
    head: Annotated[int, Path(ge=0)],
    engine: EngineOfApp,
    settings: SettingsOfApp,
    accept: Accept = JSON,
) -> Response:
    """Float32 weights, derived from the kept queries and keys of an earlier analysis."""
    chosen = choose(accept, HEAD_FORMATS)
    max_cells = _max_cells(chosen, settings)
    return await _answer(chosen, await engine.head(id, layer, head, max_cells))


def _max_cells(chosen: Format, settings: Settings) -> int:
    return settings.max_json_cells if chosen.media_type == JSON else settings.max_array_cells


async def _answer(chosen: Format, result: Attention) -> Response:
    headers = {"Vary": "Accept"}
    if chosen.media_type in (NPZ, SAFETENSORS):
        name = f"headscope-{result.provenance.id}.{chosen.extension}"
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    # In a thread: packing many maps takes seconds.
    written = await run_in_threadpool(chosen.write, result)
    return Response(written, media_type=chosen.media_type, headers=headers)
