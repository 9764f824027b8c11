"""The formula of attention, and the multi-head module built on it.

    pattern = softmax(Q K^T * scale + mask)        z = pattern V

Read from top to bottom. Shape letters, here and everywhere: B batch, H heads, G key/value heads,
Q queries (the rows: positions that look), K keys (the columns: positions looked at), D d_model,
d d_head.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from mha_core.errors import BadDimensions
from mha_core.row_maxima import row_maxima

MASKED = torch.finfo(torch.float32).min
"""The score of a masked key: its exponential is 0, and 0 times it is 0, not NaN."""

Attend = Callable[[Tensor, Tensor, Tensor, Tensor | None, float], Tensor]
"""An attention function: (q, k, v, mask, scale) -> z [B, H, Q, d]."""


def attention_pattern(q: Tensor, k: Tensor, mask: Tensor | None, scale: float) -> Tensor:
    """softmax(q k^T * scale + mask): rows of probabilities, [B, H, Q, K] in float32.

    `mask` is boolean (True: may look) or is added to the scores; it broadcasts to [B, H, Q, K].
    A query whose keys are all masked out gets a row of zeros. With fewer key heads than query heads
    (G < H) each key head serves H/G neighbouring query heads.
    """
    return attention_weights(q, k, mask, scale).pattern


class Weights(NamedTuple):
    """A pattern and what its softmax was computed from: ln pattern = scores - lse."""

    pattern: Tensor  # [B, H, Q, K]
    scores: Tensor  # [B, H, Q, K]: finite, MASKED where a key is not visible
    lse: Tensor  # [B, H, Q]: log-sum-exp of each row's scores; 0 if all keys are masked
    largest: Tensor  # [B, H, Q]: the largest weight of each row

    @classmethod
    def of(cls, pattern: Tensor) -> "Weights":
        """From a pattern alone, by logarithms; B may be missing."""
        scores = pattern.clamp_min(torch.finfo(pattern.dtype).tiny).log_()
        return cls(pattern, scores, torch.zeros_like(pattern[..., 0]), row_maxima(pattern))

    def of_first(self) -> "Weights":
        """Those of the first text of the batch, without the dimension B."""
        return Weights(*(tensor[0] for tensor in self))


class Workspace:
    """Memory for the scores and patterns of one layer, which the next layer uses again.

    On a CPU the system clears new memory, which takes as long as computing what is put there. On
    other devices torch itself keeps freed memory.
    """

    def __init__(self) -> None:
        self._memory: dict[str, Tensor] = {}

    def take(self, kind: str, like: Tensor, *shape: int) -> Tensor | None:
        """The float32 memory of a kind, to write to; what was in it is lost.

        None if new memory is as good, or a gradient needs its own.
        """
        if like.device.type != "cpu" or like.dtype != torch.float32 or like.requires_grad:
            return None
        n_numbers = math.prod(shape)
        if kind not in self._memory or len(self._memory[kind]) < n_numbers:
            self._memory[kind] = torch.empty(n_numbers, dtype=torch.float32)
        return self._memory[kind][:n_numbers].view(shape)


def attention_weights(
    q: Tensor,
    k: Tensor,
    mask: Tensor | None,
    scale: float,
    workspace: Workspace | None = None,
) -> Weights:
    """The pattern with its scores and log-sum-exps, all float32; arguments as above.

    With a workspace the result is valid until the next call.
    """
    workspace = workspace or Workspace()
    B, H, Q, d = q.shape  # noqa: N806 (the shape letters)
    G, K = k.shape[1], k.shape[2]  # noqa: N806
    # Scaling q rather than the scores touches Q*d numbers instead of Q*K.
    grouped = (q * scale).reshape(B, G, H // G * Q, d)  # query heads of one group share its keys
    out = workspace.take("scores", grouped, B, G, H // G * Q, K)
    scores = torch.matmul(grouped, k.transpose(-1, -2), out=out).view(B, H, Q, K).float()
    can_look = None
    if mask is not None and mask.dtype == torch.bool:
        can_look = mask.any(-1, keepdim=True)
        # Rows that are masked out are unmasked, then zeroed: softmax over nothing would be NaN, and
        # NaN would spread to the gradients of every other row.
        scores = scores.masked_fill(~(mask | ~can_look), MASKED)
    elif mask is not None:
        scores += mask.float().clamp_min(MASKED)
    pattern = torch.softmax(scores, -1, out=workspace.take("pattern", scores, B, H, Q, K))
    # Two row maxima cost far less than a second pass of exponentials.
    largest = row_maxima(pattern)  # [B, H, Q]
    lse = row_maxima(scores) - largest.log()
    if can_look is None:
        return Weights(pattern, scores, lse, largest)
    return Weights(pattern * can_look, scores, *(it * can_look[..., 0] for it in (lse, largest)))


def mix(pattern: Tensor, v: Tensor) -> Tensor:
    """What each query receives, z [B, H, Q, d]: pattern [B, H, Q, K] times v [B, G, K, d]."""
    B, H, Q, K = pattern.shape  # noqa: N806
    G, d = v.shape[1], v.shape[3]  # noqa: N806
    grouped = pattern.to(v.dtype).reshape(B, G, H // G * Q, K)
    return (grouped @ v).reshape(B, H, Q, d)


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float) -> Tensor:
    """Scaled dot-product attention, z [B, H, Q, d], from q [B, H, Q, d] and k, v [B, G, K, d]."""
    return mix(attention_pattern(q, k, mask, scale), v)


def causal_mask(n_queries: int, n_keys: int, device: torch.device | None = None) -> Tensor:
    """True where a query may look: at itself and before. The last query sees every key. [Q, K]."""
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return mask.tril(n_keys - n_queries)


def causal_bias(n_queries: int, n_keys: int, device: torch.device | None = None) -> Tensor:
    """The causal mask as a term added to the scores: 0 or MASKED. [Q, K].

    No row is masked out completely, so this is much faster than a boolean mask.
    """
    # Loading a model changes torch's default dtype for a while, in all threads: never rely on it.
    bias = torch.full((n_queries, n_keys), MASKED, device=device, dtype=torch.float32)
    return bias.triu(n_keys - n_queries + 1)


def uniform_attention(
    n_queries: int, n_keys: int, *, causal: bool, device: torch.device | None = None
) -> Tensor:
    """Equal attention to all keys that a query may see: rows sum to one. [Q, K]."""
    mask = causal_mask(n_queries, n_keys, device)
    visible = mask if causal else torch.ones_like(mask)
    return visible.float() / visible.sum(-1, keepdim=True)


def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    """True on the real tokens of each sequence of a padded batch, [B, 1, 1, K]."""
    positions = torch.arange(n_keys, device=lengths.device)
    return (positions < lengths[:, None])[:, None, None, :]


class MultiHeadAttention(nn.Module):
    """Attention by H heads of size d, as a rule D/H, each with its own Q, K and V of the input.

    `fused=True` keeps one matrix for all heads and splits its output; `fused=False` keeps a small
    matrix per head, as in the formula. Both are the same function with the same number of
    parameters: `copy_from` converts the weights. `n_kv_heads` below `n_heads` shares each key/value
    head among n_heads/n_kv_heads query heads (grouped-query attention).
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_kv_heads: int | None = None,
        *,
        d_head: int | None = None,
        fused: bool = True,
        bias: bool = True,
    ) -> None:
        super().__init__()
        n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
        if min(d_model, n_heads, n_kv_heads, 1 if d_head is None else d_head) < 1:
            raise BadDimensions("d_model, n_heads, n_kv_heads and d_head must all be at least 1.")
        if d_head is None and d_model % n_heads:
            raise BadDimensions(
                f"d_model {d_model} cannot be split evenly into {n_heads} heads: "
                f"choose n_heads so that d_model / n_heads is whole.",
                d_model=d_model,
                n_heads=n_heads,
            )
        if n_heads % n_kv_heads:
            raise BadDimensions(
                f"{n_heads} query heads cannot share {n_kv_heads} key/value heads evenly: "
                f"choose n_kv_heads that divides n_heads.",
                n_heads=n_heads,
                n_kv_heads=n_kv_heads,
            )
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.d_head = d_model // n_heads if d_head is None else d_head
        self.fused = fused
        heads = {"query": n_heads, "key": n_kv_heads, "value": n_kv_heads}
        for name, n in heads.items():
            matrices = [n * self.d_head] if fused else [self.d_head] * n
            layers = [nn.Linear(d_model, width, bias=bias) for width in matrices]
            self.add_module(name, nn.ModuleList(layers))
        widths = [n_heads * self.d_head] if fused else [self.d_head] * n_heads
        self.output = nn.ModuleList(nn.Linear(width, d_model, bias=False) for width in widths)
        self.output_bias = nn.Parameter(torch.zeros(d_model)) if bias else None

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        mask: Tensor | None = None,
        attend: Attend = attention,
    ) -> Tensor:
        """The sum of all heads' results, [B, Q, D].

        Queries come from x [B, Q, D], keys and values from `memory` [B, K, D] (cross attention) or
        from x. `attend` computes z: pass one of your own to capture or edit the heads.
        """
        memory = x if memory is None else memory
        q = self._project("query", x)  # [B, H, Q, d]
        k = self._project("key", memory)  # [B, G, K, d]
        v = self._project("value", memory)  # [B, G, K, d]
        z = attend(q, k, v, mask, self.d_head**-0.5)  # [B, H, Q, d]
        z = z.transpose(1, 2)  # [B, Q, H, d]
        # Concatenating heads and multiplying by one matrix is the sum of each head times its slice.
        parts = [z.flatten(2)] if self.fused else list(z.unbind(2))
        result = torch.stack([w(part) for w, part in zip(self.output, parts, strict=True)]).sum(0)
        return result if self.output_bias is None else result + self.output_bias

    def _project(self, name: str, x: Tensor) -> Tensor:
        """One of q, k, v from x [B, T, D], split into heads: [B, H or G, T, d]."""
        projections = self.get_submodule(name)
        assert isinstance(projections, nn.ModuleList)  # noqa: S101 (for the type checker)
        joined = torch.cat([w(x) for w in projections], dim=-1)  # [B, T, H*d]
        split = joined.view(*joined.shape[:2], -1, self.d_head)  # [B, T, H, d]
        return split.transpose(1, 2)  # [B, H, T, d]

    @torch.no_grad()
    def copy_from(self, other: "MultiHeadAttention") -> None:
        """Copy the other module's weights; either of the two may be fused."""
        sizes = [(m.n_heads, m.n_kv_heads, m.d_head, m.output_bias is None) for m in (self, other)]
        if sizes[0] != sizes[1]:
            raise BadDimensions(
                "Weights can be copied only between modules of the same sizes, "
                "both with biases or both without."
            )
        for name in ("query", "key", "value", "output"):
            axis = 1 if name == "output" else 0  # heads are inputs of W_O, outputs of the others
            mine, theirs = (list(m.get_submodule(name).children()) for m in (self, other))
            _copy_parts([w.weight for w in theirs], [w.weight for w in mine], axis)  # type: ignore[misc]
            if mine[0].bias is not None:
                _copy_parts([w.bias for w in theirs], [w.bias for w in mine], 0)  # type: ignore[misc]
        if self.output_bias is not None and other.output_bias is not None:
            self.output_bias.copy_(other.output_bias)


def _copy_parts(sources: list[Tensor], targets: list[Tensor], axis: int) -> None:
    """Copy the sources, concatenated along `axis`, into the targets, split along it."""
    parts = torch.cat(sources, axis).split([t.shape[axis] for t in targets], axis)
    for target, part in zip(targets, parts, strict=True):
        target.copy_(part)
