"""Requests are taken as they stand: nothing that is no whole number is read as one."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from backend.atlas.schemas import FigureRequest
from backend.attention.schemas import AttentionRequest
from backend.generate.schemas import GenerateRequest, NextRequest
from backend.heads.schemas import EdgesRequest
from backend.maps.schemas import MapRequest, QueryKeyRequest
from backend.stream.schemas import StreamRequest
from backend.wire.messages import CancelMessage
from backend.wire.schemas import TextRequest
from backend.wire.validation import describe_invalid

TEXT = {"model": "minilm", "text": "one"}
LINK = {"layer": 0, "head": 0, "query": 0, "key": 0}
NO_NUMBERS = (True, "5", 1.0, 1.5)

WHOLE: list[tuple[type[TextRequest], dict[str, Any], tuple[str | int, ...]]] = [
    (TextRequest, {"continuation": [5]}, ("continuation", 0)),
    (AttentionRequest, {"layers": [0]}, ("layers", 0)),
    (AttentionRequest, {"heads": [0]}, ("heads", 0)),
    (MapRequest, {"combine": "head", "cells": [{"layer": 0, "head": 0}]}, ("cells", 0, "layer")),
    (QueryKeyRequest, LINK, ("query",)),
    (EdgesRequest, {"queries": [1], "keys": [2]}, ("keys", 0)),
    (NextRequest, {"top": 5}, ("top",)),
    (GenerateRequest, {"request": 1, "n": 5}, ("n",)),
    (GenerateRequest, {"request": 1, "seed": 5}, ("seed",)),
    (GenerateRequest, {"request": 1}, ("request",)),
    (StreamRequest, {"request": 1}, ("request",)),
]
OR_NULL: list[tuple[type[TextRequest], dict[str, Any], tuple[str | int, ...]]] = [
    (MapRequest, {"combine": "mean", "cells": [{"layer": 0, "head": 0}]}, ("cells", 0, "head")),
    (MapRequest, {"combine": "rollout", "up_to": 1}, ("up_to",)),
    (GenerateRequest, {"request": 1, "top_k": 5}, ("top_k",)),
]
CASES = [
    *((*asked, value) for asked in WHOLE for value in (*NO_NUMBERS, None)),
    *((*asked, value) for asked in OR_NULL for value in NO_NUMBERS),
]


def put(fields: dict[str, Any], place: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """The fields with another value at that place."""
    name, *within = place
    if not within:
        return fields | {name: value}
    old = fields[name]
    if isinstance(old, dict):
        return fields | {name: put(old, tuple(within), value)}
    at, *deeper = within
    item = put(old[at], tuple(deeper), value) if deeper else value
    return fields | {name: [item]}


@pytest.mark.parametrize(("request_type", "fields", "place", "value"), CASES)
def test_what_is_no_whole_number_is_not_read_as_one(
    request_type: type[TextRequest],
    fields: dict[str, Any],
    place: tuple[str | int, ...],
    value: object,
) -> None:
    request_type.model_validate(TEXT | fields)
    with pytest.raises(ValidationError) as refused:
        request_type.model_validate(put(TEXT | fields, place, value))
    assert refused.value.errors()[0]["loc"] == place


@pytest.mark.parametrize("value", [True, "0.5"])
def test_what_is_no_number_is_no_temperature(value: object) -> None:
    question = TEXT | {"request": 1}
    assert GenerateRequest.model_validate(question | {"temperature": 1}).temperature == 1
    with pytest.raises(ValidationError):
        GenerateRequest.model_validate(question | {"temperature": value})


@pytest.mark.parametrize("value", [1, "yes"])
def test_only_true_and_false_say_whether(value: object) -> None:
    with pytest.raises(ValidationError):
        FigureRequest.model_validate({"kind": "layers", "model": "minilm", "weighted": value})


def test_cancelling_takes_true_in_the_words_of_json() -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(CancelMessage).validate_python({"cancel": False})
    message = describe_invalid(refused.value.errors()).message
    assert message == "The request cannot be read: cancel: Input should be true."
