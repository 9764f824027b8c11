"""The texts behind an atlas: where they lie, which version, how many of them a model can read."""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mha_core.atlas.coreference import GapText, tokenize_items
from mha_core.atlas.gap import read_gap
from mha_core.atlas.own_sentences import read_own_sentences
from mha_core.atlas.rarity import count_words
from mha_core.atlas.record import SectionName
from mha_core.atlas.sources import GapSource, PlainTexts, TreebankSource
from mha_core.atlas.treebank import SPLITS, find_splits, fingerprint, read_treebank
from mha_core.atlas.word_maps import WordText, tokenize_sentences
from mha_core.models.loading import LoadedModel
from mha_core.text.tokens import TokenizedText


@dataclass(frozen=True, eq=False)
class Material:
    """The texts as a model reads them; without a treebank or GAP, what needs them is empty."""

    dev: Sequence[WordText]
    test: Sequence[WordText]
    frequencies: Counter[str]
    gap: Sequence[GapText]
    sentences: Sequence[str]  # plain texts: those of dev, or HeadScope's own
    tokenized: Sequence[TokenizedText]  # the same
    treebank_source: TreebankSource | None
    gap_source: GapSource | None
    text_source: PlainTexts

    @property
    def versions(self) -> list[str]:
        """What changes when the files do."""
        treebank = {} if self.treebank_source is None else self.treebank_source.version
        return [*treebank.values(), *([self.gap_source.version] if self.gap_source else [])]


@dataclass(frozen=True)
class Corpora:
    """Files of texts, and their sources in words."""

    treebank: Path | None = None
    gap: Path | None = None
    treebank_source: str | None = None
    gap_source: str | None = None

    def command(self, model_id: str, section: SectionName, seed: int) -> str:
        """What to type for the same section; of paths only the last part."""
        given = {
            "only": section,
            "treebank": self.treebank and self.treebank.name,
            "gap": self.gap and self.gap.name,
            "treebank-source": self.treebank_source,
            "gap-source": self.gap_source,
            "seed": str(seed),
        }
        options = [f"--{name} {shlex.quote(value)}" for name, value in given.items() if value]
        return " ".join(["headscope atlas build", shlex.quote(model_id), *options])

    def prepare(self, model: LoadedModel) -> Material:
        """Read everything and cut it with the model's tokenizer."""
        tokenizer, max_tokens = model.tokenizer, model.architecture.max_tokens
        dev: list[WordText] = []
        test: list[WordText] = []
        frequencies: Counter[str] = Counter()
        treebank = None
        if self.treebank is not None:
            files = find_splits(self.treebank)
            sentences = [read_treebank(files[split]) for split in SPLITS]
            (dev, dev_used), (test, test_used) = (
                tokenize_sentences(split, tokenizer, max_tokens) for split in sentences
            )
            frequencies = count_words(sentence for split in sentences for sentence in split)
            treebank = TreebankSource(
                source=self.treebank_source or self.treebank.name,
                version={split: fingerprint(path) for split, path in files.items()},
                dev=dev_used,
                test=test_used,
            )
        gap, gap_source = self._prepare_gap(model)
        texts, text_source = self._prepare_texts(model, dev, treebank)
        return Material(
            dev=dev,
            test=test,
            frequencies=frequencies,
            gap=gap,
            sentences=[text.text for text in texts],
            tokenized=texts,
            treebank_source=treebank,
            gap_source=gap_source,
            text_source=text_source,
        )

    def _prepare_gap(self, model: LoadedModel) -> tuple[list[GapText], GapSource | None]:
        if self.gap is None:
            return [], None
        causal = model.architecture.kind == "decoder"
        texts, skipped = tokenize_items(
            read_gap(self.gap), model.tokenizer, model.architecture.max_tokens, causal=causal
        )
        return texts, GapSource(
            source=self.gap_source or self.gap.name,
            version=fingerprint(self.gap),
            used=len(texts),
            skipped=skipped,
        )

    def _prepare_texts(
        self, model: LoadedModel, dev: Sequence[WordText], treebank: TreebankSource | None
    ) -> tuple[list[TokenizedText], PlainTexts]:
        """Sentences without their trees: those of dev, else HeadScope's own."""
        if treebank is not None:
            texts, source = [text.tokenized for text in dev], f"{treebank.source}, dev split"
        else:
            limit = model.architecture.max_tokens
            every = [model.tokenize(sentence) for sentence in read_own_sentences()]
            texts = [text for text in every if len(text.tokens) <= limit]
            source = "HeadScope's own sentences"
        return texts, PlainTexts(source=source, texts=len(texts))
