"""One map, one row of every map, and the steps behind one weight, as the schemas say them."""

from collections.abc import Iterable

import numpy as np

from backend.engine.session import PreparedRequest
from backend.maps.schemas import (
    Cell,
    MapAbout,
    MapRequest,
    QueryKeyRequest,
    QueryKeyResponse,
    RowsAbout,
    RowsRequest,
)
from backend.wire.describe import describe_run
from mha_core.runs.query_key import QueryKey, has_rotary_positions
from mha_core.stacks import Stack

NOTES = {
    "max": "Each weight is the largest that any of the heads gives: a row may mix several heads, "
    "and sum to more than 1.",
    "rollout": "A heuristic: each layer is taken to pass on half of what was there and half of the "
    "mean of what its heads attended to (Abnar and Zuidema, 2020). Values, MLPs and norms are left "
    "out.",
    "weighted": "Each weight multiplied by the length of the vector it passes on (Kobayashi and "
    "others, 2020), each head's rows summing to 1.",
}


def describe_map(
    prepared: PreparedRequest, request: MapRequest, stack: Stack, cells: list[Cell]
) -> MapAbout:
    """What one map says of itself."""
    notes = [NOTES[name] for name in (request.combine, request.values) if name in NOTES]
    return MapAbout(
        **vars(describe_run(prepared.info)),
        stack=stack.name,
        combine=request.combine,
        cells=cells,
        values=request.values,
        queries=stack.queries,
        keys=stack.keys,
        note=" ".join(notes) or None,
        timing=prepared.stopwatch.timing(),
    )


def describe_rows(prepared: PreparedRequest, request: RowsRequest, stack: Stack) -> RowsAbout:
    """What one row of every head says of itself."""
    return RowsAbout(
        **vars(describe_run(prepared.info)),
        stack=stack.name,
        values=request.values,
        query=request.query,
        queries=(request.query, request.query + 1),
        keys=stack.keys,
        n_layers=stack.n_layers,
        n_heads=stack.n_heads,
        note=NOTES.get(request.values),
        timing=prepared.stopwatch.timing(),
    )


def describe_query_key(
    prepared: PreparedRequest, request: QueryKeyRequest, stack: Stack, steps: QueryKey
) -> QueryKeyResponse:
    """The steps behind one weight; what the query may not see has no score."""
    scores = [None if np.isneginf(score) else score for score in _numbers(steps.scores.numpy())]
    one_number = {
        name: None if (value := getattr(steps, name)) is None else _numbers([np.float32(value)])[0]
        for name in ("dot", "scale", "scaled", "added", "score", "weight")
    }
    return QueryKeyResponse(
        **vars(describe_run(prepared.info)),
        **request.model_dump(include={"layer", "head", "query", "key"}),
        stack=stack.name,
        key_head=steps.key_head,
        q=_numbers(steps.q.numpy()),
        k=_numbers(steps.k.numpy()),
        product=_numbers(steps.product.numpy()),
        **one_number,
        scores=scores,
        weights=_numbers(steps.weights.numpy()),
        keys=stack.keys,
        note=" ".join(_notes(prepared, request, stack, steps)) or None,
        timing=prepared.stopwatch.timing(),
    )


def _notes(
    prepared: PreparedRequest, request: QueryKeyRequest, stack: Stack, steps: QueryKey
) -> Iterable[str]:
    """What a reader of the steps should know."""
    if steps.score is None:
        why = (
            f"Token {request.key} comes after token {request.query}, and this attention reaches "
            f"only earlier tokens"
            if stack.causal and request.key > request.query
            else f"This layer hides token {request.key} from token {request.query}, as a sliding "
            f"window hides what is far away"
        )
        yield f"{why}: there is no score, and the weight is 0."
    if has_rotary_positions(prepared.model.network):
        yield "The rotary positions of both tokens are already in q and k."
    if steps.added is not None:
        yield "The position bias is what the model learned for the distance between two tokens."
    if steps.shared_by > 1:
        first = steps.key_head * steps.shared_by
        yield (
            f"Heads {first} to {first + steps.shared_by - 1} of this layer read the same keys, "
            f"those of key head {steps.key_head}."
        )
    if prepared.info.dtype != "float32":
        yield (
            f"The model ran in {prepared.info.dtype} and these steps are in float32, so the "
            f"score is not to the last digit what the weight came from."
        )


def _numbers(values: Iterable[np.float32]) -> list[float]:
    """As JSON says a float32 best: in the fewest digits that give the same number back."""
    return [float(str(value)) for value in values]
