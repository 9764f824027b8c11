"""Maps of a text, done in the calling thread: all at once, one head's, or layer by layer.

This file must not know HTTP or the event loop.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from backend.descriptions import model_info, overview_frame, provenance, stream_start, tokens_out
from backend.errors import TooManyCells, UnknownAnalysis
from backend.head_descriptions import stream_metrics
from backend.memory import memory_told
from backend.messages import StreamDone, StreamEvent, StreamProgress, StreamRequest
from backend.runs import Runs
from backend.schemas import AttentionRequest, ModelInfo, Provenance, TextRequest, Timing, TokenOut
from backend.stopwatch import Stopwatch
from mha_core.analysis import Analysis, check_heads
from mha_core.meter import LayerMeasures, Meter
from mha_core.overview import LayerOverview, OverviewOutbox
from mha_core.tap import LayerCapture, Site


@dataclass(frozen=True)
class Attention:
    """Maps and where they come from."""

    provenance: Provenance
    layers: list[int]
    heads: list[int]
    values: NDArray[np.float32]  # [layers, heads, queries, keys]
    causal: bool  # queries see no later key
    timing: Timing


class Runner:
    """What is asked of a model itself, answered from its runs."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def models(self) -> list[ModelInfo]:
        """Every model there is, usable or not."""
        limit = self._runs.settings.max_tokens
        return [model_info(mark, limit) for mark in self._runs.shelf.marks()]

    def tokens(self, request: TextRequest) -> list[TokenOut]:
        """The tokens of a text."""
        return tokens_out(self._runs.question(request).subject.tokenized)

    def attention(self, request: AttentionRequest, max_cells: int | None) -> Attention:
        """The maps of a text; raises TooManyCells rather than computing more than `max_cells`."""
        question = self._runs.question(request)
        subject, shape = question.subject, question.model.shape
        check_heads(shape, request.layers, request.heads)
        layers = list(request.layers or range(shape.n_layers))
        heads = list(request.heads or range(shape.n_heads))
        _check_cells(len(layers) * len(heads) * subject.n_tokens**2, max_cells)
        with memory_told(subject):
            analysis = self._runs.analysis(question)
            return self._maps(analysis, layers, heads, question.watch)

    def head(self, analysis_id: str, layer: int, head: int, max_cells: int | None) -> Attention:
        """One map of an earlier analysis, computed again where it is no longer kept."""
        analysis, watch = self._runs.analyses.get(analysis_id), Stopwatch()
        if analysis is None:
            request = self._runs.analyses.request(analysis_id)
            if request is None:
                raise UnknownAnalysis.of(analysis_id)
            question = self._runs.question(request)
            with memory_told(question.subject):
                analysis, watch = self._runs.run(question), question.watch
        check_heads(analysis.shape, [layer], [head])
        _check_cells(analysis.n_tokens**2, max_cells)
        with memory_told(analysis):
            return self._maps(analysis, [layer], [head], watch)

    def stream(
        self,
        request: StreamRequest,
        emit: Callable[[StreamEvent], None],
        check: Callable[[], None],
    ) -> None:
        """Emit progress, start, each layer, done; `check` raises when nobody wants it."""
        number = request.request

        def progress(message: str, done: int, total: int) -> None:
            check()
            emit(StreamProgress(request=number, message=message, done=done, total=total))

        question = self._runs.question(request, progress)
        subject, measures = question.subject, dict[Site, LayerMeasures]()
        with memory_told(subject):
            meter = Meter.of(question.model, subject.tokenized)
            emit(stream_start(number, subject, meter.opportunities))

            def send(layer: LayerOverview) -> None:
                question.watch.frame()
                emit(overview_frame(layer, causal=subject.causal))
                emit(stream_metrics(number, measures.pop(layer.capture.site)))

            outbox, shown = OverviewOutbox(send), set[Site]()

            def show(capture: LayerCapture, pattern: torch.Tensor) -> None:
                check()
                if capture.site not in shown:  # a second try after too little memory starts anew
                    measures[capture.site] = meter.measure(capture, pattern[0])
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
        emit(StreamDone(request=number, id=subject.id, timing=question.watch.timing()))

    def _maps(
        self, analysis: Analysis, layers: list[int], heads: list[int], watch: Stopwatch
    ) -> Attention:
        n = analysis.n_tokens
        with self._runs.turn(watch):
            values = np.empty((len(layers), len(heads), n, n), np.float32)
            for row, layer in enumerate(layers):
                values[row] = analysis.patterns(layer, heads).numpy()
        described = provenance(analysis)
        return Attention(described, layers, heads, values, analysis.causal, watch.timing())


def _check_cells(cells: int, max_cells: int | None) -> None:
    if max_cells is not None and cells > max_cells:
        raise TooManyCells.of(cells, max_cells)
