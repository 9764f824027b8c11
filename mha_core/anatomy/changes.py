"""How far edits moved things: the same layer with and without them."""

from dataclasses import dataclass

from torch import Tensor

from mha_core.anatomy.forward import ForwardPass


@dataclass(frozen=True)
class Changes:
    """Differences between two runs of one text."""

    scores: list[float]  # of each head: the largest change of a raw score
    pattern: list[float]  # of each head: the largest change of a weight
    attention_out: list[float]  # of each token: the length of the change
    block_out: list[float]
    final: list[float]  # of the last hidden state
    norms_before: list[float]  # of each token's attention_out
    norms_after: list[float]


def compare_runs(before: ForwardPass, after: ForwardPass) -> Changes:
    """What edits changed in the layer that was written down, and at the end of the model."""
    ours, theirs = before.steps, after.steps
    return Changes(
        scores=_largest(ours.attention.raw, theirs.attention.raw),
        pattern=_largest(ours.attention.pattern, theirs.attention.pattern),
        attention_out=_lengths(ours.attention.output, theirs.attention.output),
        block_out=_lengths(ours.output, theirs.output),
        final=_lengths(before.hidden, after.hidden),
        norms_before=ours.attention.output.norm(dim=-1).tolist(),
        norms_after=theirs.attention.output.norm(dim=-1).tolist(),
    )


def _largest(one: Tensor, other: Tensor) -> list[float]:
    largest: list[float] = (one - other).abs().amax((1, 2)).tolist()
    return largest


def _lengths(one: Tensor, other: Tensor) -> list[float]:
    lengths: list[float] = (one - other).norm(dim=-1).tolist()
    return lengths
