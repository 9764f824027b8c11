"""Jobs about one map of a text, and about one pair of tokens in it."""

import numpy as np
from torch import Tensor

from backend.engine.memory import report_out_of_memory
from backend.engine.session import Session
from backend.maps.describe import describe_map, describe_query_key
from backend.maps.schemas import Cell, MapRequest, QueryKeyRequest, QueryKeyResponse
from backend.wire.errors import TooManyCells
from backend.wire.formats import MapsAnswer, OneMap
from mha_core.errors import NoSuchPosition
from mha_core.runs.aggregate import Combine, derive_maps, max_map, mean_map, rollout_map
from mha_core.runs.analysis import check_heads
from mha_core.runs.query_key import query_key
from mha_core.stacks import Stack

COMBINE: dict[str, Combine] = {
    "head": mean_map,  # the mean of one map is that map, to the last bit
    "mean": mean_map,
    "max": max_map,
    "rollout": rollout_map,
}

HeadsByLayer = dict[int, list[int] | None]
"""Layer -> its heads that take part; None for all of them."""


def compute_map(session: Session, request: MapRequest, max_cells: int | None = None) -> MapsAnswer:
    """One map; what cannot be made, or has more than `max_cells`, is refused before any run."""
    prepared = session.prepare(request)
    stack = prepared.info.stack(request.stack)
    heads = _choose_heads(request, stack)
    TooManyCells.check(stack.n_queries * stack.n_keys, max_cells)
    grams = prepared.model.known_grams() if request.values == "weighted" else {}
    with report_out_of_memory(prepared.info):
        captures = session.analyse(prepared).captures(stack.name)

        def derive_layer(layer: int) -> Tensor:
            session.check()
            return derive_maps(captures[layer], heads[layer], grams.get(captures[layer].site))

        with session.slot(prepared.stopwatch):
            pattern = COMBINE[request.combine](map(derive_layer, heads)).cpu().numpy()
    cells = _list_cells(heads)
    layer, head = (cells[0].layer, cells[0].head) if request.combine == "head" else (None, None)
    queries, keys = np.arange(*stack.queries), np.arange(*stack.keys)
    return MapsAnswer(
        about=describe_map(prepared, request, stack, cells),
        causal=stack.causal,
        maps=[OneMap(layer, head, pattern)],
        arrays={"pattern": pattern, "queries": queries, "keys": keys},
        body={"pattern": pattern},
    )


def explain_weight(
    session: Session, request: QueryKeyRequest, max_cells: int | None = None
) -> QueryKeyResponse:
    """The steps behind one weight; a pair that does not exist is refused before any run."""
    prepared = session.prepare(request)
    stack = prepared.info.stack(request.stack)
    check_heads(stack, [request.layer], [request.head])
    query = row_or_column("query", request.query, stack.queries, stack)
    key = row_or_column("key", request.key, stack.keys, stack)
    TooManyCells.check(stack.n_keys, max_cells)
    with report_out_of_memory(prepared.info):
        analysis = session.analyse(prepared)
        with session.slot(prepared.stopwatch):
            capture = analysis.captures(stack.name)[request.layer]
            steps = query_key(capture, request.head, query, key)
    return describe_query_key(prepared, request, stack, steps)


def _choose_heads(request: MapRequest, stack: Stack) -> HeadsByLayer:
    """Which heads take part, layers in order; refuses those the stack does not have."""
    if request.combine == "rollout":
        last = stack.n_layers - 1 if request.up_to is None else request.up_to
        check_heads(stack, [last], None)
        return dict.fromkeys(range(last + 1))
    if request.cells is None:
        return dict.fromkeys(range(stack.n_layers))
    chosen: dict[int, set[int]] = {}
    for cell in request.cells:
        check_heads(stack, [cell.layer], None if cell.head is None else [cell.head])
        heads = range(stack.n_heads) if cell.head is None else (cell.head,)
        chosen.setdefault(cell.layer, set()).update(heads)
    return {
        layer: None if len(heads) == stack.n_heads and request.combine != "head" else sorted(heads)
        for layer, heads in sorted(chosen.items())
    }


def _list_cells(heads: HeadsByLayer) -> list[Cell]:
    return [
        Cell(layer=layer, head=head)
        for layer, chosen in heads.items()
        for head in ((None,) if chosen is None else chosen)
    ]


def row_or_column(what: str, index: int, among: tuple[int, int], stack: Stack) -> int:
    """Where a token stands among the rows or columns of a stack, from its running index."""
    first, end = among
    if not first <= index < end:
        raise NoSuchPosition(
            f"Token {index} is no {what} of the {stack.name} attention: on this text those are "
            f"the tokens {first} to {end - 1}.",
            position=index,
            first=first,
            last=end - 1,
        )
    return index - first
