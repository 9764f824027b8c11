"""How things of `mha_core` are told over the wire: tokens, models, results, frames.

This file must not know routes, sockets or threads.
"""

from collections.abc import Callable
from dataclasses import asdict

from backend.engine.model_cache import ShelfMark
from backend.heads.describe import opportunities_out
from backend.settings import Settings
from backend.stream.schemas import StreamProgress, StreamRequest, StreamStart
from backend.wire import frames
from backend.wire.errors import NoAtlas
from backend.wire.schemas import ModelInfo, Provenance, StackOut, TokenOut
from mha_core.atlas.record import find_atlas
from mha_core.metrics.meter import Meter
from mha_core.progress import Progress
from mha_core.runs.analysis import Subject
from mha_core.runs.overview import LayerOverview, block_size
from mha_core.stacks import Stack
from mha_core.text.tokens import TokenizedText


def tokens_out(tokenized: TokenizedText) -> list[TokenOut]:
    """The tokens of a text."""
    return [TokenOut(**asdict(token)) for token in tokenized.tokens]


def model_info(mark: ShelfMark, settings: Settings) -> ModelInfo:
    """A model of the list, under the limits of the settings."""
    entry, known = mark.entry, mark.availability
    architecture = mark.loaded.architecture if mark.loaded else known.architecture
    numbers = dict.fromkeys(
        ("family", "kind", "n_layers", "n_heads", "n_kv_heads", "d_model", "d_head", "max_tokens")
    )
    if architecture is not None:
        numbers = asdict(architecture) | {
            "max_tokens": min(architecture.max_tokens, settings.max_tokens)
        }
    has_atlas = find_atlas(entry.id, settings.models_dir) is not None
    return ModelInfo(
        **numbers,
        id=entry.id,
        name=entry.name,
        about=entry.about,
        pairs=architecture is not None and architecture.takes_pairs,
        licence=entry.licence,
        source=mark.loaded.source if mark.loaded else known.source,
        state="ready" if mark.loaded else known.state,
        available=known.available or mark.loaded is not None,
        loaded=mark.loaded is not None,
        reason=None if mark.loaded else known.reason,
        no_atlas=None if has_atlas else NoAtlas.of(entry.id).message,
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


def stack_out(stack: Stack) -> StackOut:
    """One attention of a model on a text."""
    about = asdict(stack)
    return StackOut(stack=about.pop("name"), **about)


def stream_start(request: StreamRequest, subject: Subject, meter: Meter) -> StreamStart:
    """The first word of a run on the stream."""
    stacks, of_decoder = subject.stacks, meter.decoder_opportunities
    side = -(-stacks[0].n_queries // block_size(stacks[0].n_queries))
    return StreamStart(
        **provenance(subject).model_dump(),
        request=request.request,
        rows=side,
        cols=side,
        n_layers=stacks[0].n_layers,
        n_heads=stacks[0].n_heads,
        causal=stacks[0].causal,
        stacks=list(map(stack_out, stacks)),
        values=request.values,
        opportunities=opportunities_out(meter.opportunities),
        decoder_opportunities=None if of_decoder is None else opportunities_out(of_decoder),
    )


def overview_frame(layer: LayerOverview, stack: Stack) -> bytes:
    """The small maps of one layer of a stack, ready to send."""
    flags = frames.Flags.CAUSAL if stack.causal else frames.Flags.NONE
    if max(block_size(stack.n_queries), block_size(stack.n_keys)) > 1:
        flags |= frames.Flags.MAX_POOLED
    frame = frames.Frame(
        kind=frames.FrameKind.OVERVIEW,
        layer=layer.capture.site.layer,
        values=layer.codes.numpy(),
        n_queries=stack.n_queries,
        n_keys=stack.n_keys,
        stack=frames.FrameStack[stack.name.upper()],
        flags=flags,
    )
    return frames.encode(frame)


def progress_told(
    request: int, emit: Callable[[StreamProgress], None], check: Callable[[], None]
) -> Progress:
    """Tells the asker how loading goes; `check` raises when nobody wants it any more."""

    def progress(message: str, done: int, total: int) -> None:
        check()
        emit(StreamProgress(request=request, message=message, done=done, total=total))

    return progress
