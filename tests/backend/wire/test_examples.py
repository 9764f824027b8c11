"""What OpenAPI shows of answers and errors is part of what the server answers."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from backend.wire.errors import STATUS
from backend.wire.examples import ERRORS, read_examples
from tests import record_examples
from tests.record_examples import APART, QUESTIONS, ask, ask_error, shorten

CHANGING = {"timing", "device", "id", "revision", "loaded", "version", "versions"}


def is_excerpt(example: Any, answer: Any) -> bool:  # noqa: ANN401
    """Whether names lead to the same, lists begin with it and numbers are it to five digits."""
    if isinstance(example, dict):
        return example.keys() <= answer.keys() and all(
            name in CHANGING or is_excerpt(part, answer[name]) for name, part in example.items()
        )
    if isinstance(example, list):
        return len(example) <= len(answer) and all(map(is_excerpt, example, answer))
    if isinstance(example, float):
        return bool(answer == pytest.approx(example, rel=1e-5, abs=1e-5))
    return bool(example == answer)


def test_an_excerpt_is_told_from_what_is_not_in_the_answer() -> None:
    answer = {"a": [1.0, {"b": None}], "c": 2}
    assert is_excerpt({"a": [1.000001]}, answer)
    assert not is_excerpt({"a": [1.1]}, answer)
    assert not is_excerpt({"a": [1.0, {"b": 0}]}, answer)
    assert not is_excerpt({"d": 2}, answer)


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_example_is_the_beginning_of_what_the_server_answers(
    name: str, client: TestClient
) -> None:
    answer, example = ask(client, name), read_examples()[name]
    assert is_excerpt(example, answer)
    again = shorten(answer)
    assert (again if isinstance(again, list) else [again])[0].keys() == (
        example if isinstance(example, list) else [example]
    )[0].keys(), "record it anew with `make examples`"


@pytest.mark.parametrize("status", [it for it in record_examples.ERRORS if it not in APART])
def test_each_error_shown_is_one_the_server_gives_with_that_status(
    status: int, client: TestClient
) -> None:
    assert ask_error(client, status) == read_examples()["errors"][str(status)]


def test_the_conflict_shown_is_that_of_a_model_that_is_measured(atlas_client: TestClient) -> None:
    assert ask_error(atlas_client, 409) == read_examples()["errors"]["409"]


def test_every_status_that_is_described_has_an_example_of_its_own() -> None:
    examples = read_examples()["errors"]
    assert {status: STATUS[examples[str(status)]["error"]["code"]] for status in ERRORS} == {
        status: status for status in ERRORS
    }


def test_openapi_shows_an_example_of_every_answer(client: TestClient) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path, methods in paths.items():
        for described in methods.values():
            answers = described["responses"]
            content = (answers.get("200") or answers["202"])["content"]
            shown = content.get("application/json") or content["text/html"]
            assert shown.get("example") or path == "/api/v1/config", path
