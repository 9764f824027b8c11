"""Attention to names at the end of a prompt, where a causal model must infer the indirect object.

    When Mary and John went to the shops, John gave the bag to
         indirect object  subject first   subject second

Where a head looks says nothing of what it does: one that looks at the right name may raise its
logit or lower it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.means import Interval, ratio_interval
from mha_core.atlas.name_prompts import NamePrompt, draw_prompts
from mha_core.atlas.tally import ArrayResult, Integers, Numbers
from mha_core.models.loading import LoadedModel
from mha_core.text.spans import find_tokens
from mha_core.text.tokenization import drop_end_token
from mha_core.text.tokens import TokenizedText

NAMES_OF_A_PROMPT = ("indirect_object", "subject_first", "subject_second")


@dataclass(frozen=True, eq=False)
class Names(ArrayResult):
    """Attention of the last position to each name, of every head on each of N prompts."""

    indirect_object: Numbers  # [N, L, H]
    subject_first: Numbers  # [N, L, H]: the first mention of the subject
    subject_second: Numbers  # [N, L, H]: its second mention
    baseline: Numbers  # [3]: of uniform attention, in the order of the fields above
    template: Integers  # [N]: which of the templates a prompt was made of

    def interval(self, name: str) -> Interval:
        """Mean attention to one of the names and its ends, [L, H] each.

        A template is one case, because prompts of one template are nearly the same text.
        """
        per_prompt: Numbers = getattr(self, name)
        templates, case = np.unique(self.template, return_inverse=True)
        totals = np.zeros((len(templates), *per_prompt.shape[1:]))
        np.add.at(totals, case, per_prompt)
        prompts = np.bincount(case, minlength=len(templates)).astype(np.float64)[:, None, None]
        mean, low, high = ratio_interval(totals, np.broadcast_to(prompts, totals.shape))
        return mean, np.maximum(low, 0), np.minimum(high, 1)


@dataclass(frozen=True)
class NameText:
    """A prompt as a model reads it, and the tokens of its three names."""

    prompt: NamePrompt
    tokenized: TokenizedText
    names: tuple[tuple[int, ...], ...]  # in the order of NAMES_OF_A_PROMPT

    @classmethod
    def of(cls, model: LoadedModel, prompt: NamePrompt) -> "NameText":
        tokenized = drop_end_token(model.tokenize(prompt.text))
        spans = (getattr(prompt, name) for name in NAMES_OF_A_PROMPT)
        return cls(prompt, tokenized, tuple(find_tokens(tokenized.tokens, span) for span in spans))


def measure_names(model: LoadedModel, *, size: int = 120, seed: int = 0) -> Names:
    """Run a causal model over `size` prompts, drawn anew for each seed."""
    texts = [NameText.of(model, prompt) for prompt in draw_prompts(size, seed)]
    batches = list(batch_by_length(texts))
    heads = (model.architecture.n_layers, model.architecture.n_heads)
    found = np.zeros((3, len(texts), *heads))
    done = 0
    for batch in batches:
        names = mark_names(batch).to(model.device)  # [B, T, 3]
        rows = slice(done, done + len(batch))

        def on_layer(
            layer: int, pattern: Tensor, rows: slice = rows, names: Tensor = names
        ) -> None:
            shares = pattern[:, :, -1] @ names  # [B, H, 3]
            found[:, rows, layer] = shares.permute(2, 0, 1).double().cpu().numpy()

        run_batch(model, batch, on_layer)
        done += len(batch)
    ordered = [text for batch in batches for text in batch]
    uniform = [[len(it) / len(text.tokenized.tokens) for it in text.names] for text in ordered]
    return Names(
        indirect_object=found[0],
        subject_first=found[1],
        subject_second=found[2],
        baseline=np.array(uniform).mean(0),
        template=np.array([text.prompt.template for text in ordered]),
    )


def mark_names(batch: Sequence[NameText]) -> Tensor:
    """1 where a token is a piece of each name, [B, T, 3], in prompts of one length."""
    marks = torch.zeros(len(batch), len(batch[0].tokenized.tokens), len(NAMES_OF_A_PROMPT))
    for row, text in enumerate(batch):
        for which, tokens in enumerate(text.names):
            marks[row, list(tokens), which] = 1
    return marks
