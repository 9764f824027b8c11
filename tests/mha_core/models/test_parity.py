"""A check against eager attention that passes in every family, and fails when a map is wrong."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import PreTrainedModel

from mha_core.attention import Weights, Workspace, attention_weights
from mha_core.errors import ModelFailed
from mha_core.models.catalogue import entry_for, find
from mha_core.models.loading import LoadedModel, load
from mha_core.models.parity import TOLERANCES, Parity, check_parity
from mha_core.stacks import Site

ONE_STACK = ("bert", "roberta", "distilbert", "gpt2", "gpt_neox", "llama", "qwen2")
TWO_STACKS = ("bart", "marian", "t5")


@pytest.fixture
def load_small(
    model_directory: Callable[[str], Path], models_dir: Path, device: torch.device
) -> Callable[..., LoadedModel]:
    """A function family -> a small random model of it, with maps that are far from uniform."""

    def build(family: str, dtype: str = "float32") -> LoadedModel:
        entry = entry_for(str(model_directory(family)))
        model = load(entry, models_dir=models_dir, device=str(device), dtype=dtype, hub=False)
        draws = torch.Generator().manual_seed(7)
        for weight in model.network.parameters():
            if weight.ndim == 2:
                weight.copy_(torch.randn(weight.shape, generator=draws) * 0.25)
        return model

    return build


@pytest.fixture
def tiny(models_dir: Path, device: torch.device) -> LoadedModel:
    return load(find("headscope-tiny"), models_dir=models_dir, device=str(device))


def use_weights(patch: pytest.MonkeyPatch, change: Callable[[int, Weights], Weights]) -> None:
    """Let the tap compute wrong weights: `change` is called with the number of the layer."""
    calls: list[int] = []

    def wrong(
        q: Tensor, k: Tensor, mask: Tensor | None, scale: float, workspace: Workspace | None = None
    ) -> Weights:
        calls.append(len(calls))
        return change(calls[-1], attention_weights(q, k, mask, scale, workspace))

    patch.setattr("mha_core.tap.attention_weights", wrong)


@pytest.mark.parametrize("family", [*ONE_STACK, *TWO_STACKS])
def test_every_family_is_the_same_as_eager_attention(
    family: str, load_small: Callable[..., LoadedModel]
) -> None:
    parity = check_parity(load_small(family))
    # Two layers of four heads; an encoder-decoder has also three layers of two, or of four, twice.
    n_maps = {"t5": 8 + 2 * 12, "bart": 8 + 2 * 6, "marian": 8 + 2 * 6}.get(family, 8)
    assert (parity.reference, parity.n_maps, parity.same) == ("eager", n_maps, True)
    assert parity.n_stacks == (3 if family in TWO_STACKS else 1)
    assert parity.difference < 1e-5
    assert parity.hidden_difference < 1e-5
    assert parity.ratio > 0
    assert parity.bare_seconds > 0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_differs_by_its_rounding_and_no_more(
    dtype: str, load_small: Callable[..., LoadedModel]
) -> None:
    parity = check_parity(load_small("bert", dtype))
    assert parity.dtype == getattr(torch, dtype)
    assert 0 < parity.difference < TOLERANCES[parity.dtype]


def test_the_own_model_is_compared_with_the_formula(tiny: LoadedModel) -> None:
    parity = check_parity(tiny)
    assert (parity.reference, parity.n_maps, parity.same) == ("formula", 16, True)


@pytest.mark.parametrize("family", ["bert", "llama", "t5", "headscope-tiny"])
def test_one_wrong_head_is_found_and_named(
    family: str,
    load_small: Callable[..., LoadedModel],
    tiny: LoadedModel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = tiny if family == "headscope-tiny" else load_small(family)

    def look_at_the_first_key(layer: int, weights: Weights) -> Weights:
        if layer == 1:
            weights.pattern[:, 3] = 0
            weights.pattern[:, 3, :, 0] = 1
        return weights

    use_weights(monkeypatch, look_at_the_first_key)
    parity = check_parity(model)
    assert not parity.same
    assert parity.difference > 0.1
    stack = "decoder" if family in ("llama", "headscope-tiny") else "encoder"
    if family != "t5":  # the error spreads from its encoder to all that follows
        assert (parity.site, parity.head) == (Site(1, stack), 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("family", ["gpt2", "qwen2", "bart", "headscope-tiny"])
def test_a_wrong_scale_is_found(
    family: str,
    load_small: Callable[..., LoadedModel],
    tiny: LoadedModel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = tiny if family == "headscope-tiny" else load_small(family)
    monkeypatch.setattr(
        "mha_core.tap.attention_weights",
        lambda q, k, mask, scale, workspace: attention_weights(q, k, mask, scale * 1.02, workspace),
    )
    parity = check_parity(model)
    assert (parity.same, parity.difference > parity.tolerance) == (False, True)


def test_a_right_map_with_a_wrong_result_is_found_in_the_hidden_state(
    load_small: Callable[..., LoadedModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load_small("bert")
    calls: list[int] = []

    def wrong_in_the_last_layer(pattern: Tensor, v: Tensor) -> Tensor:
        calls.append(len(calls))
        return pattern @ v * (1.1 if calls[-1] == 1 else 1)

    monkeypatch.setattr("mha_core.tap.mix", wrong_in_the_last_layer)
    parity = check_parity(model)
    assert parity.difference < 1e-5
    assert parity.hidden_difference > parity.tolerance
    assert not parity.same


def test_a_map_with_nan_is_not_the_same(
    load_small: Callable[..., LoadedModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load_small("bert")

    def lose_a_weight(layer: int, weights: Weights) -> Weights:
        pattern = weights.pattern.clone()
        pattern[:, 2, 0, 0] = math.nan if layer == 0 else pattern[:, 2, 0, 0]
        return weights._replace(pattern=pattern)

    use_weights(monkeypatch, lose_a_weight)
    monkeypatch.setattr("mha_core.tap.mix", lambda pattern, v: pattern.nan_to_num() @ v)
    parity = check_parity(model)
    assert math.isnan(parity.difference)
    assert (parity.site, parity.head, parity.same) == (Site(0), 2, False)


def test_the_model_is_left_as_it_was(load_small: Callable[..., LoadedModel]) -> None:
    model = load_small("t5")
    network = model.network
    assert isinstance(network, PreTrainedModel)
    tokenized = model.tokenize("One two.", "Three.")
    before, weights = model.forward(tokenized), [w.clone() for w in network.parameters()]
    check_parity(model)
    assert torch.equal(model.forward(tokenized), before)
    assert all(torch.equal(w, old) for w, old in zip(network.parameters(), weights, strict=True))
    configs = [part.config for part in network.modules() if isinstance(part, PreTrainedModel)]
    assert {config._attn_implementation for config in configs} == {"headscope"}


def test_a_model_with_few_positions_reads_fewer_words(
    load_small: Callable[..., LoadedModel],
) -> None:
    for family in ("gpt2", "bart"):
        model = load_small(family)
        short = replace(model, architecture=replace(model.architecture, max_tokens=8))
        assert check_parity(short).same


def test_a_family_whose_maps_transformers_does_not_return_is_an_error(
    load_small: Callable[..., LoadedModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Fused attention returns none, as a family does that has no other.
    monkeypatch.setattr(PreTrainedModel, "set_attn_implementation", lambda *_: None)
    with pytest.raises(ModelFailed, match="transformers returns no such maps of encoder layer 0"):
        check_parity(load_small("bert"))


def test_either_difference_alone_decides_the_verdict() -> None:
    device = torch.device("cpu")
    found = Parity("eager", device, torch.float32, 1, 8, 1e-6, Site(0), 0, 1e-6, 0.1, 1.0)
    assert found.same
    assert not replace(found, difference=1e-3).same
    assert not replace(found, hidden_difference=1e-3).same
    assert replace(found, difference=1e-3, dtype=torch.float16).same
