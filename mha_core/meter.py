"""The metrics of a run, layer by layer as the layers come: raw and weighted by value.

This file must not know streams or HTTP.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.adapters import input_embeddings
from mha_core.loading import LoadedModel
from mha_core.maps import Maps
from mha_core.metrics import (
    METRICS,
    Label,
    Opportunity,
    measure_maps,
    opportunities,
    sentence_labels,
)
from mha_core.passage import Passage
from mha_core.tap import LayerCapture
from mha_core.tokens import TokenizedText
from mha_core.value_weights import value_norms, value_weighted

CELLS_AT_ONCE = 2**18
"""Cells of maps that are measured together."""


@dataclass(frozen=True, eq=False)
class LayerMeasures:
    """Every metric of one layer's heads, in host memory."""

    layer: int
    raw: dict[str, Tensor]  # each [H]; NaN where undefined
    weighted: dict[str, Tensor] | None  # of value-weighted attention; None for unknown families
    labels: list[list[Label]]  # of the raw attention, "on this sentence", for each head


@dataclass(frozen=True, eq=False)
class Meter:
    """What is measured on one text with one model; made before the run, asked at each layer."""

    passage: Passage
    opportunities: dict[str, Opportunity]
    grams: tuple[Tensor | None, ...]  # of each layer's output projection, [H, d, d]

    @classmethod
    def of(cls, model: LoadedModel, tokenized: TokenizedText) -> "Meter":
        """The meter of a run that is about to start."""
        with torch.inference_mode():
            ids = torch.tensor([token.id for token in tokenized.tokens], device=model.device)
            passage = Passage.of(
                tokenized.tokens,
                causal=model.shape.kind == "decoder",
                embeddings=input_embeddings(model.network)[ids],
                device=model.device,
            )
            return cls(passage, opportunities(passage), model.grams)

    def weighted(self, capture: LayerCapture, pattern: Tensor) -> Tensor | None:
        """The value-weighted twin of a layer's pattern, [H, T, T]; None for unknown families."""
        grams = self.grams[capture.site.layer]
        if grams is None:
            return None
        return value_weighted(pattern, value_norms(capture.v[0], grams))

    def measure(self, capture: LayerCapture, pattern: Tensor) -> LayerMeasures:
        """All metrics of a layer, from what was captured and its pattern [H, T, T]."""
        grams = self.grams[capture.site.layer]
        with torch.inference_mode():
            norms = None if grams is None else value_norms(capture.v[0], grams)  # [H, T]
            # A few heads at a time: maps that fit the processor's cache are measured twice as fast.
            size = max(1, CELLS_AT_ONCE // self.passage.n_tokens**2)
            parts = [
                self._measured(
                    pattern[at : at + size], None if norms is None else norms[at : at + size]
                )
                for at in range(0, len(pattern), size)
            ]
            values = torch.cat(parts, 2).cpu()  # [1 or 2, metrics, H]
        raw = dict(zip(METRICS, values[0], strict=True))
        return LayerMeasures(
            layer=capture.site.layer,
            raw=raw,
            weighted=None if grams is None else dict(zip(METRICS, values[1], strict=True)),
            labels=sentence_labels(raw, self.opportunities),
        )

    def _measured(self, pattern: Tensor, norms: Tensor | None) -> Tensor:
        """Metrics of some heads [H, T, T] and, with value norms [H, T], of their twins."""
        maps = Maps(pattern, self.passage)
        if norms is None:
            return measure_maps(maps)[None]
        # Both at once: half the calls.
        both = measure_maps(maps.with_twins(norms))  # [metrics, 2H]
        return both.view(len(METRICS), 2, -1).transpose(0, 1)
