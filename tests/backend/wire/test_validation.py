"""What cannot be read is told in few, plain and true words."""

import json
from typing import Any

import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient

from backend.attention.schemas import AttentionRequest
from backend.maps.schemas import MapRequest
from backend.wire.schemas import ErrorBody
from backend.wire.validation import (
    LONGEST_FIELD,
    MOST_ERRORS,
    describe_invalid,
    describe_not_json,
)

TEXT = {"model": "minilm", "text": "one"}
JSON = {"content-type": "application/json"}


def faults_of(request: type[AttentionRequest | MapRequest], **fields: object) -> ErrorBody:
    with pytest.raises(ValidationError) as refused:
        request.model_validate(TEXT | fields)
    return describe_invalid(refused.value.errors())


def test_fields_that_cannot_be_read_are_named_and_their_values_are_not_repeated() -> None:
    body = describe_invalid(
        [{"loc": ("body", "layers", 0), "msg": "Input should be a number", "input": "a secret"}]
    )
    assert body.message == "The request cannot be read: body.layers.0: Input should be a number."
    assert body.details == {
        "fields": [{"field": "body.layers.0", "problem": "Input should be a number"}],
        "n_faults": 1,
    }


def test_the_request_as_a_whole_has_no_name() -> None:
    body = describe_invalid([{"loc": (), "msg": "Input should be an object"}])
    assert body.message == "The request cannot be read: Input should be an object."
    assert body.details["fields"] == [{"field": None, "problem": "Input should be an object"}]


@pytest.mark.parametrize("cell", [{"layer": -1}, {"head": 0}, {"layer": 0, "heads": 0}, 3])
@pytest.mark.parametrize("n_cells", [1, 20_000])
def test_a_faulty_cell_is_one_fault_however_many_follow(cell: object, n_cells: int) -> None:
    body = faults_of(MapRequest, combine="mean", cells=[cell] * n_cells)
    assert body.details["n_faults"] == 1
    assert body.details["fields"][0]["field"].startswith("cells.0")
    assert len(body.message) < 200


def test_of_many_faults_the_first_are_told_and_the_others_counted() -> None:
    body = faults_of(AttentionRequest, **{f"field{n}": n for n in range(10_000)})
    assert len(body.details["fields"]) == MOST_ERRORS
    assert body.details["n_faults"] == 10_000
    assert body.message.endswith("; and 9,995 more.")


def test_a_long_name_is_cut() -> None:
    [fault] = faults_of(AttentionRequest, **{"a" * 100_000: 1}).details["fields"]
    assert fault["field"] == "a" * LONGEST_FIELD + "…"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"layers": 3}, "layers: Input should be a list"),
        ({"layers": []}, "layers: Input should have at least 1 item, not 0"),
        ({"heads": [1, 1]}, "heads: each may be named once"),
        ({"heads": ["x"]}, "heads.0: Input should be a valid integer"),
    ],
)
def test_python_is_not_spoken(fields: dict[str, Any], words: str) -> None:
    message = faults_of(AttentionRequest, **fields).message
    assert words in message
    for jargon in ("uple", "ictionary", "Value error", "validation"):
        assert jargon not in message


def test_a_cell_that_is_no_object_is_told_so() -> None:
    message = faults_of(MapRequest, combine="mean", cells=["x"]).message
    assert message == "The request cannot be read: cells.0: Input should be an object."


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "It is not JSON: Expecting property name"),
        (b'{"text": "\xff"}', "It is not UTF-8, at byte 11"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"top": ' + b"1" * 5_000 + b"}", "A number has too many digits"),
    ],
)
def test_what_is_no_json_is_refused_with_why(body: bytes, words: str, client: TestClient) -> None:
    answer = client.post("/api/v1/tokenize", content=body, headers=JSON)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (422, "bad_request")
    assert words in error["message"]
    with pytest.raises((ValueError, RecursionError)) as refused:
        json.loads(body)
    assert error == describe_not_json(refused.value).model_dump()


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_body_that_is_not_called_json_is_told_how_to_be_sent(
    kind: str | None, client: TestClient
) -> None:
    headers = {} if kind is None else {"content-type": kind}
    answer = client.post("/api/v1/tokenize", content=json.dumps(TEXT), headers=headers)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (422, "bad_request")
    assert "`content-type: application/json`" in error["message"]
