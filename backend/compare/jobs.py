"""The job that compares two texts, or two models, token by token and head by head."""

from collections.abc import Callable
from dataclasses import asdict

from torch import Tensor

from backend.compare.schemas import (
    ChangedLinkOut,
    CompareRequest,
    CompareResponse,
    HeadPairOut,
    UnitOut,
)
from backend.engine.memory import report_out_of_memory
from backend.engine.session import PreparedRequest, Session
from backend.wire.describe import describe_run
from backend.wire.errors import TooMuchToCompare
from backend.wire.schemas import Timing
from mha_core.runs.aggregate import derive_maps
from mha_core.runs.comparison import (
    ChangedLink,
    HeadPair,
    Layers,
    Side,
    aligned_units,
    compare_heads,
    match_heads,
)
from mha_core.stacks import Stack
from mha_core.tap import LayerCapture
from mha_core.text.alignment import Unit, align

MAX_CELLS = 10_000_000_000
"""Weights compared when every head meets every other: about ten seconds of two cores."""


def compare_runs(session: Session, request: CompareRequest) -> CompareResponse:
    """Units and heads; what cannot be compared is refused before any run."""
    both = session.prepare(request.one), session.prepare(request.other)
    one, other = (prepared.info for prepared in both)
    same_model = (one.model_id, one.revision) == (other.model_id, other.revision)
    units = align(one.tokenized, other.tokenized, same_model=same_model)
    stacks = one.stacks[0], other.stacks[0]
    aligned = aligned_units(units, stacks[0].n_keys, stacks[1].n_keys)
    if not same_model:
        _check_cells(stacks, len(aligned))
    weighted = request.values == "weighted"
    if weighted:
        for prepared in both:
            prepared.model.known_grams()
    layers = [_derive_layers(session, prepared, weighted=weighted) for prepared in both]
    looks_back = any(stack.causal for stack in stacks)
    groups = [unit.one for unit in aligned], [unit.other for unit in aligned]
    sides = [Side(*it, looks_back) for it in zip(layers, groups, strict=True)]
    with report_out_of_memory(one), session.slot(both[0].stopwatch):
        heads = (compare_heads if same_model else match_heads)(*sides)
    return CompareResponse(
        one=describe_run(one),
        other=describe_run(other),
        values=request.values,
        same_model=same_model,
        units=[UnitOut(**asdict(unit)) for unit in units],
        heads=[_describe_pair(pair, aligned) for pair in heads],
        timing=_add_timing(*both),
    )


def _describe_pair(pair: HeadPair, aligned: list[Unit]) -> HeadPairOut:
    links = [_describe_link(link, aligned) for link in pair.links]
    return HeadPairOut(**{**vars(pair), "links": links})


def _describe_link(link: ChangedLink, aligned: list[Unit]) -> ChangedLinkOut:
    query, key = aligned[link.query], aligned[link.key]
    return ChangedLinkOut(
        query=list(query.one),
        key=list(key.one),
        other_query=list(query.other),
        other_key=list(key.other),
        query_text=query.text,
        key_text=key.text,
        other_query_text=query.other_text,
        other_key_text=key.other_text,
        one=link.one,
        other=link.other,
    )


def _derive_layers(session: Session, prepared: PreparedRequest, *, weighted: bool) -> Layers:
    """What derives the maps of each layer of the first stack."""
    grams = prepared.model.grams if weighted else {}
    with report_out_of_memory(prepared.info):
        analysis = session.analyse(prepared)

    def derive(capture: LayerCapture) -> Callable[[], Tensor]:
        def maps() -> Tensor:
            session.check()
            return derive_maps(capture, grams=grams.get(capture.site))

        return maps

    return [derive(capture) for capture in analysis.captures(analysis.stacks[0].name)]


def _check_cells(stacks: tuple[Stack, Stack], n_units: int) -> None:
    """Refuse two models whose heads would take too long to match."""
    n_heads = [stack.n_layers * stack.n_heads for stack in stacks]
    TooMuchToCompare.check(n_heads[0] * n_heads[1] * n_units**2, MAX_CELLS)


def _add_timing(one: PreparedRequest, other: PreparedRequest) -> Timing:
    """Of both requests together; the first was there all the time."""
    whole, part = one.stopwatch.timing(), vars(other.stopwatch.timing())
    names = [name for name in part if name != "total_ms"]
    summed = {name: round(getattr(whole, name) + part[name], 3) for name in names}
    return whole.model_copy(update=summed)
