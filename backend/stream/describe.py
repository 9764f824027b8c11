"""What the stream and snapshots say of a run: its description, and one frame a layer."""

from backend.heads.describe import describe_opportunities
from backend.stream.schemas import RunDescription
from backend.wire.describe import describe_run, describe_stack
from backend.wire.frames import Flags, Frame, FrameKind, FrameStack
from backend.wire.schemas import DIGITS
from mha_core.metrics.meter import Meter
from mha_core.runs.analysis import RunInfo
from mha_core.runs.overview import LayerOverview, block_size
from mha_core.stacks import Stack


def describe_start(info: RunInfo, meter: Meter, digits: int = DIGITS) -> RunDescription:
    """All that is known before the first layer."""
    first = info.stacks[0]
    side = -(-first.n_queries // block_size(first.n_queries))
    return RunDescription(
        **vars(describe_run(info)),
        **describe_opportunities(meter, digits),
        rows=side,
        cols=side,
        n_layers=first.n_layers,
        n_heads=first.n_heads,
        causal=first.causal,
        value_weights=meter.model.has_value_weights,
        stacks=[describe_stack(stack) for stack in info.stacks],
    )


def overview_frame(layer: LayerOverview, stack: Stack) -> Frame:
    """The small maps of one layer of a stack."""
    flags = Flags.CAUSAL if stack.causal else Flags.NONE
    if max(block_size(stack.n_queries), block_size(stack.n_keys)) > 1:
        flags |= Flags.MAX_POOLED
    return Frame(
        kind=FrameKind.OVERVIEW,
        layer=layer.capture.site.layer,
        values=layer.codes.numpy(),
        n_queries=stack.n_queries,
        n_keys=stack.n_keys,
        stack=FrameStack[stack.name.upper()],
        flags=flags,
    )
