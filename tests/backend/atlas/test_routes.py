"""Heads on a corpus: the record as it is, what of it is left out, and every refusal."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from backend.atlas.schemas import AtlasResponse, SimilarityResponse
from mha_core.atlas.record import Atlas
from mha_core.atlas.storage import SHIPPED
from mha_core.atlas.summary import summarize
from tests.answers import error_of

TINY = "/api/v1/models/headscope-tiny/atlas"

ClientFor = Callable[..., AbstractContextManager[TestClient]]


def test_the_sections_come_as_one_without_the_distances(
    atlas_client: TestClient, made_up_atlas: dict[str, Any]
) -> None:
    body, sections = atlas_client.get(TINY).json(), made_up_atlas["sections"]
    summary = summarize(Atlas.model_validate(made_up_atlas)).model_dump(mode="json")
    assert body == summary | {"revision_matches": True}
    assert body["roles"] == [*sections["syntax"]["roles"], *sections["surface"]["roles"]]
    assert body["measures"].keys() == {"entropy", "gap"}
    assert body["sections"]["surface"]["made"] == sections["surface"]["made"]
    assert body["missing"] == ["sink", "copy", "names"]
    assert body["counts"]["with_role"] == 2
    assert "distances" not in body


def test_similarity_has_every_head_its_distances_and_its_place(
    atlas_client: TestClient, made_up_atlas: dict[str, Any]
) -> None:
    body = atlas_client.get(f"{TINY}/similarity").json()
    assert body["heads"] == [[layer, head] for layer in range(2) for head in range(8)]
    section = made_up_atlas["sections"]["similarity"]
    assert body["distances"] == section["distances"]
    assert (body["layout"], body["stress"]) == (section["layout"], 0.25)
    assert body["unit"] == "nats"
    assert "Jensen-Shannon" in body["meaning"]
    SimilarityResponse.model_validate(body)


def client_with(atlas: object, folder: Path, client_for: ClientFor, id: str) -> Any:  # noqa: ANN401
    (folder / "atlases").mkdir()
    text = atlas if isinstance(atlas, str) else json.dumps(atlas)
    (folder / "atlases" / f"{id}.json").write_text(text)
    return client_for(models_dir=folder)


@pytest.mark.parametrize(("id", "matches"), [("headscope-tiny", False), ("gpt2-medium", None)])
def test_an_atlas_says_whether_it_is_of_the_weights_that_are_here(
    id: str,
    matches: bool | None,
    made_up_atlas: dict[str, Any],
    tmp_path: Path,
    client_for: ClientFor,
) -> None:
    model = made_up_atlas["model"] | {"id": id, "revision": "older"}
    other = made_up_atlas | {"model": model}
    with client_with(other, tmp_path, client_for, id) as client:
        assert client.get(f"/api/v1/models/{id}/atlas").json()["revision_matches"] is matches


def test_a_loaded_model_tells_its_own_revision(
    made_up_atlas: dict[str, Any], tmp_path: Path, client_for: ClientFor
) -> None:
    with client_with(made_up_atlas, tmp_path, client_for, "headscope-tiny") as client:
        client.post("/api/v1/tokenize", json={"model": "headscope-tiny", "text": "a"})
        assert client.get(TINY).json()["revision_matches"] is True


@pytest.mark.parametrize("path", ["", "/similarity"])
@pytest.mark.parametrize(
    ("id", "code"),
    [
        ("gpt2-medium", "no_atlas"),
        ("bort", "unknown_model"),
        ("owner%2Fname", "unknown_model"),
        ("..%2f..%2fmodels%2fheadscope-tiny", "unknown_model"),
    ],
)
def test_where_there_is_no_atlas_the_answer_says_what_to_do(
    path: str, id: str, code: str, atlas_client: TestClient
) -> None:
    answer = atlas_client.get(f"/api/v1/models/{id}/atlas{path}")
    assert answer.status_code == 404
    error = answer.json()["error"]
    assert error["code"] == code
    if code == "no_atlas":
        assert f"headscope atlas build {id}" in error["message"]


def test_a_model_of_a_few_words_has_no_atlas_and_none_can_be_built(client: TestClient) -> None:
    error = client.get("/api/v1/models/language/atlas").json()["error"]
    assert error["code"] == "no_atlas"
    for load in (False, True):
        if load:
            client.post("/api/v1/tokenize", json={"model": "language", "text": "the king"})
        plan = client.get("/api/v1/models/language/atlas/build").json()["sections"]
        assert {it["needs"] for it in plan} == {"needs a model that reads any text"}
    answer = client.post("/api/v1/models/language/atlas/build", json={})
    assert answer.json()["error"]["code"] == "cannot_measure"


def test_an_atlas_without_the_section_on_similarity_says_how_to_measure_it(
    made_up_atlas: dict[str, Any], tmp_path: Path, client_for: ClientFor
) -> None:
    sections = {"surface": made_up_atlas["sections"]["surface"]}
    part = made_up_atlas | {"sections": sections}
    with client_with(part, tmp_path, client_for, "headscope-tiny") as client:
        error = error_of(client.get(f"{TINY}/similarity"), 404, "not_measured")
        assert error["details"] == {"model": "headscope-tiny", "section": "similarity"}
        assert "headscope atlas build headscope-tiny --only similarity" in error["message"]
        assert client.get(TINY).json()["layout"] == []


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 99}'])
def test_a_broken_atlas_is_told_as_such(text: str, tmp_path: Path, client_for: ClientFor) -> None:
    with client_with(text, tmp_path, client_for, "headscope-tiny") as client:
        answer = client.get(TINY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "unreadable_atlas")


def test_every_atlas_we_ship_is_as_described(client: TestClient) -> None:
    for path in SHIPPED.glob("*.json"):
        record = f"/api/v1/models/{path.stem}/atlas"
        described = AtlasResponse.model_validate(client.get(record).json())
        n_heads = described.model.n_layers * described.model.n_heads
        assert {len(measure.values) for measure in described.measures.values()} == {n_heads}
        assert described.revision_matches is not False
        similarity = client.get(f"{record}/similarity").json()
        assert len(SimilarityResponse.model_validate(similarity).distances) == n_heads


def test_the_made_up_atlas_is_as_described(atlas_client: TestClient) -> None:
    described = AtlasResponse.model_validate(atlas_client.get(TINY).json())
    assert described.roles[0].heads[0].layer == 1


def test_a_build_from_another_origin_is_refused(client: TestClient) -> None:
    headers = {"origin": "https://elsewhere.example"}
    for method, body in (("POST", {}), ("DELETE", None)):
        answer = client.request(method, f"{TINY}/build", json=body, headers=headers)
        error_of(answer, 403, "forbidden_origin")
