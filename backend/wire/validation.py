"""Error messages for invalid requests.

Pydantic finds the errors; the messages avoid Python terms and list only the first few.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from backend.wire.schemas import ErrorBody

MOST_ERRORS = 5
"""Errors listed one by one; the others are only counted."""

LONGEST_FIELD = 80
"""Characters shown of a field's name, which the sender can choose freely."""

WORDS = {
    **dict.fromkeys(("tuple_type", "list_type"), "Input should be a list"),
    **dict.fromkeys(("model_type", "model_attributes_type"), "Input should be an object"),
}
"""Messages for errors that pydantic describes in Python terms, by type of error."""


def describe_invalid(errors: Sequence[Mapping[str, Any]]) -> ErrorBody:
    """The invalid fields of a request, and why; the sent values are not repeated."""
    inside = {error["loc"][:end] for error in errors for end in range(len(error["loc"]))}
    # Pydantic also reports a list as too short once it drops invalid items: keep only the items.
    faults = [it for it in errors if it.get("type") != "too_short" or it["loc"] not in inside]
    fields = [
        {"field": _field(error["loc"]), "problem": _problem(error)}
        for error in faults[:MOST_ERRORS]
    ]
    return _unreadable(fields, len(faults))


def describe_not_json(error: Exception) -> ErrorBody:
    """Why a request is not valid JSON; `error` is one that `json.loads` raises."""
    if isinstance(error, json.JSONDecodeError):
        why = f"It is not JSON: {error.msg}, at character {error.pos + 1}"
    elif isinstance(error, UnicodeDecodeError):
        why = f"It is not UTF-8, at byte {error.start + 1}"
    elif isinstance(error, RecursionError):
        why = "Lists or objects are nested too deeply"
    else:  # the only other error it raises
        why = "A number has too many digits"
    return _unreadable([{"field": None, "problem": why}], 1)


def _unreadable(fields: list[dict[str, str | None]], n_faults: int) -> ErrorBody:
    # A sentence of our own may end with a full stop already.
    problems = [": ".join(filter(None, it.values())).rstrip(".") for it in fields]
    if n_faults > len(fields):
        problems.append(f"and {n_faults - len(fields):,} more")
    return ErrorBody(
        code="bad_request",
        message=f"The request cannot be read: {'; '.join(problems)}.",
        details={"fields": fields, "n_faults": n_faults},
    )


def _field(place: Sequence[str | int]) -> str | None:
    """The dotted path of a field; None for the request as a whole."""
    name = ".".join(map(str, place))
    return (name if len(name) <= LONGEST_FIELD else f"{name[:LONGEST_FIELD]}…") or None


def _problem(error: Mapping[str, Any]) -> str:
    if isinstance(error.get("input"), bytes):  # the content-type header is not JSON
        return "Send JSON, with the header `content-type: application/json`"
    if error.get("type") == "too_short":
        least, found = error["ctx"]["min_length"], error["ctx"]["actual_length"]
        return f"Input should have at least {least} item{'s' * (least > 1)}, not {found}"
    if error.get("type") == "literal_error" and error["ctx"]["expected"] == "True":
        return "Input should be true"
    message = str(error["msg"]).removeprefix("Value error, ")
    return WORDS.get(error.get("type", ""), message)
