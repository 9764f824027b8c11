"""Texts in, tokens and maps out: the contract of every answer and every refusal."""

import io
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import load as load_safetensors
from starlette.testclient import TestClient
from transformers import AutoModel

from backend.wire.frames import MEDIA_TYPE, Flags, FrameKind, FrameStack, decode
from tests.answers import error_of

TOKENIZE, ATTENTION = "/api/v1/tokenize", "/api/v1/attention"
SENTENCE = "The animal didn't cross the street because it was too tired."
NPZ, SAFETENSORS = "application/x-npz", "application/vnd.safetensors"

ClientFor = Callable[..., AbstractContextManager[TestClient]]


def asked(text: str = SENTENCE, model: str = "minilm", **more: object) -> dict[str, object]:
    return {"model": model, "text": text, **more}


def maps_of(body: dict[str, Any], n_heads: int) -> NDArray[np.float32]:
    """[layers, heads, queries, keys] of a JSON answer."""
    maps = np.array([one["pattern"] for one in body["attention"]], np.float32)
    return maps.reshape(-1, n_heads, *maps.shape[1:])


@pytest.fixture(scope="module", params=["minilm", "smollm2"])
def whole(request: pytest.FixtureRequest, client: TestClient) -> dict[str, Any]:
    """The JSON answer for all heads of a real model."""
    answer = client.post(ATTENTION, json=asked(model=request.param))
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


HEADS = {"minilm": 12, "smollm2": 9}


def test_tokens_come_with_everything_told_of_them(client: TestClient) -> None:
    body = client.post(TOKENIZE, json=asked("The café.")).json()
    assert body["n_tokens"] == len(body["tokens"]) == 5
    assert body["tokens"][2] == {
        **{"index": 2, "id": 7668, "text": "café", "piece": "cafe", "kind": "word_start"},
        **{"word": 1, "start": 4, "end": 8, "segment": 0, "unknown": False},
    }
    assert [token["kind"] for token in body["tokens"]] == [
        *("special", "word_start", "word_start", "punctuation", "special")
    ]


def test_a_pair_of_sentences_has_two_segments(client: TestClient) -> None:
    body = client.post(TOKENIZE, json=asked("One.", text_pair="Two.")).json()
    assert [token["segment"] for token in body["tokens"]] == [0, 0, 0, 0, 1, 1, 1]


def test_an_answer_says_what_it_is_and_where_it_was_made(
    whole: dict[str, Any], device: torch.device
) -> None:
    assert whole.keys() == {
        *("id", "model", "revision", "device", "dtype", "tokens", "n_tokens", "truncated"),
        *("stack", "values", "queries", "keys", "attention", "timing"),
    }
    assert whole["stack"] == {"minilm": "encoder", "smollm2": "decoder"}[whole["model"]]
    assert whole["values"] == "raw"
    assert whole["queries"] == whole["keys"] == [0, whole["n_tokens"]]
    assert whole["model"] in HEADS
    assert whole["device"] == str(device)
    assert whole["dtype"] == "float32"
    assert whole["truncated"] is False
    assert whole["n_tokens"] == len(whole["tokens"])
    timing = whole["timing"]
    parts = ("load_ms", "tokenize_ms", "queue_ms", "forward_ms")
    assert timing["total_ms"] >= sum(timing[part] for part in parts) > 0


def test_every_layer_and_head_is_there_in_order(whole: dict[str, Any]) -> None:
    n_layers, n_heads = {"minilm": (6, 12), "smollm2": (30, 9)}[whole["model"]]
    order = [(one["layer"], one["head"]) for one in whole["attention"]]
    assert order == [(layer, head) for layer in range(n_layers) for head in range(n_heads)]
    n_tokens = whole["n_tokens"]
    assert maps_of(whole, n_heads).shape == (n_layers, n_heads, n_tokens, n_tokens)


def test_rows_sum_to_one(whole: dict[str, Any]) -> None:
    maps = maps_of(whole, HEADS[whole["model"]])
    assert np.abs(maps.sum(-1) - 1).max() < 1e-5


