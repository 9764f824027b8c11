"""The metrics of a run, layer by layer while it runs; of value-weighted attention on demand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.attention import Weights, Workspace
from mha_core.metrics.catalogue import METRICS, Opportunity
from mha_core.metrics.measure import Label, measure_all, opportunities, sentence_labels
from mha_core.metrics.passage import Passage
from mha_core.models.family import input_embeddings
from mha_core.models.loading import LoadedModel
from mha_core.runs.value_weights import value_norms, weight_by_value
from mha_core.stacks import Site, Stack, StackName, stack_at, stacks_of
from mha_core.tap import LayerCapture
from mha_core.text.tokens import TokenizedText
from mha_core.threads import cores_for

CELLS_TOGETHER = 2**20
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

    @property
    def measured_stacks(self) -> list[Stack]:
        return [stack for stack in self.stacks if stack.name in self.passages]

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

    def measure(self, layers: Sequence[MeasuredMaps]) -> list[LayerMeasures]:
        """All metrics of layers of one stack, measured together; overwrites their scores."""
        stack = stack_at(self.stacks, layers[0].site).name
        passage = self.passages[stack]
        weighted = [it.weighted for it in layers if it.weighted is not None]
        with torch.inference_mode(), cores_for(sum(it.weights.pattern.numel() for it in layers)):
            pattern, scores, lse = map(_join, zip(*(it.weights for it in layers), strict=True))
            raw = _by_layer(measure_all(passage, pattern, scores, lse), len(layers))
            by_value: Sequence[dict[str, Tensor] | None] = [None] * len(layers)
            if weighted:
                by_value = _by_layer(measure_all(passage, _join(weighted)), len(layers))
        limits = opportunities(passage)
        return [
            LayerMeasures(
                stack, maps.site.layer, values, of_weighted, sentence_labels(values, limits)
            )
            for maps, values, of_weighted in zip(layers, raw, by_value, strict=True)
        ]


class LayerQueue:
    """Collects the layers of a run and measures as many at once as are worth it.

    A metric costs some calls whatever the size of the maps: for a sentence of ten words they take
    longer than the model, unless all layers share them.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._waiting: list[MeasuredMaps] = []
        largest = max(stack.n_heads * stack.n_queries**2 for stack in meter.measured_stacks)
        # The memory in which the layers' maps should be computed: then nothing is copied.
        self.workspace = Workspace(CELLS_TOGETHER + largest)

    def put(self, maps: MeasuredMaps) -> list[LayerMeasures]:
        """Add a layer; returns the measures of all that waited if they are enough, or the last."""
        if not self._meter.covers(maps.site):
            return []
        self._waiting.append(maps)
        is_last = maps.site.layer == stack_at(self._meter.stacks, maps.site).n_layers - 1
        if not is_last and len(self._waiting) * maps.weights.pattern.numel() < CELLS_TOGETHER:
            self.workspace.keep()
            return []
        measured = self._meter.measure(self._waiting)
        self.clear()
        return measured

    def clear(self) -> None:
        """Forget the layers that wait."""
        self._waiting = []
        self.workspace.release()


def _join(parts: Sequence[Tensor]) -> Tensor:
    """The heads of several layers in one tensor: a view where they follow each other in memory."""
    first, size = parts[0], parts[0].numel()
    memory = first.untyped_storage().data_ptr()
    if all(
        it.untyped_storage().data_ptr() == memory
        and it.storage_offset() == first.storage_offset() + at * size
        for at, it in enumerate(parts)
    ):
        shape = len(parts) * first.shape[0], *first.shape[1:]
        return first.as_strided(shape, first.stride())
    return torch.cat(list(parts))


def _by_layer(values: Tensor, n_layers: int) -> list[dict[str, Tensor]]:
    """Values [metrics, layers * H] as a dictionary for each layer, in host memory."""
    by_layer = values.cpu().unflatten(1, (n_layers, -1)).unbind(1)
    return [dict(zip(METRICS, of_layer, strict=True)) for of_layer in by_layer]
