"""The texts behind an atlas: where they lie, which version, how many of them a model can read."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mha_core.atlas.coreference import GapTexts, tokenize_items
from mha_core.atlas.gap import read_gap
from mha_core.atlas.rarity import count_words
from mha_core.atlas.record import AtlasData, CorpusSplit, GapSource, SyntheticTexts, TreebankSource
from mha_core.atlas.survey import Material
from mha_core.atlas.syntax import list_relations
from mha_core.atlas.synthetic import LENGTH, N_TEXTS, SEEDS
from mha_core.atlas.template import Template
from mha_core.atlas.treebank import find_splits, fingerprint, read_treebank
from mha_core.atlas.word_maps import WordTexts, tokenize_sentences
from mha_core.models.loading import LoadedModel


@dataclass(frozen=True)
class Prepared:
    """The corpora as one model reads them, and their part of the record."""

    material: Material
    versions: Mapping[str, str]
    record: AtlasData


@dataclass(frozen=True)
class Corpora:
    """Files of texts, and their sources in words."""

    treebank: Path
    gap: Path | None = None
    treebank_source: str | None = None
    gap_source: str | None = None

    def command(self, model_id: str, seed: int) -> str:
        """What to type for the same atlas; of paths only the last part."""
        given = {
            "treebank": self.treebank.name,
            "gap": self.gap and self.gap.name,
            "treebank-source": self.treebank_source,
            "gap-source": self.gap_source,
            "seed": str(seed),
        }
        options = [f"--{name} {shlex.quote(value)}" for name, value in given.items() if value]
        return " ".join(["headscope atlas build", shlex.quote(model_id), *options])

    @property
    def source(self) -> str:
        """Name, version and licence of the treebank."""
        return self.treebank_source or self.treebank.name

    @property
    def examples_source(self) -> str:
        """The line to show under an example."""
        gap = f"; pronouns: {self.gap_source or self.gap.name}" if self.gap else ""
        return f"Examples: {self.source}, test split{gap}."

    def prepare(self, model: LoadedModel, seed: int) -> Prepared:
        """Read everything and cut it with the model's tokenizer."""
        files = find_splits(self.treebank)
        versions = {split: fingerprint(path) for split, path in files.items()}
        sentences = {split: read_treebank(path) for split, path in files.items()}
        everything = [*sentences["dev"], *sentences["test"]]
        texts = {
            split: tokenize_sentences(read, model.tokenizer, model.architecture.max_tokens)
            for split, read in sentences.items()
        }
        items = self._read_gap(model)
        material = Material(
            dev=texts["dev"].texts,
            test=texts["test"].texts,
            relations=list_relations(everything),
            frequencies=count_words(everything),
            gap=items.texts if items else (),
            seed=seed,
        )
        treebank = TreebankSource(
            source=self.source,
            version=dict(versions),
            **{split: _count_used(texts[split], len(sentences[split])) for split in files},
        )
        gap = None
        if items is not None and self.gap is not None:
            versions["gap"] = fingerprint(self.gap)
            gap = GapSource(
                source=self.gap_source or self.gap.name,
                version=versions["gap"],
                used=len(items.texts),
                skipped=items.skipped,
            )
        record = AtlasData(treebank=treebank, gap=gap, synthetic=_describe_synthetic(model))
        return Prepared(material, versions, record)

    def _read_gap(self, model: LoadedModel) -> GapTexts | None:
        if self.gap is None:
            return None
        causal = model.architecture.kind == "decoder"
        items = read_gap(self.gap)
        return tokenize_items(items, model.tokenizer, model.architecture.max_tokens, causal=causal)


def _count_used(texts: WordTexts, n_sentences: int) -> CorpusSplit:
    return CorpusSplit(
        sentences=n_sentences,
        used=len(texts.texts),
        dropped=texts.dropped,
        words=texts.n_words,
        words_without_token=texts.without_token,
    )


def _describe_synthetic(model: LoadedModel) -> SyntheticTexts | None:
    if model.architecture.kind != "decoder":
        return None
    bos = bool(Template.of(model.tokenizer).before)
    return SyntheticTexts(tokens=LENGTH, said=2, texts=N_TEXTS, seeds=list(SEEDS), bos=bos)
