"""From the pattern to the output of the layer: z, concatenation, W_O, and what each head writes."""

import torch
from torch import Tensor

from mha_core.anatomy.facts import Facts
from mha_core.anatomy.matrices.norms import LEARNED, explain_weight
from mha_core.anatomy.matrices.projections import explain_head_weight
from mha_core.anatomy.matrix import Cell, Matrix, View
from mha_core.anatomy.terms import EACH, Explanation, Ref, copied, leaf, root, total


def cosine(one: Tensor, other: Tensor) -> Tensor:
    """Cosine of the last dimension; NaN for a vector of zeros, which has no direction."""
    lengths: Tensor = one.norm(dim=-1) * other.norm(dim=-1)
    return (one * other).sum(-1) / lengths


def _explain_z(cell: Cell) -> Explanation:
    if cell.head in cell.attention.heads_off:
        return leaf("none", f"Head {cell.head} is off: its z is zero.")
    return total([Ref("pattern", cell.row, EACH), Ref("v", EACH, cell.column)])


def _explain_concat(cell: Cell) -> Explanation:
    head, dimension = divmod(cell.column, cell.attention.weights.d_head)
    return copied(Ref("z", cell.row, dimension, head=head))


def _explain_result(cell: Cell) -> Explanation:
    return total([Ref("z", cell.row, EACH), Ref("w_o", EACH, cell.column)])


def _parts(view: View) -> Tensor:
    """The results of all heads at the chosen token, then the bias: [H (+ 1), D]."""
    results, bias = view.attention.results[:, view.token], view.attention.weights.output.bias_row
    return results if bias is None else torch.cat([results, bias])


def _explain_part(cell: Cell) -> Explanation:
    if cell.row == cell.attention.weights.n_heads:
        return copied(Ref("b_o", 0, cell.column))
    return copied(Ref("result", cell.token, cell.column, head=cell.row))


def _explain_output(cell: Cell) -> Explanation:
    biased = cell.attention.weights.output.bias is not None
    return total(
        [Ref("result", cell.row, cell.column, head=EACH)],
        [Ref("b_o", 0, cell.column)] if biased else None,
    )


def _part_formula(facts: Facts) -> str:
    bias = "; below all heads b_o[{c}]" if "o" in facts.biases else ""
    return f"result[token,{{c}}] of head {{i}}{bias}"


def _output_formula(facts: Facts) -> str:
    bias = " + b_o[{c}]" if "o" in facts.biases else ""
    return f"Σ_h result[{{i}},{{c}}] of head h{bias}"


def _explain_result_norm(cell: Cell) -> Explanation:
    numbers = Ref("result", cell.row, EACH, head=cell.column)
    return root([numbers, numbers])


def _explain_output_norm(cell: Cell) -> Explanation:
    numbers = Ref("attention_out", cell.row, EACH)
    return root([numbers, numbers])


def _cosines(view: View) -> Tensor:
    return cosine(view.attention.results, view.attention.output).T


def _explain_cosine(cell: Cell) -> Explanation:
    if _cosines(cell)[cell.row, cell.column].isnan():
        return leaf("none", "A vector of zeros has no direction.")
    return total(
        [
            Ref("result", cell.row, EACH, head=cell.column),
            Ref("attention_out", cell.row, EACH),
            Ref("result_norms", cell.row, cell.column, -1),
            Ref("attention_out_norm", cell.row, 0, -1),
        ]
    )


OUTPUTS: tuple[Matrix, ...] = (
    Matrix(
        "z",
        "Z = A V",
        ("token", "head_dimension"),
        "head",
        "What each query receives: the values, weighted by its row of the attention.",
        "Σ_k pattern[{i},k] · v[k,{c}]",
        lambda view: view.attention.z[view.head],
        _explain_z,
    ),
    Matrix(
        "concat",
        "[Z₁ | … | Z_h]",
        ("token", "all_heads"),
        "layer",
        "The outputs of all heads side by side.",
        "z[{i},m] of head h, where h · d_head + m = {c}",
        lambda view: view.attention.z.transpose(0, 1).flatten(1),
        _explain_concat,
    ),
    Matrix(
        "w_o",
        "W_O of the head",
        ("head_dimension", "dimension"),
        "head",
        "The rows of W_O that this head's output is multiplied with.",
        LEARNED,
        lambda view: view.attention.weights.part("output", view.head).weight.float().T,
        explain_head_weight("w_o"),
    ),
    Matrix(
        "b_o",
        "b_O",
        ("one", "dimension"),
        "layer",
        "What is added to the sum of all heads: it is no head's own.",
        LEARNED,
        lambda view: view.attention.weights.output.bias_row,
        explain_weight,
        "The output projection of this model adds no bias.",
    ),
    Matrix(
        "w_o_fused",
        "W_O",
        ("all_heads", "dimension"),
        "layer",
        "The rows of W_O of all heads, one head below the other.",
        LEARNED,
        lambda view: view.attention.weights.output.weight.float().T,
        explain_weight,
    ),
    Matrix(
        "result",
        "Z W_O of the head",
        ("token", "dimension"),
        "head",
        "What this head writes to the residual stream.",
        "Σ_m z[{i},m] · w_o[m,{c}]",
        lambda view: view.attention.results[view.head],
        _explain_result,
    ),
    Matrix(
        "parts",
        "parts of MHA(x)",
        ("part", "dimension"),
        "layer",
        "What each head writes for the chosen token, and the bias: their sum is the output.",
        _part_formula,
        _parts,
        _explain_part,
    ),
    Matrix(
        "attention_out",
        "MHA(x)",
        ("token", "dimension"),
        "layer",
        "The output of the attention: the sum of what all heads write.",
        _output_formula,
        lambda view: view.attention.output,
        _explain_output,
    ),
    Matrix(
        "result_norms",
        "‖Z W_O‖",
        ("token", "head"),
        "layer",
        "The length of what each head writes.",
        "√(Σ_m result[{i},m]²) of head {c}",
        lambda view: view.attention.results.norm(dim=-1).T,
        _explain_result_norm,
    ),
    Matrix(
        "attention_out_norm",
        "‖MHA(x)‖",
        ("token", "one"),
        "layer",
        "The length of the output of the attention.",
        "√(Σ_m attention_out[{i},m]²)",
        lambda view: view.attention.output.norm(dim=-1, keepdim=True),
        _explain_output_norm,
    ),
    Matrix(
        "result_cosines",
        "cos(Z W_O, MHA(x))",
        ("token", "head"),
        "layer",
        "Whether what a head writes points the way of the output (1), across (0), or against (-1).",
        "Σ_m result[{i},m] · attention_out[{i},m] / (result_norms[{i},{c}] · "
        "attention_out_norm[{i}]), of head {c}",
        _cosines,
        _explain_cosine,
    ),
)
