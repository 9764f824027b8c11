"""An atlas is read as it was written; a broken file is refused with what to do."""

import json
from pathlib import Path
from typing import Any

import pytest

from mha_core.atlas.record import Atlas
from mha_core.atlas.storage import SHIPPED, built_path, read_atlas, write_atlas
from mha_core.errors import UnreadableAtlas

SHIPPED_ATLASES = sorted(SHIPPED.glob("*.json"))


def document(**changes: object) -> dict[str, Any]:
    """The atlas of HeadScope's own model, two layers of eight heads, with changes."""
    found: dict[str, Any] = json.loads((SHIPPED / "headscope-tiny.json").read_text())
    return found | changes


def of_model(id: str, **changes: object) -> Atlas:
    return Atlas.model_validate(document(model=document()["model"] | {"id": id}, **changes))


@pytest.mark.parametrize("path", SHIPPED_ATLASES, ids=lambda path: path.stem)
def test_a_shipped_file_is_written_as_it_was_read(path: Path, tmp_path: Path) -> None:
    atlas = read_atlas(path.stem, tmp_path)
    assert atlas is not None
    write_atlas(atlas, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


def test_an_atlas_comes_back_as_it_was_with_fields_of_a_later_version(tmp_path: Path) -> None:
    later = {"words": ["it", "→", '"quoted"'], "nested": {"a": {"b": [1, None, 0.25]}}}
    measures = document()["measures"]
    measures["previous"]["median"] = [0.5]
    atlas = of_model("own", measures=measures, **later)
    write_atlas(atlas, built_path("own", tmp_path))
    found = read_atlas("own", tmp_path)
    assert found == atlas
    assert found.heads == [(layer, head) for layer in range(2) for head in range(8)]
    written = json.loads(built_path("own", tmp_path).read_text())
    assert {name: written[name] for name in later} == later
    assert written["measures"]["previous"]["median"] == [0.5]


def test_the_file_has_a_line_for_each_entry(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    write_atlas(Atlas.model_validate(document(layout=[[0, 0.5]] * 16)), path)
    assert path.read_text().splitlines().count("  [0.0,0.5],") == 15


def test_numbers_are_rounded_and_undefined_ones_are_null() -> None:
    written = of_model("own", stress=0.123456, best_accuracy=float("nan")).model_dump()
    assert written["stress"] == 0.1235
    assert written["best_accuracy"] is None


def test_a_model_without_an_atlas_has_none(tmp_path: Path) -> None:
    assert read_atlas("nobody", tmp_path) is None


def test_an_id_with_slashes_stays_in_the_directory(tmp_path: Path) -> None:
    path = built_path("../../etc/passwd", tmp_path)
    assert path.parent == tmp_path / "atlases"


def test_one_built_here_goes_before_the_shipped_one(tmp_path: Path) -> None:
    own = of_model("minilm", mine=True)
    write_atlas(own, built_path("minilm", tmp_path))
    assert read_atlas("minilm", tmp_path) == own


def without(part: str) -> dict[str, Any]:
    return {name: value for name, value in document().items() if name != part}


BROKEN: list[tuple[str, str]] = [
    ("", "is not a whole atlas"),
    ("[1]", "is not a whole atlas"),
    ('{"no": "format"}', "is not a whole atlas"),
    ('{"format": 99}', "has format 99"),
    ('{"format": 1}', "lacks model"),
    (json.dumps(document(model=3)), "is not a whole atlas"),
    (json.dumps(document(roles=[{}])), "lacks roles.0.id"),
    (json.dumps(document(stress="high")), "is not a whole atlas"),
    (json.dumps(document(layout=[[0, 0]])), "lacks numbers of some heads"),
    (json.dumps(without("roles")), "lacks roles"),
    (of_model("another").model_dump_json(), "is of the model another"),
]


@pytest.mark.parametrize(("content", "words"), BROKEN, ids=[words for _, words in BROKEN])
def test_a_broken_file_is_refused(tmp_path: Path, content: str, words: str) -> None:
    path = built_path("headscope-tiny", tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text(content)
    with pytest.raises(UnreadableAtlas, match="headscope atlas build") as refused:
        read_atlas("headscope-tiny", tmp_path)
    assert f"headscope-tiny.json {words}" in refused.value.message


def test_every_model_that_is_fetched_by_default_has_its_atlas() -> None:
    from backend.settings import Settings

    for model in (*Settings().fetch, "headscope-tiny"):
        assert (SHIPPED / f"{model}.json").is_file()
