"""The metrics of a run, layer by layer as the layers come: raw and weighted by value.

This file must not know streams or HTTP.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.metrics.head_maps import Maps
from mha_core.metrics.measure import (
    METRICS,
    Label,
    Opportunity,
    measure_maps,
    opportunities,
    sentence_labels,
)
from mha_core.metrics.passage import Passage
from mha_core.models.family import input_embeddings
from mha_core.models.loading import LoadedModel
from mha_core.runs.value_weights import value_norms, value_weighted
from mha_core.stacks import Site, Stack, StackName, stack_at, stacks_of
from mha_core.tap import LayerCapture
from mha_core.text.tokens import TokenizedText

CELLS_AT_ONCE = 2**18
"""Cells of maps that are measured together."""


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
    """What is measured on one text with one model; made before the run, asked at each layer."""

    stacks: tuple[Stack, ...]
    passages: Mapping[StackName, Passage]  # of the stacks that are measured
    grams: Mapping[Site, Tensor]  # of each layer's output projection, [H, d, d]

    @classmethod
    def of(cls, model: LoadedModel, tokenized: TokenizedText) -> "Meter":
        """The meter of a run that is about to start."""
        stacks = stacks_of(model.architecture, tokenized)
        passages: dict[StackName, Passage] = {}
        with torch.inference_mode():
            for stack in stacks:
                if stack.queries != stack.keys:  # metrics are made for attention within a text
                    continue
                tokens = tokenized.tokens[slice(*stack.queries)]
                ids = torch.tensor([token.id for token in tokens], device=model.device)
                passage = passages[stack.name] = Passage.of(
                    tokens,
                    causal=stack.causal,
                    embeddings=input_embeddings(model.network, stack.name)[ids],
                    device=model.device,
                )
                opportunities(passage)  # kept with it: asked for here, before the run
        return cls(stacks, passages, model.grams)

    @property
    def passage(self) -> Passage:
        """The text as the first stack reads it."""
        return next(iter(self.passages.values()))

    @property
    def opportunities(self) -> dict[str, Opportunity]:
        """What the text lets each metric show in the first stack."""
        return opportunities(self.passage)

    @property
    def decoder_opportunities(self) -> dict[str, Opportunity] | None:
        """The same for what an encoder-decoder's decoder reads; None for other models."""
        return opportunities(self.passages["decoder"]) if len(self.passages) > 1 else None

    def covers(self, site: Site) -> bool:
        """Whether a layer is measured: cross attention, which links two texts, is not."""
        return stack_at(self.stacks, site).name in self.passages

    def weighted(self, capture: LayerCapture, pattern: Tensor) -> Tensor | None:
        """The value-weighted twin of a layer's pattern, [H, Q, K]; None for unknown families."""
        grams = self.grams.get(capture.site)
        if grams is None:
            return None
        return value_weighted(pattern, value_norms(capture.v[0], grams))

    def measure(self, capture: LayerCapture, pattern: Tensor) -> LayerMeasures:
        """All metrics of a layer, from what was captured and its pattern [H, T, T]."""
        stack, grams = stack_at(self.stacks, capture.site).name, self.grams.get(capture.site)
        passage = self.passages[stack]
        with torch.inference_mode():
            norms = None if grams is None else value_norms(capture.v[0], grams)  # [H, T]
            # A few heads at a time: maps that fit the processor's cache are measured twice as fast.
            size = max(1, CELLS_AT_ONCE // passage.n_tokens**2)
            parts = [
                _measured(
                    Maps(pattern[at : at + size], passage),
                    None if norms is None else norms[at : at + size],
                )
                for at in range(0, len(pattern), size)
            ]
            values = torch.cat(parts, 2).cpu()  # [1 or 2, metrics, H]
        raw = dict(zip(METRICS, values[0], strict=True))
        return LayerMeasures(
            stack=stack,
            layer=capture.site.layer,
            raw=raw,
            weighted=None if grams is None else dict(zip(METRICS, values[1], strict=True)),
            labels=sentence_labels(raw, opportunities(passage)),
        )


def _measured(maps: Maps, norms: Tensor | None) -> Tensor:
    """Metrics of some heads and, with value norms [H, T], of their twins, [1 or 2, metrics, H]."""
    if norms is None:
        return measure_maps(maps)[None]
    # Both at once: half the calls.
    both = measure_maps(maps.with_twins(norms))  # [metrics, 2H]
    return both.view(len(METRICS), 2, -1).transpose(0, 1)
