"""The endpoint for texts of the user as a corpus."""

from fastapi import APIRouter, Response

from backend.corpus.jobs import measure_corpus
from backend.corpus.schemas import CorpusRequest, CorpusResponse
from backend.corpus.table import FORMATS
from backend.engine.dependencies import EngineOfApp
from backend.wire.examples import describe_responses
from backend.wire.formats import JSON, choose_format
from backend.wire.responses import Accept, respond

router = APIRouter(tags=["corpus"])


@router.post(
    "/corpus",
    summary="Every metric of every head, averaged over your texts",
    response_model=CorpusResponse,
    responses=describe_responses("corpus", FORMATS),
)
async def corpus(request: CorpusRequest, engine: EngineOfApp, accept: Accept = JSON) -> Response:
    """Means with the number of cases, the number of texts and a 95 % interval.

    With a `link` also all heads ranked by it, next to what position alone and uniform attention
    would give. Texts that cannot be measured, repeat an earlier one or lack the link are left out
    and counted by reason, with their lines. `Accept: text/csv` returns the same as a table.
    """
    chosen = choose_format(accept, FORMATS)
    answer = await engine.run(measure_corpus, request)
    return await respond(chosen, answer, "corpus")
