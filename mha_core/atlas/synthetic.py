"""What causal heads do with a repeated sequence of random tokens: only the repetition can help.

    previous = A[i, i-1]      and in the second half, which repeats the L tokens of the first:
    duplicate = A[i, i-L]     induction = A[i, i-L+1]      each a mean over the rows of a text

The copying sign is of the rows of the second half whose favourite is neither the first token, where
idle heads rest, nor a special one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.attribution import Copying, TokenDirections, measure_writing
from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.atlas.template import Template
from mha_core.attention import uniform_attention
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap

LENGTH = 50
N_TEXTS = 10
SEEDS = (0, 1, 2, 3, 4)


@dataclass(frozen=True, eq=False)
class Synthetic(ArrayResult):
    """Scores of every head on each of N texts, those of all seeds in order."""

    previous: Numbers  # [N, L, H]
    duplicate: Numbers  # [N, L, H]
    induction: Numbers  # [N, L, H]
    baseline: Numbers  # [3]: of uniform attention: previous, duplicate, induction
    rows: Numbers  # [3]: behind each score, over all texts
    written: Numbers  # [N, L, H]: sum of what favourites add to their own logits
    written_abs: Numbers  # [N, L, H]: sum of its absolute values
    written_rows: Numbers  # [L, H]: over all texts; 0 where the unembedding is not known


def copying_sign(synthetic: Synthetic) -> Copying:
    """Whether each head copies the token it attends to or suppresses it, with an interval."""
    return Copying.of(synthetic.written, synthetic.written_abs, synthetic.written_rows)


def measure_synthetic(model: LoadedModel, *, seeds: Sequence[int] = SEEDS) -> Synthetic:
    """Run a causal model over ten repeated sequences a seed, special tokens before each."""
    template = Template.of(model.tokenizer)
    start = len(template.before)
    n_tokens = start + 2 * LENGTH
    directions = TokenDirections.of(model, template.ordinary)
    heads = (model.architecture.n_layers, model.architecture.n_heads)
    scores = np.zeros((3, len(seeds) * N_TEXTS, *heads))
    written = np.zeros((2, len(seeds) * N_TEXTS, *heads))
    written_rows = np.zeros(heads)
    allowed = torch.arange(n_tokens, device=model.device) >= max(start, 1)  # [T]
    allowed = allowed.expand(N_TEXTS, LENGTH, -1)
    for at, seed in enumerate(seeds):
        ids = _draw_texts(template, seed).to(model.device)  # [B, T]
        texts = slice(at * N_TEXTS, (at + 1) * N_TEXTS)
        towards = None if directions is None else directions(ids)  # [B, T, D]

        def on_pattern(
            capture: LayerCapture,
            pattern: Tensor,
            texts: slice = texts,
            towards: Tensor | None = towards,
        ) -> None:
            layer = capture.site.layer
            pattern = pattern[:, :, :n_tokens, :n_tokens]  # without an end token
            for which, cells in enumerate(_stripes(pattern, start)):
                scores[which, texts, layer] = cells.mean(2).double().cpu().numpy()
            if towards is not None:
                second_half = pattern[:, :, -LENGTH:]
                found = measure_writing(model, towards, capture, second_half, allowed)
                written[:, texts, layer] = found.total, found.total_abs
                written_rows[layer] += found.rows

        model.forward_all([template.around(row[start:]) for row in ids.tolist()], Tap(on_pattern))
    stripes = _stripes(uniform_attention(n_tokens, n_tokens, causal=True)[None, None], start)
    n_texts = float(len(seeds) * N_TEXTS)
    return Synthetic(
        previous=scores[0],
        duplicate=scores[1],
        induction=scores[2],
        baseline=np.array([float(cells.mean()) for cells in stripes]),
        rows=np.array([cells.shape[-1] * n_texts for cells in stripes]),
        written=written[0],
        written_abs=written[1],
        written_rows=written_rows,
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
