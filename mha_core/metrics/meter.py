"""The metrics of a run, layer by layer while it runs: of raw and of value-weighted attention."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.metrics.catalogue import METRICS, Opportunity
from mha_core.metrics.head_maps import Maps
from mha_core.metrics.measure import Label, measure_maps, opportunities, sentence_labels
from mha_core.metrics.passage import Passage
from mha_core.models.family import input_embeddings
from mha_core.models.loading import LoadedModel
from mha_core.runs.value_weights import value_norms
from mha_core.stacks import Site, Stack, StackName, stack_at, stacks_of
from mha_core.tap import LayerCapture
from mha_core.text.tokens import TokenizedText

CELLS_AT_ONCE = 2**18  # a batch of maps that fits the CPU cache is measured twice as fast


@dataclass(frozen=True, eq=False)
class LayerMeasures:
    """Every metric of one layer's heads, in host memory."""

    stack: StackName
    layer: int
    raw: dict[str, Tensor]  # each [H]; NaN where undefined
    weighted: dict[str, Tensor] | None  # of value-weighted attention; None for unknown families
    labels: list[list[Label]]  # of the raw attention, "on this sentence", for each head


@dataclass(frozen=True, eq=False)
class Meter:
    """Measures the layers of one model on one text; made before the run, called at each layer."""

    stacks: tuple[Stack, ...]
    passages: Mapping[StackName, Passage]  # of the stacks that are measured
    grams: Mapping[Site, Tensor]  # of each layer's output projection, [H, d, d]

    @classmethod
    def of(cls, model: LoadedModel, tokenized: TokenizedText) -> "Meter":
        stacks = stacks_of(model.architecture, tokenized)
        passages: dict[StackName, Passage] = {}
        with torch.inference_mode():
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
        return cls(stacks, passages, model.grams)

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
        """Value norms [H, K] for `measure` and `value_weighted`; None for unknown families."""
        grams = self.grams.get(capture.site)
        return None if grams is None else value_norms(capture.v[0], grams)

    def measure(
        self, capture: LayerCapture, pattern: Tensor, norms: Tensor | None
    ) -> LayerMeasures:
        """All metrics of a layer, from its pattern [H, T, T] and its value norms [H, T]."""
        stack = stack_at(self.stacks, capture.site).name
        passage = self.passages[stack]
        with torch.inference_mode():
            size = max(1, CELLS_AT_ONCE // passage.n_tokens**2)
            parts = [
                _measure_both(Maps(pattern[part], passage), None if norms is None else norms[part])
                for part in (slice(at, at + size) for at in range(0, len(pattern), size))
            ]
            values = torch.cat(parts, 2).cpu()  # [1 or 2, metrics, H]
        raw, *weighted = (dict(zip(METRICS, kind, strict=True)) for kind in values)
        labels = sentence_labels(raw, opportunities(passage))
        layer = capture.site.layer
        return LayerMeasures(stack, layer, raw, weighted[0] if weighted else None, labels)


def _measure_both(maps: Maps, norms: Tensor | None) -> Tensor:
    """Metrics [1, metrics, H] of maps or, given value norms [H, T], [2, metrics, H] of both."""
    if norms is None:
        return measure_maps(maps)[None]
    # Raw and value-weighted maps in one batch: half the calls.
    both = measure_maps(maps.with_value_weighted(norms))  # [metrics, 2H]
    return both.view(len(METRICS), 2, -1).transpose(0, 1)
