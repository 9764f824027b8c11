"""Every number is what its terms make; its factors are the numbers they name, back to tokens."""

import math
import random
from collections.abc import Callable
from functools import cache

import pytest
import torch

from mha_core.anatomy.edits import Edits, InputEdit, WeightEdit
from mha_core.anatomy.evaluation import Factor
from mha_core.anatomy.forward import ForwardPass
from mha_core.anatomy.matrices.table import MATRICES
from mha_core.anatomy.matrix import View
from mha_core.anatomy.run import run_anatomy
from mha_core.anatomy.trace import Trace, trace
from mha_core.errors import NoSuchCell, NoSuchMatrix
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis

FAMILIES = ("headscope-tiny", "bert", "roberta", "gpt2", "llama", "qwen2")
EVERY_TERM = 1000  # of all but those over the vocabulary
EDITS = Edits(
    layer=1,
    heads_off=(2,),
    scale=0.2,
    mask=((3, 1), (2, 4)),
    weights=(WeightEdit("w_k", 1, 3, 4, 0.5), WeightEdit("w_o", 0, 2, 1, -0.5)),
    inputs=(InputEdit(1, 2, 0.7),),
)

RunOf = Callable[[str, int, bool], ForwardPass]


@pytest.fixture(scope="module")
def run_of(model_of: Callable[[str], LoadedModel], analysis_of: Callable[[str], Analysis]) -> RunOf:
    """A function name, layer, edited -> run."""

    @cache
    def build(name: str, layer: int, edited: bool) -> ForwardPass:
        edits = EDITS if edited else None
        return run_anatomy(model_of(name), analysis_of(name), layer, edits).after

    return build


def again(found: Trace, view: View) -> float:
    """The number from its terms, each term from its factors."""
    values = [term.value for term in found.terms]
    if found.combine in ("sum", "root"):
        products = [math.prod(it.value**it.power for it in term.factors) for term in found.terms]
        assert values == pytest.approx(products, rel=1e-6, abs=1e-30)
        added = math.fsum(values) + found.rest
        return added if found.combine == "sum" else math.sqrt(max(added, 0))
    if found.combine == "softmax":
        scores = [term.factors[0].value for term in found.terms]
        assert values == pytest.approx([values[0] * math.exp(it - scores[0]) for it in scores])
        assert math.fsum(values) + found.rest == pytest.approx(1)
        shares = {term.factors[0].column: term.value for term in found.terms}
        return shares.get(found.column, found.value)  # one of many thousands may not be listed
    assert found.combine == "function"
    mlp = view.run.steps.block.mlp
    assert mlp is not None
    return float(mlp.activation(torch.tensor(found.terms[0].factors[0].value)))


def cells(shape: torch.Size, rng: random.Random, n: int = 2) -> list[tuple[int, int]]:
    return [(rng.randrange(shape[-2]), rng.randrange(shape[-1])) for _ in range(n)]


@pytest.mark.parametrize("edited", [False, True], ids=["as it is", "edited"])
@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("name", FAMILIES)
def test_every_number_of_every_matrix_is_what_its_terms_make(
    name: str, layer: int, edited: bool, run_of: RunOf
) -> None:
    run, rng = run_of(name, layer, edited), random.Random(f"{name}{layer}")
    with torch.inference_mode():
        for matrix in MATRICES.values():
            view = View(run, rng.randrange(4), rng.randrange(5))
            values = matrix.values(view)
            if values is None:
                assert matrix.absent
                continue
            for row, column in cells(values.shape, rng):
                found = trace(view, matrix.name, row, column, EVERY_TERM)
                one = values[view.head] if values.ndim == 3 else values
                value = float(one[row, column])
                assert found.value == value or (math.isnan(value) and math.isnan(found.value))
                if found.combine == "leaf":
                    assert found.leaf is not None
                    assert found.leaf.note
                    continue
                size = max([abs(value), *(abs(term.value) for term in found.terms)])
                assert found.sum == pytest.approx(value, rel=1e-5, abs=1e-5 * size), found.formula
                assert again(found, view) == pytest.approx(value, rel=1e-5, abs=1e-5 * size)
                assert len(found.terms) == min(found.n_terms, EVERY_TERM)


def value_of(factor: Factor, runs: Callable[[int], ForwardPass], view: View) -> float:
    """The number that a factor names, read off the matrix."""
    assert factor.matrix is not None
    assert factor.row is not None
    assert factor.column is not None
    run = runs(view.run.layer if factor.layer is None else factor.layer)
    head = view.head if factor.head is None else factor.head
    values = MATRICES[factor.matrix].values(View(run, head, view.token))
    assert values is not None
    return float(values[factor.row, factor.column])


