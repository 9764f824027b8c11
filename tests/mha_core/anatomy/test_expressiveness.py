"""What is said of sizes is true of real scores, and is said where it applies and only there."""

from dataclasses import replace

import pytest
import torch
from torch import Generator, Tensor

from mha_core.anatomy.calculator import HeadShape, count_parameters
from mha_core.anatomy.expressiveness import describe_limits
from mha_core.anatomy.seeded import draw, draw_attention
from mha_core.attention import MultiHeadAttention, attention_pattern


def said(shape: HeadShape) -> str:
    return " ".join(describe_limits(shape))


def shape_of(**sizes: int) -> HeadShape:
    usual = {"d_model": 768, "n_heads": 12, "n_tokens": 512} | sizes
    return HeadShape(**{"n_kv_heads": usual["n_heads"]} | usual)


@pytest.fixture
def generator() -> Generator:
    return torch.Generator().manual_seed(0)


def queries_and_keys(
    generator: Generator, d_model: int, n_heads: int, n_tokens: int
) -> tuple[Tensor, Tensor]:
    """Of a module with biases, [H, T, d] each."""
    module: MultiHeadAttention = draw_attention(generator, d_model, n_heads)
    kept: list[Tensor] = []

    def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float) -> Tensor:
        kept.extend((q, k))
        return v

    module(draw(generator, 1, n_tokens, d_model), attend=attend)
    return kept[0][0], kept[1][0]


