"""What a section is built with: the model and its nulls, the texts, saved parts, progress."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from mha_core.atlas.corpora import Material
from mha_core.atlas.null_models import NULL_MODELS, build_null_model
from mha_core.atlas.partial_results import PartialResults
from mha_core.atlas.tally import ArrayResult, Tally
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress

AnyResult = TypeVar("AnyResult", bound=ArrayResult)
AnyTally = TypeVar("AnyTally", bound=Tally)
Batch = TypeVar("Batch")

TRAINED = "trained"


@dataclass(frozen=True)
class SectionRun:
    """One section of one model's atlas under way."""

    section: str
    model: LoadedModel
    material: Material
    saved: PartialResults
    seed: int
    progress: Progress

    @property
    def trained(self) -> "Subject":
        return Subject(TRAINED, "The model itself.", self, lambda: self.model)

    @property
    def causal(self) -> bool:
        return self.model.architecture.kind == "decoder"

    @property
    def texts(self) -> str:
        """What plain texts are, in words."""
        own = self.material.treebank_source is None
        return "HeadScope's own sentences" if own else "the dev set"

    @property
    def n_heads(self) -> int:
        """Of a layer."""
        return self.model.architecture.n_heads

    def null_models(self) -> Iterator["Subject"]:
        """One after another: a null model is as large as the model."""
        for id, what in NULL_MODELS.items():

            def build(id: str = id) -> LoadedModel:
                self.progress(f"{self.section}: building the null model ({id})", 0, 0)
                return build_null_model(id, self.model, self.material.tokenized, self.seed).model

            yield Subject(id, what, self, build)


@dataclass(frozen=True, eq=False)
class Subject:
    """The model or a null model; built only if a part of its results is not saved yet."""

    id: str
    what: str
    run: SectionRun
    build: Callable[[], LoadedModel] = field(repr=False)

    @cached_property
    def model(self) -> LoadedModel:
        return self.build()

    def count(
        self,
        part: str,
        kind: type[AnyTally],
        batches: Sequence[Batch],
        count: Callable[[LoadedModel, Batch], AnyTally],
    ) -> AnyTally:
        """The sum of `count` over batches, saved on the way."""
        name = f"{self.run.section}: {part} ({self.id})"
        return self.run.saved.count(
            name, kind, batches, lambda batch: count(self.model, batch), self.run.progress
        )

    def compute(
        self, part: str, kind: type[AnyResult], compute: Callable[[LoadedModel], AnyResult]
    ) -> AnyResult:
        """A result computed in one go, and saved."""
        name = f"{self.run.section}: {part} ({self.id})"
        self.run.progress(name, 0, 0)
        return self.run.saved.compute(name, kind, lambda: compute(self.model))
