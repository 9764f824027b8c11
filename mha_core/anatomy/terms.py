"""What one number is made of: terms, each a product of numbers of other matrices."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from mha_core.anatomy.kinds import Combine, LeafKind

EACH = -1
"""An index that runs over the terms."""


@dataclass(frozen=True)
class Ref:
    """Some numbers of a matrix, one for each term; head and layer are those of the number."""

    matrix: str
    row: int = EACH
    column: int = EACH
    power: int = 1  # -1: the term is divided by it
    head: int | None = None
    layer: int | None = None
    values: Tensor | None = None  # [n]: of a layer that is not written down


@dataclass(frozen=True)
class Constant:
    """A number that is in no matrix, with how it is written."""

    symbol: str
    value: float


@dataclass(frozen=True)
class Leaf:
    """Where a number comes from that is not computed."""

    kind: LeafKind
    note: str
    token: int | None = None  # index in the text


@dataclass(frozen=True)
class Explanation:
    """What a number is made of; products of equal shape are a group of terms."""

    combine: Combine
    groups: Sequence[Sequence[Ref | Constant]] = ()
    target: int = 0  # softmax: the term whose share it is
    kept: Tensor | None = None  # softmax: bool [n], the terms that count
    function: str = ""
    leaf: Leaf | None = None
    formula: str = ""  # with the real indices, where they are not those of the matrix's formula


def total(*groups: Sequence[Ref | Constant] | None) -> Explanation:
    """A sum of products; a group that the model lacks is None."""
    return Explanation("sum", [group for group in groups if group is not None])


def root(*groups: Sequence[Ref | Constant] | None) -> Explanation:
    """The square root of such a sum."""
    return Explanation("root", total(*groups).groups)


def share(scores: Ref, target: int, kept: Tensor) -> Explanation:
    """Softmax of a row of scores at one of its columns."""
    if not kept.any():
        return leaf("none", "Every key is hidden from this query: its row is zeros.")
    if not kept[target]:
        return leaf("mask", "A hidden key has weight 0: exp(-∞).")
    return Explanation("softmax", [[scores]], target, kept)


def copied(ref: Ref) -> Explanation:
    """The same number in another matrix."""
    of_head = "" if ref.head is None else f" of head {ref.head}"
    of_layer = "" if ref.layer is None else f" of layer {ref.layer}"
    formula = f"{ref.matrix}[{ref.row},{ref.column}]{of_head}{of_layer}"
    return Explanation("sum", [[ref]], formula=formula)


def leaf(kind: LeafKind, note: str, token: int | None = None) -> Explanation:
    return Explanation("leaf", leaf=Leaf(kind, note, token))
