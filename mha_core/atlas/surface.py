"""The sentence metrics of every head, averaged over a corpus, raw and value-weighted.

A sentence counts by its opportunities n: the mean is sum(n v) / sum(n), its interval that of a
ratio of two sums over sentences, because rows of one sentence are not independent cases.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.batches import HasTokens
from mha_core.atlas.measure import Measure
from mha_core.atlas.student import t_95
from mha_core.atlas.tally import Numbers, Tally
from mha_core.metrics.catalogue import METRICS
from mha_core.metrics.measure import measure
from mha_core.metrics.meter import Meter
from mha_core.models.loading import LoadedModel
from mha_core.runs.value_weights import value_norms, weight_by_value
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokens import TokenizedText

SURFACE = tuple(name for name, metric in METRICS.items() if metric.kind == "number")
"""The metrics that have a mean."""

_MOST_WAITING = 2**24
"""Numbers of maps that wait to be measured together: each call costs more than a small map."""


@dataclass(frozen=True, eq=False)
class SurfaceTally(Tally):
    """Sums over sentences; M metrics of SURFACE, and first of all raw (0) or value-weighted (1)."""

    sentences: Numbers  # [2, M, L, H]: those in which the metric was defined
    n: Numbers  # [2, M, L, H]: opportunities
    n_squared: Numbers
    total: Numbers  # of n v
    total_squared: Numbers
    n_total: Numbers  # of n times n v
    uniform_n: Numbers  # [M]: opportunities in sentences that have a baseline
    uniform_total: Numbers  # [M]: of n times the baseline

    @classmethod
    def empty(cls, n_layers: int, n_heads: int) -> "SurfaceTally":
        heads, metrics = (n_layers, n_heads), len(SURFACE)
        sums = ("sentences", "n", "n_squared", "total", "total_squared", "n_total")
        return cls(
            **{name: np.zeros((2, metrics, *heads)) for name in sums},
            **{name: np.zeros(metrics) for name in ("uniform_n", "uniform_total")},
        )

    @property
    def mean(self) -> Numbers:
        """[2, M, L, H]; NaN where the corpus gave no opportunity."""
        return self.total / np.where(self.n > 0, self.n, np.nan)

    @property
    def interval(self) -> tuple[Numbers, Numbers]:
        """Lower and upper end of the mean's 95 % interval, [2, M, L, H]; NaN below 2 sentences.

        By Student's t, because a corpus may have few sentences.
        """
        mean, many = self.mean, np.where(self.sentences > 1, self.sentences, np.nan)
        left = self.total_squared - 2 * mean * self.n_total + mean**2 * self.n_squared
        error = np.sqrt(np.maximum(left, 0) * many / (many - 1)) / self.n
        ranges = [METRICS[name].range for name in SURFACE]
        lowest = np.array([low for low, _ in ranges])[:, None, None]
        highest = np.array([np.inf if high is None else high for _, high in ranges])[:, None, None]
        reach = t_95(many - 1) * error
        return np.maximum(mean - reach, lowest), np.minimum(mean + reach, highest)

    @property
    def opportunities(self) -> Numbers:
        """[M]: cases behind the mean; a head for which some are undefined has fewer."""
        most: Numbers = self.n[0].max((1, 2))
        return most

    def measure(self, metric: str) -> Measure:
        """The mean of one metric, with its interval and its value-weighted mean."""
        at, words = SURFACE.index(metric), METRICS[metric]
        low, high = self.interval
        n = float(self.uniform_n[at])
        baseline = float(self.uniform_total[at]) / n if n > 0 else None
        return Measure(
            words.label, words.meaning, words.unit, int(self.opportunities[at]), baseline,
            self.mean[0, at], low[0, at], high[0, at], self.mean[1, at],
        )  # fmt: skip


def count_surface(model: LoadedModel, batch: Sequence[HasTokens]) -> SurfaceTally:
    """All metrics of a batch of texts of one length."""
    counter = SurfaceCounter(model, [text.tokenized for text in batch])
    model.forward_all([text.tokenized for text in batch], Tap(counter))
    return counter.tally


class SurfaceCounter:
    """Counts a batch of texts of one length into `tally` while the model runs over them."""

    def __init__(self, model: LoadedModel, texts: Sequence[TokenizedText]) -> None:
        self.tally = SurfaceTally.empty(model.architecture.n_layers, model.architecture.n_heads)
        self._model = model
        self._meters = [Meter.of(model, text) for text in texts]
        self._waiting: list[tuple[int, int, Tensor]] = []  # layer, kind, pattern [B, H, T, T]
        found = [[meter.opportunities[name] for name in SURFACE] for meter in self._meters]
        self._n = np.array([[seen.n for seen in row] for row in found], np.float64)  # [B, M]
        uniform = np.array([[seen.baseline for seen in row] for row in found])  # [B, M]
        known = ~np.isnan(uniform)
        self.tally.uniform_n[:] = (self._n * known).sum(0)
        self.tally.uniform_total[:] = (self._n * np.where(known, uniform, 0)).sum(0)

    def __call__(self, capture: LayerCapture, pattern: Tensor) -> None:
        """Add one layer: its maps [B, H, T, T] and, in known families, the value-weighted ones."""
        grams = self._model.grams.get(capture.site)
        weighted = (
            [] if grams is None else [weight_by_value(pattern, value_norms(capture.v, grams))]
        )
        self.add(capture.site.layer, [pattern, *weighted])

    def add(self, layer: int, maps: Sequence[Tensor]) -> None:
        """Add the maps of one layer by their kind, the first of SurfaceTally's dimensions.

        They wait until there are enough of them.
        """
        self._waiting += [(layer, kind, pattern) for kind, pattern in enumerate(maps)]
        waiting = len(self._waiting) * maps[0].numel()
        if layer == self._model.architecture.n_layers - 1 or waiting > _MOST_WAITING:
            self._count()

    @torch.inference_mode()
    def _count(self) -> None:
        layers, kinds, patterns = zip(*self._waiting, strict=True)
        self._waiting.clear()
        places = list(kinds), slice(None), list(layers)  # of the C patterns in the sums
        for at, meter in enumerate(self._meters):
            maps = torch.cat([pattern[at] for pattern in patterns])  # [C*H, T, T]
            found = measure(maps, meter.passage)
            table = torch.stack([found[name] for name in SURFACE]).double().cpu().numpy()
            values = table.reshape(len(SURFACE), len(layers), -1).transpose(1, 0, 2)
            defined = ~np.isnan(values) & (self._n[at, :, None] > 0)  # [C, M, H]
            n = self._n[at, :, None] * defined
            total = n * np.where(defined, values, 0)
            self.tally.sentences[places] += defined
            self.tally.n[places] += n
            self.tally.n_squared[places] += n * n
            self.tally.total[places] += total
            self.tally.total_squared[places] += total * total
            self.tally.n_total[places] += n * total
