"""The rest of the block: what the attention is added to, norms, the MLP."""

from collections.abc import Callable

from torch import Tensor

from mha_core.anatomy.computation import Linear, Mlp, MlpSteps
from mha_core.anatomy.facts import Facts
from mha_core.anatomy.kinds import Axis
from mha_core.anatomy.matrices.linears import LinearSite
from mha_core.anatomy.matrices.norms import FIRST_NORM, SECOND_NORM, norm_matrices
from mha_core.anatomy.matrix import Cell, Matrix, View
from mha_core.anatomy.terms import Explanation, Ref, copied, total

NO_MLP = "The blocks of this model have no MLP."
NO_GATE = "The MLP of this model has no gate, or there is no MLP."


def _linear(
    name: str, axes: tuple[Axis, Axis], source: str, find: Callable[[Mlp], Linear | None]
) -> LinearSite:
    """A linear map of the MLP."""

    def read(view: View) -> Linear | None:
        mlp = view.run.steps.block.mlp
        return None if mlp is None else find(mlp)

    words = f"of the MLP's {name} projection"
    return LinearSite(
        name,
        name,
        axes,
        "layer",
        source,
        f"The weights {words}.",
        f"The bias {words}.",
        read,
        absent="The MLP of this model has no such part, or there is no MLP.",
    )


UP = _linear("up", ("dimension", "hidden"), "mlp_input", lambda mlp: mlp.up)
GATE = _linear("gate", ("dimension", "hidden"), "mlp_input", lambda mlp: mlp.gate)
DOWN = _linear("down", ("hidden", "dimension"), "mlp_hidden", lambda mlp: mlp.down)


def _of_mlp(
    name: str,
    symbol: str,
    meaning: str,
    formula: str | Callable[[Facts], str],
    find: Callable[[MlpSteps], Tensor | None],
    explain: Callable[[Cell], Explanation],
    absent: str = NO_MLP,
) -> Matrix:
    """What the MLP makes of each token."""

    def values(view: View) -> Tensor | None:
        steps = view.run.steps.mlp
        return None if steps is None else find(steps)

    width: Axis = "dimension" if name == "mlp_out" else "hidden"
    return Matrix(
        name, symbol, ("token", width), "layer", meaning, formula, values, explain, absent
    )


def _activate(cell: Cell, source: str) -> Explanation:
    """The activation of one number."""
    mlp = cell.run.steps.block.mlp
    name = "" if mlp is None else mlp.activation_name
    return Explanation("function", [[Ref(source, cell.row, cell.column)]], function=name)


def _explain_hidden(cell: Cell) -> Explanation:
    steps = cell.run.steps.mlp
    if steps is None or steps.active is None:
        return _activate(cell, "mlp_up")
    return total([Ref(name, cell.row, cell.column) for name in ("mlp_active", "mlp_up")])


def _hidden_formula(facts: Facts) -> str:
    if facts.gated:
        return "mlp_active[{i},{c}] · mlp_up[{i},{c}]"
    return f"{facts.activation}(mlp_up[{{i}},{{c}}])"


def _explain_input(cell: Cell) -> Explanation:
    norm = SECOND_NORM if cell.run.steps.block.norm_first else FIRST_NORM
    return norm.explain(cell)


def _explain_sum(cell: Cell) -> Explanation:
    names = (Facts.of(cell.run).mlp_residual, "mlp_out")
    return total(*([Ref(name, cell.row, cell.column)] for name in names))


def _sum_formula(facts: Facts) -> str:
    return f"{facts.mlp_residual}[{{i}},{{c}}] + mlp_out[{{i}},{{c}}]"


def _explain_residual(cell: Cell) -> Explanation:
    return total(*([Ref(name, cell.row, cell.column)] for name in ("x", "attention_out")))


def _explain_out(cell: Cell) -> Explanation:
    if cell.run.steps.mlp is None:
        return copied(Ref("residual", cell.row, cell.column))
    before = cell.run.steps.block.norm_first
    return _explain_sum(cell) if before else SECOND_NORM.explain(cell)


def _out_formula(facts: Facts) -> str:
    if not facts.mlp:
        return "residual[{i},{c}]"
    return _sum_formula(facts) if facts.norm_first else SECOND_NORM.formula(facts)


BLOCK: tuple[Matrix, ...] = (
    Matrix(
        "residual",
        "x + MHA(x)",
        ("token", "dimension"),
        "layer",
        "The residual stream after the attention: its output is added to the input.",
        "x[{i},{c}] + attention_out[{i},{c}]",
        lambda view: view.run.steps.residual,
        _explain_residual,
    ),
    *norm_matrices(SECOND_NORM),
    Matrix(
        "mlp_input",
        "norm(x + MHA(x))",
        ("token", "dimension"),
        "layer",
        "What the MLP reads: the residual stream, normed.",
        lambda facts: (SECOND_NORM if facts.norm_first else FIRST_NORM).formula(facts),
        lambda view: view.run.steps.mlp_input,
        _explain_input,
        NO_MLP,
    ),
    *(matrix for linear in (UP, GATE, DOWN) for matrix in linear.matrices()),
    _of_mlp(
        "mlp_up",
        "up",
        "The MLP's first product, of each token alone.",
        UP.formula,
        lambda mlp: mlp.up,
        UP.explain,
    ),
    _of_mlp(
        "mlp_gate",
        "gate",
        "The MLP's second product of the same input, which decides what passes.",
        GATE.formula,
        lambda mlp: mlp.gate,
        GATE.explain,
        NO_GATE,
    ),
    _of_mlp(
        "mlp_active",
        "f(gate)",
        "The gate after its activation.",
        lambda facts: f"{facts.activation}(mlp_gate[{{i}},{{c}}])",
        lambda mlp: mlp.active,
        lambda cell: _activate(cell, "mlp_gate"),
        NO_GATE,
    ),
    _of_mlp(
        "mlp_hidden",
        "hidden",
        "The hidden layer of the MLP after its activation, and after its gate where there is one.",
        _hidden_formula,
        lambda mlp: mlp.hidden,
        _explain_hidden,
    ),
    _of_mlp(
        "mlp_out",
        "MLP(x)",
        "The output of the MLP.",
        DOWN.formula,
        lambda mlp: mlp.output,
        DOWN.explain,
    ),
    Matrix(
        "mlp_residual",
        "x + MLP(x)",
        ("token", "dimension"),
        "layer",
        "The residual stream after the MLP, before the norm that ends the block.",
        _sum_formula,
        lambda view: view.run.steps.mlp_residual,
        _explain_sum,
        "This model norms what a part of the block reads, not what it ends with.",
    ),
    Matrix(
        "block_out",
        "x of the next layer",
        ("token", "dimension"),
        "layer",
        "The residual stream after this block: the next one reads it.",
        _out_formula,
        lambda view: view.run.steps.output,
        _explain_out,
    ),
)
