"""An analysis recorded for a page that works without HeadScope.

Maps are the page's overview, one byte a weight, so a file stays small; those that were pinned are
kept beside it, two bytes a weight. Everything else is as the stream of a server says it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
from torch import Tensor

from backend.heads.describe import describe_layer, describe_metrics
from backend.page.texts import FILTERS, LIMITS_OF_ATTENTION
from backend.snapshot.bundle import bundle_page, pack
from backend.snapshot.kept_maps import LARGEST, KeptMap
from backend.snapshot.schemas import LONGEST_NOTE, PLACE
from backend.stream.describe import describe_start, overview_frame
from backend.wire.frames import Flags, Frame
from mha_core.atlas.record import Atlas
from mha_core.atlas.summary import summarize
from mha_core.attention import Workspace
from mha_core.errors import InputError
from mha_core.metrics.meter import LayerMeasures, LayerQueue, Meter
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis, RunInfo, check_heads
from mha_core.runs.overview import LayerOverview, block_size, overview
from mha_core.stacks import stack_at
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
DIGITS = 4  # decimals of a measure: the page shows three
LONGEST_TITLE = 60
ATLAS_PARTS = {  # what the page shows of an atlas without a server
    *("model", "sections", "missing", "counts", "groups", "roles", "not_above", "behaviours"),
    *("specialisations", "relations", "nulls", "measures", "massive"),
    *("examples", "examples_source", "similar"),
}


@dataclass(frozen=True)
class Remarks:
    """What a person adds to an analysis: how it is looked at, notes on heads, pinned maps."""

    view: str = ""  # what stands after the `#` of a link to the page
    notes: Mapping[str, str] = field(default_factory=dict)  # by "layer.head"
    maps: Sequence[KeptMap] = ()


def write_snapshot(recorded: Json) -> str:
    """The HTML of a page that shows what `record` gave in any browser, without HeadScope."""
    text = recorded["text"]
    short = text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1]}…"
    return bundle_page(recorded, title=f"{short} · {recorded['model']} · HeadScope")


def record(
    model: LoadedModel,
    analysis: Analysis,
    atlas: Atlas | None,
    remarks: Remarks,
    check: Callable[[], None] = lambda: None,
) -> Json:
    """All that the page shows of an analysis: what people and programs may read, and the rest.

    `check` is called at each layer, and stops the work by raising.
    """
    check_notes(analysis, remarks.notes)
    meter = Meter.of(model, analysis.tokenized)
    frames: list[Frame] = []
    norms: list[bytes | None] = []
    measures: list[LayerMeasures] = []
    queue, workspace = LayerQueue(meter), Workspace()
    with torch.inference_mode():
        for capture in analysis.layers:
            check()
            maps = meter.maps(capture, capture.weights(workspace=workspace), weighted=True)
            layer = LayerOverview(capture, overview(maps.weights.pattern).cpu())
            frames.append(overview_frame(layer, stack_at(analysis.stacks, capture.site)))
            norms.append(_code_norms(meter.value_norms(capture), capture))
            measures += queue.put(maps)
    tokenized = analysis.tokenized
    rest = {
        "model": _describe_model(model),
        "config": _describe_config(model),
        "metrics": describe_metrics().model_dump(mode="json"),
        "start": describe_start(analysis, meter, DIGITS).model_dump(mode="json"),
        "measures": [describe_layer(it, DIGITS) for it in measures],
        "atlas": atlas and _choose_parts(atlas, analysis.revision),
    }
    return {
        "format": FORMAT,
        "about": _describe_precision(analysis, remarks.maps),
        "layout": LAYOUT,
        "model": model.entry.name,
        "revision": analysis.revision,
        "text": tokenized.text,
        "text_pair": tokenized.text_pair,
        "tokens": [token.text for token in tokenized.tokens],
        "view": remarks.view,
        "notes": dict(remarks.notes),
        "layers": [_describe_frame(frame) for frame in frames],
        "rest": pack(json.dumps(rest, separators=(",", ":"), allow_nan=False).encode()),
        "maps": pack(b"".join(frame.values.tobytes() for frame in frames)),
        "kept": [kept.describe() for kept in remarks.maps],
        "kept_maps": pack(b"".join(kept.encode() for kept in remarks.maps)),
        "norms": None if None in norms else pack(b"".join(filter(None, norms))),
    }


def check_notes(info: RunInfo, notes: Mapping[str, str]) -> None:
    """Refuse notes on heads that the model does not have, and notes that are too long."""
    for place, words in notes.items():
        if not re.fullmatch(PLACE, place):
            raise InputError(
                f"A note belongs to a head, written as in 3.5: {place[:40]!r} is not one.",
                note=place[:40],
            )
        layer, head = map(int, place.split("."))
        check_heads(info.stacks[0], [layer], [head])
        if len(words) > LONGEST_NOTE:
            raise InputError(
                f"The note at {place} has {len(words):,} characters and the limit is "
                f"{LONGEST_NOTE:,}: shorten it.",
                note=place,
                n_characters=len(words),
                max_characters=LONGEST_NOTE,
            )


def _describe_precision(analysis: Analysis, kept: Sequence[KeptMap]) -> str:
    """How exact the numbers are, for people."""
    block = block_size(max(max(stack.n_queries, stack.n_keys) for stack in analysis.stacks))
    parts = [PRECISION, POOLED.format(block) if block > 1 else "", KEPT if kept else ""]
    return " ".join(filter(None, parts))


def _describe_frame(frame: Frame) -> Json:
    """What the header of a stream's frame says."""
    heads, rows, cols = frame.values.shape
    return {
        "stack": frame.stack.name.lower(),
        "layer": frame.layer,
        "heads": heads,
        "rows": rows,
        "cols": cols,
        "n_queries": frame.n_queries,
        "n_keys": frame.n_keys,
        "pooled": Flags.MAX_POOLED in frame.flags,
        "causal": Flags.CAUSAL in frame.flags,
    }


def _code_norms(norms: Tensor | None, capture: LayerCapture) -> bytes | None:
    """Value norms [H, K], which make the maps value-weighted; None where the maps are pooled."""
    if norms is None or block_size(max(capture.q.shape[2], capture.k.shape[2])) > 1:
        return None
    # A weighted row sums to one whatever the unit, so each head has its own.
    parts = norms / norms.amax(-1, keepdim=True).clamp_min(torch.finfo(norms.dtype).tiny)
    return parts.mul(LARGEST).round().cpu().numpy().astype("<u2").tobytes()


def _describe_model(model: LoadedModel) -> Json:
    entry = model.entry
    names = {"id": entry.id, "name": entry.name, "about": entry.about, "licence": entry.licence}
    states = {"source": model.source, "available": True, "loaded": True, "reason": None}
    takes = {"pairs": model.architecture.takes_pairs, "chat_template": model.has_chat_template}
    return {**asdict(model.architecture), **names, **states, **takes}


def _describe_config(model: LoadedModel) -> Json:
    """What the page is built from, without what only a server can do."""
    return {
        "default_model": model.entry.id,
        "examples": [],
        "limits": {"max_tokens": model.architecture.max_tokens},
        "filters": [it.model_dump() for it in FILTERS],
        "limits_of_attention": [it.model_dump() for it in LIMITS_OF_ATTENTION],
    }


def _choose_parts(atlas: Atlas, revision: str) -> Json:
    kept = summarize(atlas).model_dump(mode="json", include=ATLAS_PARTS)
    return {**kept, "revision_matches": atlas.model.revision == revision}
