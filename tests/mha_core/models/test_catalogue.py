"""The list of models is sound, quick to read, and finds what people mean."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mha_core.errors import UnknownModel
from mha_core.models.catalogue import CATALOGUE, CatalogueEntry, all_models, entry_for, find

PACKAGED = [entry for entry in CATALOGUE if entry.package is not None]


def test_ids_are_unique_and_every_model_is_found_by_its_own() -> None:
    ids = [entry.id for entry in CATALOGUE]
    assert len(set(ids)) == len(ids)
    assert all(find(entry.id) is entry for entry in CATALOGUE)


def test_every_model_says_where_it_comes_from_and_what_it_is() -> None:
    for entry in CATALOGUE:
        assert any((entry.package, entry.hub_id, entry.checkpoint))
        assert all((entry.name, entry.licence, entry.about))
        assert "\n" not in entry.about


def test_a_model_that_is_not_built_in_has_its_published_shape() -> None:
    for entry in CATALOGUE:
        assert (entry.architecture is None) == (entry.checkpoint is not None)


@pytest.mark.parametrize("entry", PACKAGED, ids=lambda entry: entry.id)
def test_a_package_is_pinned_to_one_file(entry: CatalogueEntry) -> None:
    package = entry.package
    assert package is not None
    assert re.fullmatch(r"[0-9a-f]{64}", package.sha256)
    assert package.size > 0
    distribution = package.project.replace("-", "_")
    assert package.wheel == f"{distribution}-{package.version}-py3-none-any.whl"
    assert package.revision == f"{package.project}-{package.version}-{package.sha256[:12]}"


def test_the_models_people_know_are_there() -> None:
    expected = {"minilm", "smollm2", "headscope-tiny", "bert-base-uncased", "gpt2", "distilgpt2"}
    expected |= {"distilbert-base-uncased", "roberta-base", "gpt2-medium"}
    assert {entry.id for entry in CATALOGUE} == expected


def test_an_unknown_model_is_answered_with_those_there_are() -> None:
    with pytest.raises(
        UnknownModel, match=r"no model 'gpt9'\. There are: minilm, smollm2"
    ) as error:
        find("gpt9")
    assert error.value.details["available"] == [entry.id for entry in CATALOGUE]


def test_an_extra_model_is_found_too() -> None:
    extra = entry_for("org/name")
    assert find("org/name", [extra]) is extra
    assert all_models([extra])[-1] is extra


def test_a_name_can_be_a_hub_id() -> None:
    entry = entry_for("EleutherAI/pythia-14m")
    assert (entry.id, entry.hub_id) == ("EleutherAI/pythia-14m", "EleutherAI/pythia-14m")


def test_a_name_can_be_a_catalogue_id() -> None:
    assert entry_for("gpt2") is find("gpt2")


def test_a_name_can_be_a_directory_even_one_that_is_not_there_yet(tmp_path: Path) -> None:
    entry = entry_for(str(tmp_path / "mine"))
    assert (entry.id, entry.directory) == ("mine", tmp_path / "mine")
    assert entry_for("./mine").directory == Path.cwd() / "mine"


def test_a_directory_named_like_a_model_stands_in_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpt2").mkdir()
    monkeypatch.chdir(tmp_path)
    entry = entry_for("gpt2")
    assert entry.directory == tmp_path / "gpt2"
    models = all_models([entry])
    assert len(models) == len(CATALOGUE)
    assert find("gpt2", [entry]) is entry


@pytest.mark.parametrize(
    "spec", ["", "no such model", "org/name/more", "org/../name", "org/..", "a/"]
)
def test_nonsense_is_refused(spec: str) -> None:
    with pytest.raises(UnknownModel):
        entry_for(spec)


def test_listing_the_catalogue_does_not_wait_for_torch() -> None:
    code = (
        "import sys, mha_core.models.catalogue; print({'torch', 'transformers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
