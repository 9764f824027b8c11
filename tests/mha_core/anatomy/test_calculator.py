"""The calculator counts what real modules, torch's own counter and real caches have."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import nn
from torch.utils.flop_counter import FlopCounterMode
from transformers import AutoConfig, AutoModel, DynamicCache, PretrainedConfig

from mha_core.anatomy.calculator import (
    HeadShape,
    count_cache,
    count_flops,
    count_maps,
    count_parameters,
    count_shape,
    find_problems,
    nearest_divisors,
)
from mha_core.attention import MultiHeadAttention

SHAPES = [
    HeadShape(24, 4, 4, n_tokens=7, bias=True),
    HeadShape(24, 4, 4, n_tokens=7, bias=False),
    HeadShape(24, 6, 2, n_tokens=5, bias=True),
    HeadShape(24, 6, 1, n_tokens=5, bias=False),
    HeadShape(16, 1, 1, n_tokens=3, bias=True),
    HeadShape(16, 16, 16, n_tokens=9, bias=True),
]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)
any_shape = st.builds(
    lambda d_head, n_groups, size, n_layers, n_tokens, bias: HeadShape(
        d_head * n_groups * size, n_groups * size, n_groups, n_layers, n_tokens, 2, bias
    ),
    st.integers(1, 300),
    st.integers(1, 100),
    st.integers(1, 20),
    st.integers(1, 200),
    st.integers(1, 10**7),
    st.booleans(),
)


def size_of(parameters: Iterable[nn.Parameter]) -> int:
    return sum(parameter.numel() for parameter in parameters)


def module_of(shape: HeadShape, *, fused: bool) -> MultiHeadAttention:
    return MultiHeadAttention(
        shape.d_model, shape.n_heads, shape.n_kv_heads, fused=fused, bias=shape.bias
    )


@given(any_shape)
def test_separate_matrices_have_as_many_parameters_as_the_fused_one(shape: HeadShape) -> None:
    parameters = count_parameters(shape)
    assert parameters.separate == parameters.fused
    assert all(matrix.separate == matrix.fused for matrix in parameters.matrices)
    total = sum(matrix.fused + matrix.bias for matrix in parameters.matrices)
    assert parameters.all_layers == shape.n_layers * total


@shapes
@pytest.mark.parametrize("fused", [False, True])
def test_parameters_are_those_of_headscopes_own_module(shape: HeadShape, fused: bool) -> None:
    parameters, module = count_parameters(shape), module_of(shape, fused=fused)
    counted = parameters.fused if fused else parameters.separate
    assert counted == size_of(module.parameters())
    for matrix, name in zip(parameters.matrices, ("query", "key", "value", "output"), strict=True):
        weights = [layer.weight for layer in module.get_submodule(name).children()]
        expected = matrix.fused_shape if fused else matrix.separate_shape
        assert len(weights) == (1 if fused else matrix.n_separate)
        assert {tuple(weight.T.shape) for weight in weights} == {expected}  # type: ignore[union-attr]


@pytest.mark.parametrize("shape", [it for it in SHAPES if it.n_kv_heads == it.n_heads], ids=str)
def test_parameters_are_those_of_torchs_module(shape: HeadShape) -> None:
    module = nn.MultiheadAttention(shape.d_model, shape.n_heads, bias=shape.bias)
    assert count_parameters(shape).fused == size_of(module.parameters())


@pytest.mark.parametrize(
    ("config", "shape", "parts"),
    [
        (
            AutoConfig.for_model("bert", num_hidden_layers=2),
            HeadShape(768, 12, 12, 2, bias=True),
            ("attention.self", "attention.output.dense"),
        ),
        (
            AutoConfig.for_model("gpt2", n_layer=2),
            HeadShape(768, 12, 12, 2, bias=True),
            (".attn.",),
        ),
        (
            AutoConfig.for_model(
                "llama",
                hidden_size=8192,
                num_attention_heads=64,
                num_key_value_heads=8,
                num_hidden_layers=2,
            ),
            HeadShape(8192, 64, 8, 2, bias=False),
            ("self_attn",),
        ),
    ],
    ids=["BERT base", "GPT-2", "Llama 2 70B"],
)
def test_parameters_are_those_of_transformers_models(
    config: PretrainedConfig, shape: HeadShape, parts: tuple[str, ...]
) -> None:
    with torch.device("meta"):
        model = AutoModel.from_config(config)
    attention = (it for name, it in model.named_parameters() if any(part in name for part in parts))
    assert count_parameters(shape).all_layers == size_of(attention)


@shapes
@pytest.mark.parametrize("fused", [False, True])
def test_operations_of_the_products_are_those_that_torch_counts(
    shape: HeadShape, fused: bool
) -> None:
    module = module_of(shape, fused=fused)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        module(torch.zeros(1, shape.n_tokens, shape.d_model))
    flops = count_flops(shape)
    products = [step.flops for step in flops.steps if step.name != "softmax"]
    assert len(products) == 4
    assert sum(products) == counter.get_total_flops()


@shapes
def test_each_step_has_its_own_product(shape: HeadShape) -> None:
    """The sum alone would not show one step's operations counted in another."""
    n, n_heads, d_head = shape.n_tokens, shape.n_heads, shape.d_head
    flops = {step.name: step.flops for step in count_flops(shape).steps}
    q, pattern = torch.zeros(n_heads, n, d_head), torch.zeros(n_heads, n, n)
    for name, product in {
        "scores": lambda: q @ q.mT,
        "weighted_sum": lambda: pattern @ q,
        "output": lambda: (
            q.transpose(0, 1).flatten(1) @ torch.zeros(n_heads * d_head, shape.d_model)
        ),
    }.items():
        with FlopCounterMode(display=False) as counter:
            product()
        assert flops[name] == counter.get_total_flops(), name


