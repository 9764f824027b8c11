"""An analysis as one HTML file: what it says, recorded in the words the page reads.

Maps are the page's overview, one byte a weight, so a file stays small; those that were pinned are
kept beside it, two bytes a weight. Everything else is as the stream of a server would tell it.
This file must not know how a page is drawn or packed.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any

import torch
from torch import Tensor

from backend.page.caveats import CAVEATS
from backend.snapshot.bundle import packed, page_file
from backend.snapshot.kept_maps import KeptMap
from backend.wire.describe import stack_out
from mha_core.atlas.record import Atlas
from mha_core.errors import InputError
from mha_core.metrics.measure import METRICS, SHAPES, Opportunity
from mha_core.metrics.meter import LayerMeasures, Meter
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis, Subject, check_heads
from mha_core.runs.overview import block_size, overview
from mha_core.runs.value_weights import value_norms
from mha_core.stacks import Stack, stack_at
from mha_core.tap import LayerCapture

Json = dict[str, Any]

FORMAT = 1
PRECISION = (
    "Weights in this file are rounded, hence the ≈ before numbers: the square root of each is kept "
    "in steps of 1/255."
)
POOLED = "As the text is long, one value stands for {0} \u00d7 {0} tokens: their largest weight."
KEPT = "The maps that were pinned when it was saved are kept to within 0.00002."
LAYOUT = (
    "maps: base64 of zlib-deflated bytes, one code a weight, weight = (code / 255) ** 2; for each "
    "entry of layers its heads, rows (queries) and cols (keys). kept_maps: the same for the maps "
    "in kept, two bytes a code, the lower first, weight = (code / 65535) ** 2. norms: two bytes a "
    "number: how long the vector of each key is, in parts of the longest of its head. rest: JSON."
)
LONGEST_NORM = 65_535
DIGITS = 4
"""Decimals of a measure: the page shows three."""

PLACE = r"(?:0|[1-9][0-9]{0,3})\.(?:0|[1-9][0-9]{0,3})"
"""A head as notes name it: layer.head."""

LONGEST_NOTE = 2_000
LONGEST_TITLE = 60

FILTERS = (
    {"id": "all", "label": "All", "query_segment": None, "key_segment": None},
    {"id": "aa", "label": "A → A", "query_segment": 0, "key_segment": 0},
    {"id": "ab", "label": "A → B", "query_segment": 0, "key_segment": 1},
    {"id": "ba", "label": "B → A", "query_segment": 1, "key_segment": 0},
    {"id": "bb", "label": "B → B", "query_segment": 1, "key_segment": 1},
)
"""Which links of a sentence pair to show."""

ATLAS_PARTS = (
    *("model", "made", "groups", "roles", "specialisations", "relations"),
    *("measures", "examples", "examples_source", "similar"),
)
"""What the page shows of an atlas without a server."""


@dataclass(frozen=True)
class Remarks:
    """What a person adds to an analysis: how it is looked at, words on heads, what was pinned."""

    view: str = ""  # what stands after the `#` of a link to the page
    notes: Mapping[str, str] = field(default_factory=dict)  # by "layer.head"
    maps: Sequence[KeptMap] = ()


def snapshot(
    model: LoadedModel,
    analysis: Analysis,
    meter: Meter,
    atlas: Atlas | None,
    remarks: Remarks,
) -> str:
    """The HTML of a page that shows an analysis in any browser, without HeadScope."""
    text = analysis.tokenized.text
    short = text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1]}…"
    recorded = record(model, analysis, meter, atlas, remarks)
    return page_file(recorded, title=f"{short} · {model.entry.name} · HeadScope")


def record(
    model: LoadedModel,
    analysis: Analysis,
    meter: Meter,
    atlas: Atlas | None,
    remarks: Remarks,
) -> Json:
    """All that the page shows of an analysis: what people and programs may read, and the rest."""
    check_notes(analysis, remarks.notes)
    layers, maps, norms, measures = [], [], [], []
    with torch.inference_mode():
        for capture in analysis.layers:
            pattern = capture.pattern()[0]  # [H, Q, K]
            codes = overview(pattern).cpu()  # [H, rows, cols]
            stack = stack_at(analysis.stacks, capture.site)
            maps.append(codes.numpy().tobytes())
            layers.append(_layer(stack, capture.site.layer, codes))
            norms.append(_norms(model, capture))
            if meter.covers(capture.site):
                measures.append(_measures(meter.measure(capture, pattern)))
    tokenized = analysis.tokenized
    rest = {
        "model": _model(model),
        "config": _config(model),
        "metrics": {"metrics": [_metric(name) for name in METRICS], "shapes": SHAPES},
        "start": _start(analysis, meter),
        "measures": measures,
        "atlas": None if atlas is None else _atlas(atlas, analysis.revision),
    }
    return {
        "format": FORMAT,
        "about": _about(analysis, remarks.maps),
        "layout": LAYOUT,
        "model": model.entry.name,
        "revision": analysis.revision,
        "text": tokenized.text,
        "text_pair": tokenized.text_pair,
        "tokens": [token.text for token in tokenized.tokens],
        "view": remarks.view,
        "notes": dict(remarks.notes),
        "layers": layers,
        "rest": packed(json.dumps(rest, separators=(",", ":"), allow_nan=False).encode()),
        "maps": packed(b"".join(maps)),
        "kept": [kept.described() for kept in remarks.maps],
        "kept_maps": packed(b"".join(kept.codes() for kept in remarks.maps)),
        "norms": None if None in norms else packed(b"".join(filter(None, norms))),
    }


def check_notes(subject: Subject, notes: Mapping[str, str]) -> None:
    """Refuse words on heads that the model does not have, and too many of them."""
    for place, words in notes.items():
        if not re.fullmatch(PLACE, place):
            raise InputError(
                f"A note stands at a head, written layer.head as in 3.5: {place[:40]!r} is none.",
                note=place[:40],
            )
        layer, head = map(int, place.split("."))
        check_heads(subject.stacks[0], [layer], [head])
        if len(words) > LONGEST_NOTE:
            raise InputError(
                f"The note at {place} has {len(words):,} characters and the limit is "
                f"{LONGEST_NOTE:,}: shorten it.",
                note=place,
                n_characters=len(words),
                max_characters=LONGEST_NOTE,
            )


def _about(analysis: Analysis, kept: Sequence[KeptMap]) -> str:
    """How exact the numbers are, for people."""
    longest = max(max(stack.n_queries, stack.n_keys) for stack in analysis.stacks)
    block = block_size(longest)
    said = [PRECISION, POOLED.format(block) if block > 1 else "", KEPT if kept else ""]
    return " ".join(filter(None, said))


def _layer(stack: Stack, layer: int, codes: Tensor) -> Json:
    """What the header of a stream's frame says."""
    heads, rows, cols = codes.shape
    return {
        "stack": stack.name,
        "layer": layer,
        "heads": heads,
        "rows": rows,
        "cols": cols,
        "n_queries": stack.n_queries,
        "n_keys": stack.n_keys,
        "pooled": max(block_size(stack.n_queries), block_size(stack.n_keys)) > 1,
        "causal": stack.causal,
    }


