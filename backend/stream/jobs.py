"""The stream's job: run a model once and emit its maps and metrics, layer by layer."""

from collections.abc import Callable

import torch

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
from mha_core.attention import Weights, Workspace
from mha_core.metrics.meter import LayerMeasures, LayerQueue, Meter
from mha_core.runs.overview import LayerOverview, OverviewOutbox
from mha_core.stacks import Site, StackName, stack_at
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
            workspace = Workspace()
            with session.slot(prepared.stopwatch), torch.inference_mode():
                for capture in analysis.layers:
                    session.check()
                    layers.take(capture, capture.weights(workspace=workspace))
        layers.close()
    emit(StreamDone(request=number, id=info.id, timing=prepared.stopwatch.timing()))


class _Layers:
    """Codes and measures each layer as it comes, and emits it."""

    def __init__(
        self, prepared: PreparedRequest, request: StreamRequest, meter: Meter, emit: Emit
    ) -> None:
        self._stacks, self._stopwatch = prepared.info.stacks, prepared.stopwatch
        self._request, self._meter, self._emit = request, meter, emit
        self._queue = LayerQueue(meter)
        # A second try after too little memory starts from the first layer: nothing is sent twice.
        self._first_site: Site | None = None
        self._sent_frames: set[Site] = set()
        self._sent_metrics: set[tuple[StackName, int]] = set()
        self._outbox = OverviewOutbox(self._send_frame)

    def take(self, capture: LayerCapture, weights: Weights) -> None:
        """Take in the maps of a layer, of a batch of one."""
        site = capture.site
        if site == self._first_site:
            self._queue.clear()  # of what a run left that had too little memory; this is its second
        self._first_site = self._first_site or site
        maps = self._meter.maps(capture, weights, weighted=self._request.values == "weighted")
        if site not in self._sent_frames:
            self._outbox.put(capture, maps.shown)
            self._sent_frames.add(site)
        for measured in self._queue.put(maps):
            self._send_metrics(measured)

    def close(self) -> None:
        """Emit what is still on its way."""
        self._outbox.close()

    def _send_frame(self, layer: LayerOverview) -> None:
        self._stopwatch.frame()
        self._emit(encode(overview_frame(layer, stack_at(self._stacks, layer.capture.site))))

    def _send_metrics(self, measured: LayerMeasures) -> None:
        place = measured.stack, measured.layer
        if place not in self._sent_metrics:
            metrics = describe_layer(measured)
            self._emit(StreamMetrics(**metrics, request=self._request.request))
            self._sent_metrics.add(place)
