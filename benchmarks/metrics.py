"""All metrics of all heads against the bare forward pass, and what value-weighted ones add.

Measured is what the metrics add to a run: the text's tables, and each layer's metrics on the host.
Value-weighted metrics are computed on demand only, so they have a figure of their own.
"""

from collections.abc import Callable, Iterator

import torch

from benchmarks.analysis import NAMES
from benchmarks.measure import Row, compare
from benchmarks.models import model_directory, text_of
from mha_core.metrics.meter import LayerMeasures, LayerQueue, Meter
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import Analysis, analyse
from mha_core.text.tokenization import tokenize

N_TOKENS = 128
MAX_RATIO = 0.10
REPEATS = 21


def rows() -> Iterator[Row]:
    for family, name in NAMES.items():
        with model_directory(family) as directory:
            model = load(entry_for(str(directory)), models_dir=directory.parent, hub=False)
            yield from at_length(model, N_TOKENS, REPEATS, name)


def at_length(model: LoadedModel, n_tokens: int, repeats: int, name: str) -> Iterator[Row]:
    """One model at one length: metrics of raw attention, then of raw and value-weighted."""
    tokenized = tokenize(model.tokenizer, text_of(n_tokens))
    analysis = analyse(model, tokenized)
    n_heads = model.architecture.n_layers * model.architecture.n_heads
    for weighted, words in ((False, ""), (True, " and, on demand, of their value-weighted maps")):
        ours = metering(model, analysis, weighted=weighted)
        comparison = compare(ours, lambda: model.forward(tokenized), repeats)
        yield Row(
            f"all metrics of {n_heads} heads{words} against the bare forward pass: "
            f"{name}, {n_tokens} tokens",
            f"{comparison.ratio:.2f}x ({comparison.times})",
            "none: on demand" if weighted else f"under {MAX_RATIO:.2f}x",
            None if weighted else comparison.ratio < MAX_RATIO,
        )


def metering(
    model: LoadedModel, analysis: Analysis, *, weighted: bool
) -> Callable[[], list[LayerMeasures]]:
    """A function that measures a finished run; the time of its patterns is not included."""
    with torch.inference_mode():
        layers = [(capture, capture.weights()) for capture in analysis.layers]

    def measure() -> list[LayerMeasures]:
        meter = Meter.of(model, analysis.tokenized)
        queue, measures = LayerQueue(meter), list[LayerMeasures]()
        with torch.inference_mode():
            for capture, kept in layers:
                # A copy, because measuring overwrites the scores.
                weights = kept._replace(scores=kept.scores.clone())
                measures += queue.put(meter.maps(capture, weights, weighted=weighted))
        return measures

    return measure
