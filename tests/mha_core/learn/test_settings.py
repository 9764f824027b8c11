"""Settings of a run: filled in by the task, and refused in words where they do not fit."""

from typing import Any

import pytest
from pydantic import ValidationError

from mha_core.learn.settings import SYMBOLS, RunSettings


def settings(**values: Any) -> RunSettings:  # noqa: ANN401 (any JSON)
    return RunSettings.model_validate({"task": "language", **values})


@pytest.mark.parametrize("task", SYMBOLS)
def test_a_task_alone_is_enough(task: str) -> None:
    filled = RunSettings.model_validate({"task": task})
    assert filled.d_model % filled.n_heads == 0
    assert RunSettings.model_validate({"task": task, "n_heads": None}) == filled


def test_settings_written_and_read_again_are_the_same() -> None:
    chosen = settings(n_heads=8, d_model=32, learning_rate=0.001, points=5)
    assert RunSettings.model_validate_json(chosen.model_dump_json()) == chosen


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"n_heads": 5}, "choose one of 1, 2, 4, 8, 16, 32, 64 heads"),
        ({"d_model": 33, "n_heads": 3}, "choose an even one"),
        ({"steps": 12}, "24 points do not fit into 12 steps"),
        ({"n_symbols": 2}, "leave `n_symbols` out"),
        ({"task": "markov", "n_symbols": 7}, "choose 2 or 3"),
        ({"task": "chess"}, "'markov', 'repeats' or 'language'"),
        ({"learning_rate": 0}, "greater than or equal to 0.00001"),
        ({"colour": "blue"}, "Extra inputs are not permitted"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_to_do(values: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words.replace("(", r"\(")):
        settings(**values)


def test_points_begin_at_0_end_at_the_last_step_and_are_denser_early() -> None:
    steps = settings(steps=1000, points=20).point_steps
    assert steps[0] == 0
    assert steps[-1] == 1000
    assert len(steps) == len(set(steps)) == 20
    assert steps[1] - steps[0] < steps[-1] - steps[-2]


def test_openapi_asks_only_for_the_task() -> None:
    assert RunSettings.model_json_schema()["required"] == ["task"]