def _norms(model: LoadedModel, capture: LayerCapture) -> bytes | None:
    """What makes the maps value-weighted; None where it is not known or the maps are pooled."""
    grams = model.grams.get(capture.site)
    if grams is None or block_size(max(capture.q.shape[2], capture.k.shape[2])) > 1:
        return None
    norms = value_norms(capture.v[0], grams)  # [H, K]
    # A weighted row sums to one whatever the unit, so each head has its own.
    parts = norms / norms.amax(-1, keepdim=True).clamp_min(torch.finfo(norms.dtype).tiny)
    return parts.mul(LONGEST_NORM).round().cpu().numpy().astype("<u2").tobytes()


def _start(analysis: Analysis, meter: Meter) -> Json:
    """What a stream says before the first layer comes."""
    stacks = [stack_out(stack).model_dump(mode="json") for stack in analysis.stacks]
    of_decoder = meter.decoder_opportunities
    return {
        "id": analysis.id,
        "model": analysis.model_id,
        "revision": analysis.revision,
        "device": analysis.device,
        "dtype": analysis.dtype,
        "tokens": [asdict(token) for token in analysis.tokenized.tokens],
        "n_tokens": analysis.n_tokens,
        "n_layers": stacks[0]["n_layers"],
        "n_heads": stacks[0]["n_heads"],
        "stacks": stacks,
        "opportunities": _opportunities(meter.opportunities),
        "decoder_opportunities": None if of_decoder is None else _opportunities(of_decoder),
    }


def _opportunities(opportunities: Mapping[str, Opportunity]) -> Json:
    return {
        name: {"n": it.n, "baseline": _number(it.baseline), "ceiling": _number(it.ceiling)}
        for name, it in opportunities.items()
    }


def _measures(layer: LayerMeasures) -> Json:
    """What a stream says of a layer after its maps."""
    return {
        "stack": layer.stack,
        "layer": layer.layer,
        "raw": _values(layer.raw),
        "weighted": None if layer.weighted is None else _values(layer.weighted),
        "labels": [
            [{**asdict(label), "value": _number(label.value)} for label in labels]
            for labels in layer.labels
        ],
    }


def _values(measured: Mapping[str, Tensor]) -> dict[str, list[float | str | None]]:
    told: dict[str, list[float | str | None]] = {}
    for name, values in measured.items():
        numbers = [_number(value) for value in values.tolist()]
        is_class = METRICS[name].kind == "class"
        told[name] = [SHAPES[int(it)] if is_class and it is not None else it for it in numbers]
    return told


def _number(value: float) -> float | None:
    """A number JSON can say; null for what is undefined."""
    return round(value, DIGITS) if isfinite(value) else None


def _model(model: LoadedModel) -> Json:
    entry = model.entry
    described = {"id": entry.id, "name": entry.name, "about": entry.about, "licence": entry.licence}
    states = {"source": model.source, "available": True, "loaded": True, "reason": None}
    return {
        **asdict(model.architecture),
        **described,
        **states,
        "pairs": model.architecture.takes_pairs,
    }


def _config(model: LoadedModel) -> Json:
    """What the page is built from, without what only a server can do."""
    return {
        "default_model": model.entry.id,
        "examples": [],
        "limits": {"max_tokens": model.architecture.max_tokens},
        "filters": FILTERS,
        "limits_of_attention": [asdict(caveat) for caveat in CAVEATS],
    }


def _metric(name: str) -> Json:
    metric = METRICS[name]
    called = metric.called and {"label": metric.called.label, "when": metric.called.when}
    return {**asdict(metric), "called": called}


def _atlas(atlas: Atlas, revision: str) -> Json:
    kept = atlas.model_dump(mode="json", include=set(ATLAS_PARTS))
    return {**kept, "revision_matches": atlas.model.revision == revision}
