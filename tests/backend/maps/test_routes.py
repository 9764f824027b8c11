"""One map by expression and the steps behind one weight: every format, limit and refusal."""

import csv
import io
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load as load_safetensors
from starlette.testclient import TestClient

from backend.wire.frames import MEDIA_TYPE, Flags, FrameKind, FrameStack, decode
from tests.answers import error_of, strict

MAPS, QUERY_KEY = "/api/v1/maps", "/api/v1/query-key"
SENTENCE = "The animal didn't cross the street because it was too tired."
IT, ANIMAL = 10, 2
NPZ, SAFETENSORS, CSV = "application/x-npz", "application/vnd.safetensors", "text/csv"
LATER = [{"layer": layer} for layer in range(1, 6)]
SHAPES = {"minilm": (6, 12), "smollm2": (30, 9), "headscope-tiny": (2, 8)}

ClientFor = Callable[..., AbstractContextManager[TestClient]]


def asked(model: str = "minilm", text: str = SENTENCE, **more: object) -> dict[str, Any]:
    return {"model": model, "text": text, **more}


def head(layer: int = 3, head: int = 5) -> dict[str, Any]:
    return {"combine": "head", "cells": [{"layer": layer, "head": head}]}


def pair(layer: int = 1, head: int = 2, query: int = IT, key: int = ANIMAL) -> dict[str, Any]:
    return {"layer": layer, "head": head, "query": query, "key": key}


def pattern_of(body: dict[str, Any]) -> NDArray[np.float32]:
    return np.array(body["pattern"], np.float32)


@pytest.mark.parametrize("model", SHAPES)
def test_a_head_is_the_map_that_attention_gives(model: str, client: TestClient) -> None:
    body = strict(client.post(MAPS, json=asked(model, **head(1, 2))))
    maps = client.post("/api/v1/attention", json=asked(model, layers=[1], heads=[2])).json()
    assert np.allclose(body["pattern"], maps["attention"][0]["pattern"], atol=1e-7)
    told = {name: maps[name] for name in ("id", "model", "revision", "tokens", "truncated")}
    assert told == {name: body[name] for name in told}
    assert body["stack"] == ("encoder" if model == "minilm" else "decoder")
    assert body["cells"] == [{"layer": 1, "head": 2}]
    assert body["queries"] == body["keys"] == [0, body["n_tokens"]]


@pytest.mark.parametrize("model", SHAPES)
def test_a_map_of_all_heads_is_made_of_all_maps(model: str, client: TestClient) -> None:
    maps = client.post("/api/v1/attention", json=asked(model)).json()["attention"]
    every = np.array([one["pattern"] for one in maps])
    mean, largest, rolled = (
        strict(client.post(MAPS, json=asked(model, combine=how)))
        for how in ("mean", "max", "rollout")
    )
    assert np.allclose(mean["pattern"], every.mean(0), atol=1e-6)
    assert np.allclose(largest["pattern"], every.max(0), atol=1e-6)
    assert np.allclose(pattern_of(rolled).sum(1), 1, atol=1e-5)
    assert mean["note"] is None
    assert "heuristic" in rolled["note"]
    n_layers, _ = SHAPES[model]
    for body in (mean, largest, rolled):
        assert body["cells"] == [{"layer": layer, "head": None} for layer in range(n_layers)]


def test_weighted_attention_differs_and_says_so(client: TestClient) -> None:
    raw, weighted = (
        strict(client.post(MAPS, json=asked(combine="mean", cells=LATER, values=values)))
        for values in ("raw", "weighted")
    )
    assert np.allclose(pattern_of(weighted).sum(1), 1, atol=1e-5)
    on_special = [pattern_of(body)[1:-1, [0, -1]].sum(1).mean() for body in (raw, weighted)]
    assert on_special[1] < on_special[0] / 2, "heads rest on special tokens, and take little there"
    assert (raw["values"], weighted["values"]) == ("raw", "weighted")
    assert "Kobayashi" in weighted["note"]


