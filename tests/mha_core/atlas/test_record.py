"""An atlas goes into a file and comes back; a broken one is told, with what to do."""

import json
from pathlib import Path

import pytest

from mha_core.atlas.record import FORMAT, PARTS, SHIPPED, Atlas, built_path, read_atlas, write_atlas
from mha_core.errors import UnreadableAtlas


def small_atlas(model: str = "own", **changes: object) -> Atlas:
    shape = {"id": model, "revision": "r1", "n_layers": 1, "n_heads": 2}
    parts = dict.fromkeys(PARTS)
    numbers = {
        "measures": {"previous": {"values": [0.1, None]}},
        "layout": [[0, 0], [1, 1]],
        "distances": [[0, 0.5], [0.5, 0]],
    }
    return Atlas({**parts, "format": FORMAT, "model": shape, **numbers, **changes})


def test_an_atlas_comes_back_as_it_was(tmp_path: Path) -> None:
    atlas = small_atlas(words=["it", "→", '"quoted"'], nested={"a": {"b": [1, None, 0.25]}})
    write_atlas(atlas, built_path("own", tmp_path))
    found = read_atlas("own", tmp_path)
    assert found == atlas
    assert found.revision == "r1"
    assert found.heads == [(0, 0), (0, 1)]


def test_the_file_has_a_line_for_each_entry(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    write_atlas(small_atlas(), path)
    lines = path.read_text().splitlines()
    assert "  [0,0.5]," in lines
    assert json.loads(path.read_text()) == small_atlas().document


def test_a_model_without_an_atlas_has_none(tmp_path: Path) -> None:
    assert read_atlas("nobody", tmp_path) is None


def test_an_id_with_slashes_stays_in_the_directory(tmp_path: Path) -> None:
    path = built_path("../../etc/passwd", tmp_path)
    assert path.parent == tmp_path / "atlases"


def test_one_built_here_goes_before_the_shipped_one(tmp_path: Path) -> None:
    own = small_atlas("minilm", mine=True)
    write_atlas(own, built_path("minilm", tmp_path))
    assert read_atlas("minilm", tmp_path) == own


BROKEN = [
    *(
        "",
        "[1]",
        '{"no": "format"}',
        '{"format": 99}',
        '{"format": 1}',
        '{"format": 1, "model": 3}',
    ),
    json.dumps(small_atlas("another").document),
    json.dumps(small_atlas(layout=[[0, 0]]).document),
    json.dumps({name: part for name, part in small_atlas().document.items() if name != "roles"}),
]


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_file_is_told(tmp_path: Path, content: str) -> None:
    path = built_path("own", tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text(content)
    with pytest.raises(UnreadableAtlas, match="headscope atlas build"):
        read_atlas("own", tmp_path)


def test_every_model_that_is_fetched_by_default_has_its_atlas() -> None:
    from backend.settings import Settings

    for model in (*Settings().fetch, "headscope-tiny"):
        assert (SHIPPED / f"{model}.json").is_file()
