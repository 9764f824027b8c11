"""Charts over the wire: each kind from each source, and every refusal."""

import json
from pathlib import Path
from typing import Any

import plotly.io
import pytest
from starlette.testclient import TestClient

from mha_core.models import family as adapters
from tests.answers import error_of
from tests.backend.conftest import ClientFor

FIGURES, HEADS = "/api/v1/figures", "/api/v1/heads"
TEXT = "abcabcabc"
ALL = [[layer, head] for layer in range(2) for head in range(8)]


def chart(**asked: object) -> dict[str, Any]:
    return {"kind": "scatter", "model": "headscope-tiny", "text": TEXT, **asked}


def drawn(client: TestClient, **asked: object) -> dict[str, Any]:
    answer = client.post(FIGURES, json=chart(**asked))
    assert answer.status_code == 200, answer.text[:300]
    assert "NaN" not in answer.text
    assert "bdata" not in answer.text, "numbers come as lists"
    plotly.io.from_json(answer.text)  # Plotly checks every name and value
    body: dict[str, Any] = json.loads(answer.text)
    return body


def places(body: dict[str, Any]) -> dict[tuple[int, int], tuple[float, float]]:
    return {
        (layer, head): (x, y)
        for trace in body["data"]
        for (layer, head), x, y in zip(
            trace.get("customdata", ()), trace["x"], trace["y"], strict=False
        )
    }


def names(body: dict[str, Any]) -> list[str]:
    return [trace["name"] for trace in body["data"]]


def titles(body: dict[str, Any]) -> list[str]:
    return [body["layout"][axis]["title"]["text"] for axis in ("xaxis", "yaxis")]


@pytest.mark.parametrize("weighted", [False, True])
def test_a_scatter_of_a_sentence_has_the_values_of_heads(
    weighted: bool, atlas_client: TestClient
) -> None:
    body = drawn(atlas_client, x="previous", y="entropy", weighted=weighted)
    values = "weighted" if weighted else "raw"
    question = {"model": "headscope-tiny", "text": TEXT, "values": values}
    rows = atlas_client.post(HEADS, json=question).json()["heads"]
    label = "Entropy, value-weighted" if weighted else "Entropy"
    assert titles(body)[1] == f"{label} (share), on this text, n = 9"
    assert places(body) == {
        (row["layer"], row["head"]): (row[values]["previous"], row[values]["entropy"])
        for row in rows
    }


