"""The metrics of a run, layer by layer while it runs; of value-weighted attention on demand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.attention import Weights
from mha_core.metrics.catalogue import METRICS
from mha_core.metrics.label_rule import Opportunity
from mha_core.metrics.map_summary import MapSummary, join_heads, summarize
from mha_core.metrics.measure import measure_all, opportunities
from mha_core.metrics.passage import Passage
from mha_core.metrics.sentence_labels import Label, sentence_labels
from mha_core.models.family import input_embeddings
from mha_core.models.loading import LoadedModel
from mha_core.runs.value_weights import value_norms, weight_by_value
from mha_core.stacks import Site, Stack, StackName, stack_at, stacks_of
from mha_core.tap import LayerCapture
from mha_core.text.tokens import TokenizedText
from mha_core.threads import cores_for

CELLS_TOGETHER = 2**23
"""Cells of the layers that are measured together: more would save little, and wait longer."""


@dataclass(frozen=True, eq=False)
class LayerMeasures:
    """Every metric of one layer's heads, in host memory."""

    stack: StackName
    layer: int
    raw: dict[str, Tensor]  # each [H]; NaN where undefined
    weighted: dict[str, Tensor] | None  # of value-weighted attention, where it was asked for
    labels: list[list[Label]]  # of the raw attention, "on this sentence", for each head


@dataclass(frozen=True, eq=False)
class MeasuredMaps:
    """The maps of one layer, on their way to be measured."""

    site: Site
    weights: Weights  # of one text: [H, Q, K], lse [H, Q]
    weighted: Tensor | None  # [H, Q, K]: the value-weighted maps, where they are asked for

    @property
    def shown(self) -> Tensor:
        """The maps that were asked for, [H, Q, K]."""
        return self.weights.pattern if self.weighted is None else self.weighted


@dataclass(frozen=True, eq=False)
class LayerSummary:
    """What metrics read of the maps of one layer."""

    site: Site
    raw: MapSummary
    weighted: MapSummary | None


@dataclass(frozen=True, eq=False)
class Meter:
    """Measures the layers of one model on one text; made before the run, called at each layer."""

    stacks: tuple[Stack, ...]
    passages: Mapping[StackName, Passage]  # of the stacks that are measured
    model: LoadedModel

    @classmethod
    def of(cls, model: LoadedModel, tokenized: TokenizedText) -> "Meter":
        stacks = stacks_of(model.architecture, tokenized)
        passages: dict[StackName, Passage] = {}
        with torch.inference_mode(), cores_for(len(tokenized.tokens) ** 2):
            for stack in stacks:
                if stack.queries != stack.keys:  # metrics are defined within one text
                    continue
                tokens = tokenized.tokens[slice(*stack.queries)]
                ids = torch.tensor([token.id for token in tokens], device=model.device)
                embeddings = input_embeddings(model.network, stack.name)[ids]
                passages[stack.name] = Passage.of(
                    tokens, causal=stack.causal, embeddings=embeddings, device=model.device
                )
                opportunities(passages[stack.name])  # fills the passage's cache before the run
        return cls(stacks, passages, model)

    @property
    def passage(self) -> Passage:
        """The text as the first stack reads it."""
        return next(iter(self.passages.values()))

    @property
    def opportunities(self) -> dict[str, Opportunity]:
        """What each metric can show in the first stack."""
        return opportunities(self.passage)

    @property
    def decoder_opportunities(self) -> dict[str, Opportunity] | None:
        """The same for the decoder of an encoder-decoder; None for other models."""
        return opportunities(self.passages["decoder"]) if len(self.passages) > 1 else None

    def covers(self, site: Site) -> bool:
        """Whether a layer is measured: cross attention, between two texts, is not."""
        return stack_at(self.stacks, site).name in self.passages

    def value_norms(self, capture: LayerCapture) -> Tensor | None:
        """The value norms of a layer, [H, K]; None for unknown families."""
        grams = self.model.grams.get(capture.site)
        return None if grams is None else value_norms(capture.v[0], grams)

    def maps(self, capture: LayerCapture, weights: Weights, *, weighted: bool) -> MeasuredMaps:
        """The maps of a layer of a batch of one; `weighted`: also by value, in known families."""
        of_text = weights.of_first()
        norms = self.value_norms(capture) if weighted else None
        by_value = None if norms is None else weight_by_value(of_text.pattern, norms)
        return MeasuredMaps(capture.site, of_text, by_value)

    def summarize(self, maps: MeasuredMaps) -> LayerSummary:
        """What metrics read of the maps of a layer; overwrites their scores."""
        passage = self.passages[stack_at(self.stacks, maps.site).name]
        with torch.inference_mode(), cores_for(maps.weights.pattern.numel()):
            raw, by_value = summarize(passage, maps.weights), None
            if maps.weighted is not None:
                by_value = summarize(passage, Weights.of(maps.weighted))
        return LayerSummary(maps.site, raw, by_value)

    def measure(self, layers: Sequence[LayerSummary]) -> list[LayerMeasures]:
        """All metrics of layers of one stack, measured together."""
        raw = self._measure([it.raw for it in layers])
        weighted = [it.weighted for it in layers if it.weighted is not None]
        by_value = self._measure(weighted) if weighted else [None] * len(layers)
        limits = opportunities(layers[0].raw.passage)
        return [
            LayerMeasures(
                stack_at(self.stacks, layer.site).name,
                layer.site.layer,
                values,
                of_weighted,
                sentence_labels(values, limits),
            )
            for layer, values, of_weighted in zip(layers, raw, by_value, strict=True)
        ]

    def _measure(self, layers: Sequence[MapSummary]) -> list[dict[str, Tensor]]:
        """The metrics of each layer, in host memory."""
        n_numbers = sum(it.between_pairs.numel() for it in layers)
        with torch.inference_mode(), cores_for(n_numbers):
            values = measure_all(join_heads(layers)).cpu()  # [metrics, layers * H]
        by_layer = values.unflatten(1, (len(layers), -1)).unbind(1)
        return [dict(zip(METRICS, of_layer, strict=True)) for of_layer in by_layer]


class LayerQueue:
    """Collects the layers of a run and measures as many at once as are worth it.

    A metric costs some calls whatever the size of the maps: for a sentence of ten words they take
    longer than the model, unless all layers share them.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._waiting: list[LayerSummary] = []
        self._n_cells = 0  # of the layers that wait

    def put(self, maps: MeasuredMaps) -> list[LayerMeasures]:
        """Add a layer; returns the measures of all that waited if they are enough, or the last."""
        if not self._meter.covers(maps.site):
            return []
        self._waiting.append(self._meter.summarize(maps))
        self._n_cells += maps.weights.pattern.numel()
        is_last = maps.site.layer == stack_at(self._meter.stacks, maps.site).n_layers - 1
        if not is_last and self._n_cells < CELLS_TOGETHER:
            return []
        measured = self._meter.measure(self._waiting)
        self.clear()
        return measured

    def clear(self) -> None:
        """Forget the layers that wait."""
        self._waiting, self._n_cells = [], 0
