"""Measures a small model at one point of its training: loss, accuracy, metrics, roles of heads."""

from collections.abc import Mapping

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from mha_core.atlas.means import Interval, ratio_interval
from mha_core.atlas.tally import Numbers
from mha_core.attention import Weights
from mha_core.learn.probe import Probe
from mha_core.learn.record import HeadRole, MetricValues, Point
from mha_core.learn.relations import measure_relations
from mha_core.metrics.catalogue import METRICS
from mha_core.metrics.label_rule import Opportunity
from mha_core.metrics.map_summary import summarize
from mha_core.metrics.measure import measure_all, opportunities
from mha_core.metrics.passage import Passage
from mha_core.tap import LayerCapture, Tap
from mha_core.transformer import Transformer

LEFT_OUT = frozenset({"similarity", "current_word", "segment", "special", "separator"})
"""Metrics that texts of one-token words, in one part, have no case for."""


@torch.inference_mode()
def measure_point(model: Transformer, probe: Probe, step: int) -> Point:
    """Everything about the model as it is after `step` steps."""
    loss, accuracy = measure_predictions(model, probe)
    metrics, chances = measure_metrics(model, probe)
    relations, roles = measure_relations(model, probe)
    return Point(
        step=step,
        loss=loss,
        accuracy=accuracy,
        metrics=metrics,
        relations=relations,
        roles=[*find_roles(metrics, chances), *roles],
    )


def measure_predictions(model: Transformer, probe: Probe) -> tuple[float, float]:
    """Loss and accuracy of the predictions that count."""
    batch = probe.batch
    logits = model.logits(model(batch.tokens)[:, :-1])[batch.scored]  # [N, V]
    targets = batch.tokens[:, 1:][batch.scored]
    right = (logits.argmax(-1) == targets).float().mean()
    return float(F.cross_entropy(logits, targets)), float(right)


def measure_metrics(
    model: Transformer, probe: Probe
) -> tuple[dict[str, MetricValues], dict[str, Opportunity]]:
    """Every metric of every head over the texts, and what the texts let it show."""
    per_text = [_measure_text(*it) for it in zip(_maps(model, probe), probe.passages, strict=True)]
    values: Numbers = np.stack(per_text)  # [N, metrics, L * H]
    cases = [opportunities(passage) for passage in probe.passages]
    found, chances = dict[str, MetricValues](), dict[str, Opportunity]()
    for place, (name, metric) in enumerate(METRICS.items()):
        n = np.array([it[name].n for it in cases], np.float64)
        if metric.kind != "number" or name in LEFT_OUT or not n.sum():
            continue
        weighted = np.nan_to_num(values[:, place]) * n[:, None]
        interval = ratio_interval(weighted, np.broadcast_to(n[:, None], weighted.shape))
        baseline, ceiling = (
            float(np.nansum([getattr(it[name], end) * it[name].n for it in cases]) / n.sum())
            for end in ("baseline", "ceiling")
        )
        chances[name] = Opportunity(int(n.sum()), baseline, ceiling)
        found[name] = _record(model, interval, chances[name])
    return found, chances


def _maps(model: Transformer, probe: Probe) -> list[Weights]:
    """The maps of all heads of all layers of each text, [L * H, T, T], without padding."""
    layers: list[Weights] = []

    def on_weights(_: LayerCapture, weights: Weights) -> None:
        layers.append(weights)

    batch = probe.for_maps
    model(batch.tokens, Tap(on_weights=on_weights))
    joined = [torch.cat(parts, dim=1) for parts in zip(*layers, strict=True)]  # [B, L * H, T, ...]
    return [_cut(joined, text, int(n)) for text, n in enumerate(batch.lengths)]


def _cut(joined: list[Tensor], text: int, n: int) -> Weights:
    pattern, scores, lse, largest = (it[text] for it in joined)
    return Weights(
        pattern[:, :n, :n].contiguous(),
        scores[:, :n, :n].contiguous(),
        lse[:, :n].contiguous(),
        largest[:, :n].contiguous(),
    )


def _measure_text(weights: Weights, passage: Passage) -> Numbers:
    """Every metric of every head on one text, [metrics, L * H]."""
    return measure_all(summarize(passage, weights)).numpy().astype(np.float64)


def _record(model: Transformer, interval: Interval, chance: Opportunity) -> MetricValues:
    shape = model.config.n_layers, model.config.n_heads
    value, low, high = (_nested(it.reshape(shape)) for it in interval)
    baseline = chance.baseline if np.isfinite(chance.baseline) else None
    return MetricValues(n=chance.n, baseline=baseline, value=value, low=low, high=high)


def _nested(values: Numbers) -> list[list[float | None]]:
    return [[float(it) if np.isfinite(it) else None for it in row] for row in values]


def find_roles(
    metrics: Mapping[str, MetricValues], chances: Mapping[str, Opportunity]
) -> list[HeadRole]:
    """The heads that a metric's own rule names, by the lower end of the interval."""
    roles: list[HeadRole] = []
    for name, values in metrics.items():
        called = METRICS[name].called
        if called is None:
            continue
        bar = called.bar(chances[name])
        for layer, row in enumerate(values.low):
            for head, low in enumerate(row):
                value = values.value[layer][head]
                if low is None or value is None or low <= bar:
                    continue
                roles.append(
                    HeadRole(
                        layer=layer,
                        head=head,
                        role=name,
                        label=called.label,
                        n=values.n,
                        value=value,
                        low=low,
                        baseline=values.baseline or 0.0,
                    )
                )
    return roles
