"""Errors over HTTP: the status of each code, and the one shape of all errors."""

import json
import logging
from collections.abc import Iterable, Mapping

from starlette.responses import Response

from backend.wire.schemas import ErrorBody
from mha_core.errors import HeadScopeError, InputError

logger = logging.getLogger(__name__)

STATUS: Mapping[str, int] = {
    "bad_input": 422,
    "bad_request": 422,
    "empty_text": 422,
    "pair_not_supported": 422,
    "bad_dimensions": 422,
    "no_such_position": 422,
    "no_such_stack": 422,
    "not_visible": 422,
    "no_value_weights": 422,
    "no_continuation": 422,
    "no_chat_template": 422,
    "no_such_token": 422,
    "nothing_aligned": 422,
    "unknown_metric": 422,
    "bad_marks": 422,
    "no_link": 422,
    "no_anatomy": 422,
    "no_such_matrix": 422,
    "no_such_cell": 422,
    "bad_edit": 422,
    "cannot_measure": 422,
    "unreadable_answer": 422,
    "unknown_word": 422,
    "not_exportable": 422,
    "run_busy": 409,
    "build_running": 409,
    "already_measured": 409,
    "no_such_head": 404,
    "no_atlas": 404,
    "not_measured": 404,
    "no_such_exercise": 404,
    "unknown_model": 404,
    "unknown_run": 404,
    "text_too_long": 413,
    "too_many_cells": 413,
    "corpus_too_large": 413,
    "comparison_too_large": 413,
    "body_too_large": 413,
    "forbidden_host": 403,
    "forbidden_origin": 403,
    "not_acceptable": 406,
    "model_unavailable": 503,
    "out_of_memory": 503,
    "slow_reader": 408,
    "cancelled": 503,
    "model_failed": 500,
    "weights_mismatch": 500,
    "unreadable_atlas": 500,
    "unreadable_run": 500,
}
"""Code -> HTTP status; other codes are 500."""


class TooManyCells(InputError):
    """The maps have more weights than one response may have."""

    code = "too_many_cells"

    @classmethod
    def of(cls, cells: int, max_cells: int) -> "TooManyCells":
        """The error with both counts and a remedy."""
        return cls(
            f"These maps have {cells:,} weights and a response in this format may have "
            f"{max_cells:,}: choose fewer layers or heads. Arrays may have more weights than JSON: "
            f"send `Accept: application/x-npz` or `Accept: application/vnd.safetensors`.",
            cells=cells,
            max_cells=max_cells,
        )

    @classmethod
    def check(cls, cells: int, max_cells: int | None) -> None:
        """Raise if there are more than `max_cells`; None means no limit."""
        if max_cells is not None and cells > max_cells:
            raise cls.of(cells, max_cells)


class TooMuchToCompare(TooManyCells):
    """Comparing all pairs of heads on these texts would take too long."""

    @classmethod
    def of(cls, cells: int, max_cells: int) -> "TooMuchToCompare":
        """The error with both counts and a remedy."""
        return cls(
            f"Matching every head of one model with every head of the other compares {cells:,} "
            f"weights on these texts, and the limit is {max_cells:,}: shorten the texts.",
            cells=cells,
            max_cells=max_cells,
        )


class TooManyNumbers(TooManyCells):
    """The matrices of a layer have more numbers than one response may have."""

    @classmethod
    def of(cls, cells: int, max_cells: int) -> "TooManyNumbers":
        """The error with both counts and a remedy."""
        return cls(
            f"These matrices have {cells:,} numbers and a response in this format may have "
            f"{max_cells:,}: ask for fewer matrices. Arrays may have more numbers than JSON: send "
            f"`Accept: application/x-npz` or `Accept: application/vnd.safetensors`.",
            cells=cells,
            max_cells=max_cells,
        )


class NoAtlas(InputError):
    """The model has no atlas: its heads have not been measured on a corpus."""

    code = "no_atlas"

    @classmethod
    def of(cls, model_id: str) -> "NoAtlas":
        """The error with both ways to build one."""
        return cls(
            f"There is no atlas of {model_id} yet, so its heads have no roles: measure them on "
            f"the page, or with `headscope atlas build {model_id}`.",
            model=model_id,
        )


class NotMeasured(InputError):
    """The model has an atlas, but not the section that this needs."""

    code = "not_measured"

    @classmethod
    def of(cls, model_id: str, section: str) -> "NotMeasured":
        """The error with both ways to measure it."""
        return cls(
            f"The atlas of {model_id} lacks its section {section}: measure it on the page, or "
            f"with `headscope atlas build {model_id} --only {section}`.",
            model=model_id,
            section=section,
        )


class CannotMeasure(InputError):
    """Sections of an atlas were asked for that cannot be built here; details say what they need."""

    code = "cannot_measure"

    @classmethod
    def of(cls, needs: Iterable[tuple[str, str]]) -> "CannotMeasure":
        """The error with each section and what it needs."""
        listed = dict(needs)
        words = "; ".join(f"{section} {need}" for section, need in listed.items())
        return cls(f"This cannot be measured: {words}.", needs=listed)


class AlreadyMeasured(InputError):
    """Every section that was asked for is measured."""

    code = "already_measured"

    @classmethod
    def of(cls, model_id: str) -> "AlreadyMeasured":
        return cls(
            f"All of this is measured for {model_id}: send `again` to measure it once more.",
            model=model_id,
        )


class BuildRunning(InputError):
    """One atlas is built at a time."""

    code = "build_running"

    @classmethod
    def of(cls, model_id: str) -> "BuildRunning":
        """The error with the model that is being measured."""
        return cls(
            f"The heads of {model_id} are being measured, one model at a time: wait for it, or "
            f"stop it.",
            model=model_id,
        )


class UnknownMetric(InputError):
    """A chart was requested of something that is not a metric."""

    code = "unknown_metric"

    @classmethod
    def of(cls, name: str, known: Iterable[str]) -> "UnknownMetric":
        """The error with the available names."""
        available = list(known)
        return cls(
            f"This chart cannot show {name!r}: choose one of {', '.join(available)}.",
            name=name,
            available=available,
        )


class NotAcceptable(InputError):
    """None of the formats in the Accept header is available."""

    code = "not_acceptable"


class AddressInUse(HeadScopeError):
    """Another program uses the address of the server."""

    code = "address_in_use"


def describe_error(error: Exception) -> ErrorBody:
    """Any error in the one shape; an unexpected one is logged in full, with a short response."""
    if isinstance(error, HeadScopeError):
        return ErrorBody(code=error.code, message=error.message, details=error.details)
    logger.error("unexpected error", exc_info=error)
    return ErrorBody(
        code="internal",
        message="Internal error: see the log of the server.",
        details={"type": type(error).__name__},
    )


def respond_error(
    body: ErrorBody, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """An error as an HTTP response, by default with the status of its code."""
    status = STATUS.get(body.code, 500) if status is None else status
    # In ASCII: a field's name may hold half of a surrogate pair, which UTF-8 cannot encode.
    text = json.dumps({"error": body.model_dump()})
    return Response(text, status, headers, "application/json")