@pytest.mark.parametrize("question", [head(3, 5), {"combine": "mean"}], ids=["head", "mean"])
@pytest.mark.parametrize("model", ["minilm", "headscope-tiny"])
def test_every_format_has_the_same_numbers(
    question: dict[str, Any], model: str, client: TestClient
) -> None:
    if model == "headscope-tiny" and question["combine"] == "head":
        question = head(1, 5)
    body = asked(model, **question)
    expected = pattern_of(strict(client.post(MAPS, json=body)))
    answers = {
        accept: client.post(MAPS, json=body, headers={"Accept": accept})
        for accept in (MEDIA_TYPE, NPZ, SAFETENSORS, CSV)
    }
    for accept, answer in answers.items():
        assert answer.status_code == 200
        assert answer.headers["content-type"].partition(";")[0] == accept
        assert answer.headers["vary"] == "Accept"
        saved = answer.headers.get("content-disposition", "")
        assert (question["combine"] in saved) == (accept != MEDIA_TYPE)
    place = question["cells"][0] if "cells" in question else {"layer": 0, "head": 0}
    frame = decode(answers[MEDIA_TYPE].content)
    assert np.array_equal(frame.values, expected[None])
    assert (frame.kind, frame.layer, frame.first_head) == (
        *(FrameKind.PATTERN, place["layer"], place["head"]),
    )
    causal = model != "minilm"
    assert frame.stack == (FrameStack.DECODER if causal else FrameStack.ENCODER)
    assert frame.flags == (Flags.CAUSAL if causal else Flags.NONE)
    assert (frame.n_queries, frame.n_keys) == expected.shape
    check_arrays(answers[NPZ].content, answers[SAFETENSORS].content, expected)
    check_csv(answers[CSV].text, expected, place if "cells" in question else None)


def check_arrays(npz: bytes, safetensors: bytes, expected: NDArray[np.float32]) -> None:
    n = len(expected)
    with np.load(io.BytesIO(npz)) as arrays:
        assert np.array_equal(arrays["pattern"], expected)
        assert arrays["queries"].tolist() == arrays["keys"].tolist() == list(range(n))
        meta, texts = json.loads(str(arrays["meta"])), arrays["tokens"].tolist()
    assert texts == [token["text"] for token in meta["tokens"]]
    assert len(texts) == n
    tensors = load_safetensors(safetensors)
    assert np.array_equal(tensors["pattern"], expected)
    assert tensors["token_ids"].tolist() == [token["id"] for token in meta["tokens"]]
    header = json.loads(safetensors[8 : 8 + int.from_bytes(safetensors[:8], "little")])
    again = json.loads(header["__metadata__"]["meta"])
    for told in (meta, again):
        assert told["combine"] in ("head", "mean")
        assert told["queries"] == [0, n]


def check_csv(text: str, expected: NDArray[np.float32], place: dict[str, int] | None) -> None:
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    n = len(expected)
    weights = np.array([row["weight"] for row in rows], np.float32)
    assert np.array_equal(weights.reshape(n, n), expected)
    assert [(int(row["query"]), int(row["key"])) for row in rows] == [
        (query, key) for query in range(n) for key in range(n)
    ]
    whose = ("", "") if place is None else (str(place["layer"]), str(place["head"]))
    assert {(row["layer"], row["head"]) for row in rows} == {whose}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"combine": "median"}, "combine"),
        ({"combine": None}, "combine"),
        ({"combine": "head"}, "exactly one cell"),
        ({"combine": "head", "cells": [{"layer": 1}]}, "exactly one cell"),
        ({"combine": "head", "cells": [{"layer": 1, "head": 0}] * 2}, "exactly one cell"),
        ({"combine": "mean", "cells": []}, "at least 1 item"),
        ({"combine": "mean", "cells": [{"layer": -1}]}, "greater than or equal to 0"),
        ({"combine": "mean", "cells": [{"head": 1}]}, "cells.0.layer"),
        ({"combine": "mean", "cells": [{"layer": 1, "heads": 1}]}, "cells.0.heads"),
        ({"combine": "mean", "up_to": 2}, "`up_to` is for `rollout`"),
        ({"combine": "rollout", "cells": [{"layer": 1}]}, "leave out `cells`"),
        ({"combine": "rollout", "values": "weighted"}, "set `values` to `raw`"),
        ({"combine": "rollout", "stack": "cross"}, "within one text"),
        ({"combine": "mean", "stack": "middle"}, "stack"),
        ({"combine": "mean", "layers": [1]}, "layers"),
    ],
)
def test_what_does_not_fit_together_is_refused_in_words(
    wrong: dict[str, Any], words: str, client: TestClient
) -> None:
    error = error_of(client.post(MAPS, json=asked(**wrong)), 422, "bad_request")
    assert words in error["message"]