def test_a_scatter_of_the_corpus_has_the_values_of_the_atlas(
    atlas_client: TestClient, made_up_atlas: dict[str, Any]
) -> None:
    asked = {"source": "corpus", "x": "layer", "y": "entropy", "text": None, "color": "gap"}
    body = drawn(atlas_client, **asked)
    values = made_up_atlas["sections"]["surface"]["measures"]["entropy"]["values"]
    assert places(body) == {(at // 8, at % 8): (at // 8, values[at]) for at in range(16)}
    assert names(body) == ["Gap", "Gap: no case"]
    assert titles(body) == ["Layer (from 0)", "Entropy (share), on the corpus, n = 99"]


def test_of_the_corpus_too_what_can_be_weighted_is(
    atlas_client: TestClient, made_up_atlas: dict[str, Any]
) -> None:
    body = drawn(atlas_client, source="corpus", x="entropy", y="gap", weighted=True)
    weighted = made_up_atlas["sections"]["surface"]["measures"]["entropy"]["weighted"]
    counted = made_up_atlas["sections"]["coreference"]["measures"]["gap"]["values"]
    assert places(body)[1, 3] == (weighted[11], counted[11])
    assert titles(body)[0].startswith("Entropy, value-weighted (share)")
    assert titles(body)[1].startswith("Gap (share)")


def test_colours_may_be_roles_classes_or_layers(atlas_client: TestClient) -> None:
    roles = drawn(atlas_client, color="role")
    assert names(roles) == ["Syntax", "Local context", "no proven role"]
    assert roles["data"][0]["customdata"] == [[1, 3]]
    assert "obj:dependent heads" in roles["data"][0]["hovertext"][0]
    shapes = {"vertical", "diagonal", "both", "block", "heterogeneous"}
    assert set(names(drawn(atlas_client, color="shape"))) <= shapes
    assert names(drawn(atlas_client, color="layer")) == ["Layer"]


def test_without_an_atlas_a_scatter_still_comes(gated: Any) -> None:  # noqa: ANN401
    body = drawn(gated.client, model="deep")
    assert sorted(places(body)) == [(layer, head) for layer in range(6) for head in range(4)]


@pytest.mark.parametrize("color", ["role", "layer", "entropy"])
def test_the_map_has_every_head_where_the_atlas_puts_it(
    color: str, atlas_client: TestClient, made_up_atlas: dict[str, Any]
) -> None:
    body = drawn(atlas_client, kind="map", color=color)
    layout = made_up_atlas["sections"]["similarity"]["layout"]
    assert places(body) == {(at // 8, at % 8): tuple(layout[at]) for at in range(16)}


def test_a_profile_of_roles_counts_heads_by_layer(atlas_client: TestClient) -> None:
    body = drawn(atlas_client, kind="layers", y="role", text=None)
    counts = {trace["name"]: trace["y"] for trace in body["data"]}
    assert counts == {
        **{"Syntax": [0, 1], "Local context": [1, 0]},
        "no proven role": [7, 7],
    }


@pytest.mark.parametrize("source", ["sentence", "corpus"])
def test_a_profile_of_a_metric_has_its_mean_by_layer(source: str, atlas_client: TestClient) -> None:
    body = drawn(atlas_client, kind="layers", y="entropy", source=source)
    heads, mean = body["data"]
    assert sorted(heads["customdata"]) == ALL
    for layer in (0, 1):
        values = [
            y for (at, _), y in zip(heads["customdata"], heads["y"], strict=True) if at == layer
        ]
        assert mean["y"][layer] == pytest.approx(sum(values) / 8)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"x": "charm"}, "unknown_metric"),
        ({"y": "charm"}, "unknown_metric"),
        ({"color": "charm"}, "unknown_metric"),
        ({"x": "shape"}, "unknown_metric"),
        ({"source": "corpus", "x": "previous"}, "unknown_metric"),
        ({"kind": "layers", "y": "charm"}, "unknown_metric"),
        ({"text": None}, "empty_text"),
        ({"text": " "}, "empty_text"),
        ({"kind": "pie"}, "bad_request"),
        ({"source": "hearsay"}, "bad_request"),
        ({"z": "entropy"}, "bad_request"),
    ],
)
def test_a_chart_that_cannot_be_drawn_is_refused(
    asked: dict[str, Any], code: str, atlas_client: TestClient
) -> None:
    answer = atlas_client.post(FIGURES, json=chart(**asked))
    assert answer.status_code == 422, answer.text[:300]
    error = answer.json()["error"]
    assert error["code"] == code
    if code == "unknown_metric":
        assert "entropy" in error["details"]["available"]
        assert "charm" not in error["details"]["available"]


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "map"},
        {"color": "role"},
        {"kind": "layers", "y": "role"},
        {"source": "corpus"},
    ],
)
def test_a_chart_of_an_atlas_needs_one(asked: dict[str, Any], gated: Any) -> None:  # noqa: ANN401
    answer = gated.client.post(FIGURES, json=chart(model="deep", **asked))
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_atlas"


def test_a_map_needs_the_section_on_similarity(
    made_up_atlas: dict[str, Any], tmp_path: Path, client_for: ClientFor
) -> None:
    sections = made_up_atlas["sections"]
    rest = {name: part for name, part in sections.items() if name != "similarity"}
    (tmp_path / "atlases").mkdir()
    path = tmp_path / "atlases" / "headscope-tiny.json"
    path.write_text(json.dumps(made_up_atlas | {"sections": rest}))
    with client_for(models_dir=tmp_path) as client:
        error = error_of(client.post(FIGURES, json=chart(kind="map")), 404, "not_measured")
        assert "--only similarity" in error["message"]
        assert names(drawn(client, color="role"))[0] == "Syntax", "other charts come all the same"


def test_an_unknown_model_is_refused(atlas_client: TestClient) -> None:
    answer = atlas_client.post(FIGURES, json=chart(model="bort"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_model")


def test_values_that_cannot_be_weighted_are_refused(
    gated: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(adapters.OUTPUT_PROJECTIONS, "bert")
    answer = gated.client.post(FIGURES, json=chart(model="deep", weighted=True))
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "no_value_weights")
