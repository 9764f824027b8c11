"""The input of the heads, and Q, K and V: head by head, and as one matrix for all heads."""

from collections.abc import Callable

from mha_core.anatomy.computation import Linear
from mha_core.anatomy.matrices.linears import LinearSite
from mha_core.anatomy.matrices.norms import FIRST_NORM, explain_weight, norm_matrices
from mha_core.anatomy.matrix import Cell, Matrix, View
from mha_core.anatomy.terms import Constant, Explanation, Ref, copied, leaf, total

NAMES = {"q": "query", "k": "key", "v": "value"}


def explain_head_weight(matrix: str) -> Callable[[Cell], Explanation]:
    """A weight of the chosen head, which may be edited."""

    def explain(cell: Cell) -> Explanation:
        weights, edits = cell.attention.weights, cell.run.edits_here
        heads = range(cell.head, cell.head + 1)
        if matrix in ("w_k", "w_v"):  # all heads that read this key head have it
            shared_by = weights.n_heads // weights.n_kv_heads
            heads = range(cell.key_head * shared_by, (cell.key_head + 1) * shared_by)
        added = 0.0 if edits is None else edits.added_to(matrix, cell.row, cell.column, heads)
        found = explain_weight(cell)
        if not added or found.leaf is None:
            return found
        return leaf("weight", f"{found.leaf.note} You added {added:g} to it.")

    return explain


def _explain_normed(cell: Cell) -> Explanation:
    before = cell.run.steps.block.norm_first
    made = FIRST_NORM.explain(cell) if before else copied(Ref("x", cell.row, cell.column))
    edits, place = cell.run.edits_here, (cell.row, cell.column)
    inputs = () if edits is None else edits.inputs
    added = [it.add for it in inputs if (it.token, it.dimension) == place]
    return total(*made.groups, *([Constant("added by you", add)] for add in added))


def _of_head(letter: str) -> tuple[Matrix, ...]:
    """Weights, bias and vectors of the chosen head."""
    which = NAMES[letter]
    shared = "" if letter == "q" else " Heads that share keys and values have the same."

    def find(view: View) -> Linear:
        return view.attention.weights.part(which, view.head)

    site = LinearSite(
        letter,
        letter.upper(),
        ("dimension", "head_dimension"),
        "head",
        "normed",
        f"What makes this head's {which} of a token: it reads all of the input, and only what it "
        f"writes is d_head wide.{shared}",
        f"What is added to every {which} of this head.",
        find,
        explain_head_weight(f"w_{letter}"),
    )
    vectors = Matrix(
        letter,
        letter.upper(),
        ("token", "head_dimension"),
        "head",
        f"This head's {which} of each token.{shared}",
        site.formula,
        lambda view: getattr(view.attention, letter)[view.head if letter == "q" else view.key_head],
        site.explain,
    )
    return (*site.matrices(), vectors)


def _fused(letter: str) -> tuple[Matrix, ...]:
    """The same for all heads at once: one matrix whose output is split."""
    which, symbol = NAMES[letter], f"{letter.upper()} of all heads"

    def find(view: View) -> Linear:
        linear: Linear = getattr(view.attention.weights, which)
        return linear

    site = LinearSite(
        f"{letter}_fused",
        symbol,
        ("dimension", "all_heads" if letter == "q" else "key_heads"),
        "layer",
        "normed",
        f"The matrices W_{letter.upper()} of all heads side by side: no weight more or less.",
        f"The biases b_{letter.upper()} of all heads side by side.",
        find,
    )
    vectors = Matrix(
        site.name,
        symbol,
        ("token", site.axes[1]),
        "layer",
        f"The {which} vectors of all heads from one product, to be split every d_head columns.",
        site.formula,
        lambda view: getattr(view.run.fused, letter).transpose(0, 1).flatten(1),
        site.explain,
    )
    return (*site.matrices(), vectors)


PROJECTIONS: tuple[Matrix, ...] = (
    *norm_matrices(FIRST_NORM),
    Matrix(
        "normed",
        "norm(x)",
        ("token", "dimension"),
        "layer",
        "What W_Q, W_K and W_V read: the normed input, or the input itself where a model norms "
        "after the attention.",
        lambda facts: FIRST_NORM.formula(facts) if facts.norm_first else "x[{i},{c}]",
        lambda view: view.attention.normed,
        _explain_normed,
    ),
    *(matrix for letter in NAMES for matrix in _of_head(letter)),
    *(matrix for letter in NAMES for matrix in _fused(letter)),
)
