"""How positions come into queries and keys: rotation, and keys of the token before."""

from dataclasses import replace

from torch import Tensor

from mha_core.anatomy.matrices.norms import MINUS
from mha_core.anatomy.matrix import Cell, Matrix, View
from mha_core.anatomy.terms import Explanation, Ref, copied, leaf, total

NOT_ROTARY = "This model adds its positions to the embeddings: it rotates nothing."


def _angle(name: str, word: str) -> Matrix:
    """The cosine or sine that turns queries and keys."""

    def values(view: View) -> Tensor | None:
        rotation = view.attention.how.rotation
        angles: Tensor | None = getattr(rotation, name, None)
        return angles

    def explain(cell: Cell) -> Explanation:
        return leaf("position", f"The angle of position {cell.row}.", cell.row)

    return Matrix(
        f"rotary_{name}",
        name,
        ("token", "head_dimension"),
        "layer",
        f"The {word} of the angle by which each position turns a pair of dimensions.",
        f"{name}({{i}} · frequency of dimension {{c}})",
        values,
        explain,
        NOT_ROTARY,
    )


def _rotated(letter: str, which: str) -> Matrix:
    """Queries or keys after their rotation by position."""

    def values(view: View) -> Tensor | None:
        steps = view.attention
        if steps.how.rotation is None:
            return None
        return steps.used_q[view.head] if letter == "q" else steps.used_k[view.key_head]

    def explain(cell: Cell) -> Explanation:
        half = cell.attention.weights.d_head // 2
        first = cell.column < half
        partner = cell.column + half if first else cell.column - half
        at = f"[{cell.row},{cell.column}]"
        turned = [Ref(letter, cell.row, partner), Ref("rotary_sin", cell.row, cell.column)]
        made = total(
            [Ref(letter, cell.row, cell.column), Ref("rotary_cos", cell.row, cell.column)],
            [MINUS, *turned] if first else turned,
        )
        formula = f"{letter}{at} · rotary_cos{at} {'-' if first else '+'} "
        formula += f"{letter}[{cell.row},{partner}] · rotary_sin{at}"
        return replace(made, formula=formula)

    return Matrix(
        f"{letter}_rotated",
        f"{letter.upper()}, rotated",
        ("token", "head_dimension"),
        "head",
        f"This head's {which} of each token, pairs of dimensions turned by an angle that grows "
        "with the position: so a score depends on how far two tokens are apart.",
        f"{letter}[{{i}},{{c}}] · rotary_cos[{{i}},{{c}}] ± {letter}[{{i}},{{c}} ± d_head / 2] · "
        "rotary_sin[{i},{c}]",
        values,
        explain,
        NOT_ROTARY,
    )


def _shifted(view: View) -> Tensor | None:
    steps = view.attention
    return None if steps.how.key_sources is None else steps.used_k[view.key_head]


def _explain_shifted(cell: Cell) -> Explanation:
    sources = cell.attention.how.key_sources
    assert sources is not None  # noqa: S101 (asked of models that have it)
    source = int(sources[cell.row])
    if source < 0:
        return leaf("position", "No token comes before: its key is zeros.", cell.row)
    return copied(Ref("k", source, cell.column))


POSITIONS: tuple[Matrix, ...] = (
    _angle("cos", "cosine"),
    _angle("sin", "sine"),
    _rotated("q", "query"),
    _rotated("k", "key"),
    Matrix(
        "k_shifted",
        "K, shifted",
        ("token", "head_dimension"),
        "head",
        "The keys as this layer reads them: each position has that of the token before.",
        "k[token before {i},{c}]",
        _shifted,
        _explain_shifted,
        "Each position of this layer reads its own key.",
    ),
)
