"""Maps of a text, done in the calling thread: all at once, one head's, or layer by layer.

This file must not know HTTP or the event loop.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from backend.engine.memory import memory_told
from backend.engine.session import Runs
from backend.engine.stopwatch import Stopwatch
from backend.heads.describe import stream_metrics
from backend.stream.schemas import StreamDone, StreamEvent, StreamRequest
from backend.wire.describe import (
    model_info,
    overview_frame,
    progress_told,
    provenance,
    stream_start,
    tokens_out,
)
from backend.wire.errors import TooManyCells, UnknownAnalysis
from backend.wire.schemas import (
    AttentionRequest,
    ModelInfo,
    Provenance,
    TextRequest,
    Timing,
    TokenOut,
    Values,
)
from mha_core.metrics.meter import LayerMeasures, Meter
from mha_core.runs.analysis import Analysis, check_heads
from mha_core.runs.overview import LayerOverview, OverviewOutbox
from mha_core.runs.value_weights import value_weighted
from mha_core.stacks import Site, Stack, StackName, stack_at
from mha_core.tap import LayerCapture


@dataclass(frozen=True)
class Attention:
    """Maps and where they come from."""

    provenance: Provenance
    layers: list[int]
    heads: list[int]
    values: NDArray[np.float32]  # [layers, heads, queries, keys]
    stack: Stack
    timing: Timing
    shows: Values


class Runner:
    """What is asked of a model itself, answered from its runs."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def models(self) -> list[ModelInfo]:
        """Every model there is, usable or not."""
        return [model_info(mark, self._runs.settings) for mark in self._runs.shelf.marks()]

    def tokens(self, request: TextRequest) -> list[TokenOut]:
        """The tokens of a text."""
        return tokens_out(self._runs.question(request).subject.tokenized)

    def attention(self, request: AttentionRequest, max_cells: int | None) -> Attention:
        """The maps of a text; raises TooManyCells rather than computing more than `max_cells`."""
        question = self._runs.question(request)
        subject = question.subject
        stack = subject.stack(request.stack)
        check_heads(stack, request.layers, request.heads)
        layers = list(request.layers or range(stack.n_layers))
        heads = list(request.heads or range(stack.n_heads))
        TooManyCells.check(len(layers) * len(heads) * stack.n_queries * stack.n_keys, max_cells)
        weighted = request.values == "weighted"
        grams = question.model.known_grams() if weighted else None  # told before any run
        with memory_told(subject):
            analysis = self._runs.analysis(question)
            return self._maps(analysis, stack, layers, heads, question.stopwatch, grams)

    def head(
        self,
        analysis_id: str,
        layer: int,
        head: int,
        stack: StackName | None,
        max_cells: int | None,
    ) -> Attention:
        """One map of an earlier analysis, computed again where it is no longer kept."""
        analysis, stopwatch = self._runs.analyses.get(analysis_id), Stopwatch()
        if analysis is None:
            request = self._runs.analyses.request(analysis_id)
            if request is None:
                raise UnknownAnalysis.of(analysis_id)
            question = self._runs.question(request)
            with memory_told(question.subject):
                analysis, stopwatch = self._runs.run(question), question.stopwatch
        chosen = analysis.stack(stack)
        check_heads(chosen, [layer], [head])
        TooManyCells.check(chosen.n_queries * chosen.n_keys, max_cells)
        with memory_told(analysis):
            return self._maps(analysis, chosen, [layer], [head], stopwatch)

    def stream(
        self,
        request: StreamRequest,
        emit: Callable[[StreamEvent], None],
        check: Callable[[], None],
    ) -> None:
        """Emit progress, start, each layer, done; `check` raises when nobody wants it."""
        number = request.request
        question = self._runs.question(request, progress_told(number, emit, check))
        subject, measures = question.subject, dict[Site, LayerMeasures]()
        weighted = request.values == "weighted"
        with memory_told(subject):
            if weighted:
                question.model.known_grams()  # told before the run where they are not
            meter = Meter.of(question.model, subject.tokenized)
            emit(stream_start(request, subject, meter))

            def send(layer: LayerOverview) -> None:
                site = layer.capture.site
                question.stopwatch.frame()
                emit(overview_frame(layer, stack_at(subject.stacks, site)))
                if site in measures:
                    emit(stream_metrics(number, measures.pop(site)))

            outbox, shown = OverviewOutbox(send), set[Site]()

            def show(capture: LayerCapture, pattern: torch.Tensor) -> None:
                check()
                if capture.site in shown:  # a second try after too little memory starts anew
                    return
                covered = meter.covers(capture.site)
                norms = meter.value_norms(capture) if covered or weighted else None
                if covered:
                    measures[capture.site] = meter.measure(capture, pattern[0], norms)
                if weighted and norms is not None:
                    pattern = value_weighted(pattern[0], norms)[None]
                outbox.put(capture, pattern)
                shown.add(capture.site)

            analysis = self._runs.analyses.get(subject.id)
            if analysis is None:
                self._runs.run(question, show, check)
            else:
                with torch.inference_mode():
                    for capture in analysis.layers:
                        show(capture, capture.pattern())
            outbox.close()
        emit(StreamDone(request=number, id=subject.id, timing=question.stopwatch.timing()))

    def _maps(
        self,
        analysis: Analysis,
        stack: Stack,
        layers: list[int],
        heads: list[int],
        stopwatch: Stopwatch,
        grams: Mapping[Site, torch.Tensor] | None = None,
    ) -> Attention:
        shape = (len(layers), len(heads), stack.n_queries, stack.n_keys)
        with self._runs.turn(stopwatch):
            values = np.empty(shape, np.float32)
            for row, layer in enumerate(layers):
                values[row] = analysis.patterns(layer, heads, stack.name, grams).numpy()
        shows: Values = "raw" if grams is None else "weighted"
        told = provenance(analysis)
        return Attention(told, layers, heads, values, stack, stopwatch.timing(), shows)
