"""One description of a model's computation for all families: its weights by what they do.

Weights are views of the model's own; what is computed with them is float32. Shape letters as
everywhere, and: T tokens, F the width of the MLP.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True, eq=False)
class Linear:
    """x W + b, with W as torch keeps it."""

    weight: Tensor  # [out, in]
    bias: Tensor | None = None  # [out]

    def __call__(self, x: Tensor) -> Tensor:
        bias = None if self.bias is None else self.bias.float()
        return F.linear(x, self.weight.float(), bias)

    @property
    def bias_row(self) -> Tensor | None:
        """The bias as a matrix of one row, float32 [1, out]."""
        return None if self.bias is None else self.bias.float()[None]


@dataclass(frozen=True, eq=False)
class NormSteps:
    """A norm of each row of its input, step by step."""

    norm: "Norm"
    mean: Tensor | None  # [T, 1]; None: nothing is subtracted
    spread: Tensor  # [T, 1]: what is divided by
    output: Tensor  # [T, D]


@dataclass(frozen=True, eq=False)
class Norm:
    """LayerNorm, (x - mean) / std * gamma + beta; or RMSNorm, which subtracts nothing."""

    gamma: Tensor  # [D]
    beta: Tensor | None  # [D]
    eps: float
    centred: bool  # whether the mean is subtracted

    def __call__(self, x: Tensor) -> NormSteps:
        mean = x.mean(-1, keepdim=True) if self.centred else None
        centred = x if mean is None else x - mean
        spread = (centred.square().mean(-1, keepdim=True) + self.eps).sqrt()
        output = centred / spread * self.gamma.float()
        output = output if self.beta is None else output + self.beta.float()
        return NormSteps(self, mean, spread, output)


@dataclass(frozen=True, eq=False)
class MlpSteps:
    """An MLP of each row, step by step; `gate` and `active` are None without a gate."""

    up: Tensor  # [T, F]
    gate: Tensor | None  # [T, F]
    active: Tensor | None  # [T, F]: activation(gate)
    hidden: Tensor  # [T, F]
    output: Tensor  # [T, D]


@dataclass(frozen=True, eq=False)
class Mlp:
    """down(activation(up(x))), or down(activation(gate(x)) * up(x))."""

    up: Linear
    down: Linear
    gate: Linear | None
    activation: Callable[[Tensor], Tensor]
    activation_name: str

    def __call__(self, x: Tensor) -> MlpSteps:
        up = self.up(x)
        gate = None if self.gate is None else self.gate(x)
        active = None if gate is None else self.activation(gate)
        hidden = self.activation(up) if active is None else active * up
        return MlpSteps(up, gate, active, hidden, self.down(hidden))


@dataclass(frozen=True, eq=False)
class AttentionWeights:
    """W_Q, W_K, W_V and W_O of a layer; query heads share key/value heads where G < H."""

    query: Linear  # [H*d, D]
    key: Linear  # [G*d, D]
    value: Linear  # [G*d, D]
    output: Linear  # [D, H*d]
    n_heads: int
    n_kv_heads: int
    d_head: int

    def key_head(self, head: int) -> int:
        """The key/value head that a query head reads."""
        return head // (self.n_heads // self.n_kv_heads)

    def keys(self, x: Tensor) -> Tensor:
        """The keys [G, T, d] of an input [T, D], before positions come in."""
        return self.key(x).view(len(x), self.n_kv_heads, self.d_head).transpose(0, 1)

    def with_matrix(self, which: str, linear: Linear) -> "AttentionWeights":
        """The same with another matrix for all heads."""
        changes: dict[str, Any] = {which: linear}
        return replace(self, **changes)

    def part(self, which: str, head: int) -> Linear:
        """The small matrix of one head: "query", "key", "value" [d, D]; "output" [D, d]."""
        whole: Linear = getattr(self, which)
        own = head if which in ("query", "output") else self.key_head(head)
        columns = slice(own * self.d_head, (own + 1) * self.d_head)
        if which == "output":  # its bias belongs to no head
            return Linear(whole.weight[:, columns])
        return Linear(whole.weight[columns], None if whole.bias is None else whole.bias[columns])


@dataclass(frozen=True, eq=False)
class Block:
    """One layer.

    `norm_first`: x += attention(first_norm(x)), x += mlp(second_norm(x)); else x = first_norm(x +
    attention(x)), x = second_norm(x + mlp(x)). Without an MLP its norm is not used.
    """

    norm_first: bool
    first_norm: Norm
    attention: AttentionWeights
    second_norm: Norm | None
    mlp: Mlp | None


@dataclass(frozen=True, eq=False)
class Computation:
    """A model: embeddings, blocks, the final norm, the prediction of the next token."""

    tokens: Tensor  # [V, D]
    positions: Tensor | None  # [P, D]; None: positions rotate queries and keys
    position_ids: Callable[[Tensor], Tensor]  # of the token ids [T], both int
    segments: Tensor | None  # [S, D]
    embedding_norm: Norm | None
    rotary: nn.Module | None  # gives cos and sin, each [1, T, d]
    blocks: tuple[Block, ...]
    final_norm: Norm | None
    unembedding: Linear | None  # [V, D]; None: no next token is predicted
    no_tokens: Sequence[int] = ()  # rows of the unembedding that stand for no token
    may_shift_keys: bool = False  # whether a layer may read the keys of other positions

    @property
    def d_model(self) -> int:
        return self.tokens.shape[1]
