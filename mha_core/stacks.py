"""Which attentions a model has on a text, and which of its tokens look and are looked at in each.

A model with one stack has one grid of square maps. An encoder-decoder has three: its encoder's and
its decoder's own attention, and the cross attention by which the decoder's tokens look at the
source. All tokens stand in one list, the source's before the decoder's. This file must not know
weights or how a text is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mha_core.errors import NoSuchStack

if TYPE_CHECKING:
    from mha_core.models.architecture import Architecture
    from mha_core.text.tokens import TokenizedText

StackName = Literal["encoder", "decoder", "cross"]
"""Which attention of a model: a decoder-only model has one stack, `decoder`."""

DECODER_INPUT = "decoder_input_ids"
"""What the second text is called in the arguments of an encoder-decoder's call."""


@dataclass(frozen=True)
class Site:
    """Where in a model an attention layer sits."""

    layer: int
    stack: StackName = "encoder"


@dataclass(frozen=True)
class Stack:
    """One attention of a model on one text; ranges are half open, in the list of all tokens."""

    name: StackName
    n_layers: int
    n_heads: int
    queries: tuple[int, int]
    keys: tuple[int, int]
    causal: bool  # queries see no later key

    @property
    def n_queries(self) -> int:
        """Rows of its maps."""
        return self.queries[1] - self.queries[0]

    @property
    def n_keys(self) -> int:
        """Columns of its maps."""
        return self.keys[1] - self.keys[0]


def stack_sizes(architecture: Architecture) -> dict[StackName, tuple[int, int]]:
    """Layers and heads of every stack the model has, whatever the text."""
    first = architecture.n_layers, architecture.n_heads
    if architecture.kind != "encoder-decoder":
        return {architecture.kind: first}
    decoder = architecture.decoder_layers, architecture.decoder_heads
    return {"encoder": first, "decoder": decoder, "cross": decoder}


def stacks_of(architecture: Architecture, tokenized: TokenizedText) -> tuple[Stack, ...]:
    """The stacks that run over a text, the first one first; of a lone source only the encoder."""
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


def stack_named(stacks: Sequence[Stack], name: StackName | None) -> Stack:
    """The stack of that name; None is the only one, and an error where there are several."""
    names = [each.name for each in stacks]
    if name in names:
        return stacks[names.index(name)]
    if name is None and len(stacks) == 1:
        return stacks[0]
    told = ", ".join(names)
    wrong = (
        f"This model has no stack {name!r}: its stacks are {told}."
        if name is not None
        else f"This model has several stacks: say which is meant as `stack`, one of {told}."
    )
    raise NoSuchStack(wrong, stack=name, available=names)


def stack_at(stacks: Sequence[Stack], site: Site) -> Stack:
    """The stack a layer belongs to."""
    return stacks[0] if len(stacks) == 1 else stack_named(stacks, site.stack)
