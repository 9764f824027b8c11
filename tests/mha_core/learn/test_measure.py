"""What is measured of a small model at a point: HeadScope's own metrics, on texts it never saw."""

import pytest
import torch
from torch import Tensor

from mha_core.learn.checkpoint import save_checkpoint
from mha_core.learn.measure import measure_metrics, measure_point, measure_predictions
from mha_core.learn.probe import N_TEXTS, Probe
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.settings import RunSettings
from mha_core.learn.tasks.catalogue import make_config, make_task
from mha_core.learn.trainer import Trainer, mean_loss
from mha_core.metrics.meter import Meter
from mha_core.models.loading import load
from mha_core.runs.analysis import analyse
from mha_core.tap import LayerCapture
from mha_core.transformer import Transformer
from tests.mha_core.learn.conftest import SMALL


def model_of(**values: object) -> tuple[Transformer, Probe]:
    settings = RunSettings.model_validate(SMALL.model_dump() | values)
    torch.manual_seed(0)
    return Transformer(make_config(settings)).eval(), Probe.of(make_task(settings))


def test_the_loss_is_that_of_the_training_on_other_texts() -> None:
    trainer = Trainer(SMALL)
    probe = Probe.of(trainer.task)
    with torch.no_grad():
        loss, accuracy = measure_predictions(trainer.model, probe)
        assert loss == pytest.approx(float(mean_loss(trainer.model, probe.batch)), abs=1e-5)
    assert 0 <= accuracy < 0.2


def test_heads_that_can_see_only_the_token_before_have_that_role() -> None:
    model, probe = model_of(first_layer="previous_only")
    point = measure_point(model, probe, step=0)
    first, second = point.metrics["previous"].value
    assert first == [pytest.approx(1.0)] * 2
    assert all(value is not None and value < 0.6 for value in second)
    roles = {(it.layer, it.head) for it in point.roles if it.role == "previous"}
    assert roles == {(0, 0), (0, 1)}


def test_metrics_are_those_that_any_model_is_measured_by(small_run: RunDirectory) -> None:
    """The mean over the probe's texts, each measured as the page measures a sentence."""
    from mha_core.learn.runs import entry_of
    from mha_core.transformer import load_transformer

    entry = entry_of(small_run)
    assert entry.checkpoint is not None
    network, probe = load_transformer(entry.checkpoint), Probe.of(make_task(SMALL))
    with torch.inference_mode():
        found, _ = measure_metrics(network, probe)
    loaded = load(entry, models_dir=small_run.path)
    vocabulary = probe.task.vocabulary
    sums: dict[str, Tensor] = {}
    cases: dict[str, int] = {}
    for row, n in zip(probe.batch.tokens[:N_TEXTS].tolist(), probe.batch.lengths, strict=False):
        tokenized = loaded.tokenize(" ".join(vocabulary[id] for id in row[1 : int(n)]))
        assert [token.id for token in tokenized.tokens] == row[: int(n)]
        meter = Meter.of(loaded, tokenized)
        summaries = []

        def on_weights(capture: LayerCapture, weights: object) -> None:
            maps = meter.maps(capture, weights, weighted=False)  # type: ignore[arg-type] # noqa: B023
            summaries.append(meter.summarize(maps))  # noqa: B023

        analyse(loaded, tokenized, on_weights)
        measured = torch.stack(
            [torch.stack([it.raw[name] for name in found]) for it in meter.measure(summaries)]
        )  # [L, metrics, H]
        for place, name in enumerate(found):
            n_cases = meter.opportunities[name].n
            cases[name] = cases.get(name, 0) + n_cases
            sums[name] = (
                sums.get(name, torch.zeros(2, 2)) + n_cases * measured[:, place].nan_to_num()
            )
    assert {"previous", "induction", "duplicate", "entropy", "first"} <= set(found)
    for name, values in found.items():
        assert values.n == cases[name]
        expected = (sums[name] / cases[name]).tolist()
        assert [pytest.approx(row, abs=1e-5) for row in expected] == values.value, name


def test_intervals_contain_the_value(small_run: RunDirectory) -> None:
    model, probe = model_of()
    with torch.inference_mode():
        found, _ = measure_metrics(model, probe)
    for values in found.values():
        for row in zip(values.low, values.value, values.high, strict=True):
            for low, value, high in zip(*row, strict=True):
                assert low is not None
                assert value is not None
                assert high is not None
                assert low <= value <= high


def test_a_checkpoint_keeps_vocabulary_and_examples(new_run: RunDirectory) -> None:
    model, _ = model_of()
    save_checkpoint(model, SMALL, new_run, 7)
    from mha_core.models.weights_header import read_header

    notes = read_header(new_run.weights_file(7)).metadata
    assert {"config", "vocabulary", "examples", "settings", "step"} <= set(notes)
