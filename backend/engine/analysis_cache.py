"""The analyses kept in memory, within a budget of bytes; an evicted one is computed again."""

import threading

from cachetools import LRUCache

from mha_core.runs.analysis import Analysis


class AnalysisCache:
    """Safe to use from any thread; the least recently used is evicted first."""

    def __init__(self, max_bytes: int) -> None:
        self._kept: LRUCache[str, Analysis] = LRUCache(max_bytes, lambda it: it.n_bytes)
        self._lock = threading.Lock()

    def get(self, analysis_id: str) -> Analysis | None:
        with self._lock:
            return self._kept.get(analysis_id)

    def keep(self, analysis: Analysis) -> None:
        """Keep an analysis, unless it alone is over the budget."""
        with self._lock:
            self._kept.pop(analysis.id, None)
            if analysis.n_bytes <= self._kept.maxsize:
                self._kept[analysis.id] = analysis

    @property
    def n_bytes(self) -> int:
        """Memory the kept analyses take."""
        with self._lock:
            return int(self._kept.currsize)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