@pytest.mark.parametrize("edited", [False, True], ids=["as it is", "edited"])
@pytest.mark.parametrize("name", FAMILIES)
def test_each_factor_is_the_number_it_names_in_its_own_layer(
    name: str, edited: bool, run_of: RunOf
) -> None:
    run, rng = run_of(name, 1, edited), random.Random(name)
    checked = 0
    with torch.inference_mode():
        for matrix in MATRICES.values():
            view = View(run, rng.randrange(4), 2)
            values = matrix.values(view)
            if values is None:
                continue
            for row, column in cells(values.shape, rng, 1):
                for term in trace(view, matrix.name, row, column, 4).terms:
                    for factor in term.factors:
                        if factor.matrix is None:
                            continue
                        expected = value_of(factor, lambda at: run_of(name, at, edited), view)
                        assert factor.value == pytest.approx(expected, rel=1e-4, abs=1e-5)
                        checked += 1
    assert checked > 100


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("start", ["pattern", "attention_out", "block_out", "final"])
def test_following_the_largest_factors_leads_to_a_token(
    name: str, start: str, run_of: RunOf
) -> None:
    with torch.inference_mode():
        view = View(run_of(name, 1, False), 1)
        found = trace(view, start, 4, 0)
        seen = []
        for _ in range(60):
            if found.leaf is not None:
                break
            # Numbers of the text before weights: those are leaves of their own.
            factors = [it for term in found.terms for it in term.factors if it.matrix is not None]
            of_text = [
                it
                for it in factors
                if not it.matrix.startswith(("w_", "b_", "rotary", "position", "segment"))
                and not it.matrix.endswith(("gamma", "beta", "scale"))
            ]
            step = of_text[0]
            seen.append(step.matrix)
            layer = view.run.layer if step.layer is None else step.layer
            view = View(run_of(name, layer, False), view.head if step.head is None else step.head)
            found = trace(view, step.matrix, step.row, step.column)
        assert found.leaf is not None, seen
        assert found.leaf.kind == "token", seen
        assert found.matrix.name == "token_embedding"
        token = view.run.tokenized.tokens[found.leaf.token or 0]
        assert str(token.id) in found.leaf.note
        assert repr(token.text) in found.leaf.note
        assert {"block_out", "x0"} <= set(seen), "it went through both layers"


def test_only_the_largest_terms_are_listed_and_the_rest_is_summed(run_of: RunOf) -> None:
    view = View(run_of("headscope-tiny", 1, False), 1)
    whole, part = (trace(view, "q", 3, 4, most) for most in (EVERY_TERM, 5))
    sizes = [abs(term.value) for term in whole.terms]
    assert sizes == sorted(sizes, reverse=True)
    assert part.terms == whole.terms[:5]
    assert part.n_terms == whole.n_terms == 129, "128 products and a bias"
    assert part.rest == pytest.approx(sum(term.value for term in whole.terms[5:]))
    assert part.sum == whole.sum


@pytest.mark.parametrize("name", FAMILIES)
def test_a_formula_names_the_real_indices_and_the_factors(name: str, run_of: RunOf) -> None:
    view = View(run_of(name, 1, False), 1)
    with torch.inference_mode():
        for matrix in ("q", "scores_raw", "pattern", "z", "residual", "mlp_hidden", "block_out"):
            found = trace(view, matrix, 3, 2)
            assert found.formula.startswith(f"{matrix}[3,2] = ")
            for term in found.terms:
                for factor in term.factors:
                    if factor.matrix is not None:
                        assert factor.matrix in found.formula, found.formula


def test_a_number_that_is_copied_or_rotated_says_from_where(run_of: RunOf) -> None:
    view = View(run_of("llama", 1, False), 2, 1)
    expected = {
        ("x", 3, 5): "x[3,5] = block_out[3,5] of layer 0",
        ("concat", 3, 10): "concat[3,10] = z[3,2] of head 1",
        ("parts", 3, 5): "parts[3,5] = result[1,5] of head 3",
        ("stream", 0, 5): "stream[0,5] = x0[1,5]",
        ("stream", 2, 5): "stream[2,5] = block_out[1,5] of layer 1",
        ("q_rotated", 3, 1): "q_rotated[3,1] = q[3,1] · rotary_cos[3,1] - q[3,5] · rotary_sin[3,1]",
        ("k_rotated", 3, 6): "k_rotated[3,6] = k[3,6] · rotary_cos[3,6] + k[3,2] · rotary_sin[3,6]",
    }
    assert {cell: trace(view, *cell).formula for cell in expected} == expected


def test_edits_are_named_where_they_are(run_of: RunOf) -> None:
    view = View(run_of("gpt2", 1, True), 1)
    normed = trace(view, "normed", 1, 2, EVERY_TERM)
    assert ["added by you"] in [[it.symbol for it in term.factors] for term in normed.terms]
    weight = trace(view, "w_k", 3, 4)
    assert weight.leaf is not None
    assert weight.leaf.note.endswith("You added 0.5 to it.")
    for row, column, words in ((3, 1, "You hid it."), (2, 4, "You made it visible.")):
        cell = trace(view, "visible", row, column)
        assert cell.leaf is not None
        assert cell.leaf.note == words
    scale = trace(view, "scale", 0, 0)
    assert scale.leaf is not None
    assert "you chose" in scale.leaf.note
    off = trace(View(view.run, 2), "z", 3, 1)
    assert off.leaf is not None
    assert (off.value, off.leaf.note) == (0, "Head 2 is off: its z is zero.")


def test_an_edit_of_shared_keys_is_named_by_every_head_that_shares_them(run_of: RunOf) -> None:
    run = run_of("llama", 1, True)  # heads 0 and 1 share keys, heads 2 and 3
    notes = [trace(View(run, head), "w_k", 3, 4).leaf for head in range(4)]
    assert [note is not None and "You added" in note.note for note in notes] == [
        *(True, True, False, False)
    ]


def test_what_is_not_there_is_refused_with_what_is(run_of: RunOf) -> None:
    view = View(run_of("llama", 1, False), 1)
    with pytest.raises(NoSuchMatrix, match="no matrix 'qq'") as caught:
        trace(view, "qq", 0, 0)
    assert "q" in caught.value.details["available"]
    with pytest.raises(NoSuchMatrix, match="rotates queries and keys"):
        trace(view, "position_embedding", 0, 0)
    with pytest.raises(NoSuchCell, match="column from 0 to 7") as wrong:
        trace(view, "q", 0, 8)
    assert wrong.value.details["shape"] == [view.attention.q.shape[1], 8]
    with pytest.raises(NoSuchCell):
        trace(view, "patterns", -1, 0)
