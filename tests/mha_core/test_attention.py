"""The formula of attention: its properties, and parity with torch's two implementations."""

from collections.abc import Sequence

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from mha_core.attention import (
    MultiHeadAttention,
    Workspace,
    attention,
    attention_pattern,
    attention_weights,
    causal_bias,
    causal_mask,
    padding_mask,
)
from mha_core.errors import BadDimensions


def random_tensors(device: torch.device, *shapes: Sequence[int], seed: int = 0) -> list[Tensor]:
    """Normal tensors, drawn on the CPU so that every device sees the same ones."""
    generator = torch.Generator().manual_seed(seed)
    return [
        torch.randn(*shape, generator=generator).to(device).requires_grad_() for shape in shapes
    ]


def gradients(output: Tensor, inputs: Sequence[Tensor]) -> list[Tensor]:
    """Gradients of a weighted sum of `output`: every element weighs differently."""
    weights = torch.linspace(-1, 1, output.numel(), device=output.device).reshape(output.shape)
    return list(torch.autograd.grad((output * weights).sum(), inputs))


def assert_close(actual: Tensor, expected: Tensor, atol: float = 1e-6) -> None:
    torch.testing.assert_close(actual, expected, atol=atol, rtol=0.0)


def assert_gradients_close(one: Tensor, other: Tensor, inputs: Sequence[Tensor]) -> None:
    for mine, theirs in zip(gradients(one, inputs), gradients(other, inputs), strict=True):
        assert_close(mine, theirs, 1e-5)


def seeded(
    device: torch.device, d_model: int, n_heads: int, *args: int, **kwargs: bool
) -> MultiHeadAttention:
    torch.manual_seed(1)
    return MultiHeadAttention(d_model, n_heads, *args, **kwargs).to(device)


# The pattern ------------------------------------------------------------------------------------


def every_mask(device: torch.device) -> dict[str, Tensor | None]:
    lengths = torch.tensor([5, 3], device=device)
    padded = padding_mask(lengths, 5)
    causal = causal_mask(5, 5, device)
    added = torch.zeros(5, 5, device=device).masked_fill(~causal, -torch.inf)
    return {
        "none": None,
        "causal": causal,
        "padding": padded,
        "causal and padding": causal & padded,
        "added": added,
    }


MASKS = ["none", "causal", "padding", "causal and padding", "added"]


@pytest.mark.parametrize("name", MASKS)
def test_every_row_is_a_distribution(device: torch.device, name: str) -> None:
    q, k = random_tensors(device, (2, 4, 5, 8), (2, 4, 5, 8))
    pattern = attention_pattern(q, k, every_mask(device)[name], 0.3)
    assert pattern.min() >= 0
    assert_close(pattern.sum(-1), torch.ones(2, 4, 5, device=device))


def test_no_query_looks_ahead_under_a_causal_mask(device: torch.device) -> None:
    q, k = random_tensors(device, (2, 4, 5, 8), (2, 4, 5, 8))
    pattern = attention_pattern(q, k, causal_mask(5, 5, device), 0.3)
    assert torch.equal(pattern.triu(1), torch.zeros_like(pattern))


def test_the_last_of_few_queries_sees_every_key() -> None:
    assert causal_mask(2, 4).tolist() == [[True, True, True, False], [True, True, True, True]]


def test_padded_keys_get_exactly_zero(device: torch.device) -> None:
    q, k = random_tensors(device, (2, 4, 5, 8), (2, 4, 5, 8))
    pattern = attention_pattern(q, k, padding_mask(torch.tensor([5, 3], device=device), 5), 0.3)
    assert torch.equal(pattern[1, :, :, 3:], torch.zeros(4, 5, 2, device=device))
    assert pattern[1, :, :, :3].min() > 0
    assert pattern[0].min() > 0


