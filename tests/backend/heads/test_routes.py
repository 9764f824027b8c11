"""Heads on a text: the catalogue, every head's values, who makes a link; and every refusal."""

import json
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from mha_core.metrics.catalogue import METRICS as CATALOGUE
from mha_core.models import family as adapters
from tests.answers import error_of, strict

METRICS, HEADS, EDGES = "/api/v1/metrics", "/api/v1/heads", "/api/v1/edges"
SENTENCE = "The animal didn't cross the street because it was too tired."
IT, ANIMAL = 10, 2
SHAPES = {"minilm": (6, 12), "smollm2": (30, 9), "headscope-tiny": (2, 8)}

ClientFor = Callable[..., AbstractContextManager[TestClient]]


def asked(model: str = "minilm", text: str = SENTENCE, **more: object) -> dict[str, Any]:
    return {"model": model, "text": text, **more}


def link(queries: list[int], keys: list[int], model: str = "minilm") -> dict[str, Any]:
    return asked(model, queries=queries, keys=keys)


def test_the_catalogue_has_every_metric_in_order_with_all_its_words(client: TestClient) -> None:
    body = strict(client.get(METRICS))
    assert [metric["name"] for metric in body["metrics"]] == list(CATALOGUE)
    for metric in body["metrics"]:
        assert all(metric[words] for words in ("label", "unit", "meaning", "formula", "kind"))
        low, high = metric["range"]
        assert high is None or low < high
    by_name = {metric["name"]: metric for metric in body["metrics"]}
    assert by_name["induction"]["called"]["when"] == "lift > 0.3 and n >= 3"
    assert by_name["previous_hits"]["called"]["replaces"] == "previous"
    assert by_name["previous"]["called"]["replaces"] is None
    assert by_name["distance"]["called"] is None
    assert by_name["shape"]["kind"] == "class"
    assert "diagonal" in body["shapes"]


@pytest.fixture(scope="module", params=list(SHAPES))
def measured(request: pytest.FixtureRequest, client: TestClient) -> dict[str, Any]:
    return strict(client.post(HEADS, json=asked(request.param, values="weighted")))


def test_every_head_has_every_metric_in_model_order(measured: dict[str, Any]) -> None:
    n_layers, n_heads = SHAPES[measured["model"]]
    places = [(row["layer"], row["head"]) for row in measured["heads"]]
    assert places == [(layer, head) for layer in range(n_layers) for head in range(n_heads)]
    assert measured["opportunities"].keys() == CATALOGUE.keys()
    for row in measured["heads"]:
        assert row["raw"].keys() == row["weighted"].keys() == CATALOGUE.keys()
        assert row["raw"]["shape"] in ("vertical", "diagonal", "both", "block", "heterogeneous")


def test_value_weighted_metrics_come_on_demand(
    measured: dict[str, Any], client: TestClient
) -> None:
    plain = strict(client.post(HEADS, json=asked(measured["model"])))
    assert all(row["weighted"] is None for row in plain["heads"])
    without = [row | {"weighted": None} for row in measured["heads"]]
    assert plain["heads"] == without


def test_an_answer_says_what_it_is_and_where_it_was_made(measured: dict[str, Any]) -> None:
    assert measured.keys() == {
        *("id", "model", "revision", "device", "dtype", "tokens", "n_tokens", "truncated"),
        *("opportunities", "decoder_opportunities", "heads", "timing"),
    }
    assert measured["decoder_opportunities"] is None
    assert measured["timing"]["total_ms"] > 0


def test_what_a_text_gives_no_opportunity_for_is_null_and_never_0(
    measured: dict[str, Any],
) -> None:
    idle = {name for name, it in measured["opportunities"].items() if it["n"] == 0}
    assert "segment" in idle
    assert "previous" not in idle
    for row in measured["heads"]:
        for values in (row["raw"], row["weighted"]):
            assert {name for name, value in values.items() if value is None} >= idle
            assert all(value is not None for value in (values["previous"], values["entropy"]))
    for name in idle:
        assert measured["opportunities"][name]["baseline"] is None


def test_values_are_those_of_the_maps(client: TestClient) -> None:
    body = strict(client.post(HEADS, json=asked()))
    maps = client.post("/api/v1/attention", json=asked(layers=[2])).json()["attention"]
    words = [t["index"] for t in body["tokens"] if t["kind"] != "special"]
    after_words = words[1:]  # the first follows [CLS]
    for row, one in zip(body["heads"][24:36], maps, strict=True):
        pattern = np.array(one["pattern"])
        previous = np.mean([pattern[i, i - 1] for i in after_words])
        assert row["raw"]["previous"] == pytest.approx(previous, abs=1e-5)
        assert row["raw"]["first"] == pytest.approx(pattern[1:, 0].mean(), abs=1e-5)


def test_labels_come_with_their_metric_value_and_cases(measured: dict[str, Any]) -> None:
    labels = [(row, label) for row in measured["heads"] for label in row["labels"]]
    assert labels
    for row, label in labels:
        assert label.keys() == {"label", "metric", "value", "n"}
        assert label["value"] == row["raw"][label["metric"]]
        assert label["n"] == measured["opportunities"][label["metric"]]["n"] > 0


