"""Keys, queries and states behind the sink: by hand, and against the models' own hidden states."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from mha_core.atlas.means import mean_interval
from mha_core.atlas.sink import cut_windows
from mha_core.atlas.sink_anatomy import (
    SinkAnatomy,
    compare_keys,
    find_largest,
    measure_sink_anatomy,
    observe_states,
)
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.tap import LayerCapture, Tap, attention_sites

SENTENCES = [f"Number {n} is followed by number {n + 1}, as some people know." for n in range(15)]


def test_norms_and_cosines_of_keys_and_queries_made_by_hand() -> None:
    # Queries point east; the first key points west, the second north, the third east.
    q = torch.tensor([[9.0, 9], [2, 0], [4, 0]]).expand(1, 2, 3, 2)
    k = torch.tensor([[-6.0, 0], [0, 1], [2, 0]]).expand(1, 1, 3, 2)
    for causal, other in ((True, (0 + 0.5) / 2), (False, 0.5)):
        found = compare_keys(q, k, causal=causal)  # one key head serves both
        expected = torch.tensor([4, 3, -1, other])
        torch.testing.assert_close(found, expected[:, None, None].expand(4, 1, 2))


def test_the_largest_activation_is_found_whatever_its_sign() -> None:
    state = torch.ones(2, 3, 4)
    state[0, 0, 2] = -50
    state[1, 2, 1] = 8
    assert find_largest(state).tolist() == [[50, 8], [1, 1], [0, 2], [2, 1]]


@pytest.mark.parametrize("name", ["minilm", "smollm2", "tiny"])
def test_the_anatomy_is_the_mean_over_windows(name: str, request: pytest.FixtureRequest) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    causal = model.architecture.kind == "decoder"
    windows = cut_windows(model, SENTENCES)
    per_window = []
    for window in windows:
        layers: list[Tensor] = []

        def on_layer(capture: LayerCapture, layers: list[Tensor] = layers) -> None:
            layers.append(compare_keys(capture.q, capture.k, causal=causal)[:, 0].double().cpu())

        model.forward(window, Tap(on_layer=on_layer))
        per_window.append(torch.stack(layers, 1).numpy())  # [4, L, H]
    found = measure_sink_anatomy(model, SENTENCES)
    assert found.windows == len(windows) > 1
    numbers = np.stack(per_window, 1)  # [4, N, L, H]
    names = ("key_norm_ratio", "query_norm", "cosine_first", "cosine_other")
    for which, number in enumerate(names):
        mean, low, high = mean_interval(numbers[which])
        assert getattr(found, number) == pytest.approx(mean, abs=1e-3)
        assert getattr(found, f"{number}_low") == pytest.approx(low, abs=1e-2)
        assert getattr(found, f"{number}_high") == pytest.approx(high, abs=1e-2)
    assert found.massive_magnitude.shape == (model.architecture.n_layers + 1,)
    assert (found.massive_magnitude > found.massive_median).all()
    assert (found.massive_position_share > 1 / 64).all()
    again = SinkAnatomy.from_arrays(found.arrays())
    assert (again.massive_dimension == found.massive_dimension).all()


def test_a_real_causal_model_keeps_a_massive_activation_on_its_first_token(
    smollm2: LoadedModel,
) -> None:
    found = measure_sink_anatomy(smollm2, SENTENCES)
    middle = slice(12, 28)
    assert (found.massive_position[middle] == 0).all()
    assert (found.massive_position_share[middle] == 1).all()
    assert len(set(found.massive_dimension[middle])) == 1
    assert (found.massive_magnitude > 1000 * found.massive_median)[middle].all()


FAMILIES = ["bert", "distilbert", "roberta", "gpt2", "gpt_neox", "llama", "qwen2", "bart", "t5"]


@pytest.mark.parametrize("family", FAMILIES)
def test_states_are_the_hidden_states_of_transformers_before_the_final_norm(
    family: str, model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    entry = entry_for(str(model_directory(family)))
    model = load(entry, models_dir=tmp_path, device="cpu", hub=False)
    states: dict[int, Tensor] = {}
    # An encoder-decoder runs its encoder alone.
    window = cut_windows(model, SENTENCES)[0]
    last = observe_states(model, states.__setitem__).forward(window)
    network = model.network.get_encoder() if family in ("bart", "t5") else model.network  # type: ignore[operator]
    ids = {name: torch.tensor([values]) for name, values in window.inputs.items()}
    with torch.inference_mode():
        expected = network(**ids, output_hidden_states=True).hidden_states
    assert list(states) == list(range(model.architecture.n_layers + 1))
    for layer, state in enumerate(expected[:-1]):
        torch.testing.assert_close(states[layer], state)
    norms = {"gpt2": "ln_f", "gpt_neox": "final_layer_norm", "llama": "norm", "qwen2": "norm"}
    path = norms.get(family, "encoder.final_layer_norm" if family == "t5" else None)
    after = states[model.architecture.n_layers]
    with torch.inference_mode():
        final = after if path is None else model.network.get_submodule(path)(after)
    torch.testing.assert_close(final, last)


def test_the_own_models_states_end_before_its_final_norm(tiny: LoadedModel) -> None:
    states: dict[int, Tensor] = {}
    text = tiny.tokenize("what flows")
    last = observe_states(tiny, states.__setitem__).forward(text)
    assert sorted(states) == [0, 1, 2]
    torch.testing.assert_close(tiny.network.get_submodule("final_norm")(states[2]), last)
    tokens = tiny.network.get_submodule("tokens").get_parameter("weight")
    ids = text.inputs["input_ids"]
    positions = tiny.network.get_parameter("positions")[: len(ids)]
    torch.testing.assert_close(states[0][0], tokens[ids] + positions)


def test_observing_a_copy_leaves_the_model_alone_and_takes_no_memory_for_weights(
    tiny: LoadedModel,
) -> None:
    calls: list[int] = []
    copied = observe_states(tiny, lambda layer, state: calls.append(layer))
    tiny.forward(tiny.tokenize("unobserved"))
    assert calls == []
    assert not any(module._forward_hooks for module in tiny.network.modules())
    for mine, theirs in zip(tiny.network.parameters(), copied.network.parameters(), strict=True):
        assert mine is theirs


def test_a_model_whose_layers_cannot_be_found_has_heads_and_no_states(tiny: LoadedModel) -> None:
    network = deepcopy(tiny.network)
    network.blocks = nn.Sequential(*network.get_submodule("blocks").children())
    other = replace(tiny, network=network, sites=attention_sites(network))
    found, known = (measure_sink_anatomy(model, SENTENCES, size=2) for model in (other, tiny))
    for name, array in found.arrays().items():
        if name.startswith("massive"):
            assert np.isnan(array).all()
        else:
            assert array == pytest.approx(known.arrays()[name], rel=1e-3, abs=1e-3)


def test_a_text_below_one_window_gives_no_number(tiny: LoadedModel) -> None:
    found = measure_sink_anatomy(tiny, ["too short"])
    assert found.windows == 0
    for name, array in found.arrays().items():
        assert name == "windows" or np.isnan(array).all()
