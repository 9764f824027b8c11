"""Two questions held against each other, done in the calling thread.

This file must not know HTTP or the event loop.
"""

from dataclasses import asdict
from functools import partial

from backend.compare.schemas import CompareRequest, CompareResponse, HeadPairOut, UnitOut
from backend.engine.memory import memory_told
from backend.engine.session import Question, Runs
from backend.heads.describe import DIGITS
from backend.wire.describe import provenance
from backend.wire.errors import TooMuchToCompare
from backend.wire.schemas import Timing
from mha_core.runs.aggregate import chosen_maps
from mha_core.runs.comparison import (
    HeadPair,
    Layers,
    Side,
    aligned_groups,
    compare_heads,
    match_heads,
)
from mha_core.stacks import Stack
from mha_core.text.alignment import align

MAX_CELLS = 10_000_000_000
"""Weights compared when every head meets every other: about ten seconds of two cores."""


class CompareRunner:
    """Comparisons, made of kept analyses or new ones."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def compare(self, request: CompareRequest) -> CompareResponse:
        """Units and heads; what cannot be compared is refused before any run."""
        both = self._runs.question(request.one), self._runs.question(request.other)
        one, other = (question.subject for question in both)
        same_model = (one.model_id, one.revision) == (other.model_id, other.revision)
        units = align(one.tokenized, other.tokenized, same_model=same_model)
        stacks = one.stacks[0], other.stacks[0]
        groups = aligned_groups(units, stacks[0].n_keys, stacks[1].n_keys)
        if not same_model:
            _check_cells(stacks, len(groups[0]))
        weighted = request.values == "weighted"
        if weighted:
            for question in both:
                question.model.known_grams()
        layers = [self._layers(question, weighted=weighted) for question in both]
        looks_back = any(stack.causal for stack in stacks)
        sides = [Side(*it, looks_back) for it in zip(layers, groups, strict=True)]
        with memory_told(one), self._runs.turn(both[0].stopwatch):
            heads = (compare_heads if same_model else match_heads)(*sides)
        return CompareResponse(
            one=provenance(one),
            other=provenance(other),
            values=request.values,
            same_model=same_model,
            units=[UnitOut(**asdict(unit)) for unit in units],
            heads=[_told(pair) for pair in heads],
            timing=_timing(*both),
        )

    def _layers(self, question: Question, *, weighted: bool) -> Layers:
        """What derives the maps of each layer of the first stack."""
        grams = question.model.grams if weighted else {}
        with memory_told(question.subject):
            analysis = self._runs.analysis(question)
        captures = analysis.captures(analysis.stacks[0].name)
        return [partial(chosen_maps, it, grams=grams.get(it.site)) for it in captures]


def _check_cells(stacks: tuple[Stack, Stack], n_units: int) -> None:
    """Refuse two models whose heads would take too long to match."""
    n_heads = [stack.n_layers * stack.n_heads for stack in stacks]
    TooMuchToCompare.check(n_heads[0] * n_heads[1] * n_units**2, MAX_CELLS)


def _told(pair: HeadPair) -> HeadPairOut:
    rounded = {
        name: round(value, DIGITS) if isinstance(value, float) else value
        for name, value in asdict(pair).items()
    }
    return HeadPairOut(**rounded)


def _timing(one: Question, other: Question) -> Timing:
    """Of both questions together; the first was there all the time."""
    whole, part = one.stopwatch.timing(), other.stopwatch.timing().model_dump()
    names = [name for name in part if name != "total_ms"]
    summed = {name: round(getattr(whole, name) + part[name], 3) for name in names}
    return whole.model_copy(update=summed)
