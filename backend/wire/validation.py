"""What is wrong with a request that cannot be read, in words for its sender.

Pydantic finds the errors; here they are said without Python's words, and only the first few.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from backend.wire.schemas import ErrorBody

MOST_ERRORS = 5
"""Errors listed one by one; of the others only how many there are."""

LONGEST_FIELD = 80
"""Characters shown of a field's name, which may be anything a sender makes up."""

WORDS = {
    **dict.fromkeys(("tuple_type", "list_type"), "Input should be a list"),
    **dict.fromkeys(("model_type", "model_attributes_type"), "Input should be an object"),
}
"""What pydantic says of these in Python's words."""


def describe_invalid(errors: Sequence[Mapping[str, Any]]) -> ErrorBody:
    """Which fields of a request cannot be read, and why; the sent values are not sent back."""
    inside = {error["loc"][:end] for error in errors for end in range(len(error["loc"]))}
    # A list counts as too short once its faulty items are left out: the items are the fault.
    faults = [it for it in errors if it.get("type") != "too_short" or it["loc"] not in inside]
    fields = [
        {"field": _field(error["loc"]), "problem": _problem(error)}
        for error in faults[:MOST_ERRORS]
    ]
    return _unreadable(fields, len(faults))


def describe_not_json(error: Exception) -> ErrorBody:
    """Why a request cannot be read as JSON; the error is one that `json.loads` raises."""
    if isinstance(error, json.JSONDecodeError):
        why = f"It is not JSON: {error.msg}, at character {error.pos + 1}"
    elif isinstance(error, UnicodeDecodeError):
        why = f"It is not UTF-8, at byte {error.start + 1}"
    elif isinstance(error, RecursionError):
        why = "Lists or objects are nested too deeply"
    else:  # the one other thing it refuses
        why = "A number has too many digits"
    return _unreadable([{"field": None, "problem": why}], 1)


def _unreadable(fields: list[dict[str, str | None]], n_faults: int) -> ErrorBody:
    told = [": ".join(filter(None, fault.values())) for fault in fields]
    if n_faults > len(fields):
        told.append(f"and {n_faults - len(fields):,} more")
    return ErrorBody(
        code="bad_request",
        message=f"The request cannot be read: {'; '.join(told)}.",
        details={"fields": fields, "n_faults": n_faults},
    )


def _field(place: Sequence[str | int]) -> str | None:
    """The name of a field, by the names on the way to it; None for the request as a whole."""
    name = ".".join(map(str, place))
    return (name if len(name) <= LONGEST_FIELD else f"{name[:LONGEST_FIELD]}…") or None


def _problem(error: Mapping[str, Any]) -> str:
    if isinstance(error.get("input"), bytes):  # a body that its header does not call JSON
        return "Send JSON, with the header `content-type: application/json`"
    if error.get("type") == "too_short":
        least, found = error["ctx"]["min_length"], error["ctx"]["actual_length"]
        return f"Input should have at least {least} item{'s' * (least > 1)}, not {found}"
    if error.get("type") == "literal_error" and error["ctx"]["expected"] == "True":
        return "Input should be true"
    message = str(error["msg"]).removeprefix("Value error, ")
    return WORDS.get(error.get("type", ""), message)
