"""Heads on a text, done in the calling thread: all their metrics, and who makes a link.

This file must not know HTTP or the event loop.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from backend.engine.memory import memory_told
from backend.engine.session import Question, Runs
from backend.heads.describe import DIGITS, edges_out, heads_out, opportunities_out
from backend.heads.schemas import EdgesRequest, EdgesResponse, HeadsResponse
from backend.wire.describe import provenance
from backend.wire.schemas import TextRequest
from mha_core.metrics.meter import Meter
from mha_core.runs.links import rank_edges, stack_of_link
from mha_core.stacks import Stack


class HeadRunner:
    """Heads on a text, measured from its kept analysis or a new one."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def heads(self, request: TextRequest) -> HeadsResponse:
        """Every metric of every head."""
        question = self._runs.question(request)
        subject = question.subject
        with memory_told(subject):
            analysis = self._runs.analysis(question)
            with self._runs.turn(question.stopwatch), torch.inference_mode():
                meter = Meter.of(question.model, subject.tokenized)
                layers = [
                    meter.measure(capture, capture.pattern()[0])
                    for stack in meter.passages
                    for capture in analysis.captures(stack)
                ]
        of_decoder = meter.decoder_opportunities
        return HeadsResponse(
            **provenance(subject).model_dump(),
            opportunities=opportunities_out(meter.opportunities),
            decoder_opportunities=None if of_decoder is None else opportunities_out(of_decoder),
            heads=heads_out(layers),
            timing=question.stopwatch.timing(),
        )

    def edges(self, request: EdgesRequest) -> EdgesResponse:
        """All heads, ranked by one link; refuses positions that cannot make one before any run."""
        question = self._runs.question(request)
        subject = question.subject
        stack = stack_of_link(subject.stacks, request.queries, request.keys)
        with memory_told(subject), torch.inference_mode():
            ranking = rank_edges(
                self._patterns(question, stack), stack, request.queries, request.keys
            )
        return EdgesResponse(
            **provenance(subject).model_dump(),
            queries=list(request.queries),
            keys=list(request.keys),
            uniform=round(ranking.uniform, DIGITS),
            elsewhere=ranking.elsewhere,
            heads=edges_out(ranking, stack.name),
            timing=question.stopwatch.timing(),
        )

    def _patterns(self, question: Question, stack: Stack) -> Iterator[tuple[Tensor, Tensor | None]]:
        """Each layer's maps and their value-weighted twins, a turn a layer."""
        analysis = self._runs.analysis(question)
        meter = Meter.of(question.model, question.subject.tokenized)
        for capture in analysis.captures(stack.name):
            with self._runs.turn(question.stopwatch):
                pattern = capture.pattern()[0]
                twin = meter.weighted(capture, pattern)
            yield pattern, twin


def measure_heads(session: Runs, request: TextRequest) -> HeadsResponse:
    """Every metric of every head."""
    return HeadRunner(session).heads(request)
