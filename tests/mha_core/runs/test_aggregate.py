"""One map out of many: what it equals, what it keeps of the maps it is made of."""

from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor

from mha_core.models.loading import LoadedModel
from mha_core.runs.aggregate import derive_maps, max_map, mean_map, rollout_map
from mha_core.runs.analysis import Analysis, analyse
from mha_core.runs.value_weights import value_norms, weight_by_value
from mha_core.text.tokenization import tokenize

SENTENCE = "The animal didn't cross the street because it was too tired."
COMBINATIONS = (mean_map, max_map, rollout_map)


@pytest.fixture(scope="module", params=["minilm", "smollm2"])
def model(request: pytest.FixtureRequest) -> LoadedModel:
    found: LoadedModel = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def analysis(model: LoadedModel) -> Analysis:
    return analyse(model, tokenize(model.tokenizer, SENTENCE))


@pytest.fixture(scope="module")
def every(analysis: Analysis) -> Tensor:
    """All maps at once, [L, H, T, T]: what the code under test never holds."""
    return torch.stack(
        [analysis.patterns(layer) for layer in range(analysis.architecture.n_layers)]
    )


def streamed(analysis: Analysis) -> Iterator[Tensor]:
    return (derive_maps(capture) for capture in analysis.layers)


def random_maps(n_layers: int, n_heads: int, n_tokens: int, *, causal: bool) -> Tensor:
    scores = torch.randn(
        n_layers, n_heads, n_tokens, n_tokens, generator=torch.Generator().manual_seed(3)
    )
    if causal:
        later = torch.ones(n_tokens, n_tokens, dtype=torch.bool).triu(1)
        scores.masked_fill_(later, -torch.inf)
    return scores.softmax(-1)


def close(ours: Tensor, theirs: Tensor, tolerance: float = 1e-6) -> None:
    torch.testing.assert_close(ours.cpu(), theirs.cpu(), atol=tolerance, rtol=0)


def test_the_mean_of_all_heads_is_that_of_all_maps_at_once(
    analysis: Analysis, every: Tensor
) -> None:
    close(mean_map(streamed(analysis)), every.double().mean((0, 1)).float())


def test_the_largest_weights_are_those_of_all_maps_at_once(
    analysis: Analysis, every: Tensor
) -> None:
    close(max_map(streamed(analysis)), every.amax((0, 1)))


def test_a_rollout_equals_the_product_of_the_layers_last_first(
    analysis: Analysis, every: Tensor
) -> None:
    n_tokens = analysis.n_tokens
    steps = 0.5 * every.double().mean(1) + 0.5 * torch.eye(n_tokens, dtype=torch.double)
    steps /= steps.sum(-1, keepdim=True)
    expected = torch.linalg.multi_dot(list(steps.flip(0)))
    close(rollout_map(streamed(analysis)), expected.float(), 1e-5)


@pytest.mark.parametrize("combine", [mean_map, rollout_map])
def test_rows_still_sum_to_one(
    combine: Callable[[Iterator[Tensor]], Tensor], analysis: Analysis
) -> None:
    close(combine(streamed(analysis)).sum(-1), torch.ones(analysis.n_tokens), 1e-5)


def test_rows_of_the_largest_weights_sum_to_one_or_more(analysis: Analysis) -> None:
    assert max_map(streamed(analysis)).sum(-1).min() > 1 - 1e-5


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_what_no_causal_head_sees_is_not_in_the_map_either(
    combine: Callable[[Tensor], Tensor],
) -> None:
    combined = combine(random_maps(4, 3, 9, causal=True))
    assert combined.triu(1).count_nonzero() == 0
    assert combined.tril().count_nonzero() == 9 * 10 / 2


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_maps_that_look_at_themselves_stay_what_they_are(
    combine: Callable[[Tensor], Tensor],
) -> None:
    close(combine(torch.eye(7).expand(5, 2, 7, 7)), torch.eye(7))


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_the_order_of_heads_does_not_matter(combine: Callable[[Tensor], Tensor]) -> None:
    maps = random_maps(3, 5, 6, causal=False)
    close(combine(maps[:, [4, 2, 0, 3, 1]]), combine(maps))


@pytest.mark.parametrize("combine", [mean_map, max_map])
def test_the_order_of_layers_does_not_matter(combine: Callable[[Tensor], Tensor]) -> None:
    maps = random_maps(3, 2, 6, causal=False)
    close(combine(maps.flip(0)), combine(maps))


def test_a_rollout_follows_attention_from_the_last_layer_down_to_the_first() -> None:
    """Token 2 looks at 1 in the second layer, 1 looked at 0 in the first: a path from 2 to 0.

    Taken the wrong way round there is none: in the first layer token 2 looks at itself.
    """
    first, second = torch.eye(3), torch.eye(3)
    first[1] = torch.tensor([1.0, 0.0, 0.0])
    second[2] = torch.tensor([0.0, 1.0, 0.0])
    expected = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]])
    close(rollout_map([first[None], second[None]]), expected)
    assert rollout_map([second[None], first[None]])[2, 0] == 0


def test_in_a_rollout_a_query_that_may_look_nowhere_keeps_itself() -> None:
    blind = torch.zeros(1, 2, 2)
    close(rollout_map([blind, blind]), torch.eye(2))


def test_each_head_counts_the_same_however_many_its_layer_sends() -> None:
    maps = random_maps(2, 3, 4, causal=False)
    close(mean_map([maps[0], maps[1, :1]]), torch.cat([maps[0], maps[1, :1]]).mean(0))


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_a_layer_is_let_go_before_the_next_is_made(
    combine: Callable[[Iterator[Tensor]], Tensor],
) -> None:
    """Maps that are written over as soon as the next is asked for give the same answer."""
    maps = random_maps(4, 3, 6, causal=False)

    def lent() -> Iterator[Tensor]:
        for layer in maps:
            page = layer.clone()
            yield page
            page.fill_(torch.nan)

    close(combine(lent()), combine(iter(maps)), 0)


@pytest.mark.parametrize("heads", [None, [2], [5, 0]])
def test_chosen_maps_are_those_of_the_analysis(heads: list[int] | None, analysis: Analysis) -> None:
    close(derive_maps(analysis.layers[1], heads), analysis.patterns(1, heads))


@pytest.mark.parametrize("heads", [None, [2], [5, 0]])
def test_weighted_maps_are_rows_of_the_weighted_layer(
    heads: list[int] | None, model: LoadedModel, analysis: Analysis
) -> None:
    capture = analysis.layers[1]
    grams = model.grams[capture.site]
    expected = weight_by_value(capture.pattern()[0], value_norms(capture.v[0], grams))
    found = derive_maps(capture, heads, grams)
    close(found, expected if heads is None else expected[heads])
    assert (found.cpu() - analysis.patterns(1, heads)).abs().max() > 0.05
