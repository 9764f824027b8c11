"""The small map of a head keeps what makes it interesting, in one byte a cell."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from mha_core.runs.overview import (
    SIDE,
    LayerOverview,
    OverviewOutbox,
    block_size,
    overview,
)
from mha_core.stacks import Site
from mha_core.tap import LayerCapture

HALF_A_STEP = 0.5 / 255
LENGTHS = [1, 2, 127, 128, 129, 255, 256, 257, 300, 512]

moderately = settings(max_examples=50)
weights = st.floats(0, 1, width=32)


def random_maps(n_heads: int, n_tokens: int, device: torch.device | None = None) -> Tensor:
    """Maps of all kinds: some even, some peaked."""
    draws = torch.Generator().manual_seed(n_tokens)
    scores = torch.randn(n_heads, n_tokens, n_tokens, generator=draws)
    sharpness = torch.linspace(0, 12, n_heads)[:, None, None]
    return (scores * sharpness).softmax(-1).to(device)


def decoded(codes: torch.Tensor) -> torch.Tensor:
    """Weights from codes: the middle of what each byte stands for."""
    return (codes.float() / 255).square()


@moderately
@given(st.lists(weights, min_size=1, max_size=128))
def test_a_code_is_within_half_a_step_of_the_square_root(row: list[float]) -> None:
    pattern = torch.tensor([[row]])
    error = (decoded(overview(pattern)).sqrt() - pattern.sqrt()).abs().max()
    assert error <= HALF_A_STEP + 1e-6


@moderately
@given(weights)
def test_a_decoded_weight_is_off_by_less_than_half_a_percent_of_one(weight: float) -> None:
    back = decoded(overview(torch.tensor([[[weight]]]))).item()
    # d(w) = 2 sqrt(w) d(sqrt w), and a square of half a step on top
    assert abs(back - weight) <= 2 * math.sqrt(weight) * HALF_A_STEP + HALF_A_STEP**2 + 1e-6


@moderately
@given(weights, weights)
def test_coding_keeps_the_order_of_weights(one: float, other: float) -> None:
    low, high = sorted((one, other))
    codes = overview(torch.tensor([[[low, high]]])).flatten().tolist()
    assert codes[0] <= codes[1]


def test_nothing_is_coded_as_zero_and_everything_as_255() -> None:
    assert overview(torch.tensor([[[0.0, 1.0]]])).tolist() == [[[0, 255]]]


def test_a_weight_of_one_in_sixty_thousand_is_still_seen() -> None:
    assert overview(torch.tensor([[[1 / 60_000]]])).item() == 1


@pytest.mark.parametrize("n_tokens", LENGTHS)
def test_an_overview_covers_the_text_in_at_most_128_blocks_a_side(n_tokens: int) -> None:
    block = block_size(n_tokens)
    codes = overview(random_maps(3, n_tokens))
    side = math.ceil(n_tokens / block)
    assert codes.shape == (3, side, side)
    assert codes.dtype == torch.uint8
    assert side <= SIDE
    assert side * block >= n_tokens > (side - 1) * block
    assert (block == 1) == (n_tokens <= SIDE)


@pytest.mark.parametrize("n_tokens", [129, 200, 300, 512])
def test_pooling_is_the_maximum_of_each_block(n_tokens: int) -> None:
    maps, block = random_maps(2, n_tokens), block_size(n_tokens)
    codes = overview(maps)
    for row, col in ((0, 0), (3, 50), (codes.shape[1] - 1, codes.shape[2] - 1)):
        tokens = maps[:, row * block : (row + 1) * block, col * block : (col + 1) * block]
        expected = (tokens.amax((1, 2)).sqrt() * 255).round()
        assert torch.equal(codes[:, row, col].float(), expected)


@moderately
@given(st.integers(129, 600), st.data())
def test_pooling_keeps_an_isolated_strong_link(n_tokens: int, data: st.DataObject) -> None:
    query = data.draw(st.integers(0, n_tokens - 1))
    key = data.draw(st.integers(0, n_tokens - 1))
    pattern = torch.zeros(1, n_tokens, n_tokens)
    pattern[0, query, key] = 0.8
    codes, block = overview(pattern), block_size(n_tokens)
    assert decoded(codes)[0, query // block, key // block] == pytest.approx(0.8, abs=0.01)
    assert codes.count_nonzero() == 1


def test_a_map_with_more_keys_than_queries_is_pooled_on_each_side_for_itself() -> None:
    maps = torch.rand(2, 100, 300, generator=torch.Generator().manual_seed(0))
    codes = overview(maps)
    assert codes.shape == (2, 100, 100)
    expected = (maps.reshape(2, 100, 100, 3).amax(-1).sqrt() * 255).round()
    assert torch.equal(codes.float(), expected)


@pytest.mark.parametrize("n_tokens", [20, 300])
def test_an_overview_leaves_its_map_untouched(n_tokens: int) -> None:
    maps = random_maps(2, n_tokens)
    before = maps.clone()
    overview(maps)
    assert torch.equal(maps, before)


def test_permuting_heads_permutes_overviews() -> None:
    maps, order = random_maps(4, 40), [2, 0, 3, 1]
    assert torch.equal(overview(maps[order]), overview(maps)[order])


def capture_of(layer: int, device: torch.device) -> LayerCapture:
    nothing = torch.empty(1, 1, 0, 1, device=device)
    return LayerCapture(Site(layer), nothing, nothing, nothing, None, False, 1.0, nothing)


def test_the_outbox_hands_every_layer_on_in_order_and_in_host_memory(device: torch.device) -> None:
    sent: list[LayerOverview] = []
    outbox = OverviewOutbox(sent.append)
    maps = [random_maps(3, n_tokens, device) for n_tokens in (5, 40, 150, 7)]
    for layer, pattern in enumerate(maps):
        outbox.put(capture_of(layer, device), pattern)
    outbox.close()
    assert [layer.capture.site.layer for layer in sent] == [0, 1, 2, 3]
    for layer, pattern in zip(sent, maps, strict=True):
        assert layer.codes.device.type == "cpu"
        assert torch.equal(layer.codes, overview(pattern).cpu())


def test_on_a_cpu_a_layer_is_handed_on_at_once() -> None:
    sent: list[LayerOverview] = []
    cpu = torch.device("cpu")
    OverviewOutbox(sent.append).put(capture_of(0, cpu), random_maps(1, 4, cpu))
    assert len(sent) == 1
