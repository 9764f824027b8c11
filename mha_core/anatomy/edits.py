"""What a learner changes in one layer, and how it is applied there."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from mha_core.anatomy.computation import AttentionWeights, Linear
from mha_core.anatomy.kinds import EditedMatrix
from mha_core.anatomy.observed import Observed
from mha_core.attention import causal_mask
from mha_core.errors import BadEdit
from mha_core.models.architecture import Architecture

PARTS: Mapping[str, str] = {"w_q": "query", "w_k": "key", "w_v": "value", "w_o": "output"}
"""Matrix of one head -> the matrix of all heads that it is a part of."""


@dataclass(frozen=True)
class WeightEdit:
    """A number added to one weight of a head; heads that share keys share its keys' weights."""

    matrix: EditedMatrix
    head: int
    row: int
    column: int
    add: float


@dataclass(frozen=True)
class InputEdit:
    """A number added to one dimension of one token, where W_Q, W_K and W_V read it."""

    token: int
    dimension: int
    add: float


@dataclass(frozen=True)
class Edits:
    """Everything that is changed in one layer; what is not named is the model's own."""

    layer: int
    heads_off: tuple[int, ...] = ()  # their z is zero
    scale: float | None = None  # in place of 1 / sqrt(d_head)
    mask: tuple[tuple[int, int], ...] = ()  # query and key: hidden if visible, visible if hidden
    causal: bool | None = None  # True: no query sees a later key; False: every query does
    weights: tuple[WeightEdit, ...] = ()
    inputs: tuple[InputEdit, ...] = ()

    def __bool__(self) -> bool:
        return self != Edits(self.layer)

    def check(self, sizes: Architecture, n_tokens: int) -> None:
        """Raise BadEdit for an edit of something that is not there."""
        d_model, d_head, heads = sizes.d_model, sizes.d_head, sizes.n_heads
        _check("layer", "layer", self.layer, sizes.n_layers)
        for head in self.heads_off:
            _check("heads_off", "head", head, heads)
        for query, key in self.mask:
            _check("mask", "query", query, n_tokens)
            _check("mask", "key", key, n_tokens)
        for weight in self.weights:
            shape = (d_head, d_model) if weight.matrix == "w_o" else (d_model, d_head)
            _check("weights", "head", weight.head, heads)
            _check("weights", f"row of {weight.matrix}", weight.row, shape[0])
            _check("weights", f"column of {weight.matrix}", weight.column, shape[1])
        for change in self.inputs:
            _check("inputs", "token", change.token, n_tokens)
            _check("inputs", "dimension", change.dimension, d_model)

    def edit_weights(self, attention: AttentionWeights) -> AttentionWeights:
        """The layer's matrices with what is added; those of the model stay as they are."""
        for edit in self.weights:
            whole: Linear = getattr(attention, PARTS[edit.matrix])
            changed = Linear(whole.weight.to(torch.float32, copy=True), whole.bias)
            attention = attention.with_matrix(PARTS[edit.matrix], changed)
            # Torch keeps a matrix [out, in].
            part = attention.part(PARTS[edit.matrix], edit.head).weight
            part[edit.column, edit.row] += edit.add
        return attention

    def edit_input(self, normed: Tensor) -> Tensor:
        """The input of the layer, [T, D], with what is added."""
        normed = normed.clone()
        for edit in self.inputs:
            normed[edit.token, edit.dimension] += edit.add
        return normed

    def edit_how(self, how: Observed) -> Observed:
        """How the layer attends with these edits."""
        scale = how.scale if self.scale is None else self.scale
        return replace(how, visible=self.edit_mask(how.visible), scale=scale)

    def edit_mask(self, visible: Tensor) -> Tensor:
        """Which keys each query sees, bool [T, T]: first `causal`, then single cells."""
        back = causal_mask(len(visible), len(visible), visible.device)
        if self.causal is not None:
            visible = visible & back if self.causal else visible | ~back
        switched = torch.zeros_like(visible)
        for query, key in self.mask:
            switched[query, key] = True
        return visible ^ switched

    def added_to(self, matrix: str, row: int, column: int, heads: range) -> float:
        """What is added to one weight by the edits of these heads."""
        at = (matrix, row, column)
        edits = (it for it in self.weights if it.head in heads)
        return sum(it.add for it in edits if (it.matrix, it.row, it.column) == at)


def _check(field: str, what: str, index: int, count: int) -> None:
    if not 0 <= index < count:
        raise BadEdit(
            f"The edit `{field}` names {what} {index}: it must be 0 to {count - 1}.",
            field=field,
            what=what,
            index=index,
            count=count,
        )
