"""The texts behind an atlas: where they lie, which version, how many of them a model can read.

This file must not count anything heads do.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mha_core.atlas.coreference import GapTexts, gap_texts
from mha_core.atlas.gap import read_gap
from mha_core.atlas.rarity import word_frequencies
from mha_core.atlas.survey import Material
from mha_core.atlas.syntax import relation_names
from mha_core.atlas.synthetic import LENGTH, N_TEXTS, SEEDS
from mha_core.atlas.template import Template
from mha_core.atlas.treebank import find_splits, fingerprint, read_treebank
from mha_core.atlas.word_maps import WordTexts, word_texts
from mha_core.models.loading import LoadedModel


@dataclass(frozen=True)
class Prepared:
    """The corpora as one model reads them, and what an atlas says of them."""

    material: Material
    versions: Mapping[str, str]
    record: dict[str, Any]


@dataclass(frozen=True)
class Corpora:
    """Where the texts lie, and what is to be said of them."""

    treebank: Path
    gap: Path | None = None
    treebank_source: str | None = None
    gap_source: str | None = None

    def command(self, model_id: str, seed: int) -> str:
        """What to type for the same atlas; of paths only the last part, the rest is anybody's."""
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
        """What to say under an example."""
        gap = f"; pronouns: {self.gap_source or self.gap.name}" if self.gap else ""
        return f"Examples: {self.source}, test split{gap}."

    def prepare(self, model: LoadedModel, seed: int) -> Prepared:
        """Read everything and cut it with the model's tokenizer."""
        files = find_splits(self.treebank)
        versions = {split: fingerprint(path) for split, path in files.items()}
        sentences = {split: read_treebank(path) for split, path in files.items()}
        everything = [*sentences["dev"], *sentences["test"]]
        texts = {
            split: word_texts(read, model.tokenizer, model.architecture.max_tokens)
            for split, read in sentences.items()
        }
        asked = self._gap(model)
        material = Material(
            dev=texts["dev"].texts,
            test=texts["test"].texts,
            relations=relation_names(everything),
            frequencies=word_frequencies(everything),
            gap=asked.texts if asked else (),
            seed=seed,
        )
        record = {
            "treebank": {
                "source": self.source,
                "version": dict(versions),
                **{split: _used(texts[split], len(sentences[split])) for split in files},
            },
            "gap": None,
            "synthetic": _synthetic_record(model),
        }
        if asked is not None and self.gap is not None:
            versions["gap"] = fingerprint(self.gap)
            record["gap"] = {
                "source": self.gap_source or self.gap.name,
                "version": versions["gap"],
                "used": len(asked.texts),
                "skipped": asked.skipped,
            }
        return Prepared(material, versions, record)

    def _gap(self, model: LoadedModel) -> GapTexts | None:
        if self.gap is None:
            return None
        causal = model.architecture.kind == "decoder"
        items = read_gap(self.gap)
        return gap_texts(items, model.tokenizer, model.architecture.max_tokens, causal=causal)


def _used(texts: WordTexts, n_sentences: int) -> dict[str, Any]:
    return {
        "sentences": n_sentences,
        "used": len(texts.texts),
        "dropped": texts.dropped,
        "words": texts.n_words,
        "words_without_token": texts.without_token,
    }


def _synthetic_record(model: LoadedModel) -> dict[str, Any] | None:
    if model.architecture.kind != "decoder":
        return None
    bos = bool(Template.of(model.tokenizer).before)
    return {"tokens": LENGTH, "said": 2, "texts": N_TEXTS, "seeds": list(SEEDS), "bos": bos}
