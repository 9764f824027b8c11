"""The sink is measured on windows of exactly 64 tokens."""

import pytest
import torch

from mha_core.atlas.sink import N_TOKENS, batch_windows, cut_windows, measure_sink
from mha_core.atlas.student import t_95
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
    rows = []
    for window in windows:
        seen: list[torch.Tensor] = []
        model.forward(template.around(window), Tap(lambda _, p, seen=seen: seen.append(p[0].cpu())))
        maps = torch.stack(seen)  # [L, H, 64, 64]
        assert maps.shape[2] == 64
        rows.append(maps[:, :, 1:, 0].mean(-1).double())
    found = measure_sink(model, SENTENCES)
    assert found.windows == len(windows) > 3
    shares = torch.stack(rows).numpy()  # [N, L, H]
    mean = shares.mean(0)
    reach = t_95(len(windows) - 1) * shares.std(0, ddof=1) / len(windows) ** 0.5
    assert found.first == pytest.approx(mean, abs=1e-4)
    assert found.first_low == pytest.approx((mean - reach).clip(0), abs=1e-3)
    assert found.first_high == pytest.approx((mean + reach).clip(max=1), abs=1e-3)
    even = sum(1 / (row + 1) for row in range(1, 64)) / 63
    causal = model.architecture.kind == "decoder"
    assert found.first_baseline == pytest.approx(even if causal else 1 / 64)


def test_a_text_below_one_window_gives_no_number(tiny: LoadedModel) -> None:
    found = measure_sink(tiny, ["too short"])
    assert found.windows == 0
    assert (found.first != found.first).all()


def test_windows_are_as_long_as_they_should_be_and_follow_each_other(minilm: LoadedModel) -> None:
    windows = cut_windows(minilm, SENTENCES)
    ids = [window.inputs["input_ids"] for window in windows]
    assert {len(window) for window in ids} == {N_TOKENS}
    tokens = tokenize(minilm.tokenizer, " ".join(SENTENCES)).tokens
    running = [token.id for token in tokens[1:-1]]
    inside = [id for window in ids for id in window[1:-1]]
    assert inside == running[: len(inside)]
    assert len(running) - len(inside) < N_TOKENS - 2
    fewer = [window.inputs["input_ids"] for window in cut_windows(minilm, SENTENCES, size=3)]
    assert len(fewer) == 3
    assert all(window in ids for window in fewer)


def test_batches_of_windows_are_the_windows_in_order(tiny: LoadedModel) -> None:
    windows = cut_windows(tiny, SENTENCES)
    parts = list(batch_windows(windows))
    assert len(parts) > 1
    assert [window for _, batch in parts for window in batch] == windows
    assert all(windows[places] == batch for places, batch in parts)


def test_one_window_has_a_mean_and_no_interval(tiny: LoadedModel) -> None:
    found = measure_sink(tiny, SENTENCES, size=1)
    assert found.windows == 1
    assert (found.first > 0).all()
    assert (found.first_low != found.first_low).all()
