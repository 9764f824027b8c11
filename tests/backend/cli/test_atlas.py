"""`headscope atlas build`: from corpora to an atlas that the server answers with."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from backend.cli.atlas import build_atlas, choose_sections
from backend.settings import Settings
from backend.wire.errors import BuildRunning, CannotMeasure
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.record import SECTIONS, SectionName
from mha_core.atlas.storage import built_path, partial_results_path
from mha_core.errors import InputError, ModelUnavailable
from tests.backend.conftest import ClientFor

CONLLU = """\
# sent_id = {number}
# text = The old dog chased cats.
1\tThe\tthe\tDET\t_\t_\t3\tdet\t_\t_
2\told\told\tADJ\t_\t_\t3\tamod\t_\t_
3\tdog\tdog\tNOUN\t_\t_\t4\tnsubj\t_\t_
4\tchased\tchase\tVERB\t_\t_\t0\troot\t_\t_
5\tcats\tcat\tNOUN\t_\t_\t4\tobj\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_
"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    folder = tmp_path / "ud"
    folder.mkdir()
    for split in ("dev", "test"):
        sentences = [CONLLU.format(number=f"{split}-{at}") for at in range(4)]
        (folder / f"en_own-ud-{split}.conllu").write_text("\n".join(sentences))
    return folder


@pytest.fixture
def folder(model_directory: Callable[[str], Path]) -> Path:
    """A small random BERT: quick to measure, and without roles."""
    return model_directory("bert")


def test_a_built_atlas_is_what_the_server_answers_with(
    folder: Path,
    treebank: Path,
    tmp_path: Path,
    settings_for: Callable[..., Settings],
    client_for: ClientFor,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = settings_for(models_dir=tmp_path)
    only: tuple[SectionName, ...] = ("surface", "syntax")
    build_atlas(str(folder), Corpora(treebank), settings, only=only, seed=3, out=None)
    path = built_path(folder.name, tmp_path)
    with client_for(models_dir=tmp_path, extra_models=(str(folder),)) as client:
        answer = client.get(f"/api/v1/models/{folder.name}/atlas").json()
    assert list(answer["sections"]) == ["surface", "syntax"]
    syntax = answer["sections"]["syntax"]
    assert syntax["made"]["seed"] == 3
    assert syntax["data"]["treebank"]["test"]["used"] == 4
    assert answer["revision_matches"] is True
    assert list(path.parent.iterdir()) == [path], "no partial results are left"
    said = " ".join(capsys.readouterr().out.split())
    counts = answer["counts"]
    with_role = f"{counts['with_role']} of 8 heads have a role"
    assert f"{with_role}, {counts['beyond_idle']} not counting sinks" in said
    for null in answer["nulls"]:
        assert f"{null['section']}, {null['id']}: {null['roles']} roles in" in said


def test_without_corpora_the_sections_that_need_them_are_left_out_in_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert choose_sections("encoder", Corpora(), ()) == ("surface", "sink", "similarity")
    said = " ".join(capsys.readouterr().out.split())
    assert "Measuring surface, sink, similarity." in said
    assert "Leaving out syntax: it needs a treebank" in said
    assert "--treebank" in said
    assert "Leaving out coreference: it needs a file of the GAP corpus" in said
    assert "--gap" in said
    assert "Leaving out copy: it needs a causal model." in said
    assert choose_sections("decoder", Corpora(Path("ud"), Path("gap.tsv")), ()) == SECTIONS
    assert choose_sections("decoder", Corpora(), ("similarity", "sink")) == ("sink", "similarity")


def test_a_section_that_cannot_be_measured_is_refused_before_any_work(
    tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    settings = settings_for(models_dir=tmp_path)
    with pytest.raises(CannotMeasure, match=r"syntax needs a treebank.*--treebank") as refused:
        build_atlas(
            "headscope-tiny", Corpora(), settings, only=("sink", "syntax"), seed=0, out=None
        )
    assert refused.value.details["needs"].keys() == {"syntax"}
    assert not built_path("headscope-tiny", tmp_path).exists()


def test_an_atlas_goes_where_it_is_told_and_keeps_its_other_sections(
    folder: Path,
    tmp_path: Path,
    settings_for: Callable[..., Settings],
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "elsewhere" / "own.json"
    out.parent.mkdir()
    out.write_text('{"format": 1}')
    options = {"seed": 0, "out": out}
    build_atlas(str(folder), Corpora(), settings_for(), only=("sink",), **options)
    assert "has format 1" in " ".join(capsys.readouterr().err.split())
    first = json.loads(out.read_text())
    assert (first["model"]["id"], list(first["sections"])) == (folder.name, ["sink"])
    build_atlas(str(folder), Corpora(), settings_for(), only=("similarity",), **options)
    both = json.loads(out.read_text())["sections"]
    assert list(both) == ["sink", "similarity"]
    assert both["sink"] == first["sections"]["sink"]


def test_each_section_is_in_the_file_as_soon_as_it_is_done(
    folder: Path,
    tmp_path: Path,
    settings_for: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second run is interrupted in its last section, and continued."""
    settings, path = settings_for(models_dir=tmp_path), built_path(folder.name, tmp_path)
    only: tuple[SectionName, ...] = ("sink", "similarity")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("mha_core.atlas.sections.similarity.lay_out", interrupt)
        with pytest.raises(KeyboardInterrupt):
            build_atlas(str(folder), Corpora(), settings, only=only, seed=0, out=None)
    before = json.loads(path.read_text())["sections"]
    assert list(before) == ["sink"]
    assert partial_results_path(path).is_dir()
    build_atlas(str(folder), Corpora(), settings, only=only, seed=0, out=None)
    after = json.loads(path.read_text())["sections"]
    assert list(after) == ["sink", "similarity"]
    assert after["sink"] == before["sink"], "not measured once more, or its seconds would differ"
    assert not partial_results_path(path).exists()


def test_an_atlas_that_another_process_builds_is_left_to_it(
    folder: Path, tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    settings, path = settings_for(models_dir=tmp_path), built_path(folder.name, tmp_path)
    directory = partial_results_path(path)
    directory.mkdir(parents=True)
    with FileLock(directory / "lock"), pytest.raises(BuildRunning, match=folder.name):
        build_atlas(str(folder), Corpora(), settings, only=("similarity",), seed=0, out=None)
    assert not path.exists()


@pytest.mark.parametrize("name", ["treebank", "gap"])
def test_a_corpus_that_is_not_there_is_told_before_any_work(
    name: str, tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    corpora, settings = Corpora(**{name: tmp_path / "nowhere"}), settings_for(models_dir=tmp_path)
    with pytest.raises(InputError, match="nowhere"):
        build_atlas("headscope-tiny", corpora, settings, only=(), seed=0, out=None)


def test_a_model_that_is_not_here_is_told(
    treebank: Path, tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    settings = settings_for(models_dir=tmp_path)
    with pytest.raises(ModelUnavailable):
        build_atlas("gpt2", Corpora(treebank), settings, only=(), seed=0, out=None)
