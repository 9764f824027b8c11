"""Two texts or two models, side by side."""

from fastapi import APIRouter

from backend.compare.jobs import compare_runs
from backend.compare.schemas import CompareRequest, CompareResponse
from backend.engine.dependencies import EngineOfApp
from backend.wire.examples import describe_responses

router = APIRouter(tags=["compare"])


@router.post(
    "/compare",
    summary="What changes between two texts, which heads of two models are alike",
    responses=describe_responses("compare"),
)
async def compare(request: CompareRequest, engine: EngineOfApp) -> CompareResponse:
    """Two texts for one model, one text for two models, or both different.

    `units` say which tokens stand opposite: in one model tokens matched by id; in two models the
    finest stretches that both tokenizers cut out of the same text, words where the texts differ.
    `heads`: in one model each head against itself, by the share of attention that moved; in two
    models each head with its most similar one. A match on one text is no proof of a common role:
    two heads that only ever look one token back are alike on every text. Of an encoder-decoder the
    encoder's attention is compared.
    """
    return await engine.run(compare_runs, request)