def test_a_text_too_short_for_a_label_says_so(client: TestClient) -> None:
    def too_short(model: str, text: str) -> dict[str, tuple[int, int]]:
        found = strict(client.post(HEADS, json=asked(model, text)))["opportunities"].items()
        return {name: (it["n"], it["least_n"]) for name, it in found if it["too_short"]}

    assert too_short("minilm", "Hello") == {
        **dict.fromkeys(("previous", "previous_hits", "next", "next_hits"), (0, 3)),
        **dict.fromkeys(("self", "self_hits"), (1, 3)),
        **{"first": (2, 3), "special": (3, 5)},
    }
    assert too_short("smollm2", "Good morning") == {
        **dict.fromkeys(("previous", "previous_hits"), (0, 3)),
        **dict.fromkeys(("self", "self_hits", "first", "entropy"), (1, 3)),
    }
    assert too_short("minilm", SENTENCE) == too_short("smollm2", SENTENCE) == {}


def test_too_few_matches_are_told_by_their_number_and_not_as_a_short_text(
    measured: dict[str, Any],
) -> None:
    duplicate, distance = (measured["opportunities"][name] for name in ("duplicate", "distance"))
    assert (duplicate["least_n"], duplicate["too_short"]) == (3, False)
    assert (distance["least_n"], distance["too_short"]) == (None, False)


def test_a_pair_exercises_the_metric_of_segments(client: TestClient) -> None:
    body = strict(client.post(HEADS, json=asked(text="One cat.", text_pair="Two dogs.")))
    assert body["opportunities"]["segment"]["n"] > 0
    assert all(row["raw"]["segment"] is not None for row in body["heads"])


@pytest.mark.parametrize("text", ["a", "?", "[SEP]", "a a a a a a a a"])
def test_the_shortest_texts_are_measured_too(text: str, client: TestClient) -> None:
    for model in ("minilm", "headscope-tiny"):
        strict(client.post(HEADS, json=asked(model, text)))


def test_a_link_ranks_every_head_by_the_weight_of_its_map(client: TestClient) -> None:
    body = strict(client.post(EDGES, json=link([IT], [ANIMAL])))
    maps = client.post("/api/v1/attention", json=asked()).json()["attention"]
    weights = {(one["layer"], one["head"]): one["pattern"][IT][ANIMAL] for one in maps}
    ranked = [(row["layer"], row["head"]) for row in body["heads"]]
    assert sorted(ranked) == sorted(weights)
    assert [row["weight"] for row in body["heads"]] == pytest.approx(
        sorted(weights.values(), reverse=True), abs=1e-5
    )
    for row in body["heads"]:
        assert row["weight"] == pytest.approx(weights[row["layer"], row["head"]], abs=1e-5)
        assert 0 <= row["by_position"] <= 1
        assert 0 <= row["weighted"] <= 1
    assert (body["queries"], body["keys"]) == ([IT], [ANIMAL])
    assert body["uniform"] == pytest.approx(1 / body["n_tokens"], abs=1e-5)


def test_several_tokens_are_a_sum_over_keys_and_a_mean_over_queries(client: TestClient) -> None:
    body = strict(client.post(EDGES, json=link([3, 4, 5], [1, 2])))
    maps = client.post("/api/v1/attention", json=asked()).json()["attention"]
    best = body["heads"][0]
    pattern = np.array(maps[best["layer"] * 12 + best["head"]]["pattern"])
    assert best["weight"] == pytest.approx(pattern[3:6, 1:3].sum(1).mean(), abs=1e-5)


def test_where_no_other_pair_has_that_distance_there_is_no_share_by_position(
    client: TestClient,
) -> None:
    body = strict(client.post(EDGES, json=link([0], [15])))
    assert body["n_tokens"] == 16
    assert all(row["by_position"] is None for row in body["heads"])


def test_a_causal_model_has_links_back_and_refuses_those_ahead(client: TestClient) -> None:
    back = strict(client.post(EDGES, json=link([5], [2], "smollm2")))
    assert back["uniform"] == pytest.approx(1 / 6, abs=1e-5)
    error = error_of(client.post(EDGES, json=link([2], [5], "smollm2")), 422, "not_visible")
    assert error["details"] == {"queries": [2], "keys": [5]}


@pytest.mark.parametrize(
    ("queries", "keys", "code"),
    [
        ([16], [0], "no_such_position"),
        ([0], [1, 99], "no_such_position"),
        ([], [0], "bad_request"),
        ([0], [], "bad_request"),
        ([-1], [0], "bad_request"),
        ([0], [1, 1], "bad_request"),
        (["it"], [0], "bad_request"),
    ],
)
def test_positions_that_make_no_link_are_refused(
    queries: list[int], keys: list[int], code: str, client: TestClient
) -> None:
    error = error_of(client.post(EDGES, json=link(queries, keys)), 422, code)
    if code == "no_such_position":
        assert "0 to 15" in error["message"]


def test_impossible_links_are_refused_without_a_run(gated: Any) -> None:  # noqa: ANN401
    question = asked("deep", "one two", queries=[0], keys=[9])
    error_of(gated.client.post(EDGES, json=question), 422, "no_such_position")
    assert gated.network.runs == []


def test_a_family_without_known_projections_has_no_weighted_values(
    gated: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(adapters.OUTPUT_PROJECTIONS, "bert")
    body = strict(gated.client.post(HEADS, json=asked("deep")))
    assert all(row["weighted"] is None for row in body["heads"])
    assert all(math.isfinite(row["raw"]["entropy"]) for row in body["heads"])
    edges = strict(gated.client.post(EDGES, json=link([1], [2], "deep")))
    assert all(row["weighted"] is None for row in edges["heads"])
    with gated.client.websocket_connect("ws://127.0.0.1:8000/api/v1/stream") as socket:
        socket.send_json({"request": 1, **asked("deep")})
        told = [socket.receive() for _ in range(3)]
    start = json.loads(told[0]["text"])
    assert start["value_weights"] is False
    error_of(
        gated.client.post(HEADS, json=asked("deep", values="weighted")), 422, "no_value_weights"
    )
