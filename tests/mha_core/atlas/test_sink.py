"""The sink is measured on windows of exactly 64 tokens."""

import pytest
import torch

from mha_core.atlas.sink import N_TOKENS, measure_sink
from mha_core.atlas.template import Template
from mha_core.models.loading import LoadedModel
from mha_core.tap import Tap
from mha_core.text.tokenization import tokenize

SENTENCES = [
    f"Number {n} is followed by number {n + 1}, which some people like." for n in range(40)
]


@pytest.mark.parametrize("name", ["minilm", "smollm2", "tiny"])
def test_the_sink_is_the_mean_over_windows_of_the_running_text(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    template = Template.of(model.tokenizer)
    tokens = tokenize(model.tokenizer, " ".join(SENTENCES)).tokens
    ids = [token.id for token in tokens if token.kind != "special"]
    length = N_TOKENS - template.n_special
    windows = [ids[at : at + length] for at in range(0, len(ids) - length + 1, length)]
    sums = torch.zeros(model.architecture.n_layers, model.architecture.n_heads)
    for window in windows:
        seen: list[torch.Tensor] = []
        model.forward(template.around(window), Tap(lambda _, p, seen=seen: seen.append(p[0].cpu())))
        maps = torch.stack(seen)  # [L, H, 64, 64]
        assert maps.shape[2] == 64
        sums += maps[:, :, 1:, 0].mean(-1)
    found = measure_sink(model, SENTENCES)
    assert found.windows == len(windows) > 3
    assert found.first == pytest.approx((sums / len(windows)).numpy(), abs=1e-4)
    assert (found.first_low <= found.first).all()
    assert (found.first < found.first_high).all()
    even = sum(1 / (row + 1) for row in range(1, 64)) / 63
    causal = model.architecture.kind == "decoder"
    assert found.first_baseline == pytest.approx(even if causal else 1 / 64)


def test_a_text_below_one_window_gives_no_number(tiny: LoadedModel) -> None:
    found = measure_sink(tiny, ["too short"])
    assert found.windows == 0
    assert (found.first != found.first).all()
