"""The texts behind an atlas: where they lie, which version, how many of them a model can read."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from mha_core.atlas.coreference import GapText, tokenize_items
from mha_core.atlas.gap import read_gap
from mha_core.atlas.rarity import count_words
from mha_core.atlas.record import AtlasData, GapSource, SyntheticTexts, TreebankSource
from mha_core.atlas.survey import Material
from mha_core.atlas.syntax import list_relations
from mha_core.atlas.synthetic import LENGTH, N_TEXTS, SEEDS
from mha_core.atlas.template import Template
from mha_core.atlas.treebank import SPLITS, find_splits, fingerprint, read_treebank
from mha_core.atlas.word_maps import tokenize_sentences
from mha_core.models.loading import LoadedModel


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

    def prepare(self, model: LoadedModel, seed: int) -> tuple[Material, AtlasData]:
        """Read everything and cut it with the model's tokenizer; with its part of the record."""
        tokenizer, max_tokens = model.tokenizer, model.architecture.max_tokens
        files = find_splits(self.treebank)
        dev, test = (read_treebank(files[split]) for split in SPLITS)
        dev_texts, dev_used = tokenize_sentences(dev, tokenizer, max_tokens)
        test_texts, test_used = tokenize_sentences(test, tokenizer, max_tokens)
        treebank = TreebankSource(
            source=self.source,
            version={split: fingerprint(path) for split, path in files.items()},
            dev=dev_used,
            test=test_used,
        )
        gap = None
        gap_texts: list[GapText] = []
        if self.gap is not None:
            items, causal = read_gap(self.gap), model.architecture.kind == "decoder"
            gap_texts, skipped = tokenize_items(items, tokenizer, max_tokens, causal=causal)
            gap = GapSource(
                source=self.gap_source or self.gap.name,
                version=fingerprint(self.gap),
                used=len(gap_texts),
                skipped=skipped,
            )
        everything = [*dev, *test]
        relations, frequencies = list_relations(everything), count_words(everything)
        material = Material(dev_texts, test_texts, relations, frequencies, gap_texts, seed)
        synthetic = _describe_synthetic(model)
        return material, AtlasData(treebank=treebank, gap=gap, synthetic=synthetic)


def _describe_synthetic(model: LoadedModel) -> SyntheticTexts | None:
    if model.architecture.kind != "decoder":
        return None
    bos = bool(Template.of(model.tokenizer).before)
    return SyntheticTexts(tokens=LENGTH, said=2, texts=N_TEXTS, seeds=list(SEEDS), bos=bos)
