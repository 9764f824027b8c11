"""All metrics of all heads, and of their value-weighted twins, against the bare forward pass.

Ours is what measuring adds to a run: the text's tables, and every layer's metrics in host memory.
This file must not know sockets or browsers.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch

from benchmarks.analysis import NAMES
from benchmarks.measure import Row, compare
from benchmarks.models import model_directory, text_of
from mha_core.metrics.meter import LayerMeasures, Meter
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import Analysis, analyse
from mha_core.text.tokenization import tokenize

N_TOKENS = 128
MOST = 0.10
REPEATS = 21


def rows() -> Iterator[Row]:
    """Both kinds of model."""
    for family, name in NAMES.items():
        with model_directory(family) as directory:
            model = load(entry_for(str(directory)), models_dir=directory.parent, hub=False)
            yield from at_length(model, N_TOKENS, REPEATS, name)


def at_length(model: LoadedModel, n_tokens: int, repeats: int, name: str) -> Iterator[Row]:
    """One model at one length: the metrics of its attention, then those of both kinds of map."""
    tokenized = tokenize(model.tokenizer, text_of(n_tokens))
    analysis = analyse(model, tokenized)
    n_heads = model.architecture.n_layers * model.architecture.n_heads
    for twins, words in ((False, ""), (True, " and of their value-weighted twins")):
        ours = metering(model, analysis, twins=twins)
        comparison = compare(ours, lambda: model.forward(tokenized), repeats)
        yield Row(
            f"all metrics of {n_heads} heads{words} against the bare forward pass: "
            f"{name}, {n_tokens} tokens",
            f"{comparison.ratio:.2f}x ({comparison.times})",
            f"under {MOST:.2f}x",
            comparison.ratio < MOST,
        )


def metering(
    model: LoadedModel, analysis: Analysis, *, twins: bool
) -> Callable[[], list[LayerMeasures]]:
    """What measures a run that is over; its patterns were made by the run and cost nothing here."""
    with torch.inference_mode():
        layers = [(capture, capture.pattern()[0]) for capture in analysis.layers]

    def measure() -> list[LayerMeasures]:
        meter = Meter.of(model, analysis.tokenized)
        if not twins:
            meter = replace(meter, grams={})
        return [meter.measure(capture, pattern) for capture, pattern in layers]

    return measure
