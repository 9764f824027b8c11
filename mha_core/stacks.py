"""The attention stacks of a model, and the queries and keys of each on a text.

An encoder-decoder has three: the self-attention of its encoder and its decoder, and the cross
attention from decoder to source. Other models have one. All tokens are in one list, source first.
Free of torch and transformers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mha_core.errors import NoSuchStack

if TYPE_CHECKING:
    from mha_core.models.architecture import Architecture
    from mha_core.text.tokens import TokenizedText

StackName = Literal["encoder", "decoder", "cross"]  # a decoder-only model has only `decoder`
DECODER_INPUT = "decoder_input_ids"  # the target among the inputs of an encoder-decoder


@dataclass(frozen=True)
class Site:
    """An attention layer of a model."""

    layer: int
    stack: StackName = "encoder"


@dataclass(frozen=True)
class Stack:
    """A stack on one text; `queries` and `keys` are half-open ranges in the list of all tokens."""

    name: StackName
    n_layers: int
    n_heads: int
    queries: tuple[int, int]
    keys: tuple[int, int]
    causal: bool

    @property
    def n_queries(self) -> int:
        return self.queries[1] - self.queries[0]

    @property
    def n_keys(self) -> int:
        return self.keys[1] - self.keys[0]


def stack_sizes(architecture: Architecture) -> dict[StackName, tuple[int, int]]:
    """Layers and heads of every stack of a model."""
    first = architecture.n_layers, architecture.n_heads
    if architecture.kind != "encoder-decoder":
        return {architecture.kind: first}
    decoder = architecture.decoder_layers, architecture.decoder_heads
    return {"encoder": first, "decoder": decoder, "cross": decoder}


def stacks_of(architecture: Architecture, tokenized: TokenizedText) -> tuple[Stack, ...]:
    """The stacks that run over a text; without a target only the first one."""
    sizes, n_tokens = stack_sizes(architecture), len(tokenized.tokens)
    if DECODER_INPUT not in tokenized.inputs:
        name, everything = next(iter(sizes)), (0, n_tokens)
        return (Stack(name, *sizes[name], everything, everything, name == "decoder"),)
    source = (0, n_tokens - len(tokenized.inputs[DECODER_INPUT]))
    target = (source[1], n_tokens)
    return (
        Stack("encoder", *sizes["encoder"], source, source, causal=False),
        Stack("decoder", *sizes["decoder"], target, target, causal=True),
        Stack("cross", *sizes["cross"], target, source, causal=False),
    )


def find_stack(stacks: Sequence[Stack], name: StackName | None) -> Stack:
    """The stack of that name; None means the only one, and is an error where there are several."""
    for stack in stacks:
        if stack.name == name or (name is None and len(stacks) == 1):
            return stack
    names = [stack.name for stack in stacks]
    listed = ", ".join(names)
    message = f"This model has no stack {name!r}: its stacks are {listed}."
    if name is None:
        message = f"This model has several stacks: say which is meant as `stack`, one of {listed}."
    raise NoSuchStack(message, stack=name, available=names)


def stack_at(stacks: Sequence[Stack], site: Site) -> Stack:
    """The stack a layer belongs to."""
    return stacks[0] if len(stacks) == 1 else find_stack(stacks, site.stack)
