"""The declaration of a matrix: its name, shape and formula, its values, and what explains each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from mha_core.anatomy.attention_steps import AttentionSteps
from mha_core.anatomy.facts import Facts
from mha_core.anatomy.terms import Explanation
from mha_core.anatomy.walk import Walk

Axis = Literal[
    "token", "dimension", "head_dimension", "all_heads", "key_heads", "hidden",
    "head", "part", "layer", "vocabulary", "one",
]  # fmt: skip
"""What an axis counts.

dimension: of the residual stream, d_model. head_dimension: of one head, d_head. all_heads: the
dimensions of all heads, one head after the other; key_heads: the same of the key/value heads.
hidden: of the MLP. part: the heads, then the bias. layer: before the first block, then after each.
one: a single row or column.
"""

Scope = Literal["model", "layer", "head"]
"""Whether a matrix is of the model, of the chosen layer, or of the chosen head in it."""


@dataclass(frozen=True)
class View:
    """What is looked at: a walk with its layer, a head, a token."""

    walk: Walk
    head: int = 0
    token: int = 0

    @property
    def attention(self) -> AttentionSteps:
        return self.walk.steps.attention

    @property
    def key_head(self) -> int:
        """The key/value head that the head reads."""
        return self.attention.weights.key_head(self.head)

    def at(self, row: int, column: int) -> "Cell":
        return Cell(self.walk, self.head, self.token, row, column)


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
