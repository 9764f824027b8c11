"""One softmax against many: the maps of all heads, their mean, and one head of the same size."""

from mha_core.anatomy.matrices.scores import explain_softmax
from mha_core.anatomy.matrix import Cell, Matrix
from mha_core.anatomy.terms import EACH, Constant, Explanation, Ref, copied, total


def _explain_mean(cell: Cell) -> Explanation:
    share = Constant("1 / n_heads", 1 / cell.attention.weights.n_heads)
    return total([Ref("pattern", cell.row, cell.column, head=EACH), share])


def _explain_one_head(cell: Cell) -> Explanation:
    weights = cell.attention.weights
    scale = Constant("1 / √(n_heads · d_head)", (weights.n_heads * weights.d_head) ** -0.5)
    return total([Ref("scores_raw", cell.row, cell.column, head=EACH), scale])


MANY: tuple[Matrix, ...] = (
    Matrix(
        "patterns",
        "A of every head",
        ("head", "token", "token"),
        "layer",
        "The attention of every head: each has a softmax of its own.",
        "pattern[{i},{c}] of the head",
        lambda view: view.attention.pattern,
        lambda cell: copied(Ref("pattern", cell.row, cell.column)),
    ),
    Matrix(
        "mean_pattern",
        "mean of A",
        ("token", "token"),
        "layer",
        "The mean of the attention of all heads: it no longer says which head looks where.",
        "Σ_h pattern[{i},{c}] of head h / n_heads",
        lambda view: view.attention.pattern.mean(0),
        _explain_mean,
    ),
    Matrix(
        "one_head_scores",
        "Σ Q Kᵀ / √(h d)",
        ("token", "token"),
        "layer",
        "The scores of one head as large as all heads together, with the same queries and keys.",
        "Σ_h scores_raw[{i},{c}] of head h / √(n_heads · d_head)",
        lambda view: view.attention.one_head_scores,
        _explain_one_head,
    ),
    Matrix(
        "one_head_pattern",
        "A of one large head",
        ("token", "token"),
        "layer",
        "The attention of one head of the same total size: it has one softmax for all relations, "
        "so each of its rows must blend them.",
        "exp(one_head_scores[{i},{c}]) / Σ_k exp(one_head_scores[{i},k]), over visible keys",
        lambda view: view.attention.softmax(view.attention.one_head_scores),
        lambda cell: explain_softmax(cell, "one_head_scores"),
    ),
)