def test_padding_has_no_influence(device: torch.device) -> None:
    q, k, v = random_tensors(device, (2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8))
    mask = padding_mask(torch.tensor([5, 3], device=device), 5)
    before = attention(q, k, v, mask, 0.3)
    k, v = k.detach().clone(), v.detach().clone()
    k[1, :, 3:], v[1, :, 3:] = 1e3, -1e3
    assert torch.equal(attention(q, k, v, mask, 0.3), before)


def test_a_fully_masked_query_gets_zeros_and_finite_gradients(
    device: torch.device,
) -> None:
    q, k, v = random_tensors(device, (1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 4))
    mask = torch.tensor([[True, False, True], [False, False, False], [True, True, True]])
    z = attention(q, k, v, mask.to(device), 0.5)
    assert torch.equal(z[:, :, 1], torch.zeros(1, 2, 4, device=device))
    of_q, of_k, of_v = gradients(z, [q, k, v])
    assert all(g.isfinite().all() for g in (of_q, of_k, of_v))
    assert torch.equal(of_q[:, :, 1], torch.zeros(1, 2, 4, device=device))
    # The other rows are what they would be without the blind one.
    alone = attention(q[:, :, ::2], k, v, mask[::2].to(device), 0.5)
    assert_close(z[:, :, ::2], alone)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_patterns_are_float32_whatever_the_model_runs_in(
    device: torch.device, dtype: torch.dtype
) -> None:
    q, k, v = (t.to(dtype) for t in random_tensors(device, *[(1, 2, 3, 4)] * 3))
    assert attention_pattern(q, k, None, 0.5).dtype == torch.float32
    assert attention(q, k, v, None, 0.5).dtype == dtype


# Grouped-query attention ------------------------------------------------------------------------


@pytest.mark.parametrize("n_groups", [1, 2, 3, 4, 6, 12])
@pytest.mark.parametrize("causal", [False, True], ids=["open", "causal"])
def test_a_shared_key_head_is_the_same_as_repeating_it(
    device: torch.device, n_groups: int, causal: bool
) -> None:
    q, k, v = random_tensors(device, (2, 12, 5, 4), (2, n_groups, 5, 4), (2, n_groups, 5, 4))
    mask = causal_mask(5, 5, device) if causal else None
    shared = attention(q, k, v, mask, 0.5)
    repeats = 12 // n_groups
    repeated = attention(
        q, k.repeat_interleave(repeats, 1), v.repeat_interleave(repeats, 1), mask, 0.5
    )
    assert_close(shared, repeated)
    assert_gradients_close(shared, repeated, [q, k, v])


@pytest.mark.parametrize("n_kv_heads", [1, 2, 3, 6])
def test_fewer_key_heads_mean_fewer_parameters(n_kv_heads: int) -> None:
    module = MultiHeadAttention(24, 6, n_kv_heads)
    expected = 2 * (24 * 24 + 24) + 2 * (24 * 4 * n_kv_heads + 4 * n_kv_heads)
    assert sum(p.numel() for p in module.parameters()) == expected


# Separate and fused weights ---------------------------------------------------------------------


@pytest.mark.parametrize("n_kv_heads", [1, 2, 4, 8])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("fused_first", [True, False], ids=["to separate", "to fused"])
def test_separate_and_fused_weights_are_one_function(
    device: torch.device, n_kv_heads: int, bias: bool, fused_first: bool
) -> None:
    source = seeded(device, 32, 8, n_kv_heads, fused=fused_first, bias=bias)
    if source.output_bias is not None:
        nn.init.normal_(source.output_bias)
    target = MultiHeadAttention(32, 8, n_kv_heads, fused=not fused_first, bias=bias).to(device)
    x, memory = random_tensors(device, (2, 5, 32), (2, 7, 32))
    assert not torch.allclose(source(x, memory), target(x, memory), atol=1e-2)
    target.copy_from(source)
    assert_close(target(x, memory), source(x, memory))
    counts = [sum(p.numel() for p in m.parameters()) for m in (source, target)]
    assert counts[0] == counts[1]


