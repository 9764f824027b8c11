"""How measures of heads are told over the wire: the catalogue, values, labels, opportunities.

What is undefined in a tensor (NaN) is null here. This file must not know routes or threads.
"""

from collections.abc import Mapping, Sequence
from math import isfinite

from torch import Tensor

from backend.heads.schemas import (
    CalledOut,
    HeadEdge,
    HeadMeasures,
    MetricOut,
    MetricsResponse,
    OpportunityOut,
    SentenceLabel,
    Value,
)
from backend.stream.schemas import StreamMetrics
from mha_core.metrics.measure import METRICS, SHAPES, Label, Opportunity
from mha_core.metrics.meter import LayerMeasures
from mha_core.runs.links import EdgeRanking
from mha_core.stacks import StackName

DIGITS = 6
"""Decimals of a value: float32 knows no more of a share."""


def metrics_out() -> MetricsResponse:
    """The catalogue, in the order to show it."""
    metrics = [
        MetricOut(
            name=metric.name,
            label=metric.label,
            unit=metric.unit,
            range=metric.range,
            meaning=metric.meaning,
            formula=metric.formula,
            kind=metric.kind,
            called=metric.called and CalledOut(label=metric.called.label, when=metric.called.when),
        )
        for metric in METRICS.values()
    ]
    return MetricsResponse(metrics=metrics, shapes=list(SHAPES))


def opportunities_out(opportunities: Mapping[str, Opportunity]) -> dict[str, OpportunityOut]:
    """What a text lets each metric measure."""
    return {
        name: OpportunityOut(n=it.n, baseline=number(it.baseline), ceiling=number(it.ceiling))
        for name, it in opportunities.items()
    }


def heads_out(layers: Sequence[LayerMeasures]) -> list[HeadMeasures]:
    """A row a head, in model order."""
    rows = []
    for layer in layers:
        raw = values_out(layer.raw)
        weighted = None if layer.weighted is None else values_out(layer.weighted)
        for head, labels in enumerate(layer.labels):
            rows.append(
                HeadMeasures(
                    stack=layer.stack,
                    layer=layer.layer,
                    head=head,
                    raw={name: values[head] for name, values in raw.items()},
                    weighted=weighted and {name: it[head] for name, it in weighted.items()},
                    labels=_labels_out(labels),
                )
            )
    return rows


def edges_out(ranking: EdgeRanking, stack: StackName) -> list[HeadEdge]:
    """A row a head of a stack, strongest first."""
    return [
        HeadEdge(
            stack=stack,
            layer=edge.layer,
            head=edge.head,
            weight=round(edge.weight, DIGITS),
            by_position=None if edge.by_position is None else round(edge.by_position, DIGITS),
            weighted=None if edge.weighted is None else round(edge.weighted, DIGITS),
        )
        for edge in ranking.heads
    ]


def stream_metrics(request: int, layer: LayerMeasures) -> StreamMetrics:
    """The metrics of one layer, as the stream sends them."""
    return StreamMetrics(
        request=request,
        stack=layer.stack,
        layer=layer.layer,
        raw=values_out(layer.raw),
        weighted=None if layer.weighted is None else values_out(layer.weighted),
        labels=[_labels_out(labels) for labels in layer.labels],
    )


def values_out(measured: Mapping[str, Tensor]) -> dict[str, list[Value]]:
    """The values of each metric, a place a head; a class goes by its name."""
    told: dict[str, list[Value]] = {}
    for name, values in measured.items():
        numbers = map(number, values.tolist())
        if METRICS[name].kind == "class":
            told[name] = [None if it is None else SHAPES[int(it)] for it in numbers]
        else:
            told[name] = list(numbers)
    return told


def number(value: float) -> float | None:
    """A number JSON can say; null for what is undefined."""
    return round(value, DIGITS) if isfinite(value) else None


def _labels_out(labels: Sequence[Label]) -> list[SentenceLabel]:
    return [
        SentenceLabel(label=it.label, metric=it.metric, value=round(it.value, DIGITS), n=it.n)
        for it in labels
    ]
