"""What attention carries, against the direct computation on real and small models."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.models.catalogue import entry_for, find
from mha_core.models.family import OUTPUT_PROJECTIONS, STACK_PROJECTIONS, output_projection
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import analyse
from mha_core.runs.value_weights import output_grams, value_norms, weight_by_value
from mha_core.tap import LayerCapture

TEXT = "The animal didn't cross the street."


def directly(model: LoadedModel, capture: LayerCapture) -> Tensor:
    """|| A[i, j] (v_j W_O^h) || with every vector written out, rows summing to one, [H, Q, K]."""
    pattern = capture.pattern()[0].double().cpu()
    projection = output_projection(model.network, model.architecture.family, capture.site)
    assert projection is not None
    n_heads, d = capture.q.shape[1], capture.q.shape[3]
    norms = torch.empty_like(pattern)
    for head in range(n_heads):
        v = capture.v[0, head // (n_heads // capture.v.shape[1])].double().cpu()  # [K, d]
        block = projection[:, head * d : (head + 1) * d].double().cpu()  # [D, d]
        written = pattern[head, :, :, None] * (v @ block.T)  # [Q, K, D]
        norms[head] = written.norm(dim=-1)
    return norms / norms.sum(-1, keepdim=True)


def check(model: LoadedModel) -> None:
    pair = "It was too tired." if model.start_id is not None else None
    analysis = analyse(model, model.tokenize(TEXT, pair))
    for stack in analysis.stacks:
        captures = analysis.captures(stack.name)
        for capture in (captures[0], captures[-1]):
            with torch.inference_mode():
                norms = value_norms(capture.v[0], model.grams[capture.site])
                found = weight_by_value(capture.pattern()[0], norms).cpu()
                expected = directly(model, capture).float()
            torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_minilm_with_its_biases(minilm: LoadedModel) -> None:
    check(minilm)


def test_smollm2_whose_heads_share_values(smollm2: LoadedModel) -> None:
    assert smollm2.architecture.n_kv_heads < smollm2.architecture.n_heads
    check(smollm2)


@pytest.mark.parametrize(
    "family", sorted({*OUTPUT_PROJECTIONS, *STACK_PROJECTIONS} - {"headscope"})
)
def test_every_family_of_the_table(
    family: str, model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    entry = entry_for(str(model_directory(family)))
    check(load(entry, models_dir=tmp_path, device="cpu", hub=False))


def test_headscopes_own_model(tmp_path: Path) -> None:
    check(load(find("headscope-tiny"), models_dir=tmp_path, device="cpu", hub=False))


def test_rows_sum_to_one_and_the_pattern_is_left_untouched() -> None:
    pattern, norms = torch.rand(3, 5, 5).softmax(-1), torch.rand(3, 5)
    before = pattern.clone()
    torch.testing.assert_close(weight_by_value(pattern, norms).sum(-1), torch.ones(3, 5))
    assert torch.equal(pattern, before)


def test_a_row_that_receives_nothing_stays_nothing() -> None:
    weighted = weight_by_value(torch.full((1, 2, 2), 0.5), torch.zeros(1, 2))
    assert torch.equal(weighted, torch.zeros(1, 2, 2))


def test_equal_values_change_nothing_and_an_empty_one_is_passed_over() -> None:
    pattern = torch.tensor([[[0.2, 0.8], [0.5, 0.5]]])
    torch.testing.assert_close(weight_by_value(pattern, torch.full((1, 2), 3.0)), pattern)
    only_first = weight_by_value(pattern, torch.tensor([[2.0, 0.0]]))
    torch.testing.assert_close(only_first, torch.tensor([[[1.0, 0.0], [1.0, 0.0]]]))


def test_a_batch_is_weighted_text_by_text() -> None:
    pattern, v = torch.rand(2, 4, 3, 3).softmax(-1), torch.randn(2, 2, 3, 5)
    grams = output_grams(torch.randn(8, 20), 4)
    both = weight_by_value(pattern, value_norms(v, grams))
    for text in range(2):
        alone = weight_by_value(pattern[text], value_norms(v[text], grams))
        torch.testing.assert_close(both[text], alone)
