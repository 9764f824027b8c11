"""An atlas is read as it was written; a broken file is refused with what to do."""

import json
from pathlib import Path
from typing import Any

import pytest

from mha_core.atlas.record import Atlas
from mha_core.atlas.storage import (
    SHIPPED,
    built_path,
    partial_results_path,
    read_atlas,
    read_file,
    write_atlas,
)
from mha_core.errors import UnreadableAtlas
from tests.made_up_atlas import make_up_atlas

SHIPPED_ATLASES = sorted(SHIPPED.glob("*.json"))


def document(**changes: object) -> dict[str, Any]:
    """The made-up atlas of HeadScope's own model, two layers of eight heads, with changes."""
    return make_up_atlas() | changes


def with_section(name: str, **changes: object) -> dict[str, Any]:
    """The same with changes in one section."""
    sections = document()["sections"]
    return document(sections=sections | {name: sections[name] | changes})


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
    sections = document()["sections"]
    sections["surface"]["measures"]["entropy"]["median"] = [0.5]
    atlas = of_model("own", sections=sections, **later)
    write_atlas(atlas, built_path("own", tmp_path))
    found = read_atlas("own", tmp_path)
    assert found == atlas
    assert found.heads == [(layer, head) for layer in range(2) for head in range(8)]
    written = json.loads(built_path("own", tmp_path).read_text())
    assert {name: written[name] for name in later} == later
    assert written["sections"]["surface"]["measures"]["entropy"]["median"] == [0.5]


def test_the_file_has_a_line_for_each_entry(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    atlas = with_section("similarity", layout=[[0, 0.5]] * 16)
    write_atlas(Atlas.model_validate(atlas), path)
    assert path.read_text().splitlines().count("    [0.0,0.5],") == 15


def test_numbers_are_rounded_and_undefined_ones_are_null() -> None:
    measure = document()["sections"]["surface"]["measures"]["entropy"]
    measures = {"entropy": measure | {"baseline": float("nan")}}
    written = Atlas.model_validate(with_section("surface", measures=measures)).model_dump()
    assert written["sections"]["surface"]["measures"]["entropy"]["baseline"] is None
    written = Atlas.model_validate(with_section("similarity", stress=0.123456)).model_dump()
    assert written["sections"]["similarity"]["stress"] == 0.1235


def test_a_model_without_an_atlas_has_none(tmp_path: Path) -> None:
    assert read_atlas("nobody", tmp_path) is None


def test_an_id_with_slashes_stays_in_the_directory(tmp_path: Path) -> None:
    path = built_path("../../etc/passwd", tmp_path)
    assert path.parent == tmp_path / "atlases"


def test_one_built_here_goes_before_the_shipped_one(tmp_path: Path) -> None:
    own = of_model("minilm", mine=True)
    write_atlas(own, built_path("minilm", tmp_path))
    assert read_atlas("minilm", tmp_path) == own


def shorter(name: str, part: str) -> str:
    """The atlas with one entry less in a list of a section."""
    section = document()["sections"][name]
    found = section["check"]["hits"] if part == "hits" else section[part]
    changes = {"check": section["check"] | {"hits": found[1:]}} if part == "hits" else {}
    return json.dumps(with_section(name, **changes or {part: found[1:]}))


def short_measure(numbers: str) -> str:
    measure = document()["sections"]["surface"]["measures"]["entropy"]
    return json.dumps(
        with_section("surface", measures={"entropy": measure | {numbers: [0.5] * 15}})
    )


BROKEN: list[tuple[str, str]] = [
    ("", "is not a whole atlas"),
    ("[1]", "is not a whole atlas"),
    ('{"no": "format"}', "is not a whole atlas"),
    ('{"format": 99}', "has format 99"),
    ('{"format": 1}', "has format 1 and this version reads 2"),
    ('{"format": 2}', "lacks model"),
    (json.dumps(document(model=3)), "is not a whole atlas"),
    (json.dumps(document(sections={"semantics": {}})), "is not a whole atlas"),
    (json.dumps(document(sections={"sink": {}})), "lacks sections.sink.data"),
    (json.dumps(with_section("syntax", roles=[{}])), "lacks sections.syntax.roles.0.id"),
    (json.dumps(with_section("similarity", stress="high")), "is not a whole atlas"),
    (shorter("similarity", "layout"), "lacks numbers of some heads in its section similarity"),
    (shorter("similarity", "distances"), "lacks numbers of some heads in its section similarity"),
    (shorter("syntax", "hits"), "lacks numbers of some heads in its section syntax"),
    (short_measure("values"), "lacks numbers of some heads in its section surface"),
    (short_measure("low"), "lacks numbers of some heads in its section surface"),
    (short_measure("weighted"), "lacks numbers of some heads in its section surface"),
    (of_model("another").model_dump_json(), "is of the model another"),
]


@pytest.mark.parametrize(("content", "words"), BROKEN)
def test_a_broken_file_is_refused(tmp_path: Path, content: str, words: str) -> None:
    path = built_path("headscope-tiny", tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text(content)
    with pytest.raises(UnreadableAtlas, match="headscope atlas build") as refused:
        read_atlas("headscope-tiny", tmp_path)
    assert f"headscope-tiny.json {words}" in refused.value.message


def test_an_atlas_of_some_sections_is_whole(tmp_path: Path) -> None:
    sections = {"surface": document()["sections"]["surface"]}
    write_atlas(of_model("own", sections=sections), tmp_path / "some.json")
    assert list(read_file(tmp_path / "some.json", "own").sections) == ["surface"]


def test_partial_results_lie_beside_the_atlas(tmp_path: Path) -> None:
    path = built_path("gpt-2.5", tmp_path)
    assert partial_results_path(path) == path.parent / "gpt-2.5.partial-results"


def test_every_model_that_is_fetched_by_default_has_its_atlas() -> None:
    from backend.settings import Settings

    for model in (*Settings().fetch, "headscope-tiny"):
        assert (SHIPPED / f"{model}.json").is_file()
