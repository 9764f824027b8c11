"""The declaration of a matrix: its name, shape and formula, its values, and what explains each."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from mha_core.anatomy.attention_steps import AttentionSteps
from mha_core.anatomy.facts import Facts
from mha_core.anatomy.forward import ForwardPass
from mha_core.anatomy.kinds import Axis, Scope
from mha_core.anatomy.terms import Explanation


@dataclass(frozen=True)
class View:
    """What is looked at: a run with its layer, a head, a token."""

    run: ForwardPass
    head: int = 0
    token: int = 0

    @property
    def attention(self) -> AttentionSteps:
        return self.run.steps.attention

    @property
    def key_head(self) -> int:
        """The key/value head that the head reads."""
        return self.attention.weights.key_head(self.head)

    def at(self, row: int, column: int) -> "Cell":
        return Cell(self.run, self.head, self.token, row, column)


@dataclass(frozen=True)
class Cell(View):
    """One cell of a matrix in that view."""

    row: int = 0
    column: int = 0


Formula = str | Callable[[Facts], str]
"""With {i} for the row and {c} for the column; it may depend on the model."""


@dataclass(frozen=True)
class Matrix:
    name: str
    symbol: str
    axes: tuple[Axis, ...]  # of rows and columns; three for one map of each head
    scope: Scope
    meaning: str
    formula: Formula
    values: Callable[[View], Tensor | None]  # None: this model has no such matrix
    explain: Callable[[Cell], Explanation]
    absent: str = ""  # why a model may have none

    def write_formula(self, facts: Facts, row: str = "i", column: str = "c") -> str:
        """What the number in a row and a column is."""
        template = self.formula if isinstance(self.formula, str) else self.formula(facts)
        return f"{self.name}[{row},{column}] = {template.format(i=row, c=column)}"
