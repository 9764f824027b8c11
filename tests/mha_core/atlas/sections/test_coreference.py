"""The section on GAP asks heads whom pronouns mean, and its nulls as often as it says."""

from pathlib import Path

import pytest

from mha_core.atlas import contest
from mha_core.atlas.build import build
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.null_models import NULL_MODELS
from mha_core.atlas.record import Atlas
from mha_core.atlas.sections.coreference import EXCHANGES
from mha_core.models.loading import LoadedModel


def test_every_head_has_a_share_of_the_half_that_reports(small_atlas: Atlas) -> None:
    section = small_atlas.sections["coreference"]
    measure = section.measures["gap"]
    assert section.data.gap is not None
    assert 0 < measure.n <= section.data.gap.used
    assert all(value is not None and 0 <= value <= 1 for value in measure.values)
    assert section.data.gap.source == "a corpus"
    assert section.examples_source == "Pronouns: a corpus."


def test_a_few_pronouns_prove_nothing(small_atlas: Atlas) -> None:
    section = small_atlas.sections["coreference"]
    assert section.roles == section.relations == section.not_above == []
    assert section.measures["gap"].baseline is None
    assert section.examples == {}
    assert section.nulls == [], "where no role can be found, nulls without roles say nothing"


def test_nulls_are_three_models_and_exchanged_answers(
    tiny: LoadedModel, small_corpora: Corpora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest, "MIN_N", 1)
    atlas = build(tiny, small_corpora, directory=tmp_path / "parts", only=("coreference",))
    nulls = atlas.sections["coreference"].nulls
    assert [null.id for null in nulls] == [*NULL_MODELS, "exchanged answers"]
    assert [null.runs for null in nulls] == [1, 1, 1, EXCHANGES]
    assert all(null.counts_as_false and null.roles == 0 for null in nulls)