def test_the_maps_equal_those_of_eager_attention(
    whole: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(whole["model"])
    folder = request.getfixturevalue("models_dir") / whole["model"]
    eager = AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    ids = torch.tensor([[token["id"] for token in whole["tokens"]]])
    with torch.inference_mode():
        expected = torch.cat(eager.eval()(input_ids=ids, output_attentions=True).attentions)
    maps = maps_of(whole, model.architecture.n_heads)
    assert np.abs(maps - expected.numpy()).max() < 1e-5


def test_every_format_holds_the_same_numbers(whole: dict[str, Any], client: TestClient) -> None:
    question = asked(model=whole["model"])
    maps = maps_of(whole, HEADS[whole["model"]])
    texts = [token["text"] for token in whole["tokens"]]

    answer = client.post(ATTENTION, json=question, headers={"Accept": NPZ})
    assert answer.headers["content-type"] == NPZ
    assert answer.headers["content-disposition"].endswith(f'headscope-{whole["id"]}.npz"')
    with np.load(io.BytesIO(answer.content), allow_pickle=False) as arrays:
        assert arrays["attention"].dtype == np.float32
        assert np.array_equal(arrays["attention"], maps)
        assert arrays["tokens"].tolist() == texts
        assert arrays["layers"].tolist() == list(range(maps.shape[0]))
        assert arrays["heads"].tolist() == list(range(maps.shape[1]))
        assert json.loads(str(arrays["meta"]))["revision"] == whole["revision"]

    answer = client.post(ATTENTION, json=question, headers={"Accept": SAFETENSORS})
    assert answer.headers["content-type"] == SAFETENSORS
    tensors = load_safetensors(answer.content)
    assert np.array_equal(tensors["attention"], maps)
    assert tensors["token_ids"].tolist() == [token["id"] for token in whole["tokens"]]


def test_safetensors_carry_the_tokens_texts(client: TestClient, tmp_path: Any) -> None:  # noqa: ANN401
    question = asked("The café.", layers=[1], heads=[2])
    answer = client.post(ATTENTION, json=question, headers={"Accept": SAFETENSORS})
    (tmp_path / "maps.safetensors").write_bytes(answer.content)
    with safe_open(tmp_path / "maps.safetensors", "np") as file:
        texts, meta = (json.loads(file.metadata()[name]) for name in ("tokens", "meta"))
    assert texts == ["[CLS]", "The", "café", ".", "[SEP]"]
    assert meta["model"] == "minilm"


@pytest.mark.parametrize("model", ["minilm", "smollm2"])
def test_value_weighted_maps_are_those_of_maps_in_every_format(
    model: str, client: TestClient
) -> None:
    question = asked(model=model, values="weighted")
    chosen = question | {"layers": [4, 1], "heads": [7, 0, 3]}
    body = client.post(ATTENTION, json=chosen).json()
    assert body["values"] == "weighted"
    for one in body["attention"]:
        cell = {"layer": one["layer"], "head": one["head"]}
        single = question | {"combine": "head", "cells": [cell]}
        weighted, raw = (
            client.post("/api/v1/maps", json=single | {"values": values}).json()
            for values in ("weighted", "raw")
        )
        assert np.allclose(one["pattern"], weighted["pattern"], atol=1e-7)
        assert one["pattern"] != raw["pattern"]
    maps = maps_of(body, 3)
    npz = client.post(ATTENTION, json=chosen, headers={"Accept": NPZ}).content
    with np.load(io.BytesIO(npz), allow_pickle=False) as arrays:
        assert np.array_equal(arrays["attention"], maps)
        assert json.loads(str(arrays["meta"]))["values"] == "weighted"
    packed = client.post(ATTENTION, json=chosen, headers={"Accept": SAFETENSORS}).content
    assert np.array_equal(load_safetensors(packed)["attention"], maps)


@pytest.mark.parametrize(
    ("model", "stack", "flags"),
    [
        ("minilm", FrameStack.ENCODER, Flags.NONE),
        ("smollm2", FrameStack.DECODER, Flags.CAUSAL),
    ],
)
def test_one_head_is_the_same_in_json_and_frame_and_arrays(
    model: str, stack: FrameStack, flags: Flags, client: TestClient
) -> None:
    answer = client.post(ATTENTION, json=asked(model=model, layers=[4], heads=[7])).json()
    expected = np.array(answer["attention"][0]["pattern"], np.float32)
    cells = [{"layer": 4, "head": 7}]
    question = asked(model=model, combine="head", cells=cells)

    def fetch(accept: str) -> Any:  # noqa: ANN401
        return client.post("/api/v1/maps", json=question, headers={"Accept": accept})

    body = fetch("application/json").json()
    assert (body["id"], body["model"], body["cells"]) == (answer["id"], model, cells)
    assert body["tokens"] == answer["tokens"]
    assert np.array_equal(np.array(body["pattern"], np.float32), expected)

    answer = fetch(MEDIA_TYPE)
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert answer.headers["vary"] == "Accept"
    frame = decode(answer.content)
    assert (frame.kind, frame.layer, frame.first_head) == (FrameKind.PATTERN, 4, 7)
    assert (frame.stack, frame.flags) == (stack, flags)
    assert frame.n_queries == frame.n_keys == len(expected)
    assert np.array_equal(frame.values[0], expected)

    with np.load(io.BytesIO(fetch(NPZ).content)) as arrays:
        assert np.array_equal(arrays["pattern"], expected)
    assert np.array_equal(load_safetensors(fetch(SAFETENSORS).content)["pattern"], expected)


def test_chosen_layers_and_heads_come_in_the_order_asked(client: TestClient) -> None:
    all_heads = client.post(ATTENTION, json=asked()).json()["attention"]
    some = client.post(ATTENTION, json=asked(layers=[5, 0], heads=[3, 11, 1])).json()["attention"]
    assert [(one["layer"], one["head"]) for one in some] == [
        (layer, head) for layer in (5, 0) for head in (3, 11, 1)
    ]
    for one in some:
        same = np.array(all_heads[one["layer"] * 12 + one["head"]]["pattern"])
        assert np.abs(np.array(one["pattern"]) - same).max() < 1e-6


def test_a_pair_is_told_apart_from_one_text(client: TestClient) -> None:
    one = client.post(ATTENTION, json=asked("One. Two.", layers=[0], heads=[0])).json()
    pair = client.post(
        ATTENTION, json=asked("One.", text_pair="Two.", layers=[0], heads=[0])
    ).json()
    assert one["id"] != pair["id"]
    assert [token["segment"] for token in pair["tokens"]] == [0, 0, 0, 0, 1, 1, 1]


def test_the_same_question_has_the_same_id_and_runs_once(client: TestClient) -> None:
    question = asked("A question asked twice.", layers=[0], heads=[0])
    first, second = (client.post(ATTENTION, json=question).json() for _ in range(2))
    assert first["id"] == second["id"]
    assert first["attention"] == second["attention"]
    assert first["timing"]["forward_ms"] > 0
    assert second["timing"]["forward_ms"] == 0


def test_tokens_that_look_like_markup_are_only_text(client: TestClient) -> None:
    hostile = "<img src=x onerror=alert(1)> </script>"
    answer = client.post(ATTENTION, json=asked(hostile, layers=[0], heads=[0]))
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "".join(token["text"] for token in answer.json()["tokens"][1:-1]) == hostile.replace(
        " ", ""
    )


@pytest.mark.parametrize("path", [TOKENIZE, ATTENTION])
class TestRefusals:
    """The same on both paths, and in JSON whatever was asked for."""

    @pytest.mark.parametrize("text", ["", " ", "\n\t "])
    def test_an_empty_text(self, path: str, text: str, client: TestClient) -> None:
        error_of(client.post(path, json=asked(text)), 422, "empty_text")

    def test_a_text_over_the_limit_with_both_counts(self, path: str, client: TestClient) -> None:
        for accept in ("application/json", NPZ if path == ATTENTION else "*/*"):
            answer = client.post(path, json=asked("word " * 600), headers={"Accept": accept})
            error = error_of(answer, 413, "text_too_long")
            cut = {"field": "text", "n_characters": len("word " * 510) - 1}
            assert error["details"] == {"n_tokens": 602, "max_tokens": 512, "cut": cut}
            assert "602 tokens and the limit is 512" in error["message"]

    def test_a_text_over_the_limit_of_characters(self, path: str, client: TestClient) -> None:
        error = error_of(client.post(path, json=asked("a" * 100_001)), 413, "text_too_long")
        assert error["details"] == {"n_characters": 100_001, "max_characters": 100_000}

    def test_an_unknown_model_with_those_there_are(self, path: str, client: TestClient) -> None:
        error = error_of(client.post(path, json=asked(model="bort")), 404, "unknown_model")
        assert {"minilm", "smollm2", "headscope-tiny"} <= set(error["details"]["available"])
        assert "'bort'" in error["message"]

    def test_a_model_that_is_not_here(self, path: str, client: TestClient) -> None:
        error = error_of(
            client.post(path, json=asked(model="gpt2-medium")), 503, "model_unavailable"
        )
        assert "GPT-2 medium is not available" in error["message"]

    def test_a_pair_for_a_decoder(self, path: str, client: TestClient) -> None:
        question = asked("One.", "smollm2", text_pair="Two.")
        error = error_of(client.post(path, json=question), 422, "pair_not_supported")
        assert "SmolLM2" in error["message"]

    def test_an_empty_half_of_a_pair(self, path: str, client: TestClient) -> None:
        error_of(client.post(path, json=asked("One.", text_pair=" ")), 422, "empty_text")

    def test_unknown_fields_by_name(self, path: str, client: TestClient) -> None:
        error = error_of(client.post(path, json=asked(txt="x", layer=3)), 422, "bad_request")
        fields = {field["field"] for field in error["details"]["fields"]}
        assert {"body.txt"} <= fields
        assert "body.txt" in error["message"]

    def test_missing_fields_by_name(self, path: str, client: TestClient) -> None:
        error = error_of(client.post(path, json={"model": "minilm"}), 422, "bad_request")
        assert error["details"]["fields"] == [{"field": "body.text", "problem": "Field required"}]

    def test_sent_values_are_not_sent_back(self, path: str, client: TestClient) -> None:
        answer = client.post(path, json={"model": "minilm", "text": ["a secret"]})
        error_of(answer, 422, "bad_request")
        assert "secret" not in answer.text

    @pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"text"', b"\xff"])
    def test_a_body_that_is_no_question(self, path: str, body: bytes, client: TestClient) -> None:
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        error_of(answer, 422, "bad_request")

    def test_half_of_a_surrogate_pair(self, path: str, client: TestClient) -> None:
        headers = {"Content-Type": "application/json"}
        for body, code in [
            (b'{"model": "minilm", "text": "a \\ud83d b"}', "bad_input"),
            (b'{"model": "minilm", "text": "a", "\\ud83d": 1}', "bad_request"),
        ]:
            error_of(client.post(path, content=body, headers=headers), 422, code)


@pytest.mark.parametrize(
    ("choice", "status", "code"),
    [
        ({"layers": [6]}, 404, "no_such_head"),
        ({"heads": [0, 12]}, 404, "no_such_head"),
        ({"layers": [-1]}, 422, "bad_request"),
        ({"heads": [-1]}, 422, "bad_request"),
        ({"layers": []}, 422, "bad_request"),
        ({"heads": ["all"]}, 422, "bad_request"),
        ({"layers": [0, 0]}, 422, "bad_request"),
        ({"heads": [3, 5, 3]}, 422, "bad_request"),
    ],
)
def test_layers_and_heads_outside_the_model_are_refused(
    choice: dict[str, Any], status: int, code: str, client: TestClient
) -> None:
    for accept in ("application/json", NPZ, SAFETENSORS):
        answer = client.post(ATTENTION, json=asked(**choice), headers={"Accept": accept})
        error = error_of(answer, status, code)
        assert any(word in error["message"] for word in ("layer", "head"))


@pytest.mark.parametrize("accept", ["text/csv", "image/png", "application/json;q=0", "nonsense"])
def test_a_format_we_do_not_write_is_refused_in_json(accept: str, client: TestClient) -> None:
    answer = client.post(ATTENTION, json=asked(), headers={"Accept": accept})
    error = error_of(answer, 406, "not_acceptable")
    assert NPZ in error["message"]


def test_json_over_the_limit_of_cells_is_refused_without_a_run(gated_for: Any) -> None:  # noqa: ANN401
    n_cells = 6 * 4 * 5**2
    question = asked("one two three", "deep")
    with gated_for(max_json_cells=n_cells - 1) as gated:
        error = error_of(gated.client.post(ATTENTION, json=question), 413, "too_many_cells")
        assert error["details"] == {"cells": n_cells, "max_cells": n_cells - 1}
        assert NPZ in error["message"]
        assert SAFETENSORS in error["message"]
        assert gated.network.runs == []
        fewer = gated.client.post(ATTENTION, json=question | {"layers": [0, 1]})
        assert fewer.status_code == 200
        arrays = gated.client.post(ATTENTION, json=question, headers={"Accept": NPZ})
        assert arrays.status_code == 200


def test_arrays_and_single_heads_have_their_limits_too(client_for: ClientFor) -> None:
    with client_for(max_json_cells=10, max_array_cells=1000) as client:
        whole = client.post(ATTENTION, json=asked("one two three"), headers={"Accept": NPZ})
        error_of(whole, 413, "too_many_cells")
        one = asked("one two three") | {"layers": [0], "heads": [0]}
        npz = client.post(ATTENTION, json=one, headers={"Accept": NPZ})
        meta = json.loads(str(np.load(io.BytesIO(npz.content))["meta"]))
        assert meta["timing"]["total_ms"] > 0
        head = asked("one two three", combine="head", cells=[{"layer": 0, "head": 0}])
        error_of(client.post("/api/v1/maps", json=head), 413, "too_many_cells")
        frame = client.post("/api/v1/maps", json=head, headers={"Accept": MEDIA_TYPE})
        assert frame.status_code == 200


def test_the_limit_of_tokens_is_a_setting(client_for: ClientFor) -> None:
    with client_for(max_tokens=5) as client:
        assert client.post(ATTENTION, json=asked("one two three")).status_code == 200
        answer = client.post(ATTENTION, json=asked("one two three four"))
        details = error_of(answer, 413, "text_too_long")["details"]
        assert (details["n_tokens"], details["max_tokens"]) == (6, 5)
