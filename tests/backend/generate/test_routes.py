"""What comes next over HTTP, and texts that go on over a socket."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from starlette.testclient import TestClient, WebSocketTestSession

from backend.wire.frames import Flags, Frame, FrameKind, FrameStack
from mha_core.models.catalogue import find
from mha_core.models.loading import LoadedModel, load
from tests.answers import Message, receive

GENERATE = "ws://127.0.0.1:8000/api/v1/generate"
NEXT = "/api/v1/next"
TEXT = "The capital of France is"
CHAT = "<|im_start|>user\nSay only: hi<|im_end|>\n<|im_start|>assistant\n"
PATIENCE = 60

ClientFor = Callable[..., AbstractContextManager[TestClient]]


def answers(socket: WebSocketTestSession) -> Iterator[Message]:
    """Every message but progress, up to the one that ends a request."""
    while True:
        message = receive(socket)
        if isinstance(message, Frame) or message["type"] != "progress":
            yield message
        if isinstance(message, dict) and message["type"] in ("done", "error"):
            return


def ask(socket: WebSocketTestSession, number: int, **more: object) -> None:
    socket.send_json({"request": number, "model": "smollm2", "text": TEXT, **more})


def kinds(messages: list[Message]) -> list[str]:
    return ["frame" if isinstance(m, Frame) else m["type"] for m in messages]


def told(messages: list[Message], kind: str) -> list[dict[str, Any]]:
    return [m for m in messages if isinstance(m, dict) and m["type"] == kind]


def frames_of(messages: list[Message]) -> list[Frame]:
    return [message for message in messages if isinstance(message, Frame)]


@pytest.fixture
def socket(client: TestClient) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(GENERATE) as socket:
        yield socket


@pytest.mark.parametrize("model", ["smollm2", "headscope-tiny"])
@pytest.mark.parametrize("top", [1, 7])
def test_candidates_and_the_rest_are_all_there_is(model: str, top: int, client: TestClient) -> None:
    body = client.post(NEXT, json={"model": model, "text": TEXT, "top": top}).json()
    probabilities = [candidate["probability"] for candidate in body["candidates"]]
    assert len(probabilities) == top
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) + body["rest"] == pytest.approx(1, abs=1e-9)
    assert body["entropy"] > 0
    assert body["n_tokens"] == len(body["tokens"])
    assert {"model", "revision", "device", "dtype", "timing"} <= body.keys()


def test_the_next_token_depends_on_the_continuation(client: TestClient) -> None:
    question = {"model": "smollm2", "text": TEXT}
    first = client.post(NEXT, json=question).json()
    assert len(first["candidates"]) == 20
    assert first["candidates"][0]["text"] == "␣Paris"
    paris = first["candidates"][0]["id"]
    second = client.post(NEXT, json={**question, "continuation": [paris]}).json()
    assert second["tokens"][-1]["text"] == "Paris"
    assert second["candidates"][0]["text"] == "."
    typed = client.post(NEXT, json={**question, "text": f"{TEXT} Paris"}).json()
    assert typed["candidates"][0]["probability"] == pytest.approx(
        second["candidates"][0]["probability"], abs=1e-5
    )


@pytest.mark.parametrize(
    ("question", "status", "code"),
    [
        ({"model": "minilm"}, 422, "no_continuation"),
        ({"model": "minilm", "continuation": [1]}, 422, "no_continuation"),
        ({"continuation": [49152]}, 422, "no_such_token"),
        ({"continuation": [10**30]}, 422, "no_such_token"),
        ({"continuation": [-1]}, 422, "bad_request"),
        ({"continuation": ["a"]}, 422, "bad_request"),
        ({"continuation": [1] * 1020}, 413, "text_too_long"),
        ({"continuation": [1] * 20_000}, 413, "text_too_long"),
        ({"top": 0}, 422, "bad_request"),
        ({"top": 1001}, 422, "bad_request"),
        ({"text": ""}, 422, "empty_text"),
        ({"text_pair": "two"}, 422, "pair_not_supported"),
    ],
)
def test_what_cannot_be_told_is_refused_in_words(
    question: dict[str, object], status: int, code: str, client: TestClient
) -> None:
    answer = client.post(NEXT, json={"model": "smollm2", "text": TEXT} | question)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code)
    assert error["message"].endswith(".")


def test_any_endpoint_takes_a_continuation(client: TestClient) -> None:
    question = {"model": "headscope-tiny", "text": "The ca", "continuation": [*b"t s"]}
    tokens = client.post("/api/v1/tokenize", json=question).json()["tokens"]
    typed = client.post(
        "/api/v1/tokenize", json={"model": "headscope-tiny", "text": "The cat s"}
    ).json()["tokens"]
    for token in typed[-3:]:
        token |= {"start": None, "end": None}
    assert tokens == typed
    whole = client.post("/api/v1/attention", json=question).json()
    head = question | {"combine": "head", "cells": [{"layer": 1, "head": 3}]}
    again = client.post("/api/v1/maps", json=head).json()
    assert again["id"] == whole["id"]
    assert np.array(again["pattern"]).shape == (10, 10)
    heads = client.post("/api/v1/heads", json=question).json()
    assert heads["id"] == whole["id"]
    chart = client.post("/api/v1/figures", json={**question, "kind": "scatter"}).json()
    distances = sorted(head["raw"]["distance"] for head in heads["heads"])
    assert sorted(x for trace in chart["data"] for x in trace["x"]) == pytest.approx(distances)
    alone = client.post("/api/v1/attention", json=question | {"continuation": []}).json()
    assert alone["id"] != whole["id"]


@pytest.mark.parametrize(
    ("model", "n_layers", "n_heads"), [("smollm2", 30, 9), ("headscope-tiny", 2, 8)]
)
def test_an_answer_is_a_start_then_tokens_with_their_rows_then_done(
    model: str, n_layers: int, n_heads: int, socket: WebSocketTestSession
) -> None:
    ask(socket, 7, model=model, n=4)
    messages = list(answers(socket))
    assert kinds(messages) == ["start", *["token", "frame"] * 4, "done"]
    [start], tokens, [done] = (told(messages, kind) for kind in ("start", "token", "done"))
    assert (start["n_layers"], start["n_heads"], start["model"]) == (n_layers, n_heads, model)
    assert {message["request"] for message in (start, *tokens, done)} == {7}
    assert [token["step"] for token in tokens] == [0, 1, 2, 3]
    assert [token["index"] for token in tokens] == [start["n_tokens"] + i for i in range(4)]
    assert done["reason"] == "length"
    assert done["continuation"] == [token["id"] for token in tokens]
    assert 0 < done["timing"]["first_frame_ms"] <= done["timing"]["total_ms"]
    for token, frame in zip(tokens, frames_of(messages), strict=True):
        assert frame.kind == FrameKind.ROWS
        assert (frame.layer, frame.first_head, frame.n_queries) == (n_layers, 0, 1)
        assert (frame.stack, frame.flags) == (FrameStack.DECODER, Flags.CAUSAL)
        assert frame.values.shape == (n_layers * n_heads, 1, token["index"])
        assert frame.n_keys == token["index"]
        assert np.allclose(frame.values.sum(-1), 1, atol=1e-5)
        best = token["candidates"][0]
        assert len(token["candidates"]) == 10
        assert (token["id"], token["piece"]) == (best["id"], best["piece"])
        assert token["probability"] == best["probability"]


@pytest.mark.parametrize("model", ["smollm2", "headscope-tiny"])
def test_the_rows_and_tokens_are_those_of_the_analysis_of_the_whole_text(
    model: str, socket: WebSocketTestSession, client: TestClient
) -> None:
    """Token i was predicted at i - 1, so its row is row i - 1 of the map."""
    ask(socket, 1, model=model, n=6)
    messages = list(answers(socket))
    start, done = told(messages, "start")[0], told(messages, "done")[0]
    question = {"model": model, "text": TEXT, "continuation": done["continuation"]}
    whole = client.post("/api/v1/attention", json=question).json()
    tokens = told(messages, "token")
    for one, other in zip([*start["tokens"], *tokens], whole["tokens"], strict=True):
        lasting = other.keys() - {"word"}  # two blank lines are one word or two by what follows
        assert {name: one[name] for name in lasting} == {name: other[name] for name in lasting}
    maps = np.array([head["pattern"] for head in whole["attention"]])  # [L*H, T, T]
    for token, frame in zip(tokens, frames_of(messages), strict=True):
        index = token["index"]
        assert np.abs(frame.values[:, 0] - maps[:, index - 1, :index]).max() <= 1e-5


def test_a_text_written_in_parts_is_the_text_written_at_once(
    socket: WebSocketTestSession,
) -> None:
    options = {"temperature": 1.2, "top_k": 40, "seed": 5}
    ask(socket, 1, n=6, **options)
    [whole] = told(list(answers(socket)), "done")
    ask(socket, 2, n=2, **options)
    [part] = told(list(answers(socket)), "done")
    assert part["continuation"] == whole["continuation"][:2]
    ask(socket, 3, n=4, continuation=part["continuation"], **options)
    messages = list(answers(socket))
    assert told(messages, "done")[0]["continuation"] == whole["continuation"]
    assert told(messages, "start")[0]["n_tokens"] == 7
    ask(socket, 4, n=6, **options | {"seed": 6})
    assert told(list(answers(socket)), "done")[0]["continuation"] != whole["continuation"]


def test_the_models_end_token_ends_the_text(socket: WebSocketTestSession) -> None:
    ask(socket, 1, text=CHAT, n=200)
    messages = list(answers(socket))
    [done] = told(messages, "done")
    tokens = told(messages, "token")
    assert done["reason"] == "end"
    assert len(tokens) < 200
    assert tokens[-1]["piece"] == "<|im_end|>"
    assert tokens[-1]["kind"] == "special"
    assert done["continuation"] == [token["id"] for token in tokens]


@pytest.mark.parametrize(("max_tokens", "n_written"), [(5, 0), (8, 3), (100, 4)])
def test_a_text_grows_up_to_the_limit_and_no_further(
    max_tokens: int, n_written: int, client_for: ClientFor
) -> None:
    with client_for(max_tokens=max_tokens) as client, client.websocket_connect(GENERATE) as socket:
        ask(socket, 1, n=4)
        messages = list(answers(socket))
        assert len(told(messages, "token")) == n_written
        [done] = told(messages, "done")
        assert done["reason"] == ("length" if n_written == 4 else "limit")
        assert told(messages, "start")[0]["max_tokens"] == max_tokens
        whole = {"model": "smollm2", "text": TEXT, "continuation": done["continuation"]}
        assert client.post("/api/v1/tokenize", json=whole).status_code == 200


def test_a_message_is_answered_after_the_whole_prompt(
    socket: WebSocketTestSession, client: TestClient
) -> None:
    ask(socket, 1, chat=True, n=3)
    messages = list(answers(socket))
    start, done = told(messages, "start")[0], told(messages, "done")[0]
    texts = [token["text"] for token in start["tokens"]]
    assert texts[-4:] == ["<|im_start|>", "ass", "istant", "↵"]
    assert [frame.n_keys for frame in frames_of(messages)] == [len(texts) + i for i in range(3)]
    question = {"model": "smollm2", "text": TEXT, "chat": True}
    best = client.post("/api/v1/next", json=question).json()["candidates"][0]
    assert best["id"] == done["continuation"][0]
    whole = client.post(
        "/api/v1/tokenize", json=question | {"continuation": done["continuation"]}
    ).json()
    assert [token["id"] for token in whole["tokens"]] == [
        *(token["id"] for token in start["tokens"]),
        *done["continuation"],
    ]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"model": "minilm"}, "no_continuation"),
        ({"model": "minilm", "chat": True}, "no_chat_template"),
        ({"model": "none"}, "unknown_model"),
        ({"text": " "}, "empty_text"),
        ({"continuation": [49152]}, "no_such_token"),
    ],
)
def test_an_error_ends_its_request_and_not_the_socket(
    question: dict[str, object], code: str, socket: WebSocketTestSession
) -> None:
    ask(socket, 3, **question)
    last = list(answers(socket))[-1]
    assert isinstance(last, dict)
    assert (last["type"], last["request"], last["error"]["code"]) == ("error", 3, code)
    ask(socket, 4, n=1)
    assert kinds(list(answers(socket))) == ["start", "token", "frame", "done"]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"n": 0}, {"n": 201}, {"temperature": -0.1}, {"temperature": 11}, {"top_k": 0}),
        *({"seed": -1}, {"seed": 2**53}, {"seed": "x"}, {"layers": [1]}, {"request": None}),
    ],
)
def test_numbers_out_of_range_are_told_of(
    wrong: dict[str, object], socket: WebSocketTestSession
) -> None:
    ask(socket, 1, **wrong) if "request" not in wrong else socket.send_json({"text": "a"})
    error = receive(socket)
    assert isinstance(error, dict)
    assert (error["type"], error["request"]) == ("error", None if "request" in wrong else 1)
    assert error["error"]["code"] == "bad_request"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_temperature_that_is_no_number_is_told_of(
    number: str, socket: WebSocketTestSession
) -> None:
    socket.send_text(f'{{"request": 1, "model": "smollm2", "text": "a", "temperature": {number}}}')
    error = receive(socket)
    assert isinstance(error, dict)
    assert error["error"]["code"] == "bad_request"


class Gate:
    """Counts the runs of HeadScope's own model and holds one of them until it is released."""

    def __init__(self, model: LoadedModel, held: int) -> None:
        self.n_runs, self.held = 0, held
        self.waiting, self.released = threading.Event(), threading.Event()
        self._hook = model.network.register_forward_pre_hook(self._enter)

    def _enter(self, *_: object) -> None:
        self.n_runs += 1
        if self.n_runs == self.held:
            self.waiting.set()
            assert self.released.wait(PATIENCE)

    def remove(self) -> None:
        self._hook.remove()


