"""A linear map as matrices: its weights, its bias, and what its output is made of."""

from collections.abc import Callable
from dataclasses import dataclass

from mha_core.anatomy.computation import Linear
from mha_core.anatomy.facts import Facts
from mha_core.anatomy.kinds import Axis, Scope
from mha_core.anatomy.matrices.norms import LEARNED, explain_weight
from mha_core.anatomy.matrix import Cell, Matrix, View
from mha_core.anatomy.terms import EACH, Explanation, Ref, total


@dataclass(frozen=True)
class LinearSite:
    """A linear map of the model: w_<name> and b_<name>, applied to the rows of a matrix."""

    name: str
    symbol: str
    axes: tuple[Axis, Axis]  # of the weights: what is read, what is written
    scope: Scope
    source: str  # the matrix it reads
    weight_meaning: str
    bias_meaning: str
    find: Callable[[View], Linear | None]
    explain_weight: Callable[[Cell], Explanation] = explain_weight
    absent: str = ""  # why there may be no weights

    def formula(self, facts: Facts) -> str:
        """The formula of the output."""
        bias = f" + b_{self.name}[{{c}}]" if self.name in facts.biases else ""
        return f"Σ_m {self.source}[{{i}},m] · w_{self.name}[m,{{c}}]{bias}"

    def explain(self, cell: Cell) -> Explanation:
        """What a number of the output is made of."""
        linear = self.find(cell)
        biased = linear is not None and linear.bias is not None
        return total(
            [Ref(self.source, cell.row, EACH), Ref(f"w_{self.name}", EACH, cell.column)],
            [Ref(f"b_{self.name}", 0, cell.column)] if biased else None,
        )

    def matrices(self) -> tuple[Matrix, Matrix]:
        """Weights and bias."""
        return (
            Matrix(
                f"w_{self.name}",
                f"W_{self.symbol}",
                self.axes,
                self.scope,
                self.weight_meaning,
                LEARNED,
                lambda view: None if (it := self.find(view)) is None else it.weight.float().T,
                self.explain_weight,
                self.absent,
            ),
            Matrix(
                f"b_{self.name}",
                f"b_{self.symbol}",
                ("one", self.axes[1]),
                self.scope,
                self.bias_meaning,
                LEARNED,
                lambda view: None if (it := self.find(view)) is None else it.bias_row,
                explain_weight,
                self.absent or "This projection of the model adds no bias.",
            ),
        )
