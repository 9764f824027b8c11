"""The analyses kept in memory, within a budget of bytes, and the requests behind their ids.

The cache is only a cache: an analysis that was put away is computed again from its request,
which is far smaller and kept far longer. This file must not know HTTP or models' insides.
"""

import threading
from collections import OrderedDict

from backend.wire.schemas import TextRequest
from mha_core.runs.analysis import Analysis

MAX_REQUEST_CHARACTERS = 10_000_000
"""How much text is remembered behind ids whose analyses are no longer kept."""


class Analyses:
    """Safe to use from any thread."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[str, Analysis] = OrderedDict()
        self._requests: OrderedDict[str, TextRequest] = OrderedDict()
        self._characters = 0
        self._n_bytes = 0
        self._lock = threading.Lock()

    def get(self, analysis_id: str) -> Analysis | None:
        """The analysis, if it is still kept."""
        with self._lock:
            found = self._kept.get(analysis_id)
            if found is not None:
                self._kept.move_to_end(analysis_id)
            return found

    def request(self, analysis_id: str) -> TextRequest | None:
        """What was asked to get this id, if it is remembered."""
        with self._lock:
            return self._requests.get(analysis_id)

    def keep(self, request: TextRequest, analysis: Analysis) -> None:
        """Remember the request; keep the analysis if the budget allows, dropping the oldest."""
        asked = TextRequest(**{name: getattr(request, name) for name in TextRequest.model_fields})
        with self._lock:
            if analysis.id not in self._requests:
                self._requests[analysis.id] = asked
                self._characters += _length(asked)
            while self._characters > MAX_REQUEST_CHARACTERS:
                self._characters -= _length(self._requests.popitem(last=False)[1])
            self._drop(analysis.id)
            self._kept[analysis.id] = analysis
            self._n_bytes += analysis.n_bytes
            while self._n_bytes > self._max_bytes:
                self._drop(next(iter(self._kept)))

    @property
    def n_bytes(self) -> int:
        """Memory the kept analyses take."""
        return self._n_bytes

    def clear(self) -> None:
        """Free the memory; the requests stay."""
        with self._lock:
            self._kept.clear()
            self._n_bytes = 0

    def _drop(self, analysis_id: str) -> None:
        dropped = self._kept.pop(analysis_id, None)
        if dropped is not None:
            self._n_bytes -= dropped.n_bytes


def _length(request: TextRequest) -> int:
    return len(request.text) + len(request.text_pair or "") + len(request.continuation)
