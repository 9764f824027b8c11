"""What every endpoint that takes a text promises: refusals, memory, cache, cancellation."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
import torch
from starlette.testclient import TestClient

from mha_core.models.family import OUTPUT_PROJECTIONS
from tests.answers import REFUSED, error_of
from tests.backend.conftest import ClientFor, Gated

Question = dict[str, Any]


def compare_with_another(question: Question) -> Question:
    values = {name: question.pop(name) for name in ("values",) if name in question}
    return {"one": question, "other": {"model": "headscope-tiny", "text": "another"}, **values}


def make_corpus(question: Question) -> Question:
    return question | {"texts": [question.pop("text")]}


BODIES: dict[str, Callable[[Question], Question]] = {
    "attention": lambda it: it | {"stack": None},
    "maps": lambda it: it | {"combine": "mean"},
    "rows": lambda it: it | {"query": 1},
    "query-key": lambda it: it | {"layer": 0, "head": 0, "query": 1, "key": 1},
    "heads": lambda it: it,
    "edges": lambda it: it | {"queries": [1], "keys": [1]},
    "compare": compare_with_another,
    "corpus": make_corpus,
    "figures": lambda it: it | {"kind": "scatter"},
    "snapshot": lambda it: it,
    "learn/anatomy": lambda it: it | {"layer": 0, "step": "scores"},
    "learn/anatomy/trace": lambda it: it | {"layer": 0, "matrix": "q", "row": 1, "column": 0},
}
"""Endpoints that run a model -> the body of a request about a text."""

WITH_VALUES = ("attention", "maps", "rows", "heads", "compare", "corpus")
"""Those of which value-weighted maps can be asked."""

endpoints = pytest.mark.parametrize("path", BODIES)
# A corpus is of many texts: none of their analyses is kept, and none has a second text or an end.
of_one_text = pytest.mark.parametrize("path", [path for path in BODIES if path != "corpus"])


def body(path: str, text: str = "one two three", **more: object) -> Question:
    return BODIES[path]({"model": "deep", "text": text, **more})


def post(client: TestClient, path: str, question: Question) -> Any:  # noqa: ANN401
    return client.post(f"/api/v1/{path}", json=question)


@pytest.mark.parametrize(
    ("path", "change", "status", "code"),
    [
        (path, *case)
        for path in BODIES
        for case in REFUSED
        if path != "attention" or "layers" not in case[0]  # which is a field of this one
        if path != "corpus" or "text_pair" not in case[0]
    ],
)
def test_what_cannot_be_run_is_refused(
    path: str, change: Question, status: int, code: str, client: TestClient
) -> None:
    question = BODIES[path]({"model": "minilm", "text": "one two", **change})
    error_of(post(client, path, question), status, code)


@endpoints
def test_a_text_that_cannot_be_read_is_refused_before_any_run(path: str, gated: Gated) -> None:
    error_of(post(gated.client, path, body(path, " ")), 422, "empty_text")
    error_of(post(gated.client, path, body(path, "word " * 600)), 413, "text_too_long")
    assert gated.network.runs == []


@pytest.mark.parametrize("path", WITH_VALUES)
def test_value_weights_that_are_not_known_are_refused_before_any_run(
    path: str, gated: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(OUTPUT_PROJECTIONS, "bert")
    error = error_of(
        post(gated.client, path, body(path, values="weighted")), 422, "no_value_weights"
    )
    assert error["details"] == {"family": "bert"}
    assert "Ask for raw values" in error["message"]
    assert gated.network.runs == []
    error_of(post(gated.client, path, body(path, values="x")), 422, "bad_request")


@endpoints
def test_too_little_memory_is_an_error_with_its_cause_after_a_second_try(
    path: str, gated: Gated
) -> None:
    def fail(run: int, layer: int) -> None:
        raise torch.OutOfMemoryError("Tried to allocate 20.00 GiB.\nAnd much more.")

    gated.network.before = fail
    error = error_of(post(gated.client, path, body(path)), 503, "out_of_memory")
    assert error["details"]["cause"] == "Tried to allocate 20.00 GiB."
    assert "shorten the text" in error["message"]
    assert len(gated.network.runs) == 2
    gated.network.before = lambda run, layer: None
    assert post(gated.client, path, body(path)).status_code == 200


def without_timing(answer: Any) -> object:  # noqa: ANN401
    if answer.headers["content-type"] != "application/json":
        return answer.text
    return {name: value for name, value in answer.json().items() if name != "timing"}


@of_one_text
def test_a_kept_analysis_is_used_and_an_evicted_one_computed_again(
    path: str, gated_for: Callable[..., AbstractContextManager[Gated]]
) -> None:
    answers, n_texts = [], 2 if path == "compare" else 1
    for cache_mb, n_times in ((512, 1), (0, 2)):
        with gated_for(cache_mb=cache_mb) as gated:
            answers += [post(gated.client, path, body(path)) for _ in range(2)]
            assert len(gated.network.runs) == n_times * n_texts
    assert [answer.status_code for answer in answers] == [200] * 4
    assert all(without_timing(it) == without_timing(answers[0]) for it in answers)


@endpoints
def test_a_run_stops_at_the_next_layer_when_its_client_has_left(path: str, gated: Gated) -> None:
    client = gated.leave_during(path, body(path))
    assert client.sent == [], "nobody is left to answer"
    assert gated.network.runs[0].layers == [0, 1, 2]


@of_one_text
def test_a_text_may_be_wrapped_as_a_message_where_the_model_has_a_template(
    path: str, client: TestClient
) -> None:
    question = {"model": "smollm2", "text": "Why did it sleep?"}
    bare, wrapped = (
        post(client, path, BODIES[path](question | {"chat": chat})) for chat in (False, True)
    )
    assert [answer.status_code for answer in (bare, wrapped)] == [200, 200], wrapped.text[:300]
    assert without_timing(bare) != without_timing(wrapped)
    without = BODIES[path]({"model": "minilm", "text": "one two", "chat": True})
    error = error_of(post(client, path, without), 422, "no_chat_template")
    assert "leave out `chat`" in error["message"]
    refused = BODIES[path](question | {"chat": 1})
    error_of(post(client, path, refused), 422, "bad_request")


@of_one_text
def test_a_continuation_is_part_of_the_text(path: str, client_for: ClientFor) -> None:
    with client_for() as client:
        question = {"model": "headscope-tiny", "text": "The ca"}
        alone, longer = (
            post(client, path, BODIES[path](question | {"continuation": ids}))
            for ids in ([], [*b"t s"])
        )
    assert [answer.status_code for answer in (alone, longer)] == [200, 200]
    assert without_timing(alone) != without_timing(longer)
