"""What is drawn depends on the generator alone, and keeps the size of what passes through."""

import pytest
import torch

from mha_core.anatomy.seeded import draw, draw_attention


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("fused", [False, True])
def test_the_same_seed_draws_the_same_module(fused: bool) -> None:
    torch.manual_seed(1)
    one = draw_attention(seeded(), 16, 4, fused=fused)
    torch.manual_seed(2)
    other = draw_attention(seeded(), 16, 4, fused=fused)
    different = draw_attention(seeded(1), 16, 4, fused=fused)
    for name, parameter in one.named_parameters():
        assert torch.equal(parameter, other.get_parameter(name))
        assert not torch.equal(parameter, different.get_parameter(name))
        assert not parameter.requires_grad


def test_drawing_leaves_the_random_numbers_of_others_alone() -> None:
    torch.manual_seed(3)
    state = torch.random.get_rng_state()
    draw_attention(seeded(), 16, 4)
    draw(seeded(), 3)
    assert torch.equal(torch.random.get_rng_state(), state)


def test_everything_is_float32_also_while_a_model_is_loaded() -> None:
    torch.set_default_dtype(torch.float16)
    try:
        module, x = draw_attention(seeded(), 16, 4), draw(seeded(), 1, 3, 16)
    finally:
        torch.set_default_dtype(torch.float32)
    assert {it.dtype for it in (x, *module.parameters())} == {torch.float32}


def test_queries_are_about_as_large_as_the_input() -> None:
    generator = seeded()
    module, x = draw_attention(generator, 256, 4), draw(generator, 1, 64, 256)
    q = x @ module.get_parameter("query.0.weight").T
    assert float(q.var()) == pytest.approx(1, abs=0.1)
