"""HeadScope's module runs with the model's own weights, as one matrix or as one for each head."""

import pytest
import torch
from torch import Tensor

from mha_core.anatomy.attention_steps import build_module, run_attention
from mha_core.anatomy.computation import AttentionWeights, Linear
from mha_core.anatomy.observed import Observed
from mha_core.attention import causal_mask

D, H, G, T, WIDTH = 24, 4, 2, 5, 8  # heads wider than their share of the model


@pytest.fixture(params=[True, False], ids=["biases", "no biases"])
def weights(request: pytest.FixtureRequest) -> AttentionWeights:
    torch.manual_seed(3)

    def linear(n_out: int, n_in: int) -> Linear:
        return Linear(torch.randn(n_out, n_in), torch.randn(n_out) if request.param else None)

    heads, shared = H * WIDTH, G * WIDTH
    return AttentionWeights(
        linear(heads, D), linear(shared, D), linear(shared, D), linear(D, heads), H, G, WIDTH
    )


def how(visible: Tensor | None = None) -> Observed:
    return Observed(causal_mask(T, T) if visible is None else visible, 0.3, None)


@pytest.mark.parametrize("fused", [True, False])
def test_the_module_is_the_formula_head_by_head(weights: AttentionWeights, fused: bool) -> None:
    x = torch.randn(T, D)
    steps = run_attention(weights, x, how(), fused=fused)
    expected = torch.zeros(T, D)
    for head in range(H):
        q, k, v = (weights.part(name, head)(x) for name in ("query", "key", "value"))
        scores = (q @ k.T * 0.3).masked_fill(~causal_mask(T, T), -torch.inf)
        torch.testing.assert_close(steps.q[head], q)
        torch.testing.assert_close(steps.k[weights.key_head(head)], k)
        torch.testing.assert_close(steps.scores[head].tril(), (q @ k.T * 0.3).tril())
        torch.testing.assert_close(steps.pattern[head], scores.softmax(-1))
        result = scores.softmax(-1) @ v @ weights.part("output", head).weight.T
        torch.testing.assert_close(steps.results[head], result, rtol=1e-4, atol=1e-4)
        expected += result
    bias = weights.output.bias
    expected = expected if bias is None else expected + bias
    torch.testing.assert_close(steps.output, expected, rtol=1e-4, atol=1e-4)


def test_one_matrix_has_as_many_weights_as_one_for_each_head(weights: AttentionWeights) -> None:
    x = torch.randn(T, D)
    one, many = (run_attention(weights, x, how(), fused=fused) for fused in (True, False))
    linears = (weights.query, weights.key, weights.value, weights.output)
    n_biases = sum(0 if it.bias is None else it.bias.numel() for it in linears)
    expected = sum(it.weight.numel() for it in linears) + n_biases
    assert one.n_parameters == many.n_parameters == expected
    torch.testing.assert_close(one.output, many.output, rtol=1e-4, atol=1e-4)


def test_weights_are_views_of_the_models_own(weights: AttentionWeights) -> None:
    module = build_module(weights, fused=False)
    for name, linear in (("query.1", weights.query), ("output.1", weights.output)):
        found = module.get_submodule(name).get_parameter("weight")
        assert found.untyped_storage().data_ptr() == linear.weight.untyped_storage().data_ptr()
        assert not found.requires_grad


def test_one_large_head_has_the_scores_of_all_heads_joined(weights: AttentionWeights) -> None:
    steps = run_attention(weights, torch.randn(T, D), how(), fused=True)
    keys = steps.used_k.repeat_interleave(H // G, 0)
    q, k = (it.transpose(0, 1).flatten(1) for it in (steps.used_q, keys))  # [T, H*d]
    torch.testing.assert_close(steps.one_head_scores, q @ k.T / (H * WIDTH) ** 0.5)
    pattern = steps.softmax(steps.one_head_scores)
    torch.testing.assert_close(pattern.sum(-1), torch.ones(T))
    assert not pattern.triu(1).any()


def test_a_row_that_sees_nothing_is_zeros_in_every_softmax(weights: AttentionWeights) -> None:
    visible = causal_mask(T, T)
    visible[0] = False
    steps = run_attention(weights, torch.randn(T, D), how(visible), fused=False)
    for pattern in (steps.pattern, steps.softmax(steps.raw)):
        assert not pattern[:, 0].any()
        assert pattern.isfinite().all()
