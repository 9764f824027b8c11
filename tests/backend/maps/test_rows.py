"""What one token sees in every head: the model's own attention, every format, every refusal."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.numpy import load as load_safetensors
from starlette.testclient import TestClient
from torch import Tensor
from transformers import AutoModel

from backend.engine.session import Session
from backend.maps.rows import compute_rows
from backend.maps.schemas import RowsAbout, RowsRequest
from backend.wire.formats import MapsAnswer
from backend.wire.frames import MEDIA_TYPE, Flags, FrameKind, FrameStack, decode
from backend.wire.schemas import TextRequest
from mha_core.runs.analysis import Analysis
from mha_core.runs.value_weights import value_norms, weight_by_value
from mha_core.stacks import DECODER_INPUT
from tests.answers import error_of, strict
from tests.backend.conftest import Gated

ROWS = "/api/v1/rows"
SENTENCE = "The animal didn't cross the street because it was too tired."
SOURCE, TARGET = "The animal was tired.", "It slept and slept."
NPZ, SAFETENSORS, CSV = "application/x-npz", "application/vnd.safetensors", "text/csv"
IT = 10
STACKS = {
    "bert": {"encoder": "attentions"},
    "llama": {"decoder": "attentions"},
    "t5": {
        "encoder": "encoder_attentions",
        "decoder": "decoder_attentions",
        "cross": "cross_attentions",
    },
}
"""Family -> stack -> where transformers puts its maps."""
EVERY_STACK = [(family, stack) for family, stacks in STACKS.items() for stack in stacks]

ClientFor = Callable[..., AbstractContextManager[TestClient]]


def texts_of(family: str) -> dict[str, str]:
    return {"text": SOURCE, "text_pair": TARGET} if family == "t5" else {"text": SENTENCE}


def asked(model: str = "minilm", text: str = SENTENCE, **more: object) -> dict[str, Any]:
    return {"model": model, "text": text, "query": IT, **more}


@pytest.fixture(scope="module")
def session(session_for: Callable[..., Session], model_directory: Callable[[str], Path]) -> Session:
    return session_for(extra_models=tuple(str(model_directory(family)) for family in STACKS))


@pytest.fixture(scope="module")
def own_maps(
    session: Session, model_directory: Callable[[str], Path]
) -> Callable[[str], tuple[Analysis, dict[str, list[Tensor]]]]:
    """An analysis, and the maps of each stack that transformers computes itself, [H, Q, K]."""

    def run(family: str) -> tuple[Analysis, dict[str, list[Tensor]]]:
        folder = model_directory(family)
        prepared = session.prepare(TextRequest(model=folder.name, **texts_of(family)))
        model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
        names = ("input_ids", DECODER_INPUT)
        inputs = prepared.info.tokenized.inputs
        ids = {name: torch.tensor([inputs[name]]) for name in names if name in inputs}
        with torch.inference_mode():
            output = model(**ids, output_attentions=True)
        maps = {
            stack: [layer[0] for layer in output[field]] for stack, field in STACKS[family].items()
        }
        return session.analyse(prepared), maps

    return run


def queries(analysis: Analysis, stack: Any) -> Iterator[tuple[int, int]]:  # noqa: ANN401
    """The first, a middle and the last query of a stack: its running index, and its row."""
    first, end = analysis.stack(stack).queries
    yield from ((query, query - first) for query in (first, (first + end) // 2, end - 1))


def close(ours: object, theirs: object, tolerance: float = 1e-5) -> None:
    np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), atol=tolerance, rtol=0)


@pytest.mark.parametrize(("family", "stack"), EVERY_STACK)
def test_rows_are_those_of_the_models_own_maps(
    family: str,
    stack: Any,  # noqa: ANN401
    session: Session,
    own_maps: Callable[[str], tuple[Analysis, dict[str, list[Tensor]]]],
) -> None:
    analysis, maps = own_maps(family)
    model = session.models.get(analysis.model_id)
    for query, row in queries(analysis, stack):
        question = {"model": analysis.model_id, **texts_of(family), "stack": stack, "query": query}
        raw, weighted = (
            compute_rows(session, RowsRequest(**question, values=values))
            for values in ("raw", "weighted")
        )
        close(rows_of(raw), torch.stack(maps[stack])[:, :, row])
        norms = [value_norms(it.v[0], model.grams[it.site]) for it in analysis.captures(stack)]
        expected = [
            weight_by_value(pattern, norm.cpu())[:, row]
            for pattern, norm in zip(maps[stack], norms, strict=True)
        ]
        close(rows_of(weighted), torch.stack(expected))
        assert raw.about.keys == analysis.stack(stack).keys
        assert raw.about.queries == (query, query + 1)
        assert raw.causal == (stack == "decoder")


def rows_of(answer: MapsAnswer) -> NDArray[np.float32]:
    assert isinstance(answer.about, RowsAbout)
    rows: NDArray[np.float32] = answer.arrays["rows"]
    assert rows.shape[:2] == (answer.about.n_layers, answer.about.n_heads)
    return rows


@pytest.mark.parametrize("model", ["minilm", "smollm2", "headscope-tiny"])
@pytest.mark.parametrize("values", ["raw", "weighted"])
def test_rows_are_those_of_the_maps_that_attention_gives(
    model: str, values: str, client: TestClient
) -> None:
    body = strict(client.post(ROWS, json=asked(model, values=values)))
    question = {"model": model, "text": SENTENCE, "values": values}
    maps = client.post("/api/v1/attention", json=question).json()
    rows = np.array(body["rows"], np.float32)
    expected = np.array([one["pattern"][IT] for one in maps["attention"]], np.float32)
    close(rows.reshape(expected.shape), expected)
    assert rows.shape == (body["n_layers"], body["n_heads"], body["n_tokens"])
    assert (body["query"], body["queries"], body["values"]) == (IT, [IT, IT + 1], values)
    assert (body["note"] is None) == (values == "raw")
    same = ("id", "model", "revision", "tokens", "stack")
    assert {name: body[name] for name in same} == {name: maps[name] for name in same}
    if model != "minilm":
        assert not rows[:, :, IT + 1 :].any(), "later keys have no weight at all"
    close(rows.sum(-1), np.ones(rows.shape[:2]))


@pytest.mark.parametrize("model", ["minilm", "headscope-tiny"])
def test_every_format_has_the_same_numbers(model: str, client: TestClient) -> None:
    body = strict(client.post(ROWS, json=asked(model)))
    expected = np.array(body["rows"], np.float32)
    n_layers, n_heads, n_keys = expected.shape
    answers = {
        accept: client.post(ROWS, json=asked(model), headers={"Accept": accept})
        for accept in (MEDIA_TYPE, NPZ, SAFETENSORS, CSV)
    }
    for accept, answer in answers.items():
        assert answer.status_code == 200
        assert answer.headers["content-type"].partition(";")[0] == accept
        saved = answer.headers.get("content-disposition", "")
        assert (f"-row-{IT}." in saved) == (accept != MEDIA_TYPE)
    frame = decode(answers[MEDIA_TYPE].content)
    assert np.array_equal(frame.values.reshape(expected.shape), expected)
    assert (frame.kind, frame.layer, frame.first_head) == (FrameKind.ROWS, n_layers, 0)
    assert (frame.values.shape, frame.n_queries) == ((n_layers * n_heads, 1, n_keys), 1)
    causal = model != "minilm"
    assert frame.stack == (FrameStack.DECODER if causal else FrameStack.ENCODER)
    assert frame.flags == (Flags.CAUSAL if causal else Flags.NONE)
    with np.load(io.BytesIO(answers[NPZ].content)) as arrays:
        assert np.array_equal(arrays["rows"], expected)
        assert (int(arrays["query"]), arrays["keys"].tolist()) == (IT, list(range(n_keys)))
        assert json.loads(str(arrays["meta"]))["query"] == IT
    assert np.array_equal(load_safetensors(answers[SAFETENSORS].content)["rows"], expected)
    lines = list(csv.DictReader(io.StringIO(answers[CSV].text, newline="")))
    places = [tuple(int(line[name]) for name in ("layer", "head", "key")) for line in lines]
    assert places == list(np.ndindex(expected.shape))
    assert {line["query"] for line in lines} == {str(IT)}
    weights = np.array([line["weight"] for line in lines], np.float32)
    assert np.array_equal(weights.reshape(expected.shape), expected)


def test_another_token_of_the_same_text_needs_no_other_run(gated: Gated) -> None:
    for query in range(5):
        question = asked("deep", "one two three", query=query)
        assert gated.client.post(ROWS, json=question).status_code == 200
    assert len(gated.network.runs) == 1


@pytest.mark.parametrize(
    ("wrong", "code", "words"),
    [
        ({"query": 16}, "no_such_position", "Token 16 is no query"),
        ({"query": -1}, "bad_request", "query"),
        ({"query": None}, "bad_request", "query"),
        ({"query": 1.0}, "bad_request", "query"),
        ({"query": True}, "bad_request", "query"),
        ({"query": [1]}, "bad_request", "query"),
        ({"stack": "cross"}, "no_such_stack", "its stacks are encoder"),
        ({"stack": "middle"}, "bad_request", "stack"),
        ({"values": "both"}, "bad_request", "values"),
        ({"key": 1}, "bad_request", "key"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(
    wrong: dict[str, Any], code: str, words: str, client: TestClient
) -> None:
    error = error_of(client.post(ROWS, json=asked(**wrong)), 422, code)
    assert words in error["message"]


def test_a_position_that_is_none_is_refused_with_those_there_are(client: TestClient) -> None:
    error = error_of(client.post(ROWS, json=asked(query=99)), 422, "no_such_position")
    assert error["details"] == {"position": 99, "first": 0, "last": 15}


def test_of_several_stacks_one_must_be_named_and_its_own_tokens_asked_for(
    client_for: ClientFor, model_directory: Callable[[str], Path]
) -> None:
    folder = model_directory("t5")
    question = asked(folder.name, SOURCE, text_pair=TARGET, query=0)
    with client_for(extra_models=(str(folder),)) as client:
        error = error_of(client.post(ROWS, json=question), 422, "no_such_stack")
        assert "encoder, decoder, cross" in error["message"]
        strict(client.post(ROWS, json=question | {"stack": "encoder"}))
        for stack in ("decoder", "cross"):
            refused = client.post(ROWS, json=question | {"stack": stack})
            error = error_of(refused, 422, "no_such_position")
            assert f"no query of the {stack} attention" in error["message"]


def test_what_cannot_be_answered_is_refused_without_a_run(gated: Gated) -> None:
    for wrong in ({"query": 40}, {"stack": "cross", "query": 0}):
        assert gated.client.post(ROWS, json=asked("deep", **wrong)).status_code == 422
    assert gated.network.runs == []


def test_more_weights_than_an_answer_may_carry_are_refused(client_for: ClientFor) -> None:
    question = asked("headscope-tiny", "a" * 19)  # 2 layers x 8 heads x 20 keys
    with client_for(max_json_cells=319, max_array_cells=320) as small:
        for accept in ("application/json", CSV):
            refused = small.post(ROWS, json=question, headers={"Accept": accept})
            error = error_of(refused, 413, "too_many_cells")
            assert error["details"] == {"cells": 320, "max_cells": 319}
        for accept in (MEDIA_TYPE, NPZ, SAFETENSORS):
            assert small.post(ROWS, json=question, headers={"Accept": accept}).status_code == 200


def test_a_format_nobody_writes_is_refused(client: TestClient) -> None:
    answer = client.post(ROWS, json=asked(), headers={"Accept": "image/png"})
    assert MEDIA_TYPE in error_of(answer, 406, "not_acceptable")["message"]
