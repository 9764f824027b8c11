"""Suppression on sentences: counted by hand, and turned around with the output of a layer."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from mha_core.atlas.attribution import MIN_WRITTEN_ROWS
from mha_core.atlas.copy_suppression import (
    MIN_TOKENS,
    CopySuppression,
    allowed_favourites,
    measure_copy_suppression,
)
from mha_core.models.family import output_projection
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap, attention_sites
from mha_core.text.tokens import TokenizedText

TEXTS = [
    "The valve that replaced the valve leaked.",
    "Rain on Monday, rain on Tuesday, and rain on Wednesday as well.",
    "A dog chased a cat, and the cat chased a dog.",
    "no", "the old man and the old sea and the old boat",
]  # fmt: skip


@pytest.fixture(scope="module")
def texts(tiny: LoadedModel) -> list[TokenizedText]:
    return [tiny.tokenize(text) for text in TEXTS]


def measured(model: LoadedModel, texts: list[TokenizedText]) -> CopySuppression:
    return measure_copy_suppression(model, texts)


def test_the_sums_are_those_counted_row_by_row(
    tiny: LoadedModel, texts: list[TokenizedText]
) -> None:
    shape = (tiny.architecture.n_layers, tiny.architecture.n_heads)
    total, total_abs, rows = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    unembedding = tiny.network.get_submodule("tokens").get_parameter("weight")
    gamma = tiny.network.get_submodule("final_norm").get_parameter("weight")
    mean = unembedding[:256].mean(0)  # bytes: all but <bos>
    for text in (it for it in texts if len(it.tokens) >= MIN_TOKENS):

        def on_pattern(capture: LayerCapture, pattern: Tensor, text: TokenizedText = text) -> None:
            projection = output_projection(tiny.network, "headscope", capture.site)
            assert projection is not None
            layer, d_head = capture.site.layer, capture.v.shape[-1]
            for head in range(shape[1]):
                block = projection[:, head * d_head : (head + 1) * d_head]  # [D, d]
                for row in range(len(text.tokens)):
                    key = int(pattern[0, head, row].argmax())
                    if key in (0, row):
                        continue
                    direction = gamma * (unembedding[text.tokens[key].id] - mean)
                    result = block @ capture.v[0, head, key]
                    a = float(pattern[0, head, row, key] * (result @ direction))
                    total[layer, head] += a
                    total_abs[layer, head] += abs(a)
                    rows[layer, head] += 1

        tiny.forward(text, Tap(on_pattern))
    found = measured(tiny, texts)
    assert len(found.written) == 4, "one text is too short"
    assert found.written_rows.tolist() == rows.tolist()
    assert found.written.sum(0) == pytest.approx(total, abs=1e-3)
    assert found.written_abs.sum(0) == pytest.approx(total_abs, abs=1e-3)
    value, low, high = found.interval
    enough = rows >= MIN_WRITTEN_ROWS
    assert enough.any()
    assert not enough.all()
    assert value[enough] == pytest.approx((-total / total_abs)[enough], abs=1e-4)
    assert (low[enough] <= value[enough]).all()
    assert (value[enough] <= high[enough]).all()
    assert np.isnan(np.stack([value, low, high])[:, ~enough]).all()


def test_a_layer_that_writes_the_opposite_suppresses_what_it_copied(tiny: LoadedModel) -> None:
    line = "qzxv jkwp bfgh "
    texts = [tiny.tokenize(line[at:] + line * 3) for at in range(4)]
    network = deepcopy(tiny.network)
    output = network.get_submodule("blocks.1.attention.output.0").get_parameter("weight")
    output.neg_()
    opposite = replace(tiny, network=network, sites=attention_sites(network))
    value, low, high = measured(tiny, texts).interval
    turned = measured(opposite, texts).interval
    assert high[1].min() < -0.9, "heads that induce raise the logit of what they attend to"
    assert turned[0][1] == pytest.approx(-value[1])
    assert turned[1][1] == pytest.approx(-high[1])
    assert turned[2][1] == pytest.approx(-low[1])
    assert turned[0][0] == pytest.approx(value[0], nan_ok=True)


def test_earlier_tokens_may_be_favourites_but_the_first_and_special_ones_may_not(
    smollm2: LoadedModel, tiny: LoadedModel
) -> None:
    text = smollm2.tokenize("one <|im_end|> two")
    kinds = [token.kind for token in text.tokens]
    at = kinds.index("special")
    allowed = allowed_favourites([text])[0]
    assert not allowed.triu().any()
    assert not allowed[:, 0].any()
    assert not allowed[:, at].any()
    others = [key for key in range(1, len(kinds)) if key != at]
    assert all(allowed[row, key] for key in others for row in range(key + 1, len(kinds)))
    assert torch.equal(
        allowed_favourites([tiny.tokenize("ab")]),
        torch.tensor([[[False] * 3, [False] * 3, [False, True, False]]]),
    )


def test_the_sample_is_drawn_by_its_seed(tiny: LoadedModel, texts: list[TokenizedText]) -> None:
    found = [measure_copy_suppression(tiny, texts, size=2, seed=seed) for seed in (0, 0, 1)]
    one, again, other = (it.written for it in found)
    assert one.shape == (2, 2, 8)
    assert (one == again).all()
    assert (one != other).any()


def test_without_a_known_unembedding_there_is_no_suppression_and_without_texts_no_number(
    tiny: LoadedModel, texts: list[TokenizedText]
) -> None:
    unknown = replace(tiny, architecture=replace(tiny.architecture, family="unheard of"))
    assert np.isnan(measured(unknown, texts).interval).all()
    assert np.isnan(measured(tiny, []).interval).all()
