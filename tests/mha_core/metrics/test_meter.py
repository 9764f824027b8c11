"""A run measured layer by layer."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from mha_core.attention import Weights
from mha_core.metrics import meter as module
from mha_core.metrics.catalogue import METRICS
from mha_core.metrics.measure import measure
from mha_core.metrics.meter import LayerMeasures, LayerQueue, Meter
from mha_core.metrics.sentence_labels import sentence_labels
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import analyse
from mha_core.runs.value_weights import value_norms, weight_by_value
from mha_core.tap import LayerCapture
from mha_core.text.tokenization import tokenize

TEXT = "The unbelievable animal didn't cross the street, because the animal was too tired."


def measured(model: LoadedModel, text: str) -> tuple[Meter, list[LayerMeasures]]:
    tokenized = tokenize(model.tokenizer, text)
    meter = Meter.of(model, tokenized)
    queue = LayerQueue(meter)
    layers: list[LayerMeasures] = []

    def on_weights(capture: LayerCapture, weights: Weights) -> None:
        layers.extend(queue.put(meter.maps(capture, weights, weighted=True)))

    analyse(model, tokenized, on_weights)
    return meter, layers


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_layers_are_measured_while_they_run(name: str, request: pytest.FixtureRequest) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    meter, layers = measured(model, TEXT)
    assert meter.passage.causal == (name == "smollm2")
    assert meter.passage.directions is not None
    assert [layer.layer for layer in layers] == list(range(model.architecture.n_layers))
    analysis = analyse(model, tokenize(model.tokenizer, TEXT))
    for layer in (layers[0], layers[-1]):
        capture = analysis.layers[layer.layer]
        grams = model.grams[capture.site]
        pattern = capture.pattern()[0]
        raw = measure(pattern, meter.passage)
        norms = value_norms(capture.v[0], grams)
        weighted = measure(weight_by_value(pattern, norms), meter.passage)
        assert layer.weighted is not None
        for metric in METRICS:
            for found, alone in ((layer.raw, raw), (layer.weighted, weighted)):
                assert found[metric].device.type == "cpu"
                torch.testing.assert_close(
                    found[metric], alone[metric].cpu(), atol=1e-5, rtol=1e-4, equal_nan=True
                )
        assert layer.labels == sentence_labels(layer.raw, meter.opportunities)


def test_a_family_without_a_known_projection_is_measured_raw(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    entry = entry_for(str(model_directory("bert")))
    model = load(entry, models_dir=tmp_path, device="cpu", hub=False)
    stranger = replace(model, architecture=replace(model.architecture, family="stranger"))
    _, known = measured(model, TEXT)
    _, unknown = measured(stranger, TEXT)
    assert known[0].weighted is not None
    assert {layer.weighted for layer in unknown} == {None}
    torch.testing.assert_close(unknown[0].raw["previous"], known[0].raw["previous"])


def test_value_weights_take_attention_off_the_delimiter(minilm: LoadedModel) -> None:
    _, layers = measured(minilm, TEXT)
    raw = torch.stack([layer.raw["special"] for layer in layers[1:]]).mean()
    weighted = [layer.weighted["special"] for layer in layers[1:] if layer.weighted]
    assert torch.stack(weighted).mean() < raw / 2


@pytest.mark.parametrize("family", ["bart", "t5"])
def test_each_stack_within_a_text_is_measured_on_what_it_reads(
    family: str, model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    entry = entry_for(str(model_directory(family)))
    model = load(entry, models_dir=tmp_path, device="cpu", hub=False)
    tokenized = model.tokenize(TEXT, "The animal slept, for the animal was tired.")
    meter, analysis = Meter.of(model, tokenized), analyse(model, tokenized)
    assert [meter.covers(it.site) for it in analysis.layers] == [
        it.site.stack != "cross" for it in analysis.layers
    ]
    assert {name: passage.causal for name, passage in meter.passages.items()} == {
        "encoder": False,
        "decoder": True,
    }
    for stack, passage in meter.passages.items():
        for layer, capture in enumerate(analysis.captures(stack)):
            pattern = capture.pattern()[0]
            [found] = meter.measure(
                [meter.summarize(meter.maps(capture, capture.weights(), weighted=True))]
            )
            alone = measure(pattern, passage)
            assert (found.stack, found.layer) == (stack, layer)
            for metric in METRICS:
                torch.testing.assert_close(
                    found.raw[metric], alone[metric], atol=1e-5, rtol=1e-4, equal_nan=True
                )
    words = [token for token in tokenized.tokens if token.text.lower() == "animal"]
    assert [token.segment for token in words] == [0, 0, 1, 1]
    assert meter.opportunities["duplicate"].n > 0
    assert meter.decoder_opportunities is not None
    assert meter.decoder_opportunities["duplicate"].n > 0
    assert meter.decoder_opportunities != meter.opportunities


def test_a_decoder_that_reads_its_start_token_alone_is_measured(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    entry = entry_for(str(model_directory("t5")))
    model = load(entry, models_dir=tmp_path, device="cpu", hub=False)
    tokenized = model.tokenize(TEXT)
    meter, analysis = Meter.of(model, tokenized), analyse(model, tokenized)
    capture = analysis.captures("decoder")[0]
    assert capture.pattern()[0].shape == (4, 1, 1)
    [found] = meter.measure(
        [meter.summarize(meter.maps(capture, capture.weights(), weighted=False))]
    )
    assert found.raw.keys() == METRICS.keys()
    assert found.weighted is None


def test_a_model_with_one_stack_has_no_other_opportunities(minilm: LoadedModel) -> None:
    assert Meter.of(minilm, minilm.tokenize(TEXT, "And a second.")).decoder_opportunities is None


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5"])
@pytest.mark.parametrize("cells", [0, 1500, 10**6])
def test_layers_measured_together_are_as_if_measured_alone(
    family: str,
    cells: int,
    model_directory: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "CELLS_TOGETHER", cells)
    entry = entry_for(str(model_directory(family)))
    model = load(entry, models_dir=tmp_path, device="cpu", hub=False)
    tokenized = model.tokenize(TEXT, "The animal slept." if family == "t5" else None)
    meter = Meter.of(model, tokenized)
    queue, together = LayerQueue(meter), list[LayerMeasures]()

    def on_weights(capture: LayerCapture, weights: Weights) -> None:
        together.extend(queue.put(meter.maps(capture, weights, weighted=True)))

    analysis = analyse(model, tokenized, on_weights)
    alone = [
        meter.measure([meter.summarize(meter.maps(capture, capture.weights(), weighted=True))])[0]
        for capture in analysis.layers
        if meter.covers(capture.site)
    ]
    assert [(it.stack, it.layer) for it in together] == [(it.stack, it.layer) for it in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.labels == other.labels
        assert one.weighted is not None
        assert other.weighted is not None
        for name in METRICS:
            for mine, theirs in ((one.raw, other.raw), (one.weighted, other.weighted)):
                torch.testing.assert_close(
                    mine[name], theirs[name], atol=1e-6, rtol=1e-5, equal_nan=True
                )


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_a_run_does_not_depend_on_the_default_dtype_which_loading_another_model_changes(
    family: str, model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    model = load(entry_for(str(model_directory(family))), models_dir=tmp_path, hub=False)
    _, expected = measured(model, TEXT)
    torch.set_default_dtype(torch.bfloat16)
    try:
        _, found = measured(model, TEXT)
    finally:
        torch.set_default_dtype(torch.float32)
    for one, other in zip(found, expected, strict=True):
        for name, values in other.raw.items():
            torch.testing.assert_close(one.raw[name], values, equal_nan=True, msg=name)
