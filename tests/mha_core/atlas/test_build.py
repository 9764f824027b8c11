"""An atlas is built from corpora, whole, and a shipped one can be made again."""

import json
from pathlib import Path

import numpy as np
import pytest

from mha_core.atlas.build import CHECKED, build, check
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.rarity import count_words
from mha_core.atlas.record import Atlas
from mha_core.atlas.specialisations import QUESTIONS
from mha_core.atlas.storage import built_path, read_atlas, write_atlas
from mha_core.atlas.survey import Material
from mha_core.atlas.syntax import list_relations
from mha_core.atlas.treebank import find_splits, fingerprint, read_treebank
from mha_core.atlas.word_maps import tokenize_sentences
from mha_core.models.loading import LoadedModel

Built = tuple[Atlas, list[str], Path]

MODELS = ("minilm", "smollm2", "headscope-tiny")


def shipped(model: str) -> Atlas:
    found = read_atlas(model, Path("nothing is built here"))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def small_corpora(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Corpora:
    """A few sentences and pronouns of the real corpora."""
    folder = tmp_path_factory.mktemp("corpora")
    for split in ("dev", "test"):
        lines = (shared_data / "ud_ewt" / f"ewt_{split}_compact.jsonl").read_text().splitlines()
        (folder / f"{split}.jsonl").write_text("\n".join(lines[:60]))
    lines = (shared_data / "gap" / "gap-test.tsv").read_text().splitlines()
    (folder / "gap.tsv").write_text("\n".join(lines[:13]) + "\n")
    return Corpora(folder, folder / "gap.tsv", "a treebank", "a corpus")


@pytest.fixture(scope="module")
def built(
    minilm: LoadedModel, small_corpora: Corpora, tmp_path_factory: pytest.TempPathFactory
) -> Built:
    messages: list[str] = []
    partial = tmp_path_factory.mktemp("build") / "partial"
    atlas = build(
        minilm,
        small_corpora,
        partial_results=partial,
        progress=lambda message, *_: messages.append(message),
    )
    return atlas, messages, partial


def test_an_atlas_says_where_it_comes_from(built: Built, minilm: LoadedModel) -> None:
    atlas = built[0]
    assert atlas.model.revision == minilm.revision
    assert atlas.data.treebank.source == "a treebank"
    assert atlas.data.treebank.dev.used == 60
    assert atlas.data.gap is not None
    assert atlas.data.gap.used + sum(atlas.data.gap.skipped.values()) == 12
    assert atlas.made.command.startswith("headscope atlas build minilm --treebank ")
    assert "/" not in atlas.made.command


def test_an_atlas_has_a_number_for_every_head_and_is_read_as_it_was_built(
    built: Built, tmp_path: Path
) -> None:
    atlas = built[0]
    write_atlas(atlas, built_path("minilm", tmp_path))
    document = json.loads(built_path("minilm", tmp_path).read_text(), parse_constant=pytest.fail)
    for measure in document["measures"].values():
        assert len(measure["values"]) == 72
    assert len(document["layout"]) == len(document["distances"]) == 72
    assert (
        set(document["similar"])
        == set(document["examples"])
        == {f"{layer}.{head}" for layer in range(6) for head in range(12)}
    )
    read = read_atlas("minilm", tmp_path)
    assert read is not None
    assert read.model_dump() == atlas.model_dump()


def test_every_specialisation_has_its_row_in_an_atlas(built: Built) -> None:
    names = [row.name for row in built[0].specialisations]
    assert names == [question.name for question in QUESTIONS]


def test_nothing_is_claimed_from_sixty_sentences_about_rare_relations(built: Built) -> None:
    assert all(row.n >= 100 for row in built[0].relations)


def test_progress_is_reported_and_the_partial_results_are_deleted(built: Built) -> None:
    _, messages, partial = built
    # Named after the model: one called "control" must not share its partial results with it.
    assert {"minilm treebank dev", "minilm control treebank test", "minilm gap"} <= set(messages)
    assert not partial.exists()


@pytest.mark.parametrize("model", MODELS)
def test_a_shipped_atlas_can_be_checked_on_a_slice(
    model: str, request: pytest.FixtureRequest, shared_data: Path
) -> None:
    fixture = {"headscope-tiny": "tiny"}.get(model, model)
    loaded: LoadedModel = request.getfixturevalue(fixture)
    atlas = shipped(model)
    assert atlas.model.revision == loaded.revision
    path = find_splits(shared_data / "ud_ewt")["test"]
    assert atlas.data.treebank.version["test"] == fingerprint(path)
    first = read_treebank(path)[: 2 * CHECKED]  # some are too long for a small model
    texts = tokenize_sentences(first, loaded.tokenizer, loaded.architecture.max_tokens)[0]
    material = Material((), texts, list_relations(first), count_words(first), (), seed=0)
    again = check(loaded, material)
    assert again.n == atlas.check.n > 500
    # Another machine may round otherwise, and so break a tie otherwise.
    assert np.abs(np.subtract(again.hits, atlas.check.hits)).max() <= 2
    assert again.sentences == CHECKED


@pytest.mark.parametrize("model", MODELS)
def test_no_role_survives_in_the_control_of_a_shipped_atlas(model: str) -> None:
    control = shipped(model).control
    assert control.roles == []
    assert not any(row.holds for row in control.relations)


@pytest.mark.parametrize("model", MODELS)
def test_every_role_of_a_shipped_atlas_beats_its_baseline(model: str) -> None:
    roles = shipped(model).roles
    assert roles
    for role in roles:
        for head in role.heads:
            assert head.n > 0
            assert head.value > (head.baseline or 0) + 0.1
            if role.group in ("syntax", "coreference"):
                assert head.low > head.baseline + 0.1  # type: ignore[operator]
            assert f"{head.n:,}" in head.evidence


def test_the_default_encoder_has_at_least_five_syntactic_roles_that_hold() -> None:
    roles = [role for role in shipped("minilm").roles if role.group == "syntax"]
    assert len({role.id.rpartition(":")[0] for role in roles}) >= 5
