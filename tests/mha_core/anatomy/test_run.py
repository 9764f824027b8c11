"""What is shown is what the model itself computes, in every family, layer by layer."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from mha_core.anatomy.edits import Edits
from mha_core.anatomy.run import MAX_TOKENS, check_short, run_anatomy
from mha_core.errors import Cancelled, NoAnatomy, TextTooLong
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis, analyse
from mha_core.tap import attention_sites

REAL = ("headscope-tiny", "minilm", "smollm2")
SMALL = ("bert", "roberta", "gpt2", "llama", "qwen2")

ModelOf = Callable[[str], LoadedModel]
AnalysisOf = Callable[[str], Analysis]


def close(ours: Tensor, theirs: Tensor) -> None:
    """Equal to 1e-4 of the largest number."""
    largest = float(theirs.abs().max())
    torch.testing.assert_close(ours.cpu(), theirs.float().cpu(), rtol=0, atol=1e-4 * largest)


@pytest.mark.parametrize("name", [*REAL, *SMALL])
def test_every_layer_is_that_of_the_models_own_run(
    name: str, model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    model, analysis = model_of(name), analysis_of(name)
    hidden = model.forward(analysis.tokenized)[0]
    n_layers = model.architecture.n_layers
    for layer in range(n_layers) if name in SMALL else (0, 1, n_layers - 1):
        found = run_anatomy(model, analysis, layer)
        steps, capture = found.before.steps.attention, analysis.layers[layer]
        close(steps.used_q, capture.q[0])
        close(steps.used_k, capture.k[0])
        close(steps.v, capture.v[0])
        close(steps.pattern, capture.pattern()[0])
        close(found.before.hidden, hidden)
        assert found.difference < 1e-4
        assert found.after is found.before


@pytest.mark.parametrize("name", SMALL)
def test_the_maps_of_the_small_models_are_far_from_even(name: str, analysis_of: AnalysisOf) -> None:
    assert analysis_of(name).patterns(0)[:, -1].max() > 0.5, "even maps would prove little"


@pytest.mark.parametrize("name", ["gpt2", "llama", "smollm2", "headscope-tiny"])
def test_logits_are_those_of_the_model(
    name: str, model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    model, analysis = model_of(name), analysis_of(name)
    run = run_anatomy(model, analysis, 0).before
    assert run.computation.unembedding is not None
    expected = model.unembed(model.forward(analysis.tokenized)[0])
    assert expected is not None
    with torch.inference_mode():
        close(run.computation.unembedding(run.hidden), expected)


def changed(model: LoadedModel, **config: Any) -> LoadedModel:  # noqa: ANN401
    """The model built again with another configuration, its weights copied where they fit."""
    settings = copy.deepcopy(model.network.config)
    for name, value in config.items():
        setattr(settings, name, value)
    network = type(model.network)(settings).eval().requires_grad_(False)  # type: ignore[call-arg]
    weights = {
        name: weight
        for name, weight in model.network.state_dict().items()
        if weight.shape == network.state_dict()[name].shape
    }
    network.load_state_dict(weights, strict=False)
    return replace(model, network=network, sites=attention_sites(network))


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}),
        ("gpt2", {"activation_function": "relu"}),
        ("bert", {"layer_norm_eps": 0.5}),
        ("llama", {"rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e4}}),
        (
            "llama",
            {
                "rope_parameters": {
                    **{"rope_type": "llama3", "rope_theta": 1e4, "factor": 8.0},
                    **{"low_freq_factor": 1.0, "high_freq_factor": 4.0},
                    "original_max_position_embeddings": 64,
                }
            },
        ),
        ("qwen2", {"layer_types": ["sliding_attention"] * 2, "sliding_window": 3}),
    ],
)
def test_what_a_configuration_changes_is_followed(
    name: str, config: dict[str, object], model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    tokenized = analysis_of(name).tokenized
    model = changed(model_of(name), **config)
    analysis = analyse(model, tokenized)
    usual = analysis_of(name).layers[1]
    assert not torch.allclose(analysis.layers[1].pattern(), usual.pattern(), atol=1e-3)
    found = run_anatomy(model, analysis, 1)
    assert found.difference < 1e-4
    close(found.before.hidden, model.forward(tokenized)[0])


def test_heads_may_be_wider_than_their_share_of_the_model(
    model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    model = changed(model_of("llama"), head_dim=16)
    model = replace(model, architecture=replace(model.architecture, d_head=16))
    tokenized = analysis_of("llama").tokenized
    found = run_anatomy(model, analyse(model, tokenized), 1)
    assert found.before.steps.attention.q.shape == (4, len(tokenized.tokens), 16)
    close(found.before.hidden, model.forward(tokenized)[0])


@pytest.mark.parametrize("name", ["distilbert", "gpt_neox", "t5"])
def test_other_families_are_refused_with_those_that_work(name: str, model_of: ModelOf) -> None:
    model = model_of(name)
    with pytest.raises(NoAnatomy, match="such as headscope-tiny or minilm") as caught:
        run_anatomy(model, analyse(model, model.tokenize("a b")), 0)
    assert caught.value.details["family"] == name
    assert {"headscope", "bert", "gpt2", "llama"} <= set(caught.value.details["families"])


def test_a_model_that_computes_something_else_is_not_shown(
    model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    model = changed(model_of("bert"), layer_norm_eps=0.5)
    with pytest.raises(NoAnatomy, match="something else") as caught:
        run_anatomy(model, analysis_of("bert"), 1)
    assert caught.value.details["difference"] > 1e-3


def test_it_stops_at_the_next_layer_when_it_is_cancelled(
    model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    calls = []

    def check() -> None:
        calls.append(None)
        if len(calls) == 3:
            raise Cancelled("Nobody waits.")

    with pytest.raises(Cancelled):
        run_anatomy(model_of("minilm"), analysis_of("minilm"), 0, Edits(0, (1,)), check)
    assert len(calls) == 3


def test_a_long_text_is_refused_with_what_to_cut(model_of: ModelOf) -> None:
    model = model_of("minilm")
    check_short(model.tokenize("word " * (MAX_TOKENS - 2)))
    with pytest.raises(TextTooLong, match="65 tokens and the limit is 64: remove") as caught:
        check_short(model.tokenize("word " * (MAX_TOKENS - 1)))
    assert caught.value.details["cut"] == {"field": "text", "n_characters": 5 * 62 - 1}
