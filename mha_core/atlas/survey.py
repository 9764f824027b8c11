"""One model run over all corpora: what is counted, and in which order.

A split of the treebank is gone through once, and every tally looks at the same maps. This file
must not draw conclusions from the counts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from mha_core.atlas.coreference import CoreferenceTally, GapText, Mentions
from mha_core.atlas.ledger import Ledger
from mha_core.atlas.rarity import RareWords, RarityTally
from mha_core.atlas.sink import Sink, sink
from mha_core.atlas.surface import SurfaceTally, SurfaceWatcher
from mha_core.atlas.syntax import Arcs, SyntaxTally
from mha_core.atlas.synthetic import Synthetic, synthetic
from mha_core.atlas.variability import Variability, variability
from mha_core.atlas.word_maps import Pooling, WordText, same_length_batches, word_map
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress
from mha_core.tap import LayerCapture, Tap

TOKENS_IN_BATCH = 2048
COUNTING = 2
"""Grows when anything is counted otherwise: notes of another way of counting are no use."""


@dataclass(frozen=True)
class Material:
    """What a model is run over: the same for the model and for its control."""

    dev: Sequence[WordText]
    test: Sequence[WordText]
    relations: tuple[str, ...]
    frequencies: Counter[str]
    gap: Sequence[GapText]
    seed: int


@dataclass
class SplitTally:
    """What is counted over one split of the treebank."""

    syntax: SyntaxTally
    rarity: RarityTally
    surface: SurfaceTally

    def __add__(self, other: "SplitTally") -> "SplitTally":
        return SplitTally(
            self.syntax + other.syntax, self.rarity + other.rarity, self.surface + other.surface
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays, to be saved."""
        return {
            f"{part.name}.{name}": array
            for part in fields(self)
            for name, array in getattr(self, part.name).arrays().items()
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "SplitTally":
        """What `arrays` gave."""

        def part(name: str) -> dict[str, NDArray[Any]]:
            start = f"{name}."
            return {k.removeprefix(start): v for k, v in arrays.items() if k.startswith(start)}

        return cls(
            SyntaxTally.from_arrays(part("syntax")),
            RarityTally.from_arrays(part("rarity")),
            SurfaceTally.from_arrays(part("surface")),
        )


@dataclass(frozen=True)
class Counted:
    """All that was counted with one model."""

    dev: SplitTally
    test: SplitTally
    gap: CoreferenceTally | None  # None without items this model can be asked
    synthetic: Synthetic | None  # None for a model that looks both ways
    sink: Sink
    variability: Variability


def survey(
    model: LoadedModel, material: Material, ledger: Ledger, name: str, progress: Progress
) -> Counted:
    """Count everything with one model; `name` tells its notes from those of another."""

    def split(part: str, texts: Sequence[WordText], *, surface: bool) -> SplitTally:
        batches = list(same_length_batches(texts, TOKENS_IN_BATCH))
        return ledger.tally(
            f"{name} treebank {part}",
            SplitTally,
            batches,
            lambda batch: count_split(model, batch, material, surface=surface),
            progress,
        )

    causal = model.architecture.kind == "decoder"
    dev = split("dev", material.dev, surface=True)
    test = split("test", material.test, surface=False)
    gap = None
    if material.gap:
        gap = ledger.tally(
            f"{name} gap",
            CoreferenceTally,
            list(same_length_batches(material.gap, TOKENS_IN_BATCH)),
            lambda batch: count_gap(model, batch),
            progress,
        )
    seed, tokenized = material.seed, [text.tokenized for text in material.dev]
    sentences = [text.sentence.text for text in material.dev]
    rested = ledger.once(f"{name} sink", lambda: sink(model, sentences, seed=seed).arrays())
    varied = ledger.once(
        f"{name} variability", lambda: variability(model, tokenized, seed=seed).arrays()
    )
    said_twice = None
    if causal:
        said_twice = ledger.once(f"{name} synthetic", lambda: synthetic(model).arrays())
    return Counted(
        dev,
        test,
        gap,
        None if said_twice is None else Synthetic.from_arrays(said_twice),
        Sink.from_arrays(rested),
        Variability.from_arrays(varied),
    )


def count_split(
    model: LoadedModel, batch: Sequence[WordText], material: Material, *, surface: bool
) -> SplitTally:
    """Count one batch of a treebank; the surface metrics, which take longest, only if wanted."""
    heads = (model.architecture.n_layers, model.architecture.n_heads)
    causal = model.architecture.kind == "decoder"
    pooling = Pooling.of(batch, model.device)
    arcs = Arcs.of(batch, material.relations, causal=causal, device=model.device)
    rare = RareWords.of(batch, material.frequencies, model.device, causal=causal)
    syntax, rarity = SyntaxTally.empty(material.relations, *heads), RarityTally.empty(*heads)
    syntax.ask(arcs)
    syntax.answer_evenly(arcs, word_map(_uniform(batch, causal).to(model.device), pooling))
    rarity.ask(rare)
    texts = [text.tokenized for text in batch]
    metrics = SurfaceWatcher(model, texts) if surface else None

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        layer, maps = capture.site.layer, word_map(pattern, pooling)
        syntax.answer(arcs, layer, maps)
        rarity.answer(rare, layer, maps)
        if metrics is not None:
            metrics(capture, pattern)

    model.forward_all(texts, Tap(on_pattern))
    nothing = SurfaceTally.empty(*heads)
    return SplitTally(syntax, rarity, nothing if metrics is None else metrics.tally)


def _uniform(batch: Sequence[WordText], causal: bool) -> Tensor:
    """Attention spread evenly over what is visible, [B, 1, T, T]."""
    n_tokens = len(batch[0].word)
    seen = torch.ones(n_tokens, n_tokens)
    seen = seen.tril() if causal else seen
    even = seen / seen.sum(-1, keepdim=True)
    return even.expand(len(batch), 1, -1, -1)


def count_gap(model: LoadedModel, batch: Sequence[GapText]) -> CoreferenceTally:
    """Count one batch of pronouns."""
    mentions = Mentions.of(batch, model.device)
    tally = CoreferenceTally.empty(model.architecture.n_layers, model.architecture.n_heads)
    tally.ask(mentions)

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        tally.answer(mentions, capture.site.layer, pattern)

    model.forward_all([text.tokenized for text in batch], Tap(on_pattern))
    return tally
