"""How similar the heads of a model are: distances between their maps, and a layout in the plane.

    distance = mean over rows of JS(p, q) = H((p + q)/2) - (H(p) + H(q))/2      in nats, 0 to ln 2

after .999 A + .001/(visible keys), so that no logarithm is of zero (Clark 2019, who sums over
rows; the mean does not grow with the text). Heads are numbered layer * n_heads + head: N in all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.sample import sample
from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress, silent
from mha_core.tap import Tap
from mha_core.text.tokens import TokenizedText

N_TEXTS = 60
_KEPT = 0.999


@dataclass(frozen=True, eq=False)
class Distances(ArrayResult):
    values: Numbers  # [N, N]


def measure_distances(
    model: LoadedModel, texts: Sequence[TokenizedText], seed: int = 0, progress: Progress = silent
) -> Distances:
    """Distance between any two heads, over all rows of a sample of the texts."""
    texts = sample(texts, N_TEXTS, seed)
    causal = model.architecture.kind == "decoder"
    n_heads = model.architecture.n_layers * model.architecture.n_heads
    total = torch.zeros(n_heads, n_heads, dtype=torch.float64)
    n_rows = 0
    for at, text in enumerate(texts):
        progress("distances", at, len(texts))
        total += compute_divergences(_capture_heads(model, text), causal).cpu()
        n_rows += len(text.tokens) - causal  # in the first row a causal model has no choice
    progress("distances", len(texts), len(texts))
    return Distances((total / n_rows).numpy())


def _capture_heads(model: LoadedModel, text: TokenizedText) -> Tensor:
    """The maps of all heads, [N, T, T]."""
    patterns: list[Tensor] = []
    model.forward(text, Tap(lambda _, pattern: patterns.append(pattern[0])))
    return torch.cat(patterns)


@torch.inference_mode()
def compute_divergences(heads: Tensor, causal: bool) -> Tensor:
    """Jensen-Shannon divergence between maps [N, T, T], summed over rows, [N, N] in nats."""
    n_heads, n_tokens = heads.shape[:2]
    rows, keys = (  # [C] each: the cells that can hold attention
        torch.tril_indices(n_tokens, n_tokens, device=heads.device)
        if causal
        else torch.ones(n_tokens, n_tokens, device=heads.device).nonzero().T
    )
    visible = rows + 1 if causal else torch.full_like(rows, n_tokens)
    p = _KEPT * heads[:, rows, keys] + (1 - _KEPT) / visible  # [N, C]
    certainty = (p * p.log()).sum(1)  # [N]: -H, summed over rows
    result = heads.new_zeros(n_heads, n_heads, dtype=torch.float64)
    for head in range(n_heads - 1):
        middle = (p[head] + p[head + 1 :]) / 2  # [others, C]
        both = (certainty[head] + certainty[head + 1 :]) / 2
        result[head, head + 1 :] = both - middle.log().mul_(middle).sum(1)
    result.clamp_(min=0)  # rounding
    return result + result.T


def lay_out(distances: Numbers) -> tuple[Numbers, float]:
    """Classical multidimensional scaling of distances [N, N] to points of the plane [N, 2].

    With Kruskal's stress-1: 0 when the points show the distances exactly.
    An axis and its mirror image fit equally well: the point farthest out on each axis is put on the
    positive side, so that the layout is the same every time.
    """
    squared = distances**2
    centred = squared - squared.mean(0) - squared.mean(1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    points = vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0))  # [N, 2], widest first
    farthest = points[np.abs(points).argmax(0), range(points.shape[1])]
    points = points * np.where(farthest < 0, -1, 1)
    shown = np.linalg.norm(points[:, None] - points[None], axis=-1)
    wrong, there = ((distances - shown) ** 2).sum(), squared.sum()
    return points, float(np.sqrt(wrong / there)) if there else 0.0
