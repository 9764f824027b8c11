"""Encoder-decoders through the whole application: three stacks, on the stream and by REST."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from starlette.testclient import TestClient
from transformers import AutoModel

from backend.wire.frames import MEDIA_TYPE, Flags, Frame, FrameKind, FrameStack, decode
from mha_core.models.family import OUTPUT_PROJECTIONS
from mha_core.runs.value_weights import value_norms

API, STREAM = "/api/v1", "ws://127.0.0.1:8000/api/v1/stream"
TEXT, PAIR = "The animal didn't cross the street.", "It was too tired, the animal was."
HALF_A_STEP = 0.5 / 255
STACKS = ("encoder", "decoder", "cross")
HEADS = {"bart": (4, 2, 2), "t5": (4, 4, 4)}  # of each stack: two layers, then three and three

Message = dict[str, Any] | Frame
ClientFor = Callable[..., AbstractContextManager[TestClient]]


class Asked(NamedTuple):
    """A family's model in an application of its own, and what transformers says of the texts."""

    family: str
    model: str
    client: TestClient
    eager: dict[str, list[NDArray[np.float32]]]  # stack -> layers [heads, queries, keys]

    def question(self, **more: object) -> dict[str, object]:
        return {"model": self.model, "text": TEXT, "text_pair": PAIR, **more}

    def post(self, path: str, **more: object) -> Any:  # noqa: ANN401
        answer = self.client.post(f"{API}/{path}", json=self.question(**more))
        assert answer.status_code == 200, answer.text[:300]
        return answer.json()

    def refused(self, path: str, **more: object) -> dict[str, Any]:
        answer = self.client.post(f"{API}/{path}", json=self.question(**more))
        assert 400 <= answer.status_code < 500
        error: dict[str, Any] = answer.json()["error"]
        return error

    def stream(self, **more: object) -> list[Message]:
        """Every message of one answer but progress."""
        messages: list[Message] = []
        with self.client.websocket_connect(STREAM) as socket:
            socket.send_json(self.question(request=1, **more))
            while True:
                received = socket.receive()
                if received.get("bytes") is not None:
                    messages.append(decode(received["bytes"]))
                    continue
                told = json.loads(received["text"])
                if told["type"] != "progress":
                    messages.append(told)
                if told["type"] in ("done", "error"):
                    return messages


@pytest.fixture(scope="module", params=["bart", "t5"])
def asked(
    request: pytest.FixtureRequest,
    model_directory: Callable[[str], Path],
    client_for: ClientFor,
) -> Iterator[Asked]:
    directory = model_directory(request.param)
    with client_for(extra_models=(str(directory),)) as client:
        tokens = client.post(
            f"{API}/tokenize", json={"model": directory.name, "text": TEXT, "text_pair": PAIR}
        ).json()["tokens"]
        ids = [torch.tensor([[it["id"] for it in tokens if it["segment"] == at]]) for at in (0, 1)]
        theirs = AutoModel.from_pretrained(directory, attn_implementation="eager").eval()
        with torch.inference_mode():
            output = theirs(input_ids=ids[0], decoder_input_ids=ids[1], output_attentions=True)
        eager = {
            stack: [layer[0].numpy() for layer in output[f"{stack}_attentions"]] for stack in STACKS
        }
        yield Asked(request.param, directory.name, client, eager)


def frames_of(messages: list[Message]) -> list[Frame]:
    return [message for message in messages if isinstance(message, Frame)]


def sort_of(message: Message) -> str:
    if isinstance(message, Frame):
        return f"{message.stack.name.lower()} {message.layer}"
    return f"metrics {message['stack']}" if message["type"] == "metrics" else message["type"]


def test_the_model_says_that_it_reads_a_second_text(asked: Asked) -> None:
    models = {it["id"]: it for it in asked.client.get(f"{API}/models").json()}
    assert models[asked.model]["kind"] == "encoder-decoder"
    assert models[asked.model]["pairs"] is True


def test_tokens_are_the_sources_and_then_the_decoders(asked: Asked) -> None:
    body = asked.post("tokenize")
    segments = [token["segment"] for token in body["tokens"]]
    assert segments == sorted(segments)
    assert set(segments) == {0, 1}
    assert [token["index"] for token in body["tokens"]] == list(range(body["n_tokens"]))


