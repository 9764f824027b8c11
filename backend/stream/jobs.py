"""The stream's job: run a model once and emit its maps and metrics, layer by layer."""

from collections.abc import Callable

import torch
from torch import Tensor

from backend.engine.memory import report_out_of_memory
from backend.engine.session import PreparedRequest, Session
from backend.heads.describe import describe_layer
from backend.stream.describe import describe_start, overview_frame
from backend.stream.schemas import (
    StreamDone,
    StreamEvent,
    StreamMetrics,
    StreamRequest,
    StreamStart,
)
from backend.wire.describe import report_progress
from backend.wire.frames import encode
from mha_core.metrics.meter import LayerMeasures, Meter
from mha_core.runs.overview import LayerOverview, OverviewOutbox
from mha_core.runs.value_weights import weight_by_value
from mha_core.stacks import Site, stack_at
from mha_core.tap import LayerCapture

Emit = Callable[[StreamEvent], None]


def stream_run(session: Session, request: StreamRequest, emit: Emit) -> None:
    """Emit progress, start, each layer's frame and metrics, done."""
    number = request.request
    prepared = session.prepare(request, report_progress(number, emit, session.check))
    info = prepared.info
    with report_out_of_memory(info):
        if request.values == "weighted":
            prepared.model.known_grams()  # refused before the run where they are not known
        meter = Meter.of(prepared.model, info.tokenized)
        start = vars(describe_start(info, meter))
        emit(StreamStart(**start, request=number, values=request.values))
        layers = _Layers(prepared, request, meter, emit)
        analysis = session.analyses.get(info.id)
        if analysis is None:
            session.run(prepared, layers.take)
        else:
            with session.slot(prepared.stopwatch), torch.inference_mode():
                for capture in analysis.layers:
                    session.check()
                    layers.take(capture, capture.pattern())
        layers.close()
    emit(StreamDone(request=number, id=info.id, timing=prepared.stopwatch.timing()))


class _Layers:
    """Measures and codes each layer as it comes, and emits it in order."""

    def __init__(
        self, prepared: PreparedRequest, request: StreamRequest, meter: Meter, emit: Emit
    ) -> None:
        self._stacks, self._stopwatch = prepared.info.stacks, prepared.stopwatch
        self._request, self._meter, self._emit = request, meter, emit
        self._measures: dict[Site, LayerMeasures] = {}
        self._taken: set[Site] = set()
        self._outbox = OverviewOutbox(self._send)

    def take(self, capture: LayerCapture, pattern: Tensor) -> None:
        """Take in the maps of a layer, pattern [1, H, Q, K]."""
        site = capture.site
        if site in self._taken:  # a second try after too little memory starts from the first layer
            return
        norms = self._meter.value_norms(capture)
        if self._meter.covers(site):
            self._measures[site] = self._meter.measure(capture, pattern[0], norms)
        if self._request.values == "weighted" and norms is not None:
            pattern = weight_by_value(pattern[0], norms)[None]
        self._outbox.put(capture, pattern)
        self._taken.add(site)

    def close(self) -> None:
        """Emit what is still on its way."""
        self._outbox.close()

    def _send(self, layer: LayerOverview) -> None:
        site = layer.capture.site
        self._stopwatch.frame()
        self._emit(encode(overview_frame(layer, stack_at(self._stacks, site))))
        if site in self._measures:
            metrics = vars(describe_layer(self._measures.pop(site)))
            self._emit(StreamMetrics(**metrics, request=self._request.request))
