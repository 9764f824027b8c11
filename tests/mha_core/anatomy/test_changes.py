"""How far edits move a layer and the end of the model."""

from collections.abc import Callable

import pytest
import torch

from mha_core.anatomy.changes import Changes, compare_runs
from mha_core.anatomy.edits import Edits, InputEdit, WeightEdit
from mha_core.anatomy.run import run_anatomy
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis


@pytest.fixture
def changes_of(
    model_of: Callable[[str], LoadedModel], analysis_of: Callable[[str], Analysis]
) -> Callable[[Edits], Changes]:
    def run(edits: Edits) -> Changes:
        found = run_anatomy(model_of("gpt2"), analysis_of("gpt2"), 0, edits)
        return compare_runs(found.before, found.after)

    return run


def test_a_head_that_is_off_moves_outputs_and_no_map(
    changes_of: Callable[[Edits], Changes],
) -> None:
    found = changes_of(Edits(0, heads_off=(1,)))
    assert found.scores == found.pattern == [0] * 4
    assert all(change > 0 for change in found.attention_out + found.block_out + found.final)
    assert found.norms_before != found.norms_after


def test_one_weight_moves_its_head_and_one_input_dimension_moves_all(
    changes_of: Callable[[Edits], Changes],
) -> None:
    of_weight = changes_of(Edits(0, weights=(WeightEdit("w_q", 2, 3, 1, 2.0),)))
    assert [change > 0 for change in of_weight.scores] == [False, False, True, False]
    of_input = changes_of(Edits(0, inputs=(InputEdit(1, 3, 2.0),)))
    assert all(change > 0 for change in of_input.scores)


def test_tokens_before_an_edited_one_do_not_move_in_a_causal_model(
    changes_of: Callable[[Edits], Changes],
) -> None:
    found = changes_of(Edits(0, inputs=(InputEdit(2, 3, 2.0),)))
    assert found.final[:2] == [0, 0]
    assert all(change > 0 for change in found.final[2:])


def test_another_layers_edit_is_seen_in_the_layer_that_is_shown(
    model_of: Callable[[str], LoadedModel], analysis_of: Callable[[str], Analysis]
) -> None:
    found = run_anatomy(model_of("gpt2"), analysis_of("gpt2"), 1, Edits(0, heads_off=(1,)))
    changes = compare_runs(found.before, found.after)
    expected = (found.after.steps.attention.raw - found.before.steps.attention.raw).abs()
    assert changes.scores == torch.amax(expected, (1, 2)).tolist()
    assert min(changes.scores) > 0