@pytest.fixture
def held(
    client_for: ClientFor,
    models_dir: Path,
    device: torch.device,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[tuple[TestClient, Gate]]:
    """A client whose model waits in its third run."""
    model = load(find("headscope-tiny"), models_dir=models_dir, device=str(device), hub=False)
    monkeypatch.setattr("backend.engine.model_cache.load", lambda entry, **_: model)
    gate = Gate(model, held=3)
    with client_for(workers=1) as client:
        yield client, gate
    gate.remove()


def test_a_cancelled_text_stops_within_its_step(held: tuple[TestClient, Gate]) -> None:
    client, gate = held
    with client.websocket_connect(GENERATE) as socket:
        ask(socket, 1, model="headscope-tiny", n=50)
        first = list(islice(answers(socket), 5))
        assert kinds(first) == ["start", *["token", "frame"] * 2]
        assert gate.waiting.wait(PATIENCE)
        socket.send_json({"cancel": True})
        for _ in range(5):  # by now the socket's own message has been read
            assert client.get("/api/v1/health").status_code == 200
        gate.released.set()
        ask(socket, 2, model="headscope-tiny", n=3)
        second = list(answers(socket))
    assert kinds(second) == ["start", *["token", "frame"] * 3, "done"]
    assert gate.n_runs == 3 + 3


def test_a_newer_question_wins(held: tuple[TestClient, Gate]) -> None:
    client, gate = held
    with client.websocket_connect(GENERATE) as socket:
        ask(socket, 1, model="headscope-tiny", n=50)
        assert kinds(list(islice(answers(socket), 5)))[-1] == "frame"
        assert gate.waiting.wait(PATIENCE)
        ask(socket, 2, model="headscope-tiny", text="Another", n=2)
        start = receive(socket)
        assert isinstance(start, dict)
        assert (start["type"], start["request"]) == ("start", 2)
        gate.released.set()
        rest = list(answers(socket))
    assert kinds(rest) == ["token", "frame", "token", "frame", "done"]
    assert {message["request"] for message in rest if isinstance(message, dict)} == {2}
    assert gate.n_runs == 3 + 2


def test_closing_the_socket_stops_the_text(held: tuple[TestClient, Gate]) -> None:
    client, gate = held
    with client.websocket_connect(GENERATE) as socket:
        ask(socket, 1, model="headscope-tiny", n=50)
        assert kinds(list(islice(answers(socket), 5)))[-1] == "frame"
        assert gate.waiting.wait(PATIENCE)
    gate.released.set()
    again = {"model": "headscope-tiny", "text": "The one worker is free again."}
    assert client.post(NEXT, json=again).status_code == 200
    assert gate.n_runs == 3 + 1
