"""The settings of a training run, checked before it starts."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mha_core.transformer_config import FirstLayer

TaskId = Literal["markov", "repeats", "language"]

SYMBOLS: Mapping[TaskId, tuple[int, ...]] = {"markov": (2, 3), "repeats": (32,), "language": ()}
"""How many symbols a task may have, its usual number first; none: it has words."""

_USUAL: dict[TaskId, dict[str, int | float]] = {
    "markov": {"n_heads": 2, "d_model": 32, "d_mlp": 0, "steps": 2000, "learning_rate": 2e-3},
    "repeats": {"n_heads": 2, "d_model": 32, "d_mlp": 0, "steps": 1500, "learning_rate": 2e-3},
    "language": {"n_heads": 4, "d_model": 64, "d_mlp": 128, "steps": 1500, "learning_rate": 3e-3},
}


def _require_task_only(schema: dict[str, Any]) -> None:
    """What is filled in by the task need not be sent."""
    schema["required"] = ["task"]
    schema["examples"] = [{"task": "markov", "n_symbols": 2, "n_heads": 2}]


class RunSettings(BaseModel):
    """What is trained, and how. What is left out is as usual for the task."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_require_task_only)

    task: TaskId
    n_symbols: int | None = Field(None, description="`markov`: 2 or 3 symbols.")
    first_layer: FirstLayer = Field(
        "free",
        description="`shifted_keys`: the keys of layer 0 are made of the token before. "
        "`previous_only`: the heads of layer 0 attend to the token before and nothing else.",
    )
    n_layers: int = Field(2, ge=1, le=6)
    n_heads: int = Field(ge=1, le=256)
    d_model: int = Field(ge=2, le=256, description="Even, and a multiple of `n_heads`.")
    d_mlp: int = Field(ge=0, le=1024, description="Width of the feed-forward part; 0: none.")
    steps: int = Field(ge=10, le=50_000)
    batch: int = Field(64, ge=1, le=512, description="Sequences a step.")
    learning_rate: float = Field(ge=1e-5, le=0.1)
    seed: int = Field(0, ge=0, lt=2**31)
    points: int = Field(
        24, ge=2, le=60, description="How often heads are measured and the weights are kept."
    )

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, values: Any) -> Any:  # noqa: ANN401 (whatever was sent)
        if not isinstance(values, dict) or values.get("task") not in _USUAL:
            return values
        usual = _USUAL[values["task"]]
        given = {name: value for name, value in values.items() if value is not None}
        return {"n_symbols": next(iter(SYMBOLS[values["task"]]), None), **usual, **given}

    @model_validator(mode="after")
    def _fit(self) -> Self:
        allowed = SYMBOLS[self.task]
        if self.n_symbols is not None and self.n_symbols not in allowed:
            numbers = " or ".join(map(str, allowed))
            remedy = f"choose {numbers}" if allowed else "leave `n_symbols` out"
            raise ValueError(
                f"The task {self.task} cannot have {self.n_symbols} symbols: {remedy}."
            )
        if self.d_model % 2:
            raise ValueError(
                f"d_model {self.d_model} is odd, and positions are pairs of a sine and a cosine: "
                f"choose an even one."
            )
        if self.d_model % self.n_heads:
            possible = ", ".join(
                str(n) for n in range(1, self.d_model + 1) if self.d_model % n == 0
            )
            raise ValueError(
                f"d_model {self.d_model} cannot be split evenly into {self.n_heads} heads: choose "
                f"one of {possible} heads, or another d_model."
            )
        if self.points > self.steps:
            raise ValueError(
                f"{self.points} points do not fit into {self.steps} steps: choose fewer points."
            )
        return self

    @property
    def point_steps(self) -> tuple[int, ...]:
        """The steps at which heads are measured: first, last, and more early ones than late."""
        shares = (index / (self.points - 1) for index in range(self.points))
        return tuple(sorted({round(self.steps * share**1.5) for share in shares}))