@given(any_shape)
def test_the_softmax_costs_by_scores_and_layers_add_up(shape: HeadShape) -> None:
    flops, maps = count_flops(shape), count_maps(shape)
    softmax = next(step for step in flops.steps if step.name == "softmax")
    assert softmax.flops == 6 * maps.one_layer
    assert softmax.formula.startswith("6 ")
    assert "counts 6 for each score" in flops.counted
    assert flops.all_layers == shape.n_layers * flops.one_layer
    assert flops.one_layer == sum(step.flops for step in flops.steps)


@pytest.mark.parametrize("n_tokens", [1, 5])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("n_kv_heads", [4, 2, 1])
def test_cache_bytes_are_those_of_a_real_cache(
    n_tokens: int, dtype: torch.dtype, n_kv_heads: int
) -> None:
    sizes = {"hidden_size": 32, "num_attention_heads": 4, "num_key_value_heads": n_kv_heads}
    config = AutoConfig.for_model(
        "llama", num_hidden_layers=3, intermediate_size=8, vocab_size=11, **sizes
    )
    model, cache = AutoModel.from_config(config).to(dtype), DynamicCache()
    with torch.no_grad():
        model(torch.zeros(1, n_tokens, dtype=torch.long), past_key_values=cache, use_cache=True)
    kept = [layer.keys.nbytes + layer.values.nbytes for layer in cache.layers]
    counted = count_cache(HeadShape(32, 4, n_kv_heads, 3, n_tokens, dtype.itemsize))
    assert kept == [counted.one_layer] * 3
    assert counted.all_layers == sum(kept)
    assert counted.one_token * n_tokens == sum(kept)


@given(any_shape)
def test_sharing_keys_divides_the_cache_of_full_multi_head_attention(shape: HeadShape) -> None:
    cache = count_cache(shape)
    full = count_cache(replace(shape, n_kv_heads=shape.n_heads))
    assert cache.full_multi_head == full.all_layers == full.full_multi_head
    assert cache.all_layers * cache.times_smaller == cache.full_multi_head


@shapes
def test_maps_have_as_many_numbers_as_patterns(shape: HeadShape) -> None:
    scores = torch.zeros(shape.n_heads, shape.n_tokens, shape.n_tokens)
    maps = count_maps(replace(shape, n_layers=3))
    assert maps.one_head == scores[0].numel()
    assert maps.one_layer == scores.numel()
    assert maps.all_layers == 3 * scores.numel()


def test_d_head_is_the_width_divided() -> None:
    assert count_shape(HeadShape(768, 12, 12)).d_head == 64


@given(st.integers(1, 5000), st.integers(1, 6000))
def test_the_nearest_divisors_divide_and_none_is_nearer(number: int, wanted: int) -> None:
    assume(number % wanted)
    nearest = nearest_divisors(number, wanted)
    assert nearest
    assert all(number % it == 0 for it in nearest)
    low = max((it for it in nearest if it < wanted), default=0)
    high = min((it for it in nearest if it > wanted), default=number + 1)
    assert all(number % it for it in range(low + 1, high))


@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 400))
def test_sizes_fit_together_where_the_module_can_be_built(
    d_model: int, n_heads: int, n_kv_heads: int
) -> None:
    problems = find_problems(HeadShape(d_model, n_heads, n_kv_heads))
    with torch.device("meta"):
        if not problems:
            MultiHeadAttention(d_model, n_heads, n_kv_heads)
            return
        with pytest.raises(ValueError, match="evenly"):
            MultiHeadAttention(d_model, n_heads, n_kv_heads)
        # Whichever of the nearest numbers is taken, that problem is gone.
        for problem in problems:
            for nearest in problem.nearest:
                changed = replace(
                    HeadShape(d_model, n_heads, n_kv_heads), **{problem.size: nearest}
                )
                left = [it.size for it in find_problems(changed)]
                assert problem.size not in left


def test_what_does_not_divide_is_said_in_words_with_what_does() -> None:
    (heads,) = find_problems(HeadShape(768, 10, 10))
    assert (heads.size, heads.nearest) == ("n_heads", (8, 12))
    assert "768 / 10 = 76.8 is not whole" in heads.message
    assert heads.message.endswith("The nearest that divide 768 are 8 and 12.")
    (groups,) = find_problems(HeadShape(768, 12, 16))
    assert (groups.size, groups.nearest) == ("n_kv_heads", (12,))
    assert groups.message.endswith("The nearest number that divides 12 is 12.")
    assert len(find_problems(HeadShape(768, 10, 4))) == 2
