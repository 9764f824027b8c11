"""The trace of one number: the terms it is made of, with the numbers of other matrices in them.

Following the factors leads from any number back to the tokens of the sentence and to weights.
"""

from dataclasses import dataclass

from mha_core.anatomy.evaluation import Evaluated, Term
from mha_core.anatomy.facts import Facts
from mha_core.anatomy.kinds import Combine
from mha_core.anatomy.matrices.table import MATRICES
from mha_core.anatomy.matrix import Matrix, View
from mha_core.anatomy.terms import Leaf
from mha_core.errors import NoSuchCell, NoSuchMatrix


@dataclass(frozen=True)
class Trace:
    """One number and what it is made of."""

    matrix: Matrix
    layer: int | None
    head: int | None
    row: int
    column: int
    value: float
    formula: str
    combine: Combine
    function: str  # of combine "function"
    sum: float  # what all terms combine to: the number again, in float64
    terms: tuple[Term, ...]  # the largest by size
    n_terms: int
    rest: float  # the sum of the others
    leaf: Leaf | None


def find_matrix(name: str) -> Matrix:
    if name not in MATRICES:
        raise NoSuchMatrix(
            f"There is no matrix {name!r}. There are: {', '.join(MATRICES)}.",
            matrix=name,
            available=list(MATRICES),
        )
    return MATRICES[name]


def trace(view: View, name: str, row: int, column: int, most: int = 12) -> Trace:
    """What a number is made of: its `most` largest terms, and the sum of the others."""
    matrix = find_matrix(name)
    values = matrix.values(view)
    if values is None:
        raise NoSuchMatrix(f"There is no {name} here. {matrix.absent}", matrix=name)
    one = values[view.head] if values.ndim == 3 else values
    if not (0 <= row < one.shape[0] and 0 <= column < one.shape[1]):
        raise NoSuchCell(
            f"{name} has {one.shape[0]} rows and {one.shape[1]} columns: choose a row from 0 to "
            f"{one.shape[0] - 1} and a column from 0 to {one.shape[1] - 1}.",
            matrix=name,
            shape=list(one.shape),
        )
    explanation = matrix.explain(view.at(row, column))
    evaluated = Evaluated.of(explanation, view)
    layer = None if matrix.scope == "model" else view.run.layer
    head = view.head if matrix.scope == "head" or values.ndim == 3 else None
    value = float(one[row, column])
    chosen = evaluated.largest(most)
    return Trace(
        matrix=matrix,
        layer=layer,
        head=head,
        row=row,
        column=column,
        value=value,
        formula=f"{name}[{row},{column}] = {explanation.formula}"
        if explanation.formula
        else matrix.write_formula(Facts.of(view.run), str(row), str(column)),
        combine=explanation.combine,
        function=explanation.function,
        sum=value if explanation.combine == "leaf" else evaluated.combine(),
        terms=tuple(evaluated.term(place) for place in chosen),
        n_terms=len(evaluated.shown),
        rest=evaluated.rest(chosen),
        leaf=explanation.leaf,
    )
