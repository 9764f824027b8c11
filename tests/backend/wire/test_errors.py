"""One shape and one status for every error."""

import json
import logging

import pytest

from backend.wire.errors import STATUS, TooManyCells, describe_error, respond_error
from backend.wire.schemas import ErrorBody
from mha_core.errors import TextTooLong

STATUSES = {
    403: {"forbidden_host", "forbidden_origin"},
    404: {
        "no_such_head",
        "unknown_model",
        "no_atlas",
        "not_measured",
        "no_such_exercise",
        "unknown_run",
    },
    408: {"slow_reader"},
    406: {"not_acceptable"},
    409: {"build_running", "already_measured", "run_busy"},
    413: {
        *("text_too_long", "too_many_cells", "corpus_too_large", "body_too_large"),
        *("comparison_too_large",),
    },
    422: {
        *("no_anatomy", "no_such_matrix", "no_such_cell", "bad_edit"),
        *("bad_input", "bad_request", "empty_text", "pair_not_supported", "bad_dimensions"),
        *("no_such_position", "not_visible", "unknown_metric", "bad_marks", "no_link"),
        *("cannot_measure", "unreadable_answer", "unknown_word", "not_exportable"),
        *("no_continuation", "no_chat_template", "no_such_token"),
        *("no_such_stack", "no_value_weights", "nothing_aligned"),
    },
    500: {"model_failed", "weights_mismatch", "unreadable_atlas", "unreadable_run"},
    503: {"model_unavailable", "out_of_memory", "cancelled"},
}


def test_every_code_has_the_status_of_its_kind() -> None:
    assert {code: status for status, codes in STATUSES.items() for code in codes} == STATUS


@pytest.mark.parametrize("code", sorted(STATUS))
def test_an_error_is_answered_with_its_status_in_the_one_shape(code: str) -> None:
    response = respond_error(ErrorBody(code=code, message="Words.", details={"n": 1}))
    assert response.status_code == STATUS[code]
    assert response.media_type == "application/json"
    expected = {"error": {"code": code, "message": "Words.", "details": {"n": 1}}}
    assert json.loads(bytes(response.body)) == expected


def test_an_unheard_of_code_is_the_servers_fault() -> None:
    assert respond_error(ErrorBody(code="new", message="")).status_code == 500


def test_an_error_of_ours_is_told_as_it_is() -> None:
    body = describe_error(TextTooLong("Too long.", n_tokens=9))
    assert body == ErrorBody(code="text_too_long", message="Too long.", details={"n_tokens": 9})


def test_an_error_nobody_foresaw_is_logged_whole_and_told_in_brief(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        body = describe_error(ZeroDivisionError("a secret"))
    assert body.code == "internal"
    assert body.details == {"type": "ZeroDivisionError"}
    assert "secret" not in body.message
    assert "secret" in caplog.text


def test_words_that_utf8_cannot_say_are_still_json() -> None:
    response = respond_error(ErrorBody(code="bad_request", message="half of a pair: \ud83d"))
    assert json.loads(bytes(response.body))["error"]["message"].endswith("\ud83d")


def test_the_servers_own_errors_say_what_to_do() -> None:
    cells = TooManyCells.of(3_000_000, 2_000_000)
    assert cells.details == {"cells": 3_000_000, "max_cells": 2_000_000}
    assert "3,000,000" in cells.message
    assert "application/x-npz" in cells.message
    TooManyCells.check(2_000_000, 2_000_000)
    TooManyCells.check(3_000_000, None)
    with pytest.raises(TooManyCells):
        TooManyCells.check(2_000_001, 2_000_000)
