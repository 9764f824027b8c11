"""One map of a text, and one pair of tokens in it, done in the calling thread.

This file must not know HTTP or the event loop.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.engine.memory import memory_told
from backend.engine.session import Runs
from backend.maps.describe import map_about, query_key_out
from backend.maps.schemas import Cell, MapAbout, MapRequest, QueryKeyRequest, QueryKeyResponse
from backend.wire.errors import TooManyCells
from mha_core.errors import NoSuchPosition
from mha_core.runs.aggregate import Combine, chosen_maps, max_map, mean_map, rollout_map
from mha_core.runs.analysis import check_heads
from mha_core.runs.query_key import query_key
from mha_core.stacks import Stack

COMBINE: dict[str, Combine] = {
    "head": mean_map,  # the mean of one map is that map, to the last bit
    "mean": mean_map,
    "max": max_map,
    "rollout": rollout_map,
}

Heads = dict[int, list[int] | None]
"""Layer -> its heads that take part; None for all of them."""


@dataclass(frozen=True)
class OneMap:
    """A map, and all that is told of it."""

    about: MapAbout
    pattern: NDArray[np.float32]  # [queries, keys]
    causal: bool  # queries see no later key

    @property
    def head(self) -> tuple[int, int] | None:
        """Layer and head whose map it is; None where it is made of many."""
        if self.about.combine != "head":
            return None
        [cell] = self.about.cells
        assert cell.head is not None  # noqa: S101 (for the type checker)
        return cell.layer, cell.head


class MapRunner:
    """Maps and pairs, derived from kept analyses or new ones."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def map(self, request: MapRequest, max_cells: int | None) -> OneMap:
        """One map; what cannot be made, or has more than `max_cells`, is refused before any run."""
        question = self._runs.question(request)
        stack = question.subject.stack(request.stack)
        heads = _heads(request, stack)
        TooManyCells.check(stack.n_queries * stack.n_keys, max_cells)
        if request.values == "weighted":
            question.model.known_grams()
        with memory_told(question.subject):
            analysis = self._runs.analysis(question)
            with self._runs.turn(question.stopwatch):
                captures = analysis.captures(stack.name)
                grams = question.model.grams if request.values == "weighted" else {}
                maps = (
                    chosen_maps(captures[layer], chosen, grams.get(captures[layer].site))
                    for layer, chosen in heads.items()
                )
                pattern = COMBINE[request.combine](maps).cpu().numpy()
        return OneMap(map_about(question, request, stack, _cells(heads)), pattern, stack.causal)

    def query_key(self, request: QueryKeyRequest, max_cells: int | None) -> QueryKeyResponse:
        """The steps behind one weight; a pair there is not is refused before any run."""
        question = self._runs.question(request)
        stack = question.subject.stack(request.stack)
        check_heads(stack, [request.layer], [request.head])
        query = _place("query", request.query, stack.queries, stack)
        key = _place("key", request.key, stack.keys, stack)
        TooManyCells.check(stack.n_keys, max_cells)
        with memory_told(question.subject):
            analysis = self._runs.analysis(question)
            with self._runs.turn(question.stopwatch):
                capture = analysis.captures(stack.name)[request.layer]
                steps = query_key(capture, request.head, query, key)
        return query_key_out(question, request, stack, steps)


def _heads(request: MapRequest, stack: Stack) -> Heads:
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


def _cells(heads: Heads) -> list[Cell]:
    return [
        Cell(layer=layer, head=head)
        for layer, chosen in heads.items()
        for head in ((None,) if chosen is None else chosen)
    ]


def _place(what: str, index: int, among: tuple[int, int], stack: Stack) -> int:
    """A token's place among the rows or columns of a stack, from its running index."""
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
