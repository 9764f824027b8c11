"""Variances, differences and entropies are those of the matrices beside them."""

import math
from collections.abc import Callable

import pytest
import torch

from mha_core.anatomy.edits import Edits
from mha_core.anatomy.numbers import Numbers, count_numbers
from mha_core.anatomy.run import run_anatomy
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis

REAL = ("headscope-tiny", "minilm", "smollm2")

ModelOf = Callable[[str], LoadedModel]
AnalysisOf = Callable[[str], Analysis]


@pytest.fixture
def numbers_of(model_of: ModelOf, analysis_of: AnalysisOf) -> Callable[[str], Numbers]:
    return lambda name: count_numbers(run_anatomy(model_of(name), analysis_of(name), 1).after, 1)


@pytest.mark.parametrize("name", REAL)
def test_fused_and_separate_matrices_give_the_same_with_as_many_parameters(
    name: str, numbers_of: Callable[[str], Numbers], model_of: ModelOf
) -> None:
    found, sizes = numbers_of(name), model_of(name).architecture
    heads = (2 * sizes.n_heads + 2 * sizes.n_kv_heads) * sizes.d_head
    biases = 0 if name == "smollm2" else 4 * sizes.d_model
    assert found.n_parameters_fused == heads * sizes.d_model + biases
    assert found.n_parameters_separate == found.n_parameters_fused
    assert 0 <= found.fused_difference < 1e-4


@pytest.mark.parametrize("name", REAL)
def test_the_output_is_the_sum_of_its_parts(
    name: str, numbers_of: Callable[[str], Numbers]
) -> None:
    assert numbers_of(name).parts_difference < 1e-4


@pytest.mark.parametrize("name", REAL)
def test_scaling_divides_the_variance_by_d_head(
    name: str, numbers_of: Callable[[str], Numbers], model_of: ModelOf
) -> None:
    found = numbers_of(name)
    assert found.scale == pytest.approx(model_of(name).architecture.d_head ** -0.5)
    assert found.variance_scaled == pytest.approx(found.variance_raw * found.scale**2, rel=1e-4)


def test_the_variance_is_of_visible_cells_alone(model_of: ModelOf, analysis_of: AnalysisOf) -> None:
    run = run_anatomy(model_of("gpt2"), analysis_of("gpt2"), 1).after
    n_tokens = len(run.hidden)
    seen = [run.steps.attention.raw[2, q, k] for q in range(n_tokens) for k in range(q + 1)]
    expected = torch.stack(seen).var(correction=0)
    assert count_numbers(run, 2).variance_raw == pytest.approx(float(expected), rel=1e-5)


def test_each_head_the_mean_and_one_large_head_have_entropies(
    model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    run = run_anatomy(model_of("gpt2"), analysis_of("gpt2"), 1).after
    found = count_numbers(run, 0)
    maps = [*found.heads, found.mean, found.one_head]
    assert len(found.heads) == 4
    for one in maps:
        assert one.entropy[0] == 0, "the first token sees itself alone"
        assert one.strongest[0] == 0
        for query, entropy in enumerate(one.entropy):
            assert 0 <= entropy <= math.log(query + 1) + 1e-6
    pattern = run.steps.attention.pattern
    row = pattern[2, 4].double()
    assert found.heads[2].entropy[4] == pytest.approx(
        -float((row * row.clamp_min(1e-30).log()).sum())
    )
    assert found.heads[2].strongest[4] == int(row.argmax())
    # Entropy is concave: a mean of maps is at least as blurred as the maps are on average.
    for query in range(len(pattern[0])):
        average = sum(head.entropy[query] for head in found.heads) / 4
        assert found.mean.entropy[query] >= average - 1e-6


def test_rows_that_see_nothing_are_named(model_of: ModelOf, analysis_of: AnalysisOf) -> None:
    edits = Edits(1, mask=((0, 0), (1, 0), (1, 1)))
    run = run_anatomy(model_of("gpt2"), analysis_of("gpt2"), 1, edits).after
    found = count_numbers(run, 0)
    assert found.empty_queries == [0, 1]
    assert found.heads[3].strongest[:2] == [None, None]
    assert found.one_head.entropy[:2] == [0, 0]