def test_a_copy_keeps_its_own_weights(device: torch.device) -> None:
    source, target = seeded(device, 16, 4, fused=True), seeded(device, 16, 4, fused=False)
    target.copy_from(source)
    (x,) = random_tensors(device, (1, 3, 16))
    before = target(x)
    with torch.no_grad():
        for p in source.parameters():
            p.zero_()
    assert torch.equal(target(x), before)


def test_weights_of_other_sizes_are_refused() -> None:
    with pytest.raises(BadDimensions, match="same sizes"):
        MultiHeadAttention(16, 4).copy_from(MultiHeadAttention(16, 2))


def test_the_error_for_an_uneven_head_size_says_what_to_choose() -> None:
    with pytest.raises(BadDimensions, match="d_model 10 cannot be split evenly into 4 heads") as e:
        MultiHeadAttention(10, 4)
    assert e.value.details == {"d_model": 10, "n_heads": 4}
    assert isinstance(e.value, ValueError)


def test_the_error_for_uneven_key_heads_says_what_to_choose() -> None:
    with pytest.raises(BadDimensions, match="6 query heads cannot share 4 key/value heads"):
        MultiHeadAttention(24, 6, 4)


@pytest.mark.parametrize("sizes", [(0, 1, 1), (8, 0, 1), (8, 2, 0), (8, -2, 1)])
def test_sizes_below_one_are_refused(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(BadDimensions, match="at least 1"):
        MultiHeadAttention(*sizes)


def test_heads_may_be_wider_than_their_share_of_the_model() -> None:
    module = MultiHeadAttention(10, 4, 2, d_head=8)
    assert module(torch.randn(2, 5, 10)).shape == (2, 5, 10)
    assert module.get_submodule("query.0").get_parameter("weight").shape == (32, 10)
    with pytest.raises(BadDimensions, match="at least 1"):
        MultiHeadAttention(10, 5, d_head=0)


# Parity with torch ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("n_groups", [4, 2, 1])
def test_attention_equals_torchs_fused_kernel(
    device: torch.device, name: str, n_groups: int
) -> None:
    q, k, v = random_tensors(device, (2, 4, 5, 8), (2, n_groups, 5, 8), (2, n_groups, 5, 8))
    mask = every_mask(device)[name]
    ours = attention(q, k, v, mask, 0.3)
    theirs = F.scaled_dot_product_attention(q, k, v, mask, scale=0.3, enable_gqa=n_groups != 4)
    assert_close(ours, theirs)
    assert_gradients_close(ours, theirs, [q, k, v])


def joined(named: dict[str, Tensor]) -> list[Tensor]:
    """Tensors by parameter of a fused module, in the order and shape of torch's module."""
    weight, bias = (
        torch.cat([named[f"{name}.0.{part}"] for name in ("query", "key", "value")])
        for part in ("weight", "bias")
    )
    return [weight, bias, named["output.0.weight"], named["output_bias"]]


def torch_counterpart(device: torch.device) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    """One of our modules, 24 wide with 6 heads, and torch's with the same weights."""
    ours = seeded(device, 24, 6)
    nn.init.normal_(ours.get_parameter("output_bias"))
    theirs = nn.MultiheadAttention(24, 6, batch_first=True).to(device)
    names = ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")
    theirs.load_state_dict(dict(zip(names, joined(ours.state_dict()), strict=True)))
    return ours, theirs


@pytest.mark.parametrize("kind", ["self", "causal", "padded", "cross"])
def test_the_module_equals_torchs_module(device: torch.device, kind: str) -> None:
    ours, theirs = torch_counterpart(device)
    x, memory = random_tensors(device, (2, 5, 24), (2, 7, 24))
    asked = memory if kind == "cross" else x
    causal, keys = causal_mask(5, 5, device), padding_mask(torch.tensor([5, 3], device=device), 5)
    mask = {"causal": causal, "padded": keys}.get(kind)
    mine = ours(x, asked, mask)
    other, weights = theirs(
        x,
        asked,
        asked,
        attn_mask=~causal if kind == "causal" else None,  # torch's True means: may not look
        key_padding_mask=~keys[:, 0, 0] if kind == "padded" else None,
        average_attn_weights=False,
    )
    assert_close(mine, other)
    assert_gradients_close(mine, other, [x, memory] if kind == "cross" else [x])

    seen: list[Tensor] = []

    def watching(q: Tensor, k: Tensor, v: Tensor, m: Tensor | None, scale: float) -> Tensor:
        seen.append(attention_pattern(q, k, m, scale))
        return attention(q, k, v, m, scale)

    ours(x, asked, mask, attend=watching)
    assert_close(seen[0], weights)


def test_gradients_of_the_weights_equal_torchs(device: torch.device) -> None:
    ours, theirs = torch_counterpart(device)
    (x,) = random_tensors(device, (2, 5, 24))
    mine = dict(ours.named_parameters())
    of_ours = dict(zip(mine, gradients(ours(x), list(mine.values())), strict=True))
    of_theirs = gradients(theirs(x, x, x, need_weights=False)[0], list(theirs.parameters()))
    for one, other in zip(joined(of_ours), of_theirs, strict=True):
        assert_close(one, other, 1e-5)


@pytest.mark.parametrize("name", MASKS)
def test_inputs_are_left_untouched(device: torch.device, name: str) -> None:
    q, k, v = random_tensors(device, (2, 4, 5, 8), (2, 2, 5, 8), (2, 2, 5, 8))
    mask = every_mask(device)[name]
    given = [t for t in (q, k, v, mask) if t is not None]
    before = [t.detach().clone() for t in given]
    attention(q, k, v, mask, 0.3).sum().backward()
    assert all(torch.equal(now, then) for now, then in zip(given, before, strict=True))


def test_permuting_heads_permutes_patterns(device: torch.device) -> None:
    q, k = random_tensors(device, (2, 4, 5, 8), (2, 4, 5, 8))
    order = torch.tensor([2, 0, 3, 1], device=device)
    permuted = attention_pattern(q[:, order], k[:, order], None, 0.3)
    assert_close(permuted, attention_pattern(q, k, None, 0.3)[:, order])


def test_weights_are_not_copied_between_modules_with_and_without_biases() -> None:
    with pytest.raises(BadDimensions, match="biases"):
        MultiHeadAttention(16, 4, bias=False).copy_from(MultiHeadAttention(16, 4))


def test_a_workspace_gives_the_same_weights_in_memory_that_is_used_again() -> None:
    workspace = Workspace()
    for n_tokens in (5, 9, 3):
        q, k = torch.randn(2, 1, 4, n_tokens, 8)
        expected = attention_weights(q, k, causal_bias(n_tokens, n_tokens), 0.3)
        found = attention_weights(q, k, causal_bias(n_tokens, n_tokens), 0.3, workspace)
        for one, other in zip(found, expected, strict=True):
            assert torch.equal(one, other)
        again = attention_weights(q, k, causal_bias(n_tokens, n_tokens), 0.3, workspace)
        assert again.pattern.data_ptr() == found.pattern.data_ptr()


def test_gradients_flow_through_weights_in_a_workspace() -> None:
    q, k = (torch.randn(1, 2, 4, 3, requires_grad=True) for _ in range(2))
    attention_weights(q, k, causal_bias(4, 4), 1.0, Workspace()).pattern.square().sum().backward()
    assert q.grad is not None
    assert q.grad.abs().sum() > 0


@pytest.mark.parametrize("mask", ["boolean", "bias", "infinite"])
def test_masked_scores_are_finite_and_their_weight_zero(mask: str) -> None:
    q, k = torch.randn(2, 1, 2, 4, 8)
    masks = {
        "boolean": causal_mask(4, 4),
        "bias": causal_bias(4, 4),
        "infinite": torch.full((4, 4), -torch.inf).triu(1),
    }
    weights = attention_weights(q, k, masks[mask], 0.3)
    assert weights.scores.isfinite().all()
    assert (weights.pattern * weights.scores).isfinite().all()
    hidden = ~causal_mask(4, 4)
    assert not weights.pattern[..., hidden].any()
