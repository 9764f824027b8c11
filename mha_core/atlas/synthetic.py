"""What causal heads do with a repeated sequence of random tokens: only the repetition can help.

    previous = A[i, i-1]      and in the second half, which repeats the L tokens of the first:
    duplicate = A[i, i-L]     induction = A[i, i-L+1]      each a mean over rows and texts

copying = mean a / mean |a|, where a is what the most attended token adds to its own logit: 1 for a
head that always makes the token it looks at likelier, -1 for one that always makes it less likely.

    a = A[i, j] (v_j W_O) . (gamma * (W_U[token j] - mean W_U))           j = argmax A[i]

The scale of the final norm changes the size of a, never its sign, and is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.atlas.template import Template
from mha_core.attention import uniform_attention
from mha_core.models.family import output_projection, unembedding
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap

LENGTH = 50
N_TEXTS = 10
SEEDS = (0, 1, 2)


@dataclass(frozen=True, eq=False)
class Synthetic(ArrayResult):
    """Scores of every head, for each of S seeds."""

    previous: Numbers  # [S, L, H]
    duplicate: Numbers  # [S, L, H]
    induction: Numbers  # [S, L, H]
    copying: Numbers  # [L, H] over all seeds; NaN where the unembedding is not known
    baseline: Numbers  # [3]: of uniform attention: previous, duplicate, induction
    rows: Numbers  # [3]: cases behind each mean over all seeds


def measure_synthetic(model: LoadedModel, *, seeds: Sequence[int] = SEEDS) -> Synthetic:
    """Run a causal model over ten repeated sequences a seed, special tokens before each."""
    template = Template.of(model.tokenizer)
    start = len(template.before)
    directions = _token_directions(model, template)
    shape = (model.architecture.n_layers, model.architecture.n_heads)
    scores = np.zeros((len(seeds), 3, *shape))
    pushes = np.zeros((2, *shape))  # sums of a and |a|
    for at, seed in enumerate(seeds):
        ids = _draw_texts(template, seed).to(model.device)  # [B, start + 2 LENGTH]

        def on_pattern(
            capture: LayerCapture, pattern: Tensor, at: int = at, ids: Tensor = ids
        ) -> None:
            layer = capture.site.layer
            for which, rows in enumerate(_stripes(pattern, start)):
                scores[at, which, layer] = rows.mean((0, 2)).cpu().numpy()
            if directions is not None:
                a = _attribute(model, directions[ids], capture, pattern, start)
                for which, amount in enumerate((a, a.abs())):
                    pushes[which, layer] += amount.sum((0, 2)).double().cpu().numpy()

        model.forward_all([template.around(row[start:]) for row in ids.tolist()], Tap(on_pattern))
    n_tokens = start + 2 * LENGTH
    stripes = _stripes(uniform_attention(n_tokens, n_tokens, causal=True)[None, None], start)
    return Synthetic(
        previous=scores[:, 0],
        duplicate=scores[:, 1],
        induction=scores[:, 2],
        copying=pushes[0] / np.where(pushes[1] > 0, pushes[1], np.nan),
        baseline=np.array([float(rows.mean()) for rows in stripes]),
        rows=np.array([rows.shape[-1] * N_TEXTS * len(seeds) for rows in stripes], np.float64),
    )


def _draw_texts(template: Template, seed: int) -> Tensor:
    """Random ordinary ids, no two of a sequence alike, repeated once, [B, start + 2 LENGTH]."""
    draws = torch.Generator().manual_seed(seed)
    ordinary = torch.tensor(template.ordinary)
    chosen = [torch.randperm(len(ordinary), generator=draws)[:LENGTH] for _ in range(N_TEXTS)]
    once = ordinary[torch.stack(chosen)]  # [B, LENGTH]
    before = torch.tensor(template.before, dtype=torch.long).expand(N_TEXTS, -1)
    return torch.cat([before, once, once], 1)


def _stripes(pattern: Tensor, start: int) -> tuple[Tensor, Tensor, Tensor]:
    """The cells of each score in maps [B, H, T, T], each [B, H, rows]."""
    text = pattern[:, :, start:, start:]  # idle heads rest on BOS: the row after it shows nothing
    return (
        text.diagonal(-1, 2, 3),
        text.diagonal(-LENGTH, 2, 3),
        # The diagonal starts in the first half, where nothing is repeated yet.
        text.diagonal(1 - LENGTH, 2, 3)[:, :, 1:],
    )


def _token_directions(model: LoadedModel, template: Template) -> Tensor | None:
    """The direction that makes each token likelier, [V, D]; None where it is not known."""
    # HeadScope's own model has no such setting: it always reads its embeddings both ways.
    tied = bool(getattr(model.network.config, "tie_word_embeddings", True))
    found = unembedding(model.network, model.architecture.family, tied=tied)
    if found is None:
        return None
    weight = found.weight.float()
    mean = weight[list(template.ordinary)].mean(0)
    return (weight - mean) * found.gamma.float()


@torch.inference_mode()
def _attribute(
    model: LoadedModel, directions: Tensor, capture: LayerCapture, pattern: Tensor, start: int
) -> Tensor:
    """What the most attended token adds to its own logit, [B, H, LENGTH] in the second half.

    `directions` [B, T, D] are those of the text's tokens. Looking at a special token adds nothing.
    """
    projection = output_projection(model.network, model.architecture.family, capture.site)
    assert projection is not None  # noqa: S101 (a family with an unembedding has one)
    H, G = pattern.shape[1], capture.v.shape[1]  # noqa: N806 (the shape letters)
    through = (directions @ projection.float()).unflatten(-1, (H, -1)).transpose(1, 2)
    v = capture.v.float().repeat_interleave(H // G, 1)  # [B, H, T, d]
    own: Tensor = (through * v).sum(-1)  # [B, H, T]: of each token, were it attended to fully
    own[:, :, :start] = 0
    weight, key = pattern[:, :, -LENGTH:].max(-1)  # [B, H, LENGTH]
    return own.gather(2, key) * weight
