"""One model run over all corpora: what is counted, and in which order.

A split of the treebank is run once, and every tally counts the same maps.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from torch import Tensor

from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.coreference import CoreferenceTally, GapText, Mentions
from mha_core.atlas.partial_results import PartialResults
from mha_core.atlas.rarity import RareWords, RarityTally
from mha_core.atlas.sink import Sink, measure_sink
from mha_core.atlas.surface import SurfaceCounter, SurfaceTally
from mha_core.atlas.syntax import Arcs, SyntaxTally
from mha_core.atlas.synthetic import Synthetic, measure_synthetic
from mha_core.atlas.tally import Tally
from mha_core.atlas.variability import Variability, measure_variability
from mha_core.atlas.word_maps import Pooling, WordText, pool_words
from mha_core.attention import uniform_attention
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress
from mha_core.tap import LayerCapture, Tap

COUNTING = 5
"""Raised with every change of what is counted: partial results of another version are no use."""


@dataclass(frozen=True)
class Material:
    """What a model is run over: the same for the model and for its control."""

    dev: Sequence[WordText]
    test: Sequence[WordText]
    relations: tuple[str, ...]
    frequencies: Counter[str]
    gap: Sequence[GapText]
    seed: int


@dataclass(frozen=True, eq=False)
class SplitTally(Tally):
    """What is counted over one split of the treebank."""

    syntax: SyntaxTally
    rarity: RarityTally
    surface: SurfaceTally


@dataclass(frozen=True)
class Counted:
    """All that was counted with one model."""

    dev: SplitTally
    test: SplitTally
    gap: CoreferenceTally | None  # None without items this model can be asked
    synthetic: Synthetic | None  # None for a model that is not causal
    sink: Sink
    variability: Variability


def survey(
    model: LoadedModel, material: Material, saved: PartialResults, name: str, progress: Progress
) -> Counted:
    """Count everything with one model; `name` starts the names of its partial results."""
    dev, test = (
        saved.count(
            f"{name} treebank {split}", SplitTally, list(batch_by_length(texts)),
            partial(count_split, model, material=material, surface=split == "dev"), progress,
        )
        for split, texts in (("dev", material.dev), ("test", material.test))
    )  # fmt: skip
    gap = synthetic = None
    if material.gap:
        batches = list(batch_by_length(material.gap))
        count = partial(count_gap, model)
        gap = saved.count(f"{name} gap", CoreferenceTally, batches, count, progress)
    sentences = [text.sentence.text for text in material.dev]
    compute_sink = partial(measure_sink, model, sentences, seed=material.seed)
    sink = saved.compute(f"{name} sink", Sink, compute_sink)
    texts = [text.tokenized for text in material.dev]
    compute = partial(measure_variability, model, texts, seed=material.seed)
    variability = saved.compute(f"{name} variability", Variability, compute)
    if model.architecture.kind == "decoder":
        synthetic = saved.compute(f"{name} synthetic", Synthetic, partial(measure_synthetic, model))
    return Counted(dev, test, gap, synthetic, sink, variability)


def count_split(
    model: LoadedModel, batch: Sequence[WordText], material: Material, *, surface: bool
) -> SplitTally:
    """Count one batch of a treebank; the surface metrics, which take longest, only if wanted."""
    heads = (model.architecture.n_layers, model.architecture.n_heads)
    causal = model.architecture.kind == "decoder"
    texts = [text.tokenized for text in batch]
    pooling = Pooling.of(batch, model.device)
    arcs = Arcs.of(batch, material.relations, causal=causal, device=model.device)
    rare = RareWords.of(batch, material.frequencies, model.device, causal=causal)
    syntax, rarity = SyntaxTally.empty(material.relations, *heads), RarityTally.empty(*heads)
    syntax.count_questions(arcs)
    n_tokens = len(batch[0].word)
    uniform = uniform_attention(n_tokens, n_tokens, causal=causal).to(model.device)
    syntax.count_uniform(arcs, pool_words(uniform.expand(len(batch), 1, -1, -1), pooling))
    rarity.count_questions(rare)
    metrics = SurfaceCounter(model, texts) if surface else None

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        layer, maps = capture.site.layer, pool_words(pattern, pooling)
        syntax.count_answers(arcs, layer, maps)
        rarity.count_answers(rare, layer, maps)
        if metrics is not None:
            metrics(capture, pattern)

    model.forward_all(texts, Tap(on_pattern))
    return SplitTally(syntax, rarity, metrics.tally if metrics else SurfaceTally.empty(*heads))


def count_gap(model: LoadedModel, batch: Sequence[GapText]) -> CoreferenceTally:
    mentions = Mentions.of(batch, model.device)
    tally = CoreferenceTally.empty(model.architecture.n_layers, model.architecture.n_heads)
    tally.count_questions(mentions)
    run_batch(model, batch, partial(tally.count_answers, mentions))
    return tally
