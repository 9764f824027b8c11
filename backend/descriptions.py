"""How things of `mha_core` are told over the wire: tokens, models, results, frames.

This file must not know routes, sockets or threads.
"""

from collections.abc import Mapping
from dataclasses import asdict

from backend import frames
from backend.head_descriptions import opportunities_out
from backend.messages import StreamStart
from backend.schemas import ModelInfo, Provenance, TokenOut
from backend.shelf import ShelfMark
from mha_core.analysis import Subject
from mha_core.metrics import Opportunity
from mha_core.overview import LayerOverview, block_size
from mha_core.tokens import TokenizedText


def tokens_out(tokenized: TokenizedText) -> list[TokenOut]:
    """The tokens of a text."""
    return [TokenOut(**asdict(token)) for token in tokenized.tokens]


def model_info(mark: ShelfMark, max_tokens: int) -> ModelInfo:
    """A model of the list; `max_tokens` is the limit of the settings."""
    entry, known = mark.entry, mark.availability
    shape = mark.loaded.shape if mark.loaded else known.shape
    numbers = dict.fromkeys(
        ("family", "kind", "n_layers", "n_heads", "n_kv_heads", "d_model", "d_head", "max_tokens")
    )
    if shape is not None:
        numbers = asdict(shape) | {"max_tokens": min(shape.max_tokens, max_tokens)}
    return ModelInfo(
        **numbers,
        id=entry.id,
        name=entry.name,
        about=entry.about,
        pairs=shape is not None and shape.kind == "encoder",
        licence=entry.licence,
        source=mark.loaded.source if mark.loaded else known.source,
        available=known.available or mark.loaded is not None,
        loaded=mark.loaded is not None,
        reason=None if mark.loaded else known.reason,
    )


def provenance(subject: Subject) -> Provenance:
    """What every result says of itself."""
    return Provenance(
        id=subject.id,
        model=subject.model_id,
        revision=subject.revision,
        device=subject.device,
        dtype=subject.dtype,
        tokens=tokens_out(subject.tokenized),
        n_tokens=subject.n_tokens,
    )


def stream_start(
    request: int, subject: Subject, opportunities: Mapping[str, Opportunity]
) -> StreamStart:
    """The first word of a run on the stream."""
    side = -(-subject.n_tokens // block_size(subject.n_tokens))
    return StreamStart(
        **provenance(subject).model_dump(),
        request=request,
        rows=side,
        cols=side,
        n_layers=subject.shape.n_layers,
        n_heads=subject.shape.n_heads,
        causal=subject.causal,
        opportunities=opportunities_out(opportunities),
    )


def overview_frame(layer: LayerOverview, *, causal: bool) -> bytes:
    """The small maps of one layer, ready to send."""
    site, queries, keys = layer.capture.site, layer.capture.q.shape[2], layer.capture.k.shape[2]
    flags = frames.Flags.CAUSAL if causal else frames.Flags.NONE
    if max(block_size(queries), block_size(keys)) > 1:
        flags |= frames.Flags.MAX_POOLED
    frame = frames.Frame(
        kind=frames.Kind.OVERVIEW,
        layer=site.layer,
        values=layer.codes.numpy(),
        n_queries=queries,
        n_keys=keys,
        stack=frames.Stack[site.stack.upper()],
        flags=flags,
    )
    return frames.encode(frame)
