"""One attention weight step by step, from the query and key vectors.

    q . k = dot      dot * scale = scaled      scaled + added = score      softmax(scores) = weights

q and k are the layer's own: biases, norms and rotary positions are already applied.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from mha_core.attention import attention_pattern
from mha_core.tap import LayerCapture


@dataclass(frozen=True, eq=False)
class QueryKey:
    """The row of one query in one head, with the details of one key; float32 in host memory."""

    key_head: int  # the key/value head that is read: less than the head if heads share keys
    shared_by: int  # number of heads that read the same keys
    q: Tensor  # [d]
    k: Tensor  # [d]
    product: Tensor  # [d]: q * k elementwise
    dot: float
    scale: float
    scaled: float
    added: float | None  # the position bias; None if there is none or the key is masked
    score: float | None  # None if the key is masked
    weight: float
    scores: Tensor  # [K]: minus infinity if the key is masked
    weights: Tensor  # [K]: the query's row of the head's map


def query_key(capture: LayerCapture, head: int, query: int, key: int) -> QueryKey:
    """The steps from a query to its weight on a key; indices are rows and columns of the layer."""
    shared_by = capture.q.shape[1] // capture.k.shape[1]
    key_head = head // shared_by
    with torch.inference_mode():
        q, k = capture.q[0, head, query], capture.k[0, key_head]  # [d], [K, d]
        mask = _mask_row(capture, head, query)
        lone = q[None, None, None], k[None, None]  # one batch, one head, one query
        weights = attention_pattern(*lone, mask, capture.scale)[0, 0, 0].cpu()  # [K]
        bias, visible = _bias_and_visible(mask, len(k))
        q, k = q.float().cpu(), k.float().cpu()
        dots = k @ q  # [K]
        scaled = dots * capture.scale
        scores = (scaled if bias is None else scaled + bias).masked_fill(~visible, -torch.inf)
        seen = bool(visible[key])
    return QueryKey(
        key_head=key_head,
        shared_by=shared_by,
        q=q,
        k=k[key],
        product=q * k[key],
        dot=float(dots[key]),
        scale=capture.scale,
        scaled=float(scaled[key]),
        added=float(bias[key]) if seen and bias is not None else None,
        score=float(scores[key]) if seen else None,
        weight=float(weights[key]),
        scores=scores,
        weights=weights,
    )


def has_rotary_positions(network: nn.Module) -> bool:
    """Whether a model uses rotary position embeddings, by the names of its modules."""
    return any("Rotary" in type(module).__name__ for module in network.modules())


def _mask_row(capture: LayerCapture, head: int, query: int) -> Tensor | None:
    """The mask of one query in one head, [K]; None if there is no mask."""
    mask = capture.at_query(query).mask
    if mask is None:
        return None
    return mask.expand(*capture.q.shape[:2], 1, capture.k.shape[2])[0, head, 0]  # a view


def _bias_and_visible(mask: Tensor | None, n_keys: int) -> tuple[Tensor | None, Tensor]:
    """The bias a mask adds to the scores, float32 [K] or None, and the visible keys, bool [K]."""
    if mask is None:
        return None, torch.ones(n_keys, dtype=torch.bool)
    if mask.dtype == torch.bool:
        return None, mask.cpu()
    # Masked is minus infinity in some masks, and close to the lowest number in others.
    visible = mask > torch.finfo(mask.dtype).min / 2
    # The bias of T5's cross attention is all zeros.
    return (mask.float().cpu() if mask[visible].any() else None), visible.cpu()