@pytest.mark.parametrize("times", ["first", "kept"])
def test_the_stream_gives_every_stack_as_it_is_computed(asked: Asked, times: str) -> None:
    text = {"text": f"{TEXT} Asked {times}."}
    messages = [asked.stream(**text) for _ in range(1 if times == "first" else 2)][-1]
    start, done = messages[0], messages[-1]
    assert isinstance(start, dict)
    assert isinstance(done, dict)
    assert (done["timing"]["forward_ms"] == 0) == (times == "kept")
    assert list(map(sort_of, messages[1:-1])) == [
        *("encoder 0", "encoder 1", "metrics encoder", "metrics encoder"),
        *("decoder 0", "cross 0", "decoder 1", "cross 1"),
        *("decoder 2", "metrics decoder", "metrics decoder", "metrics decoder", "cross 2"),
    ]
    n_source = sum(token["segment"] == 0 for token in start["tokens"])
    source, target = [0, n_source], [n_source, start["n_tokens"]]
    n_heads = HEADS[asked.family]
    assert start["stacks"] == [
        {"stack": "encoder", "n_layers": 2, "n_heads": n_heads[0]}
        | {"queries": source, "keys": source, "causal": False},
        {"stack": "decoder", "n_layers": 3, "n_heads": n_heads[1]}
        | {"queries": target, "keys": target, "causal": True},
        {"stack": "cross", "n_layers": 3, "n_heads": n_heads[2]}
        | {"queries": target, "keys": source, "causal": False},
    ]
    first = start["stacks"][0]
    assert (start["n_layers"], start["n_heads"]) == (first["n_layers"], first["n_heads"])
    assert start["rows"] == start["cols"] == n_source
    assert start["decoder_opportunities"].keys() == start["opportunities"].keys()
    assert start["decoder_opportunities"] != start["opportunities"]
    for frame in frames_of(messages):
        stack = start["stacks"][frame.stack]
        sides = tuple(end - begin for begin, end in (stack["queries"], stack["keys"]))
        assert (frame.n_queries, frame.n_keys) == sides
        assert frame.values.shape == (stack["n_heads"], *sides)
        assert frame.flags == (Flags.CAUSAL if stack["causal"] else Flags.NONE)


def test_frames_are_transformers_own_maps_up_to_half_a_step(asked: Asked) -> None:
    frames = frames_of(asked.stream())
    assert len(frames) == 8
    for frame in frames:
        expected = np.sqrt(asked.eager[STACKS[frame.stack]][frame.layer])
        assert np.abs(frame.values / 255 - expected).max() <= HALF_A_STEP + 1e-5


def test_value_weighted_frames_are_the_value_weighted_maps(asked: Asked) -> None:
    frames = {(it.stack, it.layer): it.values for it in frames_of(asked.stream(values="weighted"))}
    for at, stack in enumerate(STACKS):
        cells = [{"layer": 1, "head": 1}]
        one = asked.post("maps", stack=stack, combine="head", cells=cells, values="weighted")
        codes = frames[FrameStack(at), 1][1] / 255
        assert np.abs(codes - np.sqrt(np.array(one["pattern"]))).max() <= HALF_A_STEP + 1e-5


