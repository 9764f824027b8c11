"""Do heads find whom a pronoun means? Counted over GAP: which of two names does it attend to more.

The pronoun's attention is summed over the tokens of each name, and the larger sum is the head's
answer. Even lines of the file choose a head, odd lines report on it. The baseline is the best of
three rules that need no reading, chosen on the even lines: the nearer name, the farther one, the
one of more tokens (the choice of uniform attention). A causal model is asked only where both names
stand before the pronoun.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from mha_core.atlas.gap import GapItem, Span
from mha_core.atlas.selection import Counts
from mha_core.atlas.tally import Integers, Tally
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import Token, TokenizedText

RULES = ("the nearer name", "the farther name", "the longer name")
"""What a baseline may do; the longer of two names that are equally long is the nearer."""
MIN_N = 100
"""Items that both halves need: fewer prove nothing."""


@dataclass(frozen=True)
class GapText:
    """An item as a model reads it."""

    item: GapItem
    tokenized: TokenizedText
    pronoun: tuple[int, ...]  # its tokens
    candidates: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def by_rule(self) -> tuple[bool, ...]:
        """Whether each of RULES is right."""
        nearer = self.item.nearest
        lengths = [len(tokens) for tokens in self.candidates]
        longer = nearer if lengths[0] == lengths[1] else lengths.index(max(lengths))
        return tuple(choice == self.item.answer for choice in (nearer, 1 - nearer, longer))


def tokenize_items(
    items: Iterable[GapItem], tokenizer: PreTrainedTokenizerFast, max_tokens: int, *, causal: bool
) -> tuple[list[GapText], Counter[str]]:
    """Every item that has one right answer, fits and can be seen; the rest counted by reason."""
    texts: list[GapText] = []
    skipped: Counter[str] = Counter()
    for item in items:
        tokenized = tokenize(tokenizer, item.text)
        pronoun, first, second = (
            _tokens_in(tokenized.tokens, span) for span in (item.pronoun, *item.candidates)
        )
        text = GapText(item, tokenized, pronoun, (first, second))
        reason = _why_not(text, max_tokens, causal)
        if reason is None:
            texts.append(text)
        else:
            skipped[reason] += 1
    return texts, skipped


def _tokens_in(tokens: Sequence[Token], span: Span) -> tuple[int, ...]:
    return tuple(
        token.index
        for token in tokens
        if token.start is not None
        and token.end is not None
        and min(token.end, span[1]) > max(token.start, span[0])
    )


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

    pronoun: Tensor  # [B, 1, T]: each pronoun's tokens weighted to a mean
    candidates: Tensor  # [B, T, 2]: the right name first, the wrong one second
    half: Integers  # [B]: 0 chooses, 1 reports
    by_rule: NDArray[np.bool_]  # [B, RULES]: whether each rule is right

    @classmethod
    def of(cls, batch: Sequence[GapText], device: torch.device | str = "cpu") -> "Mentions":
        n_tokens = len(batch[0].tokenized.tokens)
        pronoun = torch.zeros(len(batch), 1, n_tokens)
        candidates = torch.zeros(len(batch), n_tokens, 2)
        for row, text in enumerate(batch):
            pronoun[row, 0, list(text.pronoun)] = 1 / len(text.pronoun)
            for candidate, tokens in enumerate(text.candidates):
                candidates[row, list(tokens), int(candidate != text.item.answer)] = 1
        return cls(
            pronoun.to(device),
            candidates.to(device),
            np.array([text.item.line % 2 for text in batch]),
            np.array([text.by_rule for text in batch]),
        )

    def attention(self, pattern: Tensor) -> tuple[Tensor, Tensor]:
        """Attention to the right and the wrong name, [B, H] each, in a pattern [B, H, T, T]."""
        rows = self.pronoun[:, None] @ pattern  # [B, H, 1, T]
        right, wrong = (rows @ self.candidates[:, None])[:, :, 0].unbind(-1)
        return right.cpu(), wrong.cpu()


@dataclass(frozen=True, eq=False)
class CoreferenceTally(Tally):
    """Right answers of heads and rules, by half of the file: 0 chooses, 1 reports."""

    hits: Integers  # [2, L, H]
    n: Integers  # [2]
    rule_hits: Integers  # [2, RULES]

    @classmethod
    def empty(cls, n_layers: int, n_heads: int) -> "CoreferenceTally":
        shapes = ((2, n_layers, n_heads), 2, (2, len(RULES)))
        return cls(*(np.zeros(shape, np.int64) for shape in shapes))

    def count_questions(self, mentions: Mentions) -> None:
        """Count a batch's items and what the rules answer; once a batch."""
        np.add.at(self.n, mentions.half, 1)
        np.add.at(self.rule_hits, mentions.half, mentions.by_rule)

    def count_answers(self, mentions: Mentions, layer: int, pattern: Tensor) -> None:
        """Count what the heads of one layer answer, from a pattern [B, H, T, T]."""
        right, wrong = mentions.attention(pattern)
        np.add.at(self.hits[:, layer], mentions.half, (right > wrong).numpy())

    @property
    def rule(self) -> int:
        """The rule that is best on the choosing half, as an index into RULES."""
        return int(self.rule_hits[0].argmax())

    @property
    def enough(self) -> bool:
        return bool((self.n >= MIN_N).all())

    def counts(self, half: int) -> Counts:
        """What heads and baseline get right on one half."""
        return Counts(self.hits[half], int(self.n[half]), int(self.rule_hits[half, self.rule]))
