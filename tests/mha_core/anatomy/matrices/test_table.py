"""Each matrix has the shape, the formula and the words it is declared with, in every family."""

import re
from collections.abc import Callable

import pytest
import torch

from mha_core.anatomy.facts import Facts
from mha_core.anatomy.matrices.table import MATRICES
from mha_core.anatomy.matrix import View
from mha_core.anatomy.run import run_anatomy
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis

FAMILIES = ("headscope-tiny", "bert", "roberta", "gpt2", "llama", "qwen2")

ModelOf = Callable[[str], LoadedModel]
AnalysisOf = Callable[[str], Analysis]


@pytest.fixture
def view_of(model_of: ModelOf, analysis_of: AnalysisOf) -> Callable[[str], View]:
    return lambda name: View(run_anatomy(model_of(name), analysis_of(name), 1).after, 3, 2)


@pytest.mark.parametrize("name", FAMILIES)
def test_shapes_are_those_of_the_axes(
    name: str, view_of: Callable[[str], View], model_of: ModelOf
) -> None:
    view, sizes = view_of(name), model_of(name).architecture
    mlp, unembedding = view.run.steps.block.mlp, view.run.computation.unembedding
    has_bias = view.attention.weights.output.bias is not None
    lengths = {
        "token": len(view.run.hidden),
        "dimension": sizes.d_model,
        "head_dimension": sizes.d_head,
        "all_heads": sizes.n_heads * sizes.d_head,
        "key_heads": sizes.n_kv_heads * sizes.d_head,
        "hidden": 0 if mlp is None else len(mlp.up.weight),
        "head": sizes.n_heads,
        "part": sizes.n_heads + has_bias,
        "layer": sizes.n_layers + 1,
        "vocabulary": 0 if unembedding is None else len(unembedding.weight),
        "one": 1,
    }
    with torch.inference_mode():
        for matrix in MATRICES.values():
            values = matrix.values(view)
            if values is not None:
                assert values.shape == tuple(lengths[axis] for axis in matrix.axes), matrix.name


@pytest.mark.parametrize("name", FAMILIES)
def test_a_formula_names_matrices_that_the_model_has(
    name: str, view_of: Callable[[str], View]
) -> None:
    view = view_of(name)
    facts = Facts.of(view.run)
    with torch.inference_mode():
        for matrix in MATRICES.values():
            if matrix.values(view) is None:
                continue
            formula = matrix.write_formula(facts, "4", "2")
            assert formula.startswith(f"{matrix.name}[4,2] = ")
            for named in re.findall(r"([a-z]\w*)\[", formula):
                other = MATRICES[named]
                assert other.values(view) is not None, formula


LACKING = {
    "headscope-tiny": {"segment_embedding", "embedding_sum", "q_rotated", "mlp_residual", "w_gate"},
    "bert": {"final_norm_gamma", "logits", "q_rotated", "mlp_gate"},
    "roberta": {"final_norm_gamma", "logits", "q_rotated", "mlp_gate"},
    "gpt2": {"segment_embedding", "embedding_sum", "q_rotated", "mlp_residual", "w_gate"},
    "llama": {"position_embedding", "b_q", "b_o", "first_norm_mean", "mlp_residual"},
    "qwen2": {"position_embedding", "b_o", "first_norm_beta", "logits", "b_up"},
}
HAVING = {
    "headscope-tiny": {"position_embedding", "final", "logits", "b_o", "first_norm_mean"},
    "bert": {"segment_embedding", "embedding_norm_beta", "mlp_residual"},
    "roberta": {"segment_embedding", "embedding_norm_beta", "mlp_residual"},
    "gpt2": {"position_embedding", "b_q", "logits", "final_norm_beta"},
    "llama": {"q_rotated", "rotary_cos", "mlp_gate", "logits", "b_u"},
    "qwen2": {"q_rotated", "b_q", "mlp_active"},
}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_model_has_the_matrices_of_its_family_and_others_say_why_not(
    name: str, view_of: Callable[[str], View]
) -> None:
    view = view_of(name)
    with torch.inference_mode():
        found = {it.name for it in MATRICES.values() if it.values(view) is not None}
    assert not found & LACKING[name]
    assert found >= HAVING[name]
    assert all(MATRICES[missing].absent for missing in MATRICES.keys() - found)


def test_the_textbooks_formulas_are_those_of_gpt2(view_of: Callable[[str], View]) -> None:
    of_gpt2 = Facts.of(view_of("gpt2").run)
    for matrix in MATRICES.values():
        ours = matrix.write_formula(Facts()).replace("GELU", "NewGELU")
        assert ours == matrix.write_formula(of_gpt2), matrix.name


def test_heads_that_share_keys_show_the_same_keys(view_of: Callable[[str], View]) -> None:
    run = view_of("llama").run
    for name in ("k", "v", "k_rotated", "w_k", "w_v"):
        first, second, third = (MATRICES[name].values(View(run, head)) for head in (0, 1, 2))
        assert first is not None
        assert second is not None
        assert third is not None
        assert torch.equal(first, second)
        assert not torch.equal(first, third)
