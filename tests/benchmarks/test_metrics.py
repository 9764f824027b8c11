"""The benchmark of all metrics, on a model small enough for a test."""

from collections.abc import Callable
from pathlib import Path

from benchmarks.metrics import at_length, metering
from benchmarks.models import text_of
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import load
from mha_core.runs.analysis import analyse
from mha_core.text.tokenization import tokenize


def test_every_layer_is_measured_each_time_and_value_weighted_on_request(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    entry = entry_for(str(model_directory("bert")))
    model = load(entry, models_dir=tmp_path, device="cpu", hub=False)
    analysis = analyse(model, tokenize(model.tokenizer, text_of(16)))
    for weighted in (False, True):
        measure = metering(model, analysis, weighted=weighted)
        for layers in (measure(), measure()):
            assert [layer.layer for layer in layers] == [0, 1]
            assert all((layer.weighted is not None) == weighted for layer in layers)


def test_a_length_gives_a_row_without_value_weighted_maps_and_one_with_them(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    entry = entry_for(str(model_directory("bert")))
    model = load(entry, models_dir=tmp_path, device="cpu", hub=False)
    plain, both = at_length(model, 16, 3, "small")
    assert plain.what == "all metrics of 8 heads against the bare forward pass: small, 16 tokens"
    assert "on demand, of their value-weighted maps" in both.what
    assert both.kept is None
    assert both.measured.endswith("ms)")
