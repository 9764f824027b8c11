"""One layer on one text, with and without edits, checked against the model itself."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from mha_core.anatomy.edits import Edits
from mha_core.anatomy.families import read_computation
from mha_core.anatomy.forward import ForwardPass, run_edited, run_forward
from mha_core.errors import NoAnatomy, TextTooLong
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis
from mha_core.tap import LayerCapture
from mha_core.text.cut import where_to_cut
from mha_core.text.tokens import TokenizedText

MAX_TOKENS = 64
"""The longest text: longer ones have matrices that nobody can look at."""

TOLERANCE = 1e-3
"""Relative difference to the model's own numbers in float32 above which nothing is shown."""


@dataclass(frozen=True, eq=False)
class Anatomy:
    """One layer on one text."""

    before: ForwardPass  # as the model computes
    after: ForwardPass  # with the edits; the same without any
    difference: float  # largest relative difference to the model's own q, k, v and pattern


def check_short(tokenized: TokenizedText) -> None:
    """Raise TextTooLong for a text that is too long to be shown as matrices."""
    n_tokens = len(tokenized.tokens)
    if n_tokens > MAX_TOKENS:
        places = ((token.segment, token.start, token.end) for token in tokenized.tokens)
        cut = where_to_cut(places, n_tokens - MAX_TOKENS)
        what = "Anatomy shows whole matrices of short texts. The text has"
        raise TextTooLong.of(n_tokens, MAX_TOKENS, what, cut)


@torch.inference_mode()
def run_anatomy(
    model: LoadedModel,
    analysis: Analysis,
    layer: int,
    edits: Edits | None = None,
    check: Callable[[], None] = lambda: None,
) -> Anatomy:
    """Compute a text in own code; `analysis` is of the model's own run on it.

    `check` is called at each layer and stops the run by raising.
    """
    computation = read_computation(model)
    before = run_forward(computation, analysis.tokenized, analysis.layers, layer, check)
    difference = _difference(before, analysis.layers[layer])
    if model.dtype == torch.float32 and not difference <= TOLERANCE:
        raise NoAnatomy(
            f"{model.entry.name} computes something else than HeadScope knows of its family "
            f"{model.architecture.family!r}, so its numbers are not shown.",
            family=model.architecture.family,
            difference=difference,
        )
    after = run_edited(before, edits, check) if edits else before
    return Anatomy(before, after, difference)


def _difference(run: ForwardPass, capture: LayerCapture) -> float:
    """The largest difference, as a share of the largest number of each kind."""
    ours = run.steps.attention
    pairs = (
        (ours.used_q, capture.q[0]),
        (ours.used_k, capture.k[0]),
        (ours.v, capture.v[0]),
        (ours.pattern, capture.pattern()[0]),
    )
    return max(
        float((one - other.float()).abs().max() / other.float().abs().max().clamp_min(1e-30))
        for one, other in pairs
    )
