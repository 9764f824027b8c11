"""The norms of a model: mean, standard deviation, gamma and beta of each, as matrices."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from mha_core.anatomy.computation import NormSteps
from mha_core.anatomy.facts import Facts
from mha_core.anatomy.forward import ForwardPass
from mha_core.anatomy.kinds import Scope
from mha_core.anatomy.matrix import Cell, Matrix, View
from mha_core.anatomy.terms import EACH, Constant, Explanation, Ref, leaf, root, total

LEARNED = "a weight of the model"
MINUS = Constant("-1", -1.0)


def explain_weight(_: Cell) -> Explanation:
    """A weight or a bias that cannot be edited."""
    return leaf("weight", "A weight of the model, learned in training.")


def stream_ref(run: ForwardPass, number: int, row: int, column: int) -> Ref:
    """The residual stream after so many blocks: a block's output, or the embeddings."""
    if number == 0:
        return Ref("x0", row, column)
    numbers = run.stream[number, row]  # [D]
    values = numbers if column == EACH else numbers[column : column + 1]
    return Ref("block_out", row, column, layer=number - 1, values=values)


@dataclass(frozen=True)
class NormSite:
    """A norm of the model, and the matrix whose rows it norms."""

    name: str
    words: str
    scope: Scope
    steps: Callable[[ForwardPass], NormSteps | None]
    source: Callable[[Facts], str]

    def read(self, cell: Cell, column: int) -> Ref:
        """A number that is normed, or with EACH all of its row."""
        if self.name == "final_norm":  # the last block is not the one that is written down
            return stream_ref(cell.run, len(cell.run.stream) - 1, cell.row, column)
        return Ref(self.source(Facts.of(cell.run)), cell.row, column)

    def found(self, run: ForwardPass) -> NormSteps:
        steps = self.steps(run)
        assert steps is not None  # noqa: S101 (asked of models that have this norm)
        return steps

    def formula(self, facts: Facts) -> str:
        """The formula of the norm's output."""
        name, number = self.name, f"{self.source(facts)}[{{i}},{{c}}]"
        number = f"({number} - {name}_mean[{{i}}])" if facts.centred else number
        beta = f" + {name}_beta[{{c}}]" if facts.beta else ""
        return f"{number} / {name}_std[{{i}}] · {name}_gamma[{{c}}]{beta}"

    def explain(self, cell: Cell) -> Explanation:
        """What a number of the norm's output is made of."""
        steps, name = self.found(cell.run), self.name
        gamma, spread = Ref(f"{name}_gamma", 0, cell.column), Ref(f"{name}_std", cell.row, 0, -1)
        return total(
            [self.read(cell, cell.column), gamma, spread],
            None if steps.mean is None else [MINUS, self._mean(cell), gamma, spread],
            None if steps.norm.beta is None else [Ref(f"{name}_beta", 0, cell.column)],
        )

    def explain_mean(self, cell: Cell) -> Explanation:
        return total([self.read(cell, EACH), _one_by_width(cell)])

    def explain_spread(self, cell: Cell) -> Explanation:
        """The root of the mean of squares, less the square of the mean, plus eps."""
        steps, numbers = self.found(cell.run), self.read(cell, EACH)
        return root(
            [numbers, numbers, _one_by_width(cell)],
            None if steps.mean is None else [MINUS, self._mean(cell), self._mean(cell)],
            [Constant("eps", steps.norm.eps)],
        )

    def spread_formula(self, facts: Facts) -> str:
        squares = f"Σ_m {self.source(facts)}[{{i}},m]² / d_model"
        mean = f" - {self.name}_mean[{{i}}]²" if facts.centred else ""
        return f"√({squares}{mean} + eps)"

    def _mean(self, cell: Cell) -> Ref:
        return Ref(f"{self.name}_mean", cell.row, 0)


def norm_matrices(site: NormSite) -> tuple[Matrix, ...]:
    """What a norm subtracts, divides by, multiplies with and adds."""
    absent = "This model has no such norm, or its norm has no such part."

    def per_token(
        part: str,
        meaning: str,
        formula: Callable[[Facts], str],
        find: Callable[[NormSteps], Tensor | None],
        explain: Callable[[Cell], Explanation],
    ) -> Matrix:
        return Matrix(
            f"{site.name}_{part}",
            part,
            ("token", "one"),
            site.scope,
            f"{meaning} {site.words}.",
            formula,
            lambda view: _find(site.steps(view.run), find),
            explain,
            absent,
        )

    def per_dimension(
        part: str, meaning: str, find: Callable[[NormSteps], Tensor | None]
    ) -> Matrix:
        return Matrix(
            f"{site.name}_{part}",
            part,
            ("one", "dimension"),
            site.scope,
            f"{meaning} {site.words}.",
            LEARNED,
            lambda view: _find(site.steps(view.run), lambda it: _as_row(find(it))),
            explain_weight,
            absent,
        )

    return (
        per_token(
            "mean",
            "The mean of each token's numbers, subtracted by",
            lambda facts: f"Σ_m {site.source(facts)}[{{i}},m] / d_model",
            lambda steps: steps.mean,
            site.explain_mean,
        ),
        per_token(
            "std",
            "The standard deviation of each token's numbers (their root mean square where no mean "
            "is subtracted), which they are divided by in",
            site.spread_formula,
            lambda steps: steps.spread,
            site.explain_spread,
        ),
        per_dimension(
            "gamma", "What each dimension is multiplied with by", lambda steps: steps.norm.gamma
        ),
        per_dimension("beta", "What is added to each dimension by", lambda steps: steps.norm.beta),
    )


def _find(steps: NormSteps | None, find: Callable[[NormSteps], Tensor | None]) -> Tensor | None:
    return None if steps is None else find(steps)


def _as_row(weights: Tensor | None) -> Tensor | None:
    return None if weights is None else weights.float()[None]


def _one_by_width(view: View) -> Constant:
    return Constant("1 / d_model", 1 / view.run.computation.d_model)


EMBEDDING_NORM = NormSite(
    "embedding_norm",
    "the norm of the embeddings",
    "model",
    lambda run: run.embedded.norm,
    lambda _: "embedding_sum",
)
FIRST_NORM = NormSite(
    "first_norm",
    "the norm before the attention, or after it where a model norms what it has added",
    "layer",
    lambda run: run.steps.first_norm,
    lambda facts: "x" if facts.norm_first else "residual",
)
SECOND_NORM = NormSite(
    "second_norm",
    "the norm before the MLP, or after it where a model norms what it has added",
    "layer",
    lambda run: run.steps.second_norm,
    lambda facts: "residual" if facts.norm_first else "mlp_residual",
)
FINAL_NORM = NormSite(
    "final_norm",
    "the norm after the last block",
    "model",
    lambda run: run.final_norm,
    lambda _: "block_out",
)
