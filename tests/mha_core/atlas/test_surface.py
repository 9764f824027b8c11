"""Surface means are those of the sentence metrics, counted by their opportunities."""

import numpy as np
import pytest

import mha_core.atlas.surface as surface
from mha_core.atlas.surface import SURFACE, SurfaceCounter, SurfaceTally
from mha_core.attention import Weights
from mha_core.metrics.meter import LayerMeasures, Meter
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import TokenizedText

TEXTS = ["the cat saw the cat", "a dog ran to a dog", "the old cats were not happy about it."]
PLACE = {name: at for at, name in enumerate(SURFACE)}


def counted(model: LoadedModel, texts: list[TokenizedText]) -> SurfaceTally:
    watcher = SurfaceCounter(model, texts)
    model.forward_all(texts, Tap(watcher))
    return watcher.tally


def measured(model: LoadedModel, text: TokenizedText) -> tuple[Meter, list[LayerMeasures]]:
    meter, layers = Meter.of(model, text), []

    def on_weights(capture: LayerCapture, weights: Weights) -> None:
        layers.extend(meter.measure([meter.summarize(meter.maps(capture, weights, weighted=True))]))

    model.forward(text, Tap(on_weights=on_weights))
    return meter, layers


def one_by_one(model: LoadedModel, texts: list[TokenizedText]) -> tuple[np.ndarray, np.ndarray]:
    """Values [S, 2, M, L, H] and opportunities [S, M] of sentences measured alone."""
    values, n = [], []
    for text in texts:
        meter, layers = measured(model, text)
        kinds = [[layer.raw for layer in layers], [layer.weighted or {} for layer in layers]]
        values.append(
            [[[kind[name].numpy() for kind in kinds_of] for name in SURFACE] for kinds_of in kinds]
        )
        n.append([meter.opportunities[name].n for name in SURFACE])
    return np.array(values, float), np.array(n, float)


@pytest.mark.parametrize("name", ["minilm", "smollm2", "tiny"])
def test_the_mean_weighs_each_sentence_by_its_opportunities(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    texts = [tokenize(model.tokenizer, text) for text in TEXTS]
    tally = SurfaceTally.empty(model.architecture.n_layers, model.architecture.n_heads)
    for text in texts:
        tally = tally + counted(model, [text])
    values, n = one_by_one(model, texts)
    weight = n[:, None, :, None, None] * ~np.isnan(values)
    total = (weight * np.nan_to_num(values)).sum(0)
    expected = total / np.where(weight.sum(0) > 0, weight.sum(0), np.nan)
    assert tally.mean == pytest.approx(expected, abs=1e-4, nan_ok=True)
    # A sentence whose words are all equally alike has pairs, and no rank correlation.
    assert tally.opportunities == pytest.approx(weight[:, 0].sum(0).max((1, 2)))
    assert np.isfinite(tally.mean[:, PLACE["duplicate"]]).all(), "these texts repeat words"
    assert np.isnan(tally.mean[:, PLACE["segment"]]).all(), "one sentence has no second segment"


def test_a_batch_counts_as_its_sentences_alone_do(minilm: LoadedModel) -> None:
    texts = [tokenize(minilm.tokenizer, text) for text in TEXTS[:2]]
    texts = [texts[0], tokenize(minilm.tokenizer, "see how the dog ran"), texts[0]]
    together = counted(minilm, texts)
    apart = counted(minilm, texts[:1]) + counted(minilm, texts[1:2]) + counted(minilm, texts[2:])
    theirs = apart.arrays()
    for name, mine in together.arrays().items():
        assert mine == pytest.approx(theirs[name], abs=1e-2 if "squared" in name else 1e-3), name


def test_maps_that_do_not_fit_together_are_measured_in_turn(
    minilm: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [tokenize(minilm.tokenizer, TEXTS[0])]
    whole = counted(minilm, texts)
    monkeypatch.setattr(surface, "_MOST_WAITING", 1)
    assert counted(minilm, texts).mean == pytest.approx(whole.mean, abs=1e-5, nan_ok=True)


def test_the_interval_is_that_of_a_ratio_and_covers_the_truth_as_often_as_it_says() -> None:
    draws = np.random.default_rng(0)
    at, covered, tries = PLACE["first"], 0, 400
    for _ in range(tries):
        n = draws.integers(5, 40, 200).astype(float)
        v = np.clip(0.3 + 0.1 * draws.normal(size=200) + 0.004 * (n - 22), 0, 1)
        tally = SurfaceTally.empty(1, 1)
        sums = (np.ones(200), n, n * n, n * v, (n * v) ** 2, n * n * v)
        for part, amounts in zip(list(tally.arrays().values())[:6], sums, strict=True):
            part[0, at] = amounts.sum()
        row = tally.measure("first")
        truth = 0.3 + 0.004 * (np.arange(5, 40) * (np.arange(5, 40) - 22)).mean() / 22
        covered += bool(row.low[0, 0] < truth < row.high[0, 0])
        assert 0.005 < row.high[0, 0] - row.values[0, 0] < 0.05
    assert 0.91 < covered / tries < 0.985


def test_a_row_tells_cases_baseline_and_the_value_weighted_twin(minilm: LoadedModel) -> None:
    text = tokenize(minilm.tokenizer, TEXTS[2])
    tally = counted(minilm, [text])
    row = tally.measure("special")
    meter, layers = measured(minilm, text)
    seen = meter.opportunities["special"]
    assert row.n == seen.n
    assert row.baseline == pytest.approx(seen.baseline)
    assert row.values[3] == pytest.approx(layers[3].raw["special"].numpy(), abs=1e-5)
    assert layers[3].weighted is not None
    assert row.weighted[3] == pytest.approx(layers[3].weighted["special"].numpy(), abs=1e-5)
    assert np.isnan(row.low).all(), "one sentence has no interval"
    twice = (tally + tally).measure("special")
    assert twice.low == pytest.approx(twice.values, abs=1e-3)
