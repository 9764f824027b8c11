"""Jobs about the heads of a model on a text: all their metrics, and which of them make a link."""

from collections.abc import Iterator
from dataclasses import asdict

import torch
from torch import Tensor

from backend.engine.memory import report_out_of_memory
from backend.engine.session import PreparedRequest, Session
from backend.heads.describe import describe_heads, describe_opportunities
from backend.heads.schemas import (
    EdgesRequest,
    EdgesResponse,
    HeadEdge,
    HeadsRequest,
    HeadsResponse,
)
from backend.wire.describe import describe_run
from mha_core.attention import Workspace
from mha_core.metrics.meter import LayerMeasures, LayerQueue, Meter
from mha_core.runs.links import rank_edges, stack_of_link
from mha_core.runs.value_weights import weight_by_value
from mha_core.stacks import Stack


def measure_heads(session: Session, request: HeadsRequest) -> HeadsResponse:
    """Every metric of every head."""
    prepared = session.prepare(request)
    info, weighted = prepared.info, request.values == "weighted"
    with report_out_of_memory(info):
        if weighted:
            prepared.model.known_grams()  # refused before the run where they are not known
        analysis = session.analyse(prepared)
        layers: list[LayerMeasures] = []
        with session.slot(prepared.stopwatch), torch.inference_mode():
            meter = Meter.of(prepared.model, info.tokenized)
            queue, workspace = LayerQueue(meter), Workspace()
            for capture in (it for name in meter.passages for it in analysis.captures(name)):
                session.check()
                weights = capture.weights(workspace=workspace)
                layers += queue.put(meter.maps(capture, weights, weighted=weighted))
    return HeadsResponse(
        **vars(describe_run(info)),
        **describe_opportunities(meter),
        heads=describe_heads(layers),
        timing=prepared.stopwatch.timing(),
    )


def rank_heads(session: Session, request: EdgesRequest) -> EdgesResponse:
    """All heads, ranked by one link; refuses positions that cannot make one before any run."""
    prepared = session.prepare(request)
    info = prepared.info
    stack = stack_of_link(info.stacks, request.queries, request.keys)
    with report_out_of_memory(info), torch.inference_mode():
        patterns = _patterns(session, prepared, stack)
        ranking = rank_edges(patterns, stack, request.queries, request.keys, info.tokenized.tokens)
    return EdgesResponse(
        **vars(describe_run(info)),
        queries=list(request.queries),
        keys=list(request.keys),
        uniform=ranking.uniform,
        elsewhere=ranking.elsewhere,
        others=ranking.others,
        heads=[HeadEdge(**asdict(edge), stack=stack.name) for edge in ranking.heads],
        timing=prepared.stopwatch.timing(),
    )


def _patterns(
    session: Session, prepared: PreparedRequest, stack: Stack
) -> Iterator[tuple[Tensor, Tensor | None]]:
    """Each layer's maps, raw and value-weighted; the slot is held for one layer at a time."""
    analysis = session.analyse(prepared)
    meter = Meter.of(prepared.model, prepared.info.tokenized)
    for capture in analysis.captures(stack.name):
        session.check()
        with session.slot(prepared.stopwatch):
            pattern, norms = capture.pattern()[0], meter.value_norms(capture)
            weighted = None if norms is None else weight_by_value(pattern, norms)
        yield pattern, weighted
