"""Errors as HTTP sends them: the status of each code, and the one shape all of them take."""

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
    "no_such_token": 422,
    "nothing_aligned": 422,
    "unknown_metric": 422,
    "no_such_head": 404,
    "no_atlas": 404,
    "unknown_model": 404,
    "text_too_long": 413,
    "too_many_cells": 413,
    "body_too_large": 413,
    "forbidden_host": 403,
    "forbidden_origin": 403,
    "not_acceptable": 406,
    "model_unavailable": 503,
    "out_of_memory": 503,
    "slow_reader": 408,
    "model_failed": 500,
    "weights_mismatch": 500,
    "unreadable_atlas": 500,
}
"""Status of each code; any other is 500."""


class TooManyCells(InputError):
    """More numbers than one answer should carry."""

    code = "too_many_cells"

    @classmethod
    def of(cls, cells: int, max_cells: int) -> "TooManyCells":
        """With both counts and the way out."""
        return cls(
            f"These maps have {cells:,} weights and an answer of this format may have "
            f"{max_cells:,}: choose fewer layers or heads. JSON carries the fewest; ask for arrays "
            f"with `Accept: application/x-npz` or `Accept: application/vnd.safetensors`.",
            cells=cells,
            max_cells=max_cells,
        )

    @classmethod
    def check(cls, cells: int, max_cells: int | None) -> None:
        """Refuse more than `max_cells`; None is no limit."""
        if max_cells is not None and cells > max_cells:
            raise cls.of(cells, max_cells)


class TooMuchToCompare(TooManyCells):
    """More pairs of heads, on too long a text, than one answer should wait for."""

    @classmethod
    def of(cls, cells: int, max_cells: int) -> "TooMuchToCompare":
        """With both counts and the way out."""
        return cls(
            f"Every head of one model against every head of the other is {cells:,} weights to "
            f"compare on these texts, and the limit is {max_cells:,}: shorten the texts.",
            cells=cells,
            max_cells=max_cells,
        )


class NoAtlas(InputError):
    """Nobody has measured this model's heads on a corpus yet."""

    code = "no_atlas"

    @classmethod
    def of(cls, model_id: str) -> "NoAtlas":
        """With the command that does."""
        return cls(
            f"There is no atlas of {model_id} yet, so no roles of its heads: build one with "
            f"`headscope atlas build {model_id} --treebank DIRECTORY`.",
            model=model_id,
        )


class UnknownMetric(InputError):
    """A chart of something that is not measured."""

    code = "unknown_metric"

    @classmethod
    def of(cls, name: str, known: Iterable[str]) -> "UnknownMetric":
        """With the names there are."""
        available = list(known)
        return cls(
            f"Nothing called {name!r} can be drawn here: choose one of {', '.join(available)}.",
            name=name,
            available=available,
        )


class NotAcceptable(InputError):
    """None of the formats asked for is one of ours."""

    code = "not_acceptable"


class AddressInUse(HeadScopeError):
    """Another program listens where the server should."""

    code = "address_in_use"


def describe_error(error: Exception) -> ErrorBody:
    """Any error in the one shape; an unexpected one is logged whole and answered in brief."""
    if isinstance(error, HeadScopeError):
        return ErrorBody(code=error.code, message=error.message, details=error.details)
    logger.error("unexpected error", exc_info=error)
    return ErrorBody(
        code="internal",
        message="Something went wrong in the server; its log says more.",
        details={"type": type(error).__name__},
    )


def respond_error(
    body: ErrorBody, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """An error as an HTTP response, with the status of its code where none is given."""
    status = STATUS.get(body.code, 500) if status is None else status
    # In ASCII: a field's name may hold half of a surrogate pair, which UTF-8 cannot say.
    text = json.dumps({"error": body.model_dump()})
    return Response(text, status, headers, "application/json")
