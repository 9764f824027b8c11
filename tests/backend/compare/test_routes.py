"""Two texts, two models, or both: what moved, who is alike; and every refusal."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from backend.wire.examples import read_examples
from tests.answers import REFUSED, error_of, strict

COMPARE, ATTENTION = "/api/v1/compare", "/api/v1/attention"
TIRED = "The animal didn't cross the street because it was too tired."
WIDE = TIRED.replace("tired", "wide")
HEADS = {"minilm": 72, "smollm2": 270, "headscope-tiny": 16}


def asked(model: str = "minilm", text: str = TIRED, **more: object) -> dict[str, Any]:
    return {"model": model, "text": text, **more}


def compared(
    client: TestClient, one: dict[str, Any], other: dict[str, Any], **more: object
) -> dict[str, Any]:
    return strict(client.post(COMPARE, json={"one": one, "other": other, **more}))


def test_a_minimal_pair_ranks_every_head_by_what_its_maps_say(client: TestClient) -> None:
    body = compared(client, asked(), asked(text=WIDE))
    answers = [client.post(ATTENTION, json=asked(text=text)).json() for text in (TIRED, WIDE)]
    maps = [np.array([head["pattern"] for head in answer["attention"]]) for answer in answers]
    moved = np.abs(maps[0] - maps[1]).sum(-1).mean(-1) / 2
    places = [row["layer"] * 12 + row["head"] for row in body["heads"]]
    assert sorted(places) == list(range(72))
    assert [row["change"] for row in body["heads"]] == pytest.approx(
        sorted(moved, reverse=True), abs=1e-5
    )
    for place, row in zip(places, body["heads"], strict=True):
        assert row["change"] == pytest.approx(moved[place], abs=1e-5)
        assert (row["other_layer"], row["other_head"]) == (row["layer"], row["head"])
        assert row["typical"] is None
    assert body["same_model"]
    assert [unit["other_text"] for unit in body["units"] if not unit["same"]] == ["wide"]


@pytest.mark.parametrize("model", list(HEADS))
def test_a_question_against_itself_shows_no_change(model: str, client: TestClient) -> None:
    body = compared(client, asked(model), asked(model))
    assert len(body["heads"]) == HEADS[model]
    assert body["one"] == body["other"]
    for row in body["heads"]:
        assert row["change"] == 0
        assert row["similarity"] == pytest.approx(1, abs=1e-5)
        assert row["share_one"] == row["share_other"] == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("values", ["raw", "weighted"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("minilm", "smollm2"),
        ("smollm2", "minilm"),
        ("headscope-tiny", "minilm"),
        ("smollm2", "headscope-tiny"),
    ],
)
@pytest.mark.parametrize("text", [TIRED, WIDE])
def test_two_models_match_every_head_of_one_with_a_head_of_the_other(
    one: str, other: str, text: str, values: str, client: TestClient
) -> None:
    body = compared(client, asked(one), asked(other, text), values=values)
    rows = body["heads"]
    assert not body["same_model"]
    assert len({(row["layer"], row["head"]) for row in rows}) == len(rows) == HEADS[one]
    order = [(min(row["share_one"], row["share_other"]) < 0.5, -row["similarity"]) for row in rows]
    assert order == sorted(order)
    for row in rows:
        for name in ("change", "similarity", "share_one", "share_other", "typical"):
            assert 0 <= row[name] <= 1
        assert row["typical"] <= row["similarity"]
    sides = (("one", body["one"]), ("other", body["other"]))
    for side, told in sides:
        indices = sorted(index for unit in body["units"] for index in unit[side])
        assert indices == [token["index"] for token in told["tokens"]]


def test_weighted_maps_are_compared_when_asked_for(client: TestClient) -> None:
    raw = compared(client, asked(), asked(text=WIDE))
    weighted = compared(client, asked(), asked(text=WIDE), values="weighted")
    assert (raw["values"], weighted["values"]) == ("raw", "weighted")
    assert raw["heads"] != weighted["heads"]
    links = [
        client.post("/api/v1/edges", json=asked(text=text) | {"queries": [10], "keys": [2]}).json()
        for text in (TIRED, WIDE)
    ]
    shares = [{(it["layer"], it["head"]): it["weighted"] for it in one["heads"]} for one in links]
    for row in weighted["heads"]:  # one row in sixteen cannot move more than all of them
        place = row["layer"], row["head"]
        assert abs(shares[0][place] - shares[1][place]) / 16 <= row["change"] + 1e-5


@pytest.mark.parametrize("values", ["raw", "weighted"])
def test_the_links_of_a_minimal_pair_are_those_the_exact_maps_say(
    values: str, client: TestClient
) -> None:
    body = compared(client, asked(), asked(text=WIDE), values=values)
    asked_for = [asked(text=text, values=values) for text in (TIRED, WIDE)]
    answers = [client.post(ATTENTION, json=it).json() for it in asked_for]
    maps = [np.array([head["pattern"] for head in answer["attention"]]) for answer in answers]
    for row in body["heads"]:
        one, other = (it[row["layer"] * 12 + row["head"]] for it in maps)
        largest = np.sort(np.abs(one - other).ravel())[::-1][:3]
        told = [abs(link["one"] - link["other"]) for link in row["links"]]
        assert told == pytest.approx(largest, abs=2e-5)
        for link in row["links"]:
            (query,), (key,) = link["query"], link["key"]
            assert (link["other_query"], link["other_key"]) == ([query], [key])
            weights = one[query, key], other[query, key]
            assert (link["one"], link["other"]) == pytest.approx(weights, abs=1e-5)


def test_a_link_names_its_tokens_on_both_sides(client: TestClient) -> None:
    body = compared(client, asked(), asked(text=WIDE))
    head = next(row for row in body["heads"] if (row["layer"], row["head"]) == (3, 1))
    link = next(it for it in head["links"] if it["query_text"] == "it")
    assert (link["key_text"], link["other_query_text"], link["other_key_text"]) == (
        *("animal", "it", "animal"),
    )
    assert (link["one"], link["other"]) == pytest.approx((0.677, 0.281), abs=1e-3)
    two = compared(client, asked(), asked("smollm2"))
    for row in two["heads"]:
        assert len(row["links"]) == 3
        for it in row["links"]:
            for end in ("query", "key"):
                unit = next(unit for unit in two["units"] if unit["one"] == it[end])
                assert (unit["other"], unit["text"]) == (it[f"other_{end}"], it[f"{end}_text"])


def test_sentences_of_a_pair_stand_opposite_each_in_its_place(client: TestClient) -> None:
    one = asked(text="A cat.", text_pair="It slept.")
    body = compared(client, one, asked(text="A dog.", text_pair="A cat."))
    segments = [
        {body[side]["tokens"][i]["segment"] for i in unit[side]}
        for unit in body["units"]
        for side in ("one", "other")
    ]
    assert all(len(segment) <= 1 for segment in segments)
    told = [(unit["text"], unit["other_text"]) for unit in body["units"]]
    assert ("cat", "dog") in told
    assert ("It", "A") in told


def test_only_the_encoder_of_an_encoder_decoder_is_compared(
    client_for: Any,  # noqa: ANN401
    model_directory: Any,  # noqa: ANN401
) -> None:
    folder: Path = model_directory("bart")
    with client_for(extra_models=(str(folder),)) as client:
        one, other = (asked(folder.name, text, text_pair="Das Tier.") for text in (TIRED, WIDE))
        body = compared(client, one, other)
    assert [unit["other_text"] for unit in body["units"] if not unit["same"]] == ["wide"]
    assert {token["segment"] for token in body["one"]["tokens"]} == {0, 1}
    assert len(body["heads"]) == 2 * 4
    for row in body["heads"]:
        assert row["share_one"] == row["share_other"] == pytest.approx(1, abs=1e-5)
        assert 0 < row["change"] < 1


def test_the_example_is_what_the_server_answers(client: TestClient) -> None:
    body = compared(client, asked(text="Hi"), asked(text="Hi there"))
    body["heads"] = body["heads"][:1]
    for changing in ("timing", "heads"):
        assert body[changing].__class__ is read_examples()["compare"][changing].__class__
    assert body["timing"].keys() == read_examples()["compare"]["timing"].keys()
    (link, *_), (recorded, *_) = (
        it["heads"][0]["links"] for it in (body, read_examples()["compare"])
    )
    numbers = ("one", "other")
    for name in link:
        exact = recorded[name]
        assert link[name] == (pytest.approx(exact, abs=1e-4) if name in numbers else exact)
    told, shown = (
        {name: value for name, value in it["heads"][0].items() if name != "links"}
        for it in (body, read_examples()["compare"])
    )
    assert told == pytest.approx(shown, abs=1e-4)
    steady = ("one", "other", "values", "same_model", "units")
    for name in steady:
        told, shown = body[name], read_examples()["compare"][name]
        if isinstance(told, dict):
            told, shown = ({**it, "device": None} for it in (told, shown))
        assert told == shown


def test_timing_is_of_both_runs(client_for: Any) -> None:  # noqa: ANN401
    with client_for(cache_mb=512) as client:
        first = compared(client, asked(), asked(text=WIDE))["timing"]
        again = compared(client, asked(), asked(text=WIDE))["timing"]
    assert first["forward_ms"] > again["forward_ms"] == 0
    assert first["total_ms"] >= first["forward_ms"] + first["tokenize_ms"]


@pytest.mark.parametrize("side", ["one", "other"])
@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    REFUSED,
)
def test_what_cannot_be_run_is_refused_on_either_side(
    side: str, wrong: dict[str, Any], status: int, code: str, client: TestClient
) -> None:
    question = {"one": asked(), "other": asked()}
    question[side] |= wrong
    error_of(client.post(COMPARE, json=question), status, code)


@pytest.mark.parametrize(
    "body",
    [
        {"one": asked()},
        {"one": asked(), "other": asked(), "values": "both"},
        {"one": asked(), "other": asked(), "stack": "cross"},
    ],
)
def test_a_question_of_another_shape_is_refused(body: dict[str, Any], client: TestClient) -> None:
    error_of(client.post(COMPARE, json=body), 422, "bad_request")


def test_texts_with_nothing_in_common_are_refused(client: TestClient) -> None:
    question = {"one": asked(text="[SEP]"), "other": asked("smollm2", "[SEP]")}
    error = error_of(client.post(COMPARE, json=question), 422, "nothing_aligned")
    assert "nothing to compare" in error["message"]
