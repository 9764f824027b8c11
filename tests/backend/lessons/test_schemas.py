"""Answers come as numbers or text and are read alike; sizes have limits."""

import pytest
from pydantic import TypeAdapter, ValidationError

from backend.lessons.schemas import AnswerRequest, CalculatorRequest, LoopsRequest

USUAL = {"d_model": 768, "n_heads": 12, "n_tokens": 512}


@pytest.mark.parametrize(
    ("answer", "text"), [(64, "64"), (0.5, "0.5"), ("64", "64"), ("yes", "yes"), ("", "")]
)
def test_an_answer_is_a_number_or_a_text(answer: object, text: str) -> None:
    assert AnswerRequest(answer=answer).answer == text  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [True, None, [64], {"a": 1}, "x" * 101, 10**150])
def test_other_answers_are_refused(answer: object) -> None:
    with pytest.raises(ValidationError):
        AnswerRequest(answer=answer)  # type: ignore[arg-type]


def test_the_description_of_an_answer_allows_both() -> None:
    described = TypeAdapter(AnswerRequest).json_schema()["properties"]["answer"]
    assert [it["type"] for it in described["anyOf"]] == ["number", "string"]


@pytest.mark.parametrize(
    "change",
    [
        *({name: value} for name in ("d_model", "n_heads", "n_tokens") for value in (0, -1, 10**9)),
        {"d_model": "768"},
        {"d_model": 768.0},
        {"d_model": True},
        {"n_kv_heads": 0},
        {"n_layers": 0},
        {"n_layers": 1001},
        {"bytes_per_number": 0},
        {"bytes_per_number": 9},
        {"bytes_per_number": True},
        {"bias": 1},
        {"text": "x"},
    ],
)
def test_absurd_sizes_are_refused(change: dict[str, object]) -> None:
    CalculatorRequest.model_validate(USUAL)
    with pytest.raises(ValidationError):
        CalculatorRequest.model_validate(USUAL | change)


@pytest.mark.parametrize(
    "change",
    [
        *({name: 0} for name in ("d_model", "n_heads", "n_tokens", "batch", "rounds")),
        {"rounds": 201},
        {"causal": 1},
        {"request": None},
        {"n_kv_heads": 4},
        {"text": "x"},
    ],
)
def test_absurd_comparisons_are_refused(change: dict[str, object]) -> None:
    usual = LoopsRequest.model_validate({"request": 1} | USUAL)
    assert (usual.batch, usual.causal, usual.rounds) == (1, False, 20)
    with pytest.raises(ValidationError):
        LoopsRequest.model_validate({"request": 1} | USUAL | change)
