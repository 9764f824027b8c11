"""`headscope atlas build`: from corpora to an atlas that the server answers with."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.cli.atlas import build_atlas
from backend.settings import Settings
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.storage import built_path
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


def test_a_built_atlas_is_what_the_server_answers_with(
    treebank: Path,
    tmp_path: Path,
    settings_for: Callable[..., Settings],
    client_for: ClientFor,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = settings_for(models_dir=tmp_path)
    build_atlas("headscope-tiny", Corpora(treebank), settings, seed=3, out=None)
    path = built_path("headscope-tiny", tmp_path)
    assert "heads have a role" in capsys.readouterr().out
    with client_for(models_dir=tmp_path) as client:
        answer = client.get("/api/v1/models/headscope-tiny/atlas").json()
    assert answer["made"]["seed"] == 3
    assert answer["data"]["treebank"]["test"]["used"] == 4
    assert answer["revision_matches"] is True
    assert json.loads(path.read_text())["roles"] == answer["roles"]
    assert list(path.parent.iterdir()) == [path], "no partial results are left"


def test_an_atlas_goes_where_it_is_told(
    treebank: Path, tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    out = tmp_path / "elsewhere" / "own.json"
    build_atlas("headscope-tiny", Corpora(treebank), settings_for(), seed=0, out=out)
    assert json.loads(out.read_text())["model"]["id"] == "headscope-tiny"


def test_a_treebank_that_is_not_there_is_told_before_any_work(
    tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    corpora = Corpora(tmp_path / "nowhere")
    with pytest.raises(InputError, match="nowhere"):
        build_atlas("headscope-tiny", corpora, settings_for(models_dir=tmp_path), seed=0, out=None)


def test_a_model_that_is_not_here_is_told(
    treebank: Path, tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    with pytest.raises(ModelUnavailable):
        build_atlas("gpt2", Corpora(treebank), settings_for(models_dir=tmp_path), seed=0, out=None)
