"""Do heads find whom a pronoun means? Asked over GAP: which of two names does it attend to more.

The pronoun's attention is summed over the tokens of each name, and the larger sum is the head's
choice. One half of the documents chooses a head, the other reports on it. A causal model is asked
only where both names stand before the pronoun.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from mha_core.atlas.batches import run_batch
from mha_core.atlas.choices import RowChoices
from mha_core.atlas.contest import Answers, Contest
from mha_core.atlas.gap import GapItem
from mha_core.atlas.name_rules import choose_names
from mha_core.atlas.tally import Integers
from mha_core.models.loading import LoadedModel
from mha_core.text.spans import find_tokens
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import TokenizedText

NEITHER = -1
"""The choice of a head that attends to both names exactly alike: it is never right."""


@dataclass(frozen=True)
class GapText:
    """An item as a model reads it."""

    item: GapItem
    tokenized: TokenizedText
    pronoun: tuple[int, ...]  # its tokens
    candidates: tuple[tuple[int, ...], tuple[int, ...]]


def tokenize_items(
    items: Iterable[GapItem], tokenizer: PreTrainedTokenizerFast, max_tokens: int, *, causal: bool
) -> tuple[list[GapText], Counter[str]]:
    """Every item that has one right answer, fits and can be seen; the rest counted by reason."""
    texts: list[GapText] = []
    skipped: Counter[str] = Counter()
    for item in items:
        tokenized = tokenize(tokenizer, item.text)
        pronoun, first, second = (
            find_tokens(tokenized.tokens, span) for span in (item.pronoun, *item.candidates)
        )
        text = GapText(item, tokenized, pronoun, (first, second))
        reason = _why_not(text, max_tokens, causal)
        if reason is None:
            texts.append(text)
        else:
            skipped[reason] += 1
    return texts, skipped


def _why_not(text: GapText, max_tokens: int, causal: bool) -> str | None:
    """Why an item cannot be asked; None when it can."""
    if text.item.answer is None:
        return "no_single_answer"
    if len(text.tokenized.tokens) > max_tokens:
        return "too_long"
    spans = (text.pronoun, *text.candidates)
    if not all(spans) or len(set().union(*spans)) < sum(map(len, spans)):
        return "no_own_token"
    if causal and max(map(max, text.candidates)) > min(text.pronoun):
        return "not_both_visible"
    return None


@dataclass(frozen=True)
class Mentions:
    """Where the pronouns and names of a batch are."""

    pronoun: Tensor  # [B, 1, 1, T]: each pronoun's tokens weighted to a mean
    candidates: Tensor  # [B, 1, T, 2]: the tokens of each name, in the order of the file
    answers: Tensor  # [B, 1, 1]: which of them is right

    @classmethod
    def of(cls, batch: Sequence[GapText], device: torch.device | str = "cpu") -> "Mentions":
        n_tokens = len(batch[0].tokenized.tokens)
        pronoun = torch.zeros(len(batch), 1, 1, n_tokens)
        candidates = torch.zeros(len(batch), 1, n_tokens, 2, dtype=torch.float64)
        for row, text in enumerate(batch):
            pronoun[row, 0, 0, list(text.pronoun)] = 1 / len(text.pronoun)
            for candidate, tokens in enumerate(text.candidates):
                candidates[row, 0, list(tokens), candidate] = 1
        answers = torch.from_numpy(right_answers(batch))
        return cls(pronoun.to(device), candidates, answers[:, None, None])

    def choose(self, pattern: Tensor) -> NDArray[np.int8]:
        """The name each head attends to more, [B, H], in a pattern [B, H, T, T]."""
        first, second = self._sums(pattern).unbind(-1)
        chosen: NDArray[np.int8] = torch.where(first == second, NEITHER, second > first).numpy()
        return chosen.astype(np.int8)

    def attention(self, pattern: Tensor) -> tuple[Tensor, Tensor]:
        """Attention to the right and the wrong name, [B, H] each, in a pattern [B, H, T, T]."""
        sums = self._sums(pattern)
        index = self.answers.expand(-1, sums.shape[1], -1)  # [B, H, 1]
        right, wrong = (sums.gather(-1, at)[..., 0] for at in (index, 1 - index))
        return right, wrong

    def _sums(self, pattern: Tensor) -> Tensor:
        """Attention to each name, [B, H, 2]."""
        rows = self.pronoun @ pattern  # [B, H, 1, T]
        # In double precision sums of equal weights are equal, whatever order they are added in.
        return (rows.cpu().double() @ self.candidates)[:, :, 0]


@dataclass(frozen=True, eq=False)
class NameChoices(RowChoices):
    """Which name every head chooses in every text."""

    chosen: NDArray[np.int8]  # [N, L, H]: the candidate, or NEITHER


def count_names(model: LoadedModel, batch: Sequence[GapText]) -> NameChoices:
    """What the heads of a model choose in a batch of texts of one length."""
    architecture, mentions = model.architecture, Mentions.of(batch, model.device)
    chosen = np.empty((len(batch), architecture.n_layers, architecture.n_heads), np.int8)

    def on_layer(layer: int, pattern: Tensor) -> None:
        chosen[:, layer] = mentions.choose(pattern)

    run_batch(model, batch, on_layer)
    return NameChoices(chosen)


def right_answers(texts: Sequence[GapText]) -> Integers:
    """Which candidate is right in each text, [N]."""
    return np.array([text.item.answer for text in texts], np.int64)


def exchange_answers(texts: Sequence[GapText], rng: np.random.Generator) -> Integers:
    """Right answers of other texts, [N]: what is found with these is found by chance.

    They are exchanged within each half of the file between texts whose nearer name is the same
    candidate, so the nearer name stays right as often as it was.
    """
    answers, half = right_answers(texts), _halves(texts)
    nearest = np.array([text.item.nearest for text in texts])
    for stratum in range(4):
        rows = np.flatnonzero(2 * half + nearest == stratum)
        answers[rows] = rng.permutation(answers[rows])
    return answers


def make_contest(
    texts: Sequence[GapText], choices: NameChoices, answers: Integers | None = None
) -> Contest:
    """Heads against rules: one half chooses, the other reports; both must have texts.

    `choices` are in the order of `texts`. `answers` [N] may stand for the right ones.
    """
    everything, half = pooled(texts, choices, answers), _halves(texts)
    dev, test = (
        Answers(everything.heads[rows], everything.rules[rows], everything.group[rows])
        for rows in (half == 0, half == 1)
    )
    return Contest(dev, test)


def pooled(
    texts: Sequence[GapText], choices: NameChoices, answers: Integers | None = None
) -> Answers:
    """Heads and rules on both halves together, grouped by document."""
    right = (right_answers(texts) if answers is None else answers)[:, None]
    _, group = np.unique([text.item.document for text in texts], return_inverse=True)
    heads = choices.chosen.reshape(len(texts), -1)
    return Answers(heads == right, choose_names(texts) == right, group)


def _halves(texts: Sequence[GapText]) -> Integers:
    """0 for texts whose document begins on an even line of the file, 1 for the others, [N].

    By documents, so that the half that reports is independent of the one that chooses.
    """
    first: dict[str, int] = {}
    for item in sorted((text.item for text in texts), key=lambda item: item.line):
        first.setdefault(item.document, item.line)
    return np.array([first[text.item.document] % 2 for text in texts], np.int64)
