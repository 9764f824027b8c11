"""A model's forward pass on one text in own code: the residual stream, and one layer in full.

Without edits it computes what the model computes; with edits in one layer, what follows from them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from mha_core.anatomy.attention_steps import AttentionSteps, run_attention
from mha_core.anatomy.computation import Block, Computation, MlpSteps, NormSteps
from mha_core.anatomy.edits import Edits
from mha_core.anatomy.observed import Observed, find_key_sources, observe, rotation_of
from mha_core.tap import LayerCapture
from mha_core.text.tokens import TokenizedText


@dataclass(frozen=True, eq=False)
class Embedded:
    """The embeddings of a text and their sum, all [T, D]; None where the model has no such."""

    token: Tensor
    position_ids: Tensor  # [T]
    position: Tensor | None
    segment_ids: Tensor  # [T]
    segment: Tensor | None
    total: Tensor
    norm: NormSteps | None
    output: Tensor


@dataclass(frozen=True, eq=False)
class BlockSteps:
    """One layer in full, all [T, D] but for what is inside attention and MLP."""

    block: Block
    x: Tensor
    first_norm: NormSteps | None  # before the attention, or after it
    attention: AttentionSteps
    residual: Tensor  # x + attention
    mlp_input: Tensor | None
    second_norm: NormSteps | None
    mlp: MlpSteps | None
    mlp_residual: Tensor | None
    output: Tensor


@dataclass(frozen=True, eq=False)
class ForwardPass:
    """One forward pass, with the layer that was chosen written down."""

    computation: Computation
    tokenized: TokenizedText
    how: tuple[Observed, ...]  # how each layer attends, without edits
    embedded: Embedded
    stream: Tensor  # [L+1, T, D]: the residual stream before the first block and after each
    layer: int
    steps: BlockSteps  # of the chosen layer
    fused: AttentionSteps  # its attention once more, with one matrix for all heads
    final_norm: NormSteps | None
    hidden: Tensor  # [T, D]: the last hidden state
    edits: Edits | None

    @property
    def edits_here(self) -> Edits | None:
        """The edits, if they are in the layer that is written down."""
        return self.edits if self.edits is not None and self.edits.layer == self.layer else None


def run_forward(
    computation: Computation,
    tokenized: TokenizedText,
    captures: Sequence[LayerCapture],
    layer: int,
    check: Callable[[], None] = lambda: None,
) -> ForwardPass:
    """Run a text; `captures` are those of the model's own run on it.

    `check` is called at each layer and stops the run by raising.
    """
    embedded = _embed(computation, tokenized)
    rotation = rotation_of(computation, embedded.output)
    how, ran, stream = list[Observed](), list[BlockSteps](), [embedded.output]
    for number, (block, capture) in enumerate(zip(computation.blocks, captures, strict=True)):
        check()
        observed = observe(capture, rotation)
        if computation.may_shift_keys:
            read = block.first_norm(stream[-1]).output if block.norm_first else stream[-1]
            sources = find_key_sources(block.attention.keys(read), capture.k[0])
            observed = replace(observed, key_sources=sources)
        how.append(observed)
        steps = run_block(block, stream[-1], observed, fused=number != layer)
        stream.append(steps.output)
        if number == layer:
            ran.append(steps)
    return _finish(computation, tokenized, tuple(how), embedded, stream, layer, ran[0], None)


def run_edited(
    before: ForwardPass, edits: Edits, check: Callable[[], None] = lambda: None
) -> ForwardPass:
    """The same run with edits in one layer; the layers below it are not run again."""
    ran, stream = [before.steps], [*before.stream[: edits.layer + 1]]
    for number in range(edits.layer, len(before.computation.blocks)):
        check()
        block, here = before.computation.blocks[number], edits if number == edits.layer else None
        steps = run_block(block, stream[-1], before.how[number], here, fused=number != before.layer)
        stream.append(steps.output)
        if number == before.layer:
            ran.append(steps)
    same = before.computation, before.tokenized, before.how, before.embedded
    return _finish(*same, stream, before.layer, ran[-1], edits)


def run_block(
    block: Block, x: Tensor, how: Observed, edits: Edits | None = None, *, fused: bool
) -> BlockSteps:
    """One layer on its input x [T, D]."""
    first = block.first_norm(x) if block.norm_first else None
    normed, weights = x if first is None else first.output, block.attention
    heads_off: tuple[int, ...] = ()
    if edits is not None:
        normed, weights = edits.edit_input(normed), edits.edit_weights(weights)
        how, heads_off = edits.edit_how(how), edits.heads_off
    attention = run_attention(weights, normed, how, heads_off, fused=fused)
    residual = x + attention.output
    if block.mlp is None or block.second_norm is None:
        return BlockSteps(block, x, first, attention, residual, None, None, None, None, residual)
    if block.norm_first:
        second = block.second_norm(residual)
        mlp = block.mlp(second.output)
        return BlockSteps(
            block, x, first, attention, residual, second.output, second, mlp, None,
            residual + mlp.output,
        )  # fmt: skip
    first = block.first_norm(residual)
    mlp = block.mlp(first.output)
    total = first.output + mlp.output
    second = block.second_norm(total)
    return BlockSteps(
        block, x, first, attention, residual, first.output, second, mlp, total, second.output
    )


def _embed(computation: Computation, tokenized: TokenizedText) -> Embedded:
    device = computation.tokens.device
    ids = torch.tensor(tokenized.inputs["input_ids"], device=device)  # [T]
    position_ids = computation.position_ids(ids)
    token = computation.tokens[ids].float()  # [T, D]
    segment_ids = torch.tensor(
        tokenized.inputs.get("token_type_ids") or [0] * len(ids), device=device
    )
    position = segment = None
    total = token
    if computation.segments is not None:
        segment = computation.segments[segment_ids].float()
        total = total + segment
    if computation.positions is not None:
        position = computation.positions[position_ids].float()
        total = total + position
    norm = None if computation.embedding_norm is None else computation.embedding_norm(total)
    output = total if norm is None else norm.output
    return Embedded(token, position_ids, position, segment_ids, segment, total, norm, output)


def _finish(
    computation: Computation,
    tokenized: TokenizedText,
    how: tuple[Observed, ...],
    embedded: Embedded,
    stream: list[Tensor],
    layer: int,
    steps: BlockSteps,
    edits: Edits | None,
) -> ForwardPass:
    norm = None if computation.final_norm is None else computation.final_norm(stream[-1])
    it = steps.attention
    return ForwardPass(
        computation=computation,
        tokenized=tokenized,
        how=how,
        embedded=embedded,
        stream=torch.stack(stream),
        layer=layer,
        steps=steps,
        fused=run_attention(it.weights, it.normed, it.how, it.heads_off, fused=True),
        final_norm=norm,
        hidden=stream[-1] if norm is None else norm.output,
        edits=edits,
    )
