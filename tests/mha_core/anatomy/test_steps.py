"""Twelve steps in the order of the computation, each shown by matrices that are declared."""

from mha_core.anatomy.matrices.table import MATRICES
from mha_core.anatomy.steps import STEP_OF, STEPS


def test_there_are_twelve_steps_of_matrices_that_are_declared() -> None:
    assert len(STEPS) == len(STEP_OF) == 12
    for step in STEPS:
        assert step.title
        assert step.formula
        assert len(set(step.matrices)) == len(step.matrices) > 0
        assert set(step.matrices) <= set(MATRICES)


def test_every_part_of_the_formula_of_attention_is_in_a_step() -> None:
    shown = {name for step in STEPS for name in step.matrices}
    assert {*"qkvxz", "w_q", "w_k", "w_v", "w_o", "scores", "masked", "pattern", "concat"} <= shown
    assert {"attention_out", "block_out", "stream", "final"} <= shown
