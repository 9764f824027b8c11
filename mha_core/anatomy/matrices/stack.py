"""The whole model: the residual stream of a token through the blocks, and the prediction."""

import torch
from torch import Tensor

from mha_core.anatomy.facts import Facts
from mha_core.anatomy.matrices.linears import LinearSite
from mha_core.anatomy.matrices.norms import FINAL_NORM, norm_matrices, stream_ref
from mha_core.anatomy.matrices.outputs import cosine
from mha_core.anatomy.matrix import Cell, Matrix, View
from mha_core.anatomy.terms import EACH, Explanation, Ref, copied, leaf, root, share, total

NO_PREDICTION = (
    "This model predicts no next token, or its files hold no output layer that HeadScope can use."
)

UNEMBEDDING = LinearSite(
    "u",
    "U",
    ("dimension", "vocabulary"),
    "model",
    "final",
    "The output layer: a column for each token of the vocabulary.",
    "What the output layer adds for each token of the vocabulary.",
    lambda view: view.run.computation.unembedding,
    absent=NO_PREDICTION,
)


def _explain_stream(cell: Cell) -> Explanation:
    return copied(stream_ref(cell.run, cell.row, cell.token, cell.column))


def _explain_norm(cell: Cell) -> Explanation:
    numbers = stream_ref(cell.run, cell.row, cell.column, EACH)
    return root([numbers, numbers])


def _cosines(view: View) -> Tensor:
    """[L+1, T]; before the first block there is nothing to compare with."""
    cosines = cosine(view.run.stream[1:], view.run.stream[:-1])
    return torch.cat([torch.full_like(cosines[:1], torch.nan), cosines])


def _explain_cosine(cell: Cell) -> Explanation:
    if _cosines(cell)[cell.row, cell.column].isnan():
        return leaf("none", "There is no block before the first, or a vector is zeros.")
    return total(
        [
            stream_ref(cell.run, cell.row, cell.column, EACH),
            stream_ref(cell.run, cell.row - 1, cell.column, EACH),
            Ref("stream_norms", cell.row, cell.column, -1),
            Ref("stream_norms", cell.row - 1, cell.column, -1),
        ]
    )


def _explain_final(cell: Cell) -> Explanation:
    if cell.run.final_norm is not None:
        return FINAL_NORM.explain(cell)
    return copied(stream_ref(cell.run, len(cell.run.stream) - 1, cell.row, cell.column))


def _final_formula(facts: Facts) -> str:
    if facts.final_norm:
        return FINAL_NORM.formula(facts)
    return "block_out[{i},{c}] of the last layer"


def _logits(view: View) -> Tensor | None:
    layer = view.run.computation.unembedding
    if layer is None:
        return None
    logits = layer(view.run.hidden)
    logits[:, list(view.run.computation.no_tokens)] = -torch.inf
    return logits


def _explain_logit(cell: Cell) -> Explanation:
    if cell.column in cell.run.computation.no_tokens:
        return leaf("none", "No token has this id: its column of the output layer is not used.")
    return UNEMBEDDING.explain(cell)


def _probabilities(view: View) -> Tensor | None:
    logits = _logits(view)
    return None if logits is None else logits.softmax(-1)


def _explain_probability(cell: Cell) -> Explanation:
    computation = cell.run.computation
    assert computation.unembedding is not None  # noqa: S101 (asked of models that have it)
    kept = torch.ones(len(computation.unembedding.weight), dtype=torch.bool)
    kept[list(computation.no_tokens)] = False
    return share(Ref("logits", cell.row, EACH), cell.column, kept)


STACK: tuple[Matrix, ...] = (
    Matrix(
        "stream",
        "x after each block",
        ("layer", "dimension"),
        "model",
        "The residual stream of the chosen token before the first block and after each.",
        "block_out[token,{c}] of the block before {i}; before the first block x0[token,{c}]",
        lambda view: view.run.stream[:, view.token],
        _explain_stream,
    ),
    Matrix(
        "stream_norms",
        "‖x‖ after each block",
        ("layer", "token"),
        "model",
        "The length of each token's residual stream before the first block and after each.",
        "√(Σ_m x[{c},m]²) before block {i}",
        lambda view: view.run.stream.norm(dim=-1),
        _explain_norm,
    ),
    Matrix(
        "stream_cosines",
        "cos(x, x one block earlier)",
        ("layer", "token"),
        "model",
        "How far each block turns a token's residual stream: its cosine with what it was before.",
        "Σ_m x[{c},m] · earlier x[{c},m] / (‖x‖ · ‖earlier x‖) before block {i}",
        _cosines,
        _explain_cosine,
    ),
    *norm_matrices(FINAL_NORM),
    Matrix(
        "final",
        "last hidden state",
        ("token", "dimension"),
        "model",
        "What the model hands to its output layer.",
        _final_formula,
        lambda view: view.run.hidden,
        _explain_final,
    ),
    *UNEMBEDDING.matrices(),
    Matrix(
        "logits",
        "logits",
        ("token", "vocabulary"),
        "model",
        "How strongly each token of the vocabulary is predicted after each token of the text.",
        UNEMBEDDING.formula,
        _logits,
        _explain_logit,
        NO_PREDICTION,
    ),
    Matrix(
        "probabilities",
        "softmax(logits)",
        ("token", "vocabulary"),
        "model",
        "The probability of each token of the vocabulary after each token of the text.",
        "exp(logits[{i},{c}]) / Σ_t exp(logits[{i},t])",
        _probabilities,
        _explain_probability,
        NO_PREDICTION,
    ),
)
