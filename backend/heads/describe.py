"""Measures of heads as the schemas say them: the catalogue, values, labels, opportunities."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np
import torch
from torch import Tensor

from backend.heads.schemas import (
    HeadMeasures,
    LayerMetrics,
    MetricOut,
    MetricsResponse,
    OpportunityOut,
    Value,
)
from backend.wire.schemas import DIGITS
from mha_core.metrics.catalogue import METRICS, SHAPES
from mha_core.metrics.label_rule import Opportunity
from mha_core.metrics.meter import LayerMeasures, Meter
from mha_core.rounding import round_number


def describe_metrics() -> MetricsResponse:
    """The catalogue, in the order to show it."""
    metrics = [MetricOut.model_validate(it, from_attributes=True) for it in METRICS.values()]
    return MetricsResponse(metrics=metrics, shapes=list(SHAPES))


def describe_opportunities(
    meter: Meter, digits: int = DIGITS
) -> dict[str, dict[str, OpportunityOut] | None]:
    """What a text lets each metric measure, under the names all answers give it."""
    decoder = meter.decoder_opportunities
    first = _opportunities(meter.opportunities, digits, causal=meter.passage.causal)
    other = None if decoder is None else _opportunities(decoder, digits, causal=True)
    return {"opportunities": first, "decoder_opportunities": other}


def _opportunities(
    found: Mapping[str, Opportunity], digits: int, *, causal: bool
) -> dict[str, OpportunityOut]:
    described = {}
    for name, it in found.items():
        rule = METRICS[name].called
        described[name] = OpportunityOut(
            n=it.n,
            baseline=round_number(it.baseline, digits),
            ceiling=round_number(it.ceiling, digits),
            least_n=None if rule is None else rule.least_n,
            too_short=rule is not None and rule.is_too_short(it.n, causal=causal),
        )
    return described


def describe_layer(layer: LayerMeasures, digits: int = DIGITS) -> dict[str, Any]:
    """The fields of `LayerMetrics`; what is undefined in a tensor (NaN) is null here."""
    return {
        "stack": layer.stack,
        "layer": layer.layer,
        "raw": _values(layer.raw, digits),
        "weighted": None if layer.weighted is None else _values(layer.weighted, digits),
        "labels": [
            [vars(label) | {"value": round_number(label.value, digits)} for label in of_head]
            for of_head in layer.labels
        ],
    }


def describe_heads(layers: Sequence[LayerMeasures]) -> list[HeadMeasures]:
    """A row a head, in model order."""
    return [
        HeadMeasures(
            stack=layer.stack,
            layer=layer.layer,
            head=head,
            raw={name: values[head] for name, values in layer.raw.items()},
            weighted=layer.weighted and {name: it[head] for name, it in layer.weighted.items()},
            labels=labels,
        )
        for layer in (LayerMetrics(**describe_layer(it)) for it in layers)
        for head, labels in enumerate(layer.labels)
    ]


def _values(measured: Mapping[str, Tensor], digits: int) -> dict[str, list[Value]]:
    """The values of each metric, a place a head; a class goes by its name."""
    # Rounded in one call: one by one it would take longer than measuring did.
    table = np.round(torch.stack(list(measured.values())).double().numpy(), digits)
    described: dict[str, list[Value]] = {}
    for name, numbers in zip(measured, table.tolist(), strict=True):
        values = [None if isnan(number) else number for number in numbers]
        if METRICS[name].kind == "class":
            values = [None if value is None else SHAPES[int(value)] for value in values]
        described[name] = values
    return described