def test_a_weighted_stream_computes_value_norms_once_per_layer(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[torch.Size] = []

    def counted(v: torch.Tensor, grams: torch.Tensor) -> torch.Tensor:
        calls.append(v.shape)
        return value_norms(v, grams)

    for path in ("mha_core.metrics.meter", "mha_core.runs.value_weights"):
        monkeypatch.setattr(f"{path}.value_norms", counted)
    assert len(frames_of(asked.stream(values="weighted"))) == len(calls) == 8


def test_without_a_second_text_the_decoder_reads_one_token(asked: Asked) -> None:
    messages = asked.stream(text_pair=None)
    shapes = {frame.stack: frame.values.shape[1:] for frame in frames_of(messages)}
    n_source = shapes[FrameStack.ENCODER][0]
    assert shapes[FrameStack.DECODER] == (1, 1)
    assert shapes[FrameStack.CROSS] == (1, n_source)


@pytest.mark.parametrize("stack", STACKS)
def test_rest_gives_the_exact_maps_of_a_stack(asked: Asked, stack: str) -> None:
    body = asked.post("attention", stack=stack)
    assert body["stack"] == stack
    eager = asked.eager[stack]
    order = [(it["layer"], it["head"]) for it in body["attention"]]
    assert order == [(layer, head) for layer in range(len(eager)) for head in range(len(eager[0]))]
    for one in body["attention"]:
        expected = eager[one["layer"]][one["head"]]
        found = np.array(one["pattern"], np.float32)
        assert found.shape == expected.shape
        assert np.abs(found - expected).max() < 1e-6
    sides = [end - begin for begin, end in (body["queries"], body["keys"])]
    assert sides == list(eager[0].shape[1:])


@pytest.mark.parametrize("stack", STACKS)
def test_rest_gives_the_value_weighted_maps_of_a_stack(asked: Asked, stack: str) -> None:
    chosen = {"stack": stack, "values": "weighted"}
    [one] = asked.post("attention", layers=[1], heads=[1], **chosen)["attention"]
    cells = [{"layer": 1, "head": 1}]
    assert one["pattern"] == asked.post("maps", combine="head", cells=cells, **chosen)["pattern"]


@pytest.mark.parametrize("stack", STACKS)
def test_one_map_of_a_stack_is_the_same_as_frame_and_arrays(asked: Asked, stack: str) -> None:
    expected = asked.eager[stack][1][1]
    question = asked.question(stack=stack, combine="head", cells=[{"layer": 1, "head": 1}])

    def fetch(accept: str) -> bytes:
        answer = asked.client.post(f"{API}/maps", json=question, headers={"Accept": accept})
        return bytes(answer.content)

    frame = decode(fetch(MEDIA_TYPE))
    assert (frame.kind, frame.stack.name.lower()) == (FrameKind.PATTERN, stack)
    assert (frame.n_queries, frame.n_keys) == expected.shape
    assert np.abs(frame.values[0] - expected).max() < 1e-6
    with np.load(io.BytesIO(fetch("application/x-npz"))) as arrays:
        assert np.abs(arrays["pattern"] - expected).max() < 1e-6
        meta = json.loads(str(arrays["meta"]))
    assert meta["stack"] == stack


def test_a_stack_must_be_named_and_is_refused_where_there_is_none(asked: Asked) -> None:
    for path in ("attention", "maps"):
        error = asked.refused(path, **({"combine": "mean"} if path == "maps" else {}))
        assert error["code"] == "no_such_stack"
        assert error["details"]["available"] == list(STACKS)
    cells = {"combine": "head", "cells": [{"layer": 2, "head": 0}]}
    assert asked.refused("maps", stack="encoder", **cells)["code"] == "no_such_head"
    assert asked.refused("maps", stack="sideways", **cells)["code"] == "bad_request"


def test_other_models_have_one_stack_and_no_other(client: TestClient) -> None:
    question = {"model": "minilm", "text": TEXT, "layers": [0], "heads": [0]}
    unnamed, named = (
        client.post(f"{API}/attention", json=question | more).json()
        for more in ({}, {"stack": "encoder"})
    )
    assert unnamed["attention"] == named["attention"]
    answer = client.post(f"{API}/attention", json=question | {"stack": "cross"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "no_such_stack")
    assert "encoder" in answer.json()["error"]["message"]


def test_value_weights_of_an_unknown_family_are_refused_before_anything_is_shown(
    model_directory: Callable[[str], Path],
    client_for: ClientFor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(OUTPUT_PROJECTIONS, "bert")
    directory = model_directory("bert")
    with client_for(extra_models=(str(directory),)) as client:
        stranger = Asked("bert", directory.name, client, {})
        (error,) = stranger.stream(values="weighted")
        assert isinstance(error, dict)
        assert error["error"]["code"] == "no_value_weights"
        assert "raw values" in error["error"]["message"]
        assert len(frames_of(stranger.stream(values="raw"))) == 2
