"""From queries and keys to the pattern: scores, scale, mask, softmax."""

from torch import Tensor

from mha_core.anatomy.attention_steps import hide
from mha_core.anatomy.facts import Facts
from mha_core.anatomy.matrix import Cell, Matrix, View
from mha_core.anatomy.terms import EACH, Explanation, Ref, leaf, share, total


def _explain_raw(cell: Cell) -> Explanation:
    facts = Facts.of(cell.run)
    return total([Ref(facts.query, cell.row, EACH), Ref(facts.key, cell.column, EACH)])


def _explain_scaled(cell: Cell) -> Explanation:
    return total([Ref("scores_raw", cell.row, cell.column), Ref("scale", 0, 0)])


def _scale(view: View) -> Tensor:
    return view.attention.q.new_full((1, 1), view.attention.how.scale)


def _explain_scale(cell: Cell) -> Explanation:
    edits, steps = cell.run.edits_here, cell.attention
    if edits is not None and edits.scale is not None:
        return leaf("scale", "The factor that you chose in place of the model's.")
    usual = abs(steps.how.scale * steps.weights.d_head**0.5 - 1) < 1e-6
    return leaf("scale", "1 / √d_head." if usual else "The factor that this model uses.")


def _explain_visible(cell: Cell) -> Explanation:
    query, key = cell.row, cell.column
    now = bool(cell.attention.how.visible[query, key])
    if now != bool(cell.run.how[cell.run.layer].visible[query, key]):
        return leaf("mask", f"You {'made it visible' if now else 'hid it'}.")
    if now:
        return leaf("mask", f"Query {query} may look at key {key}.")
    why = "comes later" if key > query else "this layer hides from it"
    return leaf("mask", f"Query {query} may not look at key {key}, which {why}.")


def _explain_masked(cell: Cell) -> Explanation:
    if not cell.attention.how.visible[cell.row, cell.column]:
        return leaf("mask", "A hidden key has the score -∞, whose exponential is 0.")
    return total([Ref("scores", cell.row, cell.column)])


def explain_softmax(cell: Cell, scores: str) -> Explanation:
    """A weight of a softmax over the visible keys of a row of scores."""
    kept = cell.attention.how.visible[cell.row]
    return share(Ref(scores, cell.row, EACH), cell.column, kept)


SCORES: tuple[Matrix, ...] = (
    Matrix(
        "scores_raw",
        "Q Kᵀ",
        ("token", "token"),
        "head",
        "The dot product of each query with each key.",
        lambda facts: f"Σ_m {facts.query}[{{i}},m] · {facts.key}[{{c}},m]",
        lambda view: view.attention.raw[view.head],
        _explain_raw,
    ),
    Matrix(
        "scale",
        "1 / √d",
        ("one", "one"),
        "layer",
        "What scores are multiplied with, so that their size does not grow with d_head.",
        "1 / √d_head, or the factor that was chosen",
        _scale,
        _explain_scale,
    ),
    Matrix(
        "scores",
        "Q Kᵀ / √d",
        ("token", "token"),
        "head",
        "The scaled scores.",
        "scores_raw[{i},{c}] · scale",
        lambda view: view.attention.scores[view.head],
        _explain_scaled,
    ),
    Matrix(
        "pattern_unscaled",
        "softmax(Q Kᵀ)",
        ("token", "token"),
        "head",
        "The softmax of the scores that were not scaled: what the head would look at.",
        "exp(scores_raw[{i},{c}]) / Σ_k exp(scores_raw[{i},k]), over visible keys",
        lambda view: view.attention.softmax(view.attention.raw[view.head]),
        lambda cell: explain_softmax(cell, "scores_raw"),
    ),
    Matrix(
        "visible",
        "mask",
        ("token", "token"),
        "layer",
        "1 where a query may look at a key, 0 where the key is hidden.",
        "1 if query {i} may look at key {c}, else 0",
        lambda view: view.attention.how.visible,
        _explain_visible,
    ),
    Matrix(
        "masked",
        "Q Kᵀ / √d + mask",
        ("token", "token"),
        "head",
        "The scaled scores, minus infinity where a key is hidden.",
        "scores[{i},{c}] if visible[{i},{c}] = 1, else -∞",
        lambda view: hide(view.attention.scores[view.head], view.attention.how.visible),
        _explain_masked,
    ),
    Matrix(
        "pattern",
        "A",
        ("token", "token"),
        "head",
        "The attention: each row sums to 1. A row that sees no key is zeros.",
        "exp(masked[{i},{c}]) / Σ_k exp(masked[{i},k])",
        lambda view: view.attention.pattern[view.head],
        lambda cell: explain_softmax(cell, "masked"),
    ),
)
