"""The endpoint that compares two texts or two models."""

from fastapi import APIRouter

from backend.compare.jobs import compare_runs
from backend.compare.schemas import CompareRequest, CompareResponse
from backend.engine.dependencies import EngineOfApp
from backend.wire.examples import describe_responses

router = APIRouter(tags=["compare"])


@router.post(
    "/compare",
    summary="Compare two texts or two models, head by head",
    responses=describe_responses("compare"),
)
async def compare(request: CompareRequest, engine: EngineOfApp) -> CompareResponse:
    """Two texts for one model, one text for two models, or both different.

    `units` aligns the tokens: for one model by token id; for two models by the smallest pieces of
    text at whose ends both tokenizers split, or by words where the texts differ. `heads` pairs, for
    one model, each head with itself, sorted by the share of attention that moved; for two models,
    each head with the most similar one, the most similar pair first, and last those compared on
    less than half of the attention of a head. `links` gives, for each pair, the three links whose
    weights differ most. A match on one text proves no common role: two heads that always look one
    token back are similar on every text. For an encoder-decoder the encoder's attention is
    compared.
    """
    return await engine.run(compare_runs, request)
