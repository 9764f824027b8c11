"""From tokens to the residual stream: the embeddings, their sum, the input of a layer."""

from collections.abc import Callable

from torch import Tensor

from mha_core.anatomy.facts import Facts
from mha_core.anatomy.forward import Embedded
from mha_core.anatomy.matrices.norms import EMBEDDING_NORM, norm_matrices, stream_ref
from mha_core.anatomy.matrix import Cell, Matrix
from mha_core.anatomy.terms import Explanation, Ref, copied, leaf, total


def _sum_formula(facts: Facts) -> str:
    names = ["token"] + ["segment"] * facts.segments + ["position"] * facts.positions
    return " + ".join(f"{name}_embedding[{{i}},{{c}}]" for name in names)


def _explain_sum(cell: Cell) -> Explanation:
    it = cell.run.embedded
    parts = {"token": it.token, "segment": it.segment, "position": it.position}
    names = (f"{name}_embedding" for name, part in parts.items() if part is not None)
    return total(*([Ref(name, cell.row, cell.column)] for name in names))


def _explain_x0(cell: Cell) -> Explanation:
    normed = cell.run.embedded.norm is not None
    return EMBEDDING_NORM.explain(cell) if normed else _explain_sum(cell)


def _x0_formula(facts: Facts) -> str:
    return EMBEDDING_NORM.formula(facts) if facts.embedding_norm else _sum_formula(facts)


def _explain_x(cell: Cell) -> Explanation:
    return copied(stream_ref(cell.run, cell.run.layer, cell.row, cell.column))


def _x_formula(facts: Facts) -> str:
    if facts.layer == 0:
        return "x0[{i},{c}]"
    return f"block_out[{{i}},{{c}}] of layer {facts.layer - 1}"


def _explain_token(cell: Cell) -> Explanation:
    token = cell.run.tokenized.tokens[cell.row]
    note = f"Row {token.id} of the embedding table, which is that of the token {token.text!r}."
    return leaf("token", note, cell.row)


def _explain_position(cell: Cell) -> Explanation:
    position = int(cell.run.embedded.position_ids[cell.row])
    return leaf("position", f"Row {position} of the table of positions.", cell.row)


def _explain_segment(cell: Cell) -> Explanation:
    segment = int(cell.run.embedded.segment_ids[cell.row])
    return leaf("segment", f"Row {segment} of the table of segments.", cell.row)


def _embedding(
    what: str,
    symbol: str,
    meaning: str,
    find: Callable[[Embedded], Tensor | None],
    explain: Callable[[Cell], Explanation],
    absent: str = "",
) -> Matrix:
    return Matrix(
        f"{what}_embedding",
        symbol,
        ("token", "dimension"),
        "model",
        meaning,
        f"the row of the {what} in a learned table",
        lambda view: find(view.run.embedded),
        explain,
        absent,
    )


EMBEDDINGS: tuple[Matrix, ...] = (
    _embedding(
        "token",
        "E",
        "Each token's vector, looked up by its id; the same wherever the token stands.",
        lambda embedded: embedded.token,
        _explain_token,
    ),
    _embedding(
        "position",
        "P",
        "Each position's vector, the same for every token that stands there.",
        lambda embedded: embedded.position,
        _explain_position,
        "This model adds no positions: it rotates queries and keys by an angle that grows with "
        "the position, in every layer.",
    ),
    _embedding(
        "segment",
        "G",
        "The vector of the sentence each token is in, first or second.",
        lambda embedded: embedded.segment,
        _explain_segment,
        "This model reads one text: it has no vectors for a first and a second sentence.",
    ),
    Matrix(
        "embedding_sum",
        "E + G + P",
        ("token", "dimension"),
        "model",
        "The sum of the embeddings, before their norm.",
        _sum_formula,
        lambda view: None if view.run.embedded.norm is None else view.run.embedded.total,
        _explain_sum,
        "This model does not norm its embeddings: their sum is x0.",
    ),
    *norm_matrices(EMBEDDING_NORM),
    Matrix(
        "x0",
        "x₀",
        ("token", "dimension"),
        "model",
        "The residual stream before the first block: what all layers read and add to.",
        _x0_formula,
        lambda view: view.run.embedded.output,
        _explain_x0,
    ),
    Matrix(
        "x",
        "x",
        ("token", "dimension"),
        "layer",
        "The input of this layer: the residual stream as the block before left it.",
        _x_formula,
        lambda view: view.run.steps.x,
        _explain_x,
    ),
)
