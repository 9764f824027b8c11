"""The terms of an explanation with their values, and the number again from all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.anatomy.matrices.table import MATRICES
from mha_core.anatomy.matrix import View
from mha_core.anatomy.terms import EACH, Constant, Explanation, Ref


@dataclass(frozen=True)
class Factor:
    """A number of a matrix, or a constant with its symbol; the term is divided by power -1."""

    matrix: str | None
    symbol: str
    layer: int | None  # None: of the model as a whole
    head: int | None  # None: of no head
    row: int | None
    column: int | None
    value: float
    power: int


@dataclass(frozen=True)
class Term:
    """What one product contributes; of a softmax, the exponential's share."""

    value: float
    factors: tuple[Factor, ...]


@dataclass(frozen=True, eq=False)
class _Part:
    """One factor of each term of a group."""

    ref: Ref | Constant
    values: Tensor  # float64 [n], or [1] where all terms have the same


@dataclass(frozen=True, eq=False)
class Evaluated:
    """All terms of an explanation with their values."""

    explanation: Explanation
    view: View
    groups: list[list[_Part]]
    values: Tensor  # float64 [n] of all terms, group after group
    places: list[tuple[int, int]]  # of each term: its group, and its index in it
    shown: list[int]  # the terms that count

    @classmethod
    def of(cls, explanation: Explanation, view: View) -> "Evaluated":
        groups = [[_Part(it, _read(it, view)) for it in group] for group in explanation.groups]
        products = [_multiply(group) for group in groups]
        values = torch.cat(products) if products else torch.zeros(0, dtype=torch.float64)
        places = [(g, n) for g, product in enumerate(products) for n in range(len(product))]
        shown = list(range(len(values)))
        if explanation.combine == "softmax":
            assert explanation.kept is not None  # noqa: S101 (`share` gives it)
            kept = explanation.kept.cpu()
            values = values.masked_fill(~kept, -torch.inf).softmax(0)
            shown = kept.nonzero()[:, 0].tolist()
        return cls(explanation, view, groups, values, places, shown)

    def largest(self, most: int) -> list[int]:
        """The terms of largest size, largest first."""
        sizes = self.values[self.shown].abs()
        order = sizes.sort(descending=True, stable=True).indices[:most]
        return [self.shown[index] for index in order.tolist()]

    def rest(self, chosen: Sequence[int]) -> float:
        return float(self.values[self.shown].sum() - self.values[list(chosen)].sum())

    def combine(self) -> float:
        """The number again, from all terms."""
        how = self.explanation.combine
        if how == "softmax":
            return float(self.values[self.explanation.target])
        if how == "function":
            mlp = self.view.run.steps.block.mlp
            assert mlp is not None  # noqa: S101 (only an MLP has an activation)
            return float(mlp.activation(self.values.float())[0])
        added = float(self.values.sum())
        return max(added, 0.0) ** 0.5 if how == "root" else added

    def term(self, index: int) -> Term:
        group, number = self.places[index]
        factors = tuple(self._factor(part, number) for part in self.groups[group])
        return Term(float(self.values[index]), factors)

    def _factor(self, part: _Part, number: int) -> Factor:
        ref, value = part.ref, float(part.values[min(number, len(part.values) - 1)])
        if isinstance(ref, Constant):
            return Factor(None, ref.symbol, None, None, None, None, value, 1)
        matrix = MATRICES[ref.matrix]
        row, column = (number if it == EACH else it for it in (ref.row, ref.column))
        layer = self.view.run.layer if ref.layer is None else ref.layer
        head = number if ref.head == EACH else self.view.head if ref.head is None else ref.head
        return Factor(
            matrix=matrix.name,
            symbol=matrix.symbol,
            layer=None if matrix.scope == "model" else layer,
            head=head if matrix.scope == "head" else None,
            row=row,
            column=column,
            value=value,
            power=ref.power,
        )


def _read(ref: Ref | Constant, view: View) -> Tensor:
    """The numbers of a factor in all terms, float64 in host memory."""
    if isinstance(ref, Constant):
        return torch.tensor([ref.value], dtype=torch.float64)
    if ref.values is not None:
        return ref.values.reshape(-1).cpu().double()
    matrix = MATRICES[ref.matrix]
    n_heads = view.attention.weights.n_heads
    own = view.head if ref.head is None else ref.head
    found = []
    for head in range(n_heads) if own == EACH else [own]:
        values = matrix.values(View(view.run, head, view.token))
        assert values is not None  # noqa: S101 (an explanation names what is there)
        rows = slice(None) if ref.row == EACH else slice(ref.row, ref.row + 1)
        columns = slice(None) if ref.column == EACH else slice(ref.column, ref.column + 1)
        found.append(values[rows, columns].reshape(-1))
    return torch.cat(found).cpu().double()


def _multiply(group: Sequence[_Part]) -> Tensor:
    """The value of each term of a group, float64 [n]."""
    product = torch.ones(1, dtype=torch.float64)
    for part in group:
        power = 1 if isinstance(part.ref, Constant) else part.ref.power
        product = product * part.values**power
    return product