@pytest.mark.parametrize("n_heads", [1, 2, 4, 16])
def test_the_rank_of_scores_is_d_head_at_most_biases_included(
    generator: Generator, n_heads: int
) -> None:
    q, k = queries_and_keys(generator, 16, n_heads, 24)
    scores = (q.double() @ k.double().mT) * (16 / n_heads) ** -0.5
    assert torch.linalg.matrix_rank(scores, rtol=1e-6).tolist() == [16 // n_heads] * n_heads
    text = said(shape_of(d_model=16, n_heads=n_heads, n_tokens=24))
    assert f"rank at most d_head, {16 // n_heads}" in text
    assert "biases of W_Q and W_K do not raise that rank" in text
    assert "biases" not in said(replace(shape_of(d_model=16, n_tokens=24, n_heads=4), bias=False))


def test_the_map_itself_may_have_a_higher_rank(generator: Generator) -> None:
    q, k = queries_and_keys(generator, 16, 4, 24)
    pattern = attention_pattern(q[None], k[None], None, 0.5)[0].double()
    assert torch.linalg.matrix_rank(pattern, rtol=1e-6).min() > 4


@pytest.mark.parametrize(("d_head", "n_tokens"), [(1, 5), (3, 8), (7, 8)])
def test_scores_of_a_rank_have_as_many_free_numbers_as_said(d_head: int, n_tokens: int) -> None:
    """The rank of the Jacobian of Q K^T is the dimension of all scores of that rank."""
    generator = torch.Generator().manual_seed(0)
    q, k = (draw(generator, n_tokens, d_head).double() for _ in range(2))
    jacobian = torch.autograd.functional.jacobian(lambda a, b: (a @ b.T).flatten(), (q, k))
    free = int(torch.linalg.matrix_rank(torch.cat([it.flatten(1) for it in jacobian], 1)))
    text = said(shape_of(d_model=d_head * 2, n_heads=2, n_tokens=n_tokens))
    assert f"no more than {free} of the {n_tokens**2}" in text


def test_any_scores_are_possible_where_d_head_reaches_the_number_of_tokens(
    generator: Generator,
) -> None:
    x, wanted = draw(generator, 6, 16).double(), draw(generator, 6, 6).double()
    w_q = torch.linalg.pinv(x) @ wanted  # [16, 6]: then x W_Q is what is wanted
    w_k = torch.linalg.pinv(x)  # [16, 6]: then x W_K is the identity
    assert torch.allclose((x @ w_q) @ (x @ w_k).T, wanted)
    assert "any scores at all" in said(shape_of(d_model=24, n_heads=4, n_tokens=6))
    assert "any scores at all" not in said(shape_of(d_model=24, n_heads=4, n_tokens=7))


def test_with_one_number_a_query_prefers_the_largest_or_the_smallest_key(
    generator: Generator,
) -> None:
    q, k = queries_and_keys(generator, 16, 16, 24)
    largest = (q @ k.mT).argmax(-1)  # [H, Q]
    ends = torch.stack([k[..., 0].argmax(-1), k[..., 0].argmin(-1)], -1)  # [H, 2]
    assert (largest[..., None] == ends[:, None]).any(-1).all()
    assert "the largest or the smallest key" in said(shape_of(n_heads=768))
    assert "the largest or the smallest key" not in said(shape_of(n_heads=384))


def test_two_numbers_can_point_at_any_token_with_long_vectors_only() -> None:
    """Keys on a circle: why few signs are no proof that a token cannot be told apart."""
    angles = torch.arange(64, dtype=torch.float32) * (2 * torch.pi / 64)
    keys = torch.stack([angles.cos(), angles.sin()], -1)[None, None]
    short, long = (attention_pattern(scale * keys, keys, None, 1.0)[0, 0] for scale in (1.0, 2e3))
    assert (long.argmax(-1) == torch.arange(64)).all()
    assert long.diagonal().min() > 0.99
    assert short.diagonal().max() < 0.05
    assert "2 signs (+ or -) tell at most 4 tokens apart, not 512" in said(shape_of(n_heads=384))


@pytest.mark.parametrize(("n_tokens", "few"), [(15, False), (16, False), (17, True), (100, True)])
def test_signs_are_few_below_the_logarithm_of_the_number_of_tokens(
    n_tokens: int, few: bool
) -> None:
    text = said(shape_of(d_model=8, n_heads=2, n_tokens=n_tokens))
    assert ("4 signs" in text) == few


def test_one_head_must_blend_and_many_heads_need_not() -> None:
    assert "has to blend them" in said(shape_of(n_heads=1))
    assert "full weight to up to 12 tokens at once" in said(shape_of())
    assert "full weight to up to 3 tokens at once" in said(shape_of(n_tokens=3))
    assert "blend" not in said(shape_of())


def test_what_a_head_writes_has_rank_d_head(generator: Generator) -> None:
    module = draw_attention(generator, 16, 4, fused=False)
    values, outputs = (list(module.get_submodule(it).children()) for it in ("value", "output"))
    for value, output in zip(values, outputs, strict=True):
        product = value.weight.double().T @ output.weight.double().T  # type: ignore[union-attr,operator]
        assert torch.linalg.matrix_rank(product, rtol=1e-6) == 4
    assert "writes in 4 directions" in said(shape_of(d_model=16, n_heads=4))
    assert "in 1 direction of" in said(shape_of(d_model=16, n_heads=16))
    assert "in all 16 directions" in said(shape_of(d_model=16, n_heads=1))


def test_shared_keys_are_named_with_what_they_save() -> None:
    shape = shape_of(d_model=8192, n_heads=64, n_kv_heads=8)
    text = said(shape)
    full = count_parameters(replace(shape, n_kv_heads=64)).fused
    assert f"8 times smaller and saves {full - count_parameters(shape).fused:,} param" in text
    assert "heads 0 to 7 the first, 8 to 15 the second" in text
    assert "share one key/value head" in said(replace(shape, n_kv_heads=1))
    assert "Every head has keys and values of its own" in said(replace(shape, n_kv_heads=64))
    assert "keys and values of its own" not in said(shape_of(n_heads=1))


def test_usual_widths_are_told_from_unusual_ones() -> None:
    assert "d_head 64 is usual" in said(shape_of())
    assert "d_head 32 is below what is usual" in said(shape_of(n_heads=24))
    assert "d_head 256 is above what is usual" in said(shape_of(n_heads=3))


def test_a_lone_token_has_nothing_to_choose() -> None:
    text = said(shape_of(n_tokens=1))
    assert "its weight is 1" in text
    assert "rank at most d_head," not in text
    assert "to one token at once" in text


@pytest.mark.parametrize("n_heads", [1, 2, 12, 768])
@pytest.mark.parametrize("n_tokens", [1, 2, 512, 10**7])
def test_sentences_are_whole(n_heads: int, n_tokens: int) -> None:
    for sentence in describe_limits(shape_of(n_heads=n_heads, n_tokens=n_tokens)):
        assert sentence[0].isupper() or sentence[:6] == "d_head" or sentence[0].isdigit()
        assert sentence.endswith(".")
        assert "  " not in sentence
    assert "(less than 0.01 %)" in said(shape_of(n_tokens=10**7))
