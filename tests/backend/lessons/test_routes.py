"""The calculator, exercises and the comparison of three ways, as a client sees them."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from mha_core.anatomy.calculator import HeadShape, count_shape
from mha_core.anatomy.exercises import EXERCISES
from mha_core.anatomy.expressiveness import describe_limits
from tests.answers import error_of, receive, strict
from tests.backend.conftest import ClientFor

CALCULATOR = "/api/v1/learn/calculator"
EXERCISES_PATH = "/api/v1/learn/exercises"
LOOPS = "ws://127.0.0.1:8000/api/v1/learn/loops"
SIZES = {"d_model": 768, "n_heads": 12, "n_tokens": 512}
LONG = {"d_model": 768, "n_heads": 12, "n_tokens": 512, "batch": 4, "rounds": 200}
SMALL = {"d_model": 32, "n_heads": 4, "n_tokens": 8, "batch": 2, "causal": True, "rounds": 4}


# The calculator ----------------------------------------------------------------------------------


def test_sizes_are_counted_and_described(client: TestClient) -> None:
    sizes = {"n_kv_heads": 4, "n_layers": 3, "bytes_per_number": 4, "bias": False}
    body = strict(client.post(CALCULATOR, json=SIZES | sizes))
    counts = count_shape(HeadShape(768, 12, 4, 3, 512, 4, bias=False))
    assert body["divides"] is True
    assert body["problems"] == []
    assert body["counts"]["d_head"] == counts.d_head == 64
    assert body["counts"]["parameters"]["separate"] == counts.parameters.separate
    assert body["counts"]["parameters"]["fused"] == counts.parameters.separate
    assert body["counts"]["flops"]["all_layers"] == counts.flops.all_layers
    assert body["counts"]["cache"]["times_smaller"] == 3
    assert body["counts"]["maps"]["all_layers"] == 3 * 12 * 512**2
    assert body["expresses"] == describe_limits(HeadShape(**body["shape"]))


def test_what_is_left_out_has_its_usual_value(client: TestClient) -> None:
    shape = strict(client.post(CALCULATOR, json=SIZES))["shape"]
    assert shape == SIZES | {"n_kv_heads": 12, "n_layers": 1, "bytes_per_number": 2, "bias": True}


@pytest.mark.parametrize(
    ("change", "size", "nearest"),
    [
        ({"n_heads": 10}, "n_heads", [8, 12]),
        ({"n_heads": 1000}, "n_heads", [768]),
        ({"n_kv_heads": 5}, "n_kv_heads", [4, 6]),
        ({"n_kv_heads": 24}, "n_kv_heads", [12]),
    ],
)
def test_sizes_that_do_not_divide_are_no_error(
    change: dict[str, int], size: str, nearest: list[int], client: TestClient
) -> None:
    body = strict(client.post(CALCULATOR, json=SIZES | change))
    assert (body["divides"], body["counts"], body["expresses"]) == (False, None, [])
    (problem,) = body["problems"]
    assert (problem["size"], problem["nearest"]) == (size, nearest)
    for value in nearest:
        assert strict(client.post(CALCULATOR, json=SIZES | {size: value}))["divides"]


@pytest.mark.parametrize(
    "change", [{"d_model": 0}, {"n_heads": -1}, {"n_tokens": 10**12}, {"bytes_per_number": 9}]
)
def test_absurd_sizes_are_refused(change: dict[str, int], client: TestClient) -> None:
    error_of(client.post(CALCULATOR, json=SIZES | change), 422, "bad_request")


def test_the_largest_sizes_are_counted_to_the_last_digit(client: TestClient) -> None:
    limits = strict(client.get(CALCULATOR))["limits"]
    body = strict(client.post(CALCULATOR, json=limits | {"n_heads": 1}))
    shape = HeadShape(**body["shape"])
    assert body["counts"]["flops"]["all_layers"] == count_shape(shape).flops.all_layers > 2**64
    for name, limit in limits.items():
        error_of(client.post(CALCULATOR, json=limits | {name: limit + 1}), 422, "bad_request")


# Exercises ---------------------------------------------------------------------------------------


def test_exercises_are_listed_without_their_answers(client: TestClient) -> None:
    listed = strict(client.get(EXERCISES_PATH))
    assert [it["id"] for it in listed] == [it.id for it in EXERCISES]
    for it in listed:
        assert it.keys() == {"id", "step", "question", "kind", "choices"}
        assert (it["kind"] == "choice") == bool(it["choices"])
        assert len(it["choices"]) != 1


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda it: it.id)
def test_the_right_answer_is_right(exercise: Any, client: TestClient) -> None:  # noqa: ANN401
    path = f"{EXERCISES_PATH}/{exercise.id}"
    body = strict(client.post(path, json={"answer": exercise.solution.answer}))
    assert (body["right"], body["hint"]) == (True, None)
    assert body["answer"] == exercise.solution.answer
    assert body["why"] == exercise.solution.why


def test_a_known_mistake_gets_a_hint(client: TestClient) -> None:
    path = f"{EXERCISES_PATH}/width_of_a_head"
    body = strict(client.post(path, json={"answer": "768"}))
    assert (body["right"], body["answer"]) == (False, 64)
    assert "divide by the heads" in body["hint"]
    assert strict(client.post(path, json={"answer": 63}))["hint"] is None


@pytest.mark.parametrize(
    ("id", "answer", "words"),
    [
        ("width_of_a_head", "many", "answer in digits"),
        ("width_of_a_head", "", "answer in digits"),
        ("does_it_divide", "perhaps", "send one of yes, no"),
        ("does_it_divide", 3, "send one of yes, no"),
    ],
)
def test_an_answer_that_is_not_understood_is_told_so(
    id: str, answer: object, words: str, client: TestClient
) -> None:
    answered = client.post(f"{EXERCISES_PATH}/{id}", json={"answer": answer})
    assert words in error_of(answered, 422, "unreadable_answer")["message"]


@pytest.mark.parametrize("answer", [True, None, [], "x" * 101])
def test_what_is_no_answer_is_a_bad_request(answer: object, client: TestClient) -> None:
    answered = client.post(f"{EXERCISES_PATH}/width_of_a_head", json={"answer": answer})
    error = error_of(answered, 422, "bad_request")
    assert error["details"]["n_faults"] == 1
    if answer is True:
        assert "a number or a text" in error["message"]


def test_an_unknown_exercise_is_not_found(client: TestClient) -> None:
    answered = client.post(f"{EXERCISES_PATH}/gone", json={"answer": 1})
    error = error_of(answered, 404, "no_such_exercise")
    assert error["details"]["available"] == [it.id for it in EXERCISES]


# Loop against batch ------------------------------------------------------------------------------


@pytest.fixture
def socket(client: TestClient) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(LOOPS) as socket:
        yield socket


def answers(socket: WebSocketTestSession) -> Iterator[dict[str, Any]]:
    """Every message up to the one that ends a request."""
    while True:
        message = receive(socket)
        assert isinstance(message, dict)
        yield message
        if message["type"] in ("done", "error"):
            return


def test_rounds_come_between_start_and_done(socket: WebSocketTestSession) -> None:
    socket.send_json({"request": 7, **SMALL})
    start, *rounds, done = answers(socket)
    assert [it["type"] for it in (start, *rounds, done)] == ["start", *["round"] * 4, "done"]
    assert {it["request"] for it in (start, *rounds, done)} == {7}
    assert {name: start[name] for name in SMALL} == SMALL
    assert start["d_head"] == 8
    assert start["threads"] >= 1
    assert start["device"]
    assert 0 <= max(start["differences"].values()) < 1e-5 < start["largest"]
    assert [it["round"] for it in rounds] == [0, 1, 2, 3]
    for times in (*rounds, done["medians"]):
        assert all(times[f"{way}_ms"] > 0 for way in ("loop", "fused", "kernel"))
    assert done["ratios"].keys() == {"loop_to_fused", "loop_to_kernel", "fused_to_kernel"}


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"n_heads": 5}, "bad_dimensions", "The nearest that divide 32 are 4 and 8."),
        ({"n_tokens": 100_000}, "comparison_too_large", "choose fewer tokens"),
        ({"d_model": 65_536}, "comparison_too_large", "smaller d_model"),
        ({"batch": 500_000}, "comparison_too_large", "smaller batch"),
        ({"rounds": 0}, "bad_request", "rounds"),
        ({"model": "minilm"}, "bad_request", "model"),
    ],
)
def test_a_refusal_has_a_remedy_and_leaves_the_socket_open(
    change: dict[str, object], code: str, words: str, socket: WebSocketTestSession
) -> None:
    socket.send_json({"request": 1, **SMALL, **change})
    (error,) = answers(socket)
    assert (error["type"], error["request"], error["error"]["code"]) == ("error", 1, code)
    assert words in error["error"]["message"]
    socket.send_json({"request": 2, **SMALL})
    assert list(answers(socket))[-1]["type"] == "done"


def test_a_newer_request_cancels_the_running_one(socket: WebSocketTestSession) -> None:
    socket.send_json({"request": 1, **LONG})
    assert receive(socket)["type"] == "start"  # type: ignore[index]
    socket.send_json({"request": 2, **SMALL})
    numbers = [message["request"] for message in answers(socket) if message["type"] != "round"]
    assert numbers == [2, 2]


def test_a_text_is_analysed_while_rounds_go_on(client_for: ClientFor) -> None:
    with client_for(workers=1) as client, client.websocket_connect(LOOPS) as socket:
        socket.send_json({"request": 1, **LONG})
        assert receive(socket)["type"] == "start"  # type: ignore[index]
        question = {"model": "headscope-tiny", "text": "abc"}
        assert client.post("/api/v1/heads", json=question).status_code == 200
        socket.send_json({"cancel": True})
        socket.send_json({"request": 2, **SMALL})
        ends = [it for it in answers(socket) if it["type"] != "round"]
        assert [it["request"] for it in ends] == [2, 2], "the text came before the last round"
