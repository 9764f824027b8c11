"""The stream: its order, its numbers, and that a newer question always wins."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from backend.wire.frames import Flags, Frame, FrameKind, FrameStack
from tests.answers import Message, receive

STREAM = "ws://127.0.0.1:8000/api/v1/stream"
SENTENCE = "The animal didn't cross the street because it was too tired."
HALF_A_STEP = 0.5 / 255
PATIENCE = 60
ALL_OF_DEEP = ["frame"] * 6 + ["metrics"] * 6  # the layers of a short text are measured together

ClientFor = Callable[..., AbstractContextManager[TestClient]]


def ask(socket: WebSocketTestSession, number: int, text: str = SENTENCE, **more: str) -> None:
    socket.send_json({"request": number, "model": "minilm", "text": text, **more})


def answers(socket: WebSocketTestSession) -> Iterator[Message]:
    """Every message up to the one that ends a request."""
    while True:
        yield (message := receive(socket))
        if isinstance(message, dict) and message["type"] in ("done", "error"):
            return


def first(socket: WebSocketTestSession, n_messages: int) -> list[Message]:
    """So many messages, or fewer where the request ends before."""
    return list(islice(answers(socket), n_messages))


def kinds(messages: list[Message]) -> list[str]:
    return ["frame" if isinstance(m, Frame) else m["type"] for m in messages]


def frames_of(messages: list[Message]) -> list[Frame]:
    return [message for message in messages if isinstance(message, Frame)]


@pytest.fixture
def socket(client: TestClient) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(STREAM) as socket:
        yield socket


@pytest.mark.parametrize(
    ("model", "n_layers", "n_heads", "causal"),
    [("minilm", 6, 12, False), ("smollm2", 30, 9, True)],
)
def test_an_answer_is_a_start_then_each_layer_in_order_then_done(
    model: str, n_layers: int, n_heads: int, causal: bool, socket: WebSocketTestSession
) -> None:
    ask(socket, 7, "Nobody else asks this, so it runs.", model=model)
    messages = [m for m in answers(socket) if isinstance(m, Frame) or m["type"] != "progress"]
    told = kinds(messages)
    assert (told[0], told[-1]) == ("start", "done")
    assert sorted(told[1:-1]) == ["frame"] * n_layers + ["metrics"] * n_layers
    assert told[1] == "frame"
    start, done = messages[0], messages[-1]
    assert isinstance(start, dict)
    assert isinstance(done, dict)
    assert start["request"] == done["request"] == 7
    assert start["id"] == done["id"]
    assert (start["model"], start["n_layers"], start["n_heads"]) == (model, n_layers, n_heads)
    assert start["causal"] is causal
    everything = [0, start["n_tokens"]]
    assert start["stacks"] == [
        {"stack": "decoder" if causal else "encoder", "n_layers": n_layers, "n_heads": n_heads}
        | {"queries": everything, "keys": everything, "causal": causal}
    ]
    assert start["n_tokens"] == len(start["tokens"]) == start["rows"] == start["cols"]
    assert {"revision", "device", "dtype", "truncated"} <= start.keys()
    for layer, frame in enumerate(frames_of(messages)):
        assert (frame.kind, frame.layer, frame.first_head) == (FrameKind.OVERVIEW, layer, 0)
        assert frame.values.shape == (n_heads, start["rows"], start["cols"])
        assert frame.n_queries == frame.n_keys == start["n_tokens"]
        assert frame.flags == (Flags.CAUSAL if causal else Flags.NONE)
        assert frame.stack == (FrameStack.DECODER if causal else FrameStack.ENCODER)
    timing = done["timing"]
    assert 0 < timing["first_frame_ms"] <= timing["forward_ms"] <= timing["total_ms"]
    assert {"tokenize_ms", "load_ms", "queue_ms"} <= timing.keys()


def metrics_of(messages: list[Message]) -> list[dict[str, Any]]:
    return [m for m in messages if isinstance(m, dict) and m["type"] == "metrics"]


@pytest.mark.parametrize("model", ["minilm", "headscope-tiny"])
def test_metrics_are_those_of_heads_in_the_order_of_layers(
    model: str, socket: WebSocketTestSession, client: TestClient
) -> None:
    ask(socket, 3, "The cat sat on the mat. The cat sat.", model=model)
    messages = [m for m in answers(socket) if isinstance(m, Frame) or m["type"] != "progress"]
    heads = client.post(
        "/api/v1/heads", json={"model": model, "text": "The cat sat on the mat. The cat sat."}
    ).json()
    start = messages[0]
    assert isinstance(start, dict)
    assert start["opportunities"] == heads["opportunities"]
    assert start["decoder_opportunities"] is None
    measured = metrics_of(messages)
    assert [told["layer"] for told in measured] == [frame.layer for frame in frames_of(messages)]
    assert {told["request"] for told in measured} == {3}
    rows = [
        {
            **{"stack": told["stack"], "layer": told["layer"], "head": head},
            "raw": {name: values[head] for name, values in told["raw"].items()},
            "weighted": told["weighted"],
            "labels": told["labels"][head],
        }
        for told in measured
        for head in range(start["n_heads"])
    ]
    assert rows == heads["heads"]


@pytest.mark.parametrize("model", ["minilm", "smollm2"])
def test_frames_are_the_exact_maps_up_to_half_a_step(
    model: str, socket: WebSocketTestSession, client: TestClient
) -> None:
    ask(socket, 1, model=model)
    frames = frames_of(list(answers(socket)))
    exact = client.post("/api/v1/attention", json={"model": model, "text": SENTENCE}).json()
    codes = np.concatenate([frame.values for frame in frames]).astype(np.float64) / 255
    maps = np.array([one["pattern"] for one in exact["attention"]])
    assert codes.shape == maps.shape
    assert np.abs(codes - np.sqrt(maps)).max() <= HALF_A_STEP + 1e-6


@pytest.mark.parametrize("model", ["minilm", "smollm2"])
def test_value_weighted_overviews_are_those_of_value_weighted_maps(
    model: str, socket: WebSocketTestSession, client: TestClient
) -> None:
    told: dict[str, list[Message]] = {}
    for number, values in enumerate(("raw", "weighted")):
        ask(socket, number, model=model, values=values)
        told[values] = list(answers(socket))
        start = next(m for m in told[values] if isinstance(m, dict) and m["type"] == "start")
        assert start["values"] == values
    raw, weighted = (frames_of(messages) for messages in told.values())
    assert [frame.layer for frame in weighted] == [frame.layer for frame in raw]
    for layer, head in ((0, 1), (3, 8)):
        question = {"model": model, "text": SENTENCE, "combine": "head", "values": "weighted"}
        question |= {"cells": [{"layer": layer, "head": head}]}  # type: ignore[dict-item]
        exact = np.array(client.post("/api/v1/maps", json=question).json()["pattern"])
        codes = weighted[layer].values[head] / 255
        assert np.abs(codes - np.sqrt(exact)).max() <= HALF_A_STEP + 1e-6
        assert not np.array_equal(weighted[layer].values[head], raw[layer].values[head])
    # Value-weighted metrics come with value-weighted maps, beside the raw ones.
    measured = [[m | {"request": 0} for m in metrics_of(messages)] for messages in told.values()]
    assert all(m["weighted"] is None for m in measured[0])
    assert [m | {"weighted": None} for m in measured[1]] == measured[0]
    assert all(m["weighted"] is not None and m["weighted"] != m["raw"] for m in measured[1])
    heads = client.post(
        "/api/v1/heads", json={"model": model, "text": SENTENCE, "values": "weighted"}
    ).json()["heads"]
    of_first = {name: values[0] for name, values in measured[1][0]["weighted"].items()}
    assert heads[0]["weighted"] == of_first


def test_a_long_text_arrives_pooled(socket: WebSocketTestSession, client: TestClient) -> None:
    text = "word " * 198
    ask(socket, 1, text)
    messages = list(answers(socket))
    start = next(m for m in messages if isinstance(m, dict) and m["type"] == "start")
    assert (start["n_tokens"], start["rows"], start["cols"]) == (200, 100, 100)
    frame = frames_of(messages)[2]
    assert frame.flags == Flags.MAX_POOLED
    assert (frame.n_queries, frame.values.shape) == (200, (12, 100, 100))
    head = {"combine": "head", "cells": [{"layer": 2, "head": 5}]}
    body = client.post("/api/v1/maps", json={"model": "minilm", "text": text, **head}).json()
    assert body["id"] == start["id"]
    pooled = np.array(body["pattern"]).reshape(100, 2, 100, 2).max((1, 3))
    assert np.abs(frame.values[5] / 255 - np.sqrt(pooled)).max() <= HALF_A_STEP + 1e-6


def test_a_kept_analysis_is_streamed_again_byte_for_byte(socket: WebSocketTestSession) -> None:
    again = []
    for number in (1, 2):
        ask(socket, number, "Asked twice on the stream.")
        again.append(list(answers(socket)))
    first, second = (frames_of(messages) for messages in again)
    assert len(first) == len(second) == 6
    assert all(np.array_equal(a.values, b.values) for a, b in zip(first, second, strict=True))
    told = [[m | {"request": 0} for m in metrics_of(messages)] for messages in again]
    assert told[0] == told[1]
    done = again[1][-1]
    assert isinstance(done, dict)
    assert done["timing"]["forward_ms"] == 0


def test_a_sentence_pair_is_streamed(socket: WebSocketTestSession) -> None:
    ask(socket, 1, "One.", text_pair="Two.")
    start = next(answers(socket))
    assert isinstance(start, dict)
    assert [token["segment"] for token in start["tokens"]] == [0, 0, 0, 0, 1, 1, 1]


def test_loading_a_model_is_told_before_anything_else(client_for: ClientFor) -> None:
    with client_for() as client, client.websocket_connect(STREAM) as socket:
        ask(socket, 5)
        messages = list(answers(socket))
    told = kinds(messages)
    n_progress = told.index("start")
    assert n_progress > 0
    assert told[:n_progress] == ["progress"] * n_progress
    for progress in messages[:n_progress]:
        assert isinstance(progress, dict)
        assert progress.keys() == {"type", "request", "message", "done", "total"}
        assert progress["request"] == 5
        assert "MiniLM" in progress["message"]
        assert progress["total"] == 0 or 0 <= progress["done"] <= progress["total"]


@pytest.mark.parametrize("n_workers", [1, 2])
def test_a_newer_question_stops_the_older_at_its_next_layer(
    gated_for: Callable[..., AbstractContextManager[Any]], n_workers: int
) -> None:
    with (
        gated_for(workers=n_workers) as gated,
        gated.client.websocket_connect(STREAM) as socket,
    ):
        gated.network.hold(run=0, layer=2)
        ask(socket, 1, "the older question", model="deep")
        assert kinds(first(socket, 3)) == ["start", "frame", "frame"]
        older = gated.network.runs[0]
        assert older.waiting.wait(PATIENCE)
        ask(socket, 2, "the newer one", model="deep")
        start = receive(socket)
        assert isinstance(start, dict)
        assert (start["type"], start["request"]) == ("start", 2)
        older.released.set()
        rest = list(answers(socket))
        assert kinds(rest) == [*ALL_OF_DEEP, "done"]
        assert [frame.layer for frame in frames_of(rest)] == list(range(6))
        assert all(frame.n_queries == start["n_tokens"] for frame in frames_of(rest))
        assert older.ended.wait(PATIENCE)
        assert older.layers == [0, 1, 2]
        assert gated.network.runs[1].layers == list(range(6))
        ask(socket, 3, "the newest", model="deep")
        newest = list(answers(socket))
    assert kinds(newest) == ["start", *ALL_OF_DEEP, "done"]
    assert {m["request"] for m in newest if isinstance(m, dict)} == {3}


def test_a_burst_of_questions_ends_with_the_answer_to_the_last(
    socket: WebSocketTestSession,
) -> None:
    for number in range(1, 9):
        ask(socket, number, f"question number {number} " * number)
    messages: list[Message] = []
    while not messages or not (
        isinstance(messages[-1], dict)
        and messages[-1]["type"] == "done"
        and messages[-1]["request"] == 8
    ):
        messages.append(receive(socket))
    current, layer = 0, 0
    for message in messages:
        if isinstance(message, Frame):
            assert message.layer == layer
            layer += 1
        elif message["type"] == "start":
            assert message["request"] > current
            current, layer = message["request"], 0
        else:
            assert message["request"] == current
    assert layer == 6


def test_a_cancelled_question_is_answered_no_further(gated: Any) -> None:  # noqa: ANN401
    with gated.client.websocket_connect(STREAM) as socket:
        gated.network.hold(run=0, layer=3)
        ask(socket, 1, model="deep")
        assert kinds(first(socket, 4)) == ["start", *["frame"] * 3]
        run = gated.network.runs[0]
        assert run.waiting.wait(PATIENCE)
        socket.send_json({"cancel": True})
        for _ in range(5):  # by now the socket's own message has been read
            assert gated.client.get("/api/v1/health").status_code == 200
        run.released.set()
        assert run.ended.wait(PATIENCE)
        assert run.layers == [0, 1, 2, 3]
        ask(socket, 2, "another", model="deep")
        start = receive(socket)
    assert isinstance(start, dict)
    assert start["request"] == 2


def test_closing_the_socket_stops_the_run_at_its_next_layer(gated: Any) -> None:  # noqa: ANN401
    gated.network.hold(run=0, layer=2)
    with gated.client.websocket_connect(STREAM) as socket:
        ask(socket, 1, model="deep")
        assert kinds(first(socket, 3)) == ["start", "frame", "frame"]
        run = gated.network.runs[0]
        assert run.waiting.wait(PATIENCE)
    run.released.set()
    assert run.ended.wait(PATIENCE)
    assert run.layers == [0, 1, 2]


def test_a_question_that_waits_for_its_turn_can_be_given_up(
    gated_for: Callable[..., AbstractContextManager[Any]],
) -> None:
    with gated_for(workers=1) as gated:
        gated.network.hold(run=0, layer=1)
        connect = gated.client.websocket_connect
        with connect(STREAM) as one:
            ask(one, 1, "the first", model="deep")
            assert kinds(first(one, 2)) == ["start", "frame"]
            with connect(STREAM) as other:
                ask(other, 1, "the second", model="deep")
                assert kinds(first(other, 1)) == ["start"]
            gated.network.runs[0].released.set()
            assert kinds(list(answers(one))) == [*ALL_OF_DEEP[1:], "done"]
            ask(one, 2, "the third", model="deep")
            assert kinds(list(answers(one))) == ["start", *ALL_OF_DEEP, "done"]
        layers = sorted(run.layers for run in gated.network.runs)
    # It may get its turn before it looks up; then it stops at its first layer.
    assert layers in ([[*range(6)]] * 2, [[0], *[[*range(6)]] * 2])


def test_two_sockets_do_not_mix(client: TestClient) -> None:
    texts = ["one socket asks this", "and the other socket something rather longer than that"]
    with client.websocket_connect(STREAM) as one, client.websocket_connect(STREAM) as other:
        for number in range(1, 6):
            for socket, text in zip((one, other), texts, strict=True):
                ask(socket, number, f"{text} {number}")
            for socket, n_tokens in ((one, 7), (other, 12)):
                messages = list(answers(socket))
                told = [m for m in messages if isinstance(m, dict)]
                assert {message["request"] for message in told} == {number}
                assert told[0]["n_tokens"] == n_tokens
                assert {frame.n_queries for frame in frames_of(messages)} == {n_tokens}


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"text": ""}, "empty_text"),
        ({"text": "word " * 600}, "text_too_long"),
        ({"model": "none"}, "unknown_model"),
        ({"model": "gpt2-medium"}, "model_unavailable"),
        ({"model": "smollm2", "text_pair": "two"}, "pair_not_supported"),
    ],
)
def test_an_error_ends_its_request_and_not_the_socket(
    question: dict[str, str], code: str, socket: WebSocketTestSession
) -> None:
    socket.send_json({"request": 3, "model": "minilm", "text": "one"} | question)
    last = list(answers(socket))[-1]
    assert isinstance(last, dict)
    assert last.keys() == {"type", "request", "error"}
    assert (last["type"], last["request"]) == ("error", 3)
    assert last["error"].keys() == {"code", "message", "details"}
    assert last["error"]["code"] == code
    ask(socket, 4)
    assert kinds(list(answers(socket)))[-1] == "done"


def test_bytes_that_are_no_text_are_told_so(socket: WebSocketTestSession) -> None:
    socket.send_bytes(b"\xff\x00HSCP")
    assert kinds([receive(socket)]) == ["error"]