@pytest.mark.parametrize(
    ("path", "wrong", "status", "code"),
    [
        (MAPS, {"combine": "mean", "stack": "decoder"}, 422, "no_such_stack"),
        (MAPS, head(6, 0), 404, "no_such_head"),
        (MAPS, head(0, 12), 404, "no_such_head"),
        (MAPS, {"combine": "rollout", "up_to": 6}, 404, "no_such_head"),
        (QUERY_KEY, pair(layer=6), 404, "no_such_head"),
        (QUERY_KEY, pair(head=12), 404, "no_such_head"),
        (QUERY_KEY, pair(query=16), 422, "no_such_position"),
        (QUERY_KEY, pair(key=16), 422, "no_such_position"),
        (QUERY_KEY, pair(key=-1), 422, "bad_request"),
        (QUERY_KEY, pair() | {"stack": "cross"}, 422, "no_such_stack"),
    ],
)
def test_what_the_model_does_not_have_is_refused(
    path: str, wrong: dict[str, Any], status: int, code: str, client: TestClient
) -> None:
    error_of(client.post(path, json=asked(**wrong)), status, code)


def test_what_cannot_be_made_is_refused_without_a_run(gated: Any) -> None:  # noqa: ANN401
    for path, wrong in (
        (MAPS, head(0, 4)),
        (MAPS, {"combine": "mean", "stack": "cross"}),
        (QUERY_KEY, pair(query=40)),
    ):
        assert gated.client.post(path, json=asked("deep", **wrong)).status_code in (404, 422)
    assert gated.network.runs == []


def test_more_weights_than_an_answer_may_carry_are_refused(client_for: ClientFor) -> None:
    question = asked("headscope-tiny", "a" * 19, combine="mean")  # 20 tokens
    with client_for(max_json_cells=399, max_array_cells=400) as small:
        for accept in ("application/json", CSV):
            refused = small.post(MAPS, json=question, headers={"Accept": accept})
            error = error_of(refused, 413, "too_many_cells")
            assert error["details"] == {"cells": 400, "max_cells": 399}
        for accept in (MEDIA_TYPE, NPZ, SAFETENSORS):
            assert small.post(MAPS, json=question, headers={"Accept": accept}).status_code == 200
    with client_for(max_json_cells=19) as smaller:
        row = asked("headscope-tiny", "a" * 19, **pair())
        error_of(smaller.post(QUERY_KEY, json=row), 413, "too_many_cells")


def test_a_format_nobody_writes_is_refused(client: TestClient) -> None:
    answer = client.post(MAPS, json=asked(**head()), headers={"Accept": "image/png"})
    assert CSV in error_of(answer, 406, "not_acceptable")["message"]


@pytest.mark.parametrize("model", SHAPES)
def test_the_steps_behind_a_weight_lead_to_the_weight(model: str, client: TestClient) -> None:
    body = strict(client.post(QUERY_KEY, json=asked(model, **pair())))
    row = strict(client.post(MAPS, json=asked(model, **head(1, 2))))["pattern"][IT]
    assert body["weights"] == pytest.approx(row, abs=1e-6)
    assert body["weight"] == body["weights"][ANIMAL]
    assert np.multiply(body["q"], body["k"]) == pytest.approx(body["product"], abs=1e-5)
    assert sum(body["product"]) == pytest.approx(body["dot"], abs=1e-4)
    assert body["score"] == body["scores"][ANIMAL] == body["scaled"]
    assert body["scaled"] == pytest.approx(body["dot"] * body["scale"], abs=1e-5)
    seen = np.array([score for score in body["scores"] if score is not None])
    shares = np.exp(seen - seen.max())
    assert shares / shares.sum() == pytest.approx(row[: len(seen)], abs=1e-6)
    assert len(seen) == (body["n_tokens"] if model == "minilm" else IT + 1)
    assert (body["query"], body["key"], body["keys"]) == (IT, ANIMAL, [0, body["n_tokens"]])


def test_a_key_out_of_sight_is_answered_with_why(client: TestClient) -> None:
    body = strict(client.post(QUERY_KEY, json=asked("smollm2", **pair(query=2, key=5))))
    assert (body["score"], body["scores"][5], body["weight"]) == (None, None, 0)
    assert "reaches only earlier tokens" in body["note"]
    assert body["key_head"] == 0
