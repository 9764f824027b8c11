"""How much attention rests on the first token, and on special ones, in texts of one length.

The longer a text, the more there is to look at: shares on the first token compare only at a fixed
length. The windows are cut from the running text. This file must not know treebanks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.sample import sample
from mha_core.atlas.sums import Kept, Numbers
from mha_core.atlas.template import Template
from mha_core.atlas.wilson import Z_95
from mha_core.metrics.measure import measure, opportunities
from mha_core.metrics.passage import Passage
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress, silent
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokenization import tokenize

N_TOKENS = 64
_WINDOWS_IN_BATCH = 16


@dataclass(frozen=True, eq=False)
class Sink(Kept):
    """Means over windows, [L, H] each, with 95 % intervals."""

    first: Numbers
    first_low: Numbers
    first_high: Numbers
    special: Numbers  # NaN for a model without special tokens
    first_baseline: Numbers  # []: of attention spread evenly
    windows: Numbers  # []


def sink(
    model: LoadedModel,
    sentences: Sequence[str],
    *,
    size: int = 100,
    seed: int = 0,
    progress: Progress = silent,
) -> Sink:
    """The sink of every head, on up to `size` windows of 64 tokens, special ones included."""
    template = Template.of(model.tokenizer)
    running = tokenize(model.tokenizer, " ".join(sentences)).tokens
    ids = [token.id for token in running if token.kind != "special"]
    length = N_TOKENS - template.n_special
    starts = range(0, len(ids) - length + 1, length)
    windows = sample([template.around(ids[at : at + length]) for at in starts], size, seed)
    passage = _passage(template, model.architecture.kind == "decoder", model.device)
    found: list[list[Tensor]] = [[] for _ in range(model.architecture.n_layers)]

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        # Which tokens are special is the same in every window, so one passage fits all.
        values = measure(pattern.flatten(0, 1), passage)
        both = torch.stack([values["first"], values["special"]], -1)  # [B*H, 2]
        found[capture.site.layer].append(both.view(*pattern.shape[:2], 2).cpu())

    for at in range(0, len(windows), _WINDOWS_IN_BATCH):
        progress("sink", at, len(windows))
        model.forward_all(windows[at : at + _WINDOWS_IN_BATCH], Tap(on_pattern))
    progress("sink", len(windows), len(windows))
    nothing = torch.full((2, model.architecture.n_heads, 2), torch.nan)  # a text below one window
    shares = torch.stack([torch.cat(rows) if rows else nothing for rows in found]).double()
    mean = shares.mean(1).numpy()  # [L, H, 2]
    # One window has no spread: its interval is not known.
    spread = shares[..., 0].std(1).numpy() if len(windows) > 1 else np.nan * mean[..., 0]
    error = spread / np.sqrt(max(len(windows), 1))
    return Sink(
        first=mean[..., 0],
        first_low=np.maximum(mean[..., 0] - Z_95 * error, 0),
        first_high=np.minimum(mean[..., 0] + Z_95 * error, 1),
        special=mean[..., 1],
        first_baseline=np.array(opportunities(passage)["first"].baseline),
        windows=np.array(float(len(windows))),
    )


def _passage(template: Template, causal: bool, device: torch.device) -> Passage:
    """What is the same in all windows: where the special tokens stand."""
    places = torch.arange(N_TOKENS, device=device)
    special = (places < len(template.before)) | (places >= N_TOKENS - len(template.after))
    neither = torch.zeros_like(special)
    return Passage(
        ids=places,
        special=special,
        punctuation=neither,
        word=torch.where(special, -1, places),
        segment=torch.zeros_like(places),
        content=neither,
        cosine=None,
        causal=causal,
    )
