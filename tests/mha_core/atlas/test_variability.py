"""Variability is 0 for maps that never change, 1 - 1/S for S maps that share nothing."""

import pytest
import torch

from mha_core.atlas.variability import _spread, measure_variability
from mha_core.models.loading import LoadedModel
from mha_core.tap import Tap
from mha_core.text.tokenization import tokenize

TEXTS = [
    "The cat sat on the mat and looked at the dog across the street for a while.",
    "Nobody knows why seven tall engineers bought so many red umbrellas in June.",
    "Short one.",
    "Prices rose again, said the bank, but wages in most other countries did not.",
]


def test_fixed_maps_vary_by_nothing_and_maps_that_share_nothing_by_all_they_can() -> None:
    fixed = torch.rand(1, 10, 10).expand(4, 1, 10, 10)
    places = torch.eye(10)[torch.arange(4)]  # [4, 10]: text s looks at key s only
    apart = places[:, None, None, :].expand(4, 1, 10, 10)
    spread = _spread(torch.cat([fixed, apart], 1))
    assert spread[0] == pytest.approx(0, abs=1e-6)
    assert spread[1] == pytest.approx(1 - 1 / 4)


@pytest.mark.parametrize("name", ["minilm", "tiny"])
def test_heads_vary_as_the_formula_says_over_the_texts_that_are_long_enough(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    texts = [tokenize(model.tokenizer, text) for text in TEXTS]
    long = [text for text in texts if len(text.tokens) >= 10]
    maps = []
    for text in long:
        seen: list[torch.Tensor] = []
        model.forward(text, Tap(lambda _, p, seen=seen: seen.append(p[0, :, :10, :10].cpu())))
        maps.append(torch.stack(seen))  # [L, H, 10, 10]
    stack = torch.stack(maps).double()
    apart = (stack - stack.mean(0)).abs().sum((0, 3, 4))
    found = measure_variability(model, texts)
    assert found.n == len(long)
    expected = (apart / (2 * stack.sum((0, 3, 4)))).numpy()
    assert found.values == pytest.approx(expected, abs=1e-4)
    assert 0 <= found.values.min() < found.values.max() <= 1


def test_no_text_that_is_long_enough_is_no_number(tiny: LoadedModel) -> None:
    found = measure_variability(tiny, [tokenize(tiny.tokenizer, "abc")])
    assert found.n == 0
    assert (found.values != found.values).all()
