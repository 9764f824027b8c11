"""A section's steps are saved by name, and null models are built only when they are needed."""

from pathlib import Path

import numpy as np
import pytest

from mha_core.atlas.coreference import NameChoices
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.null_models import NULL_MODELS
from mha_core.atlas.partial_results import PartialResults
from mha_core.atlas.sections.run import SectionRun, Subject
from mha_core.atlas.variability import Variability
from mha_core.models.loading import LoadedModel


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def run(
    tiny: LoadedModel, small_corpora: Corpora, tmp_path: Path, messages: list[str]
) -> SectionRun:
    def progress(message: str, done: int, total: int) -> None:
        messages.append(message)

    material = small_corpora.prepare(tiny)
    return SectionRun("surface", tiny, material, PartialResults(tmp_path, {}), 0, progress)


def variability_of(subject: Subject, asked: list[LoadedModel]) -> Variability:
    def measure(model: LoadedModel) -> Variability:
        asked.append(model)
        return Variability(np.zeros((2, 8)), np.array(1))

    return subject.compute("variability", Variability, measure)


def test_the_model_and_its_nulls_are_asked_the_same(run: SectionRun, messages: list[str]) -> None:
    asked: list[LoadedModel] = []
    subjects = [run.trained, *run.null_models()]
    assert [subject.id for subject in subjects] == ["trained", *NULL_MODELS]
    for subject in subjects:
        variability_of(subject, asked)
    assert asked[0] is run.model
    assert len({model.revision for model in asked}) == 4
    named = [f"surface: variability ({subject.id})" for subject in subjects]
    assert [message for message in messages if "variability" in message] == named
    assert [message for message in messages if "building" in message] == [
        f"surface: building the null model ({id})" for id in NULL_MODELS
    ]


def test_a_null_model_whose_results_are_saved_is_not_built_again(
    run: SectionRun, messages: list[str]
) -> None:
    first = next(run.null_models())
    variability_of(first, [])
    messages.clear()
    again: list[LoadedModel] = []
    variability_of(next(run.null_models()), again)
    assert again == []
    assert messages == ["surface: variability (random)"]


def test_batches_are_added_up_with_the_subjects_own_model(run: SectionRun) -> None:
    subject = next(run.null_models())
    seen: list[LoadedModel] = []

    def count(model: LoadedModel, batch: int) -> NameChoices:
        seen.append(model)
        return NameChoices(np.full((batch, 2, 8), batch, np.int8))

    total = subject.count("names", NameChoices, [1, 2], count)
    assert total.chosen[:, 0, 0].tolist() == [1, 2, 2]
    assert seen == [subject.model] * 2


def test_texts_are_named_by_where_they_come_from(run: SectionRun, tiny: LoadedModel) -> None:
    assert run.texts == "the dev set"
    own = SectionRun("sink", tiny, Corpora().prepare(tiny), run.saved, 0, run.progress)
    assert own.texts == "HeadScope's own sentences"
    assert own.causal
    assert own.n_heads == 8
