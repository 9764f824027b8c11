"""One behaviour, one name: the simple rule that a head follows when it looks at words.

A head that picks the next long word passes several relations at once; it is described by that rule
first. The rule is chosen on dev, from all words or from one class of words, and must explain at
least HALF of the head's choices on dev and on test, and more of them than of uniform attention's.
A class of fewer than MIN_N words describes nothing.
"""

from dataclasses import dataclass

import numpy as np

from mha_core.atlas.bootstrap import bootstrap_interval, group_sums
from mha_core.atlas.contest import MIN_N, Answers, Booleans, Contest
from mha_core.atlas.evidence import Behaviour
from mha_core.atlas.roles import interval, percent
from mha_core.atlas.tally import Integers, Numbers
from mha_core.atlas.word_choices import WordSplit
from mha_core.atlas.word_rules import RULES, UNIFORM, SentenceView

HALF = 0.5
WORD_CLASSES = ("all words", "function words", "content words")
_UNIFORM = RULES.index(UNIFORM)


@dataclass(frozen=True, eq=False)
class _ClassWords:
    """The words of one class in a split: what heads and rules choose for them."""

    split: WordSplit
    rows: Integers
    group: Integers

    def __len__(self) -> int:
        return len(self.rows)

    def agreement(self, rule: int) -> Numbers:
        """Share of each head's choices [P] that are the rule's."""
        share: Numbers = self.agree(rule).mean(0)
        return share

    def agree(self, rule: int) -> Booleans:
        """Where each head [N, P] chooses what the rule does; choosing nothing agrees with none."""
        chosen = self.split.rules[self.rows, rule][:, None]
        same: Booleans = (self.split.heads[self.rows] == chosen) & (chosen >= 0)
        return same

    def answers(self, rule: int, heads: Integers) -> Answers:
        """These heads against uniform attention, at agreeing with the rule."""
        chosen = self.split.rules[self.rows]
        uniform = (chosen[:, [_UNIFORM]] == chosen[:, [rule]]) & (chosen[:, [rule]] >= 0)
        return Answers(self.agree(rule)[:, heads], uniform, self.group)


def find_behaviours(
    dev: WordSplit, test: WordSplit, n_heads: int
) -> tuple[list[Behaviour], dict[int, int]]:
    """The behaviour of every head that has one, and its rule's place in RULES by head."""
    found: list[Behaviour] = []
    followed: dict[int, int] = {}
    of_dev, of_test = _classes(dev), _classes(test)
    classes = [it for it in WORD_CLASSES if min(len(of_dev[it]), len(of_test[it])) >= MIN_N]
    if not classes:
        return found, followed
    words = [(of_dev[name], of_test[name]) for name in classes]
    rules = [at for at in range(len(RULES)) if at != _UNIFORM]
    shares = np.array([[it.agreement(rule) for rule in rules] for it, _ in words])  # [C, R, P]
    for head in range(shares.shape[2]):
        for of_class in _order_classes(shares[:, :, head]):
            rule = rules[int(shares[of_class, :, head].argmax())]
            behaviour = _describe(*words[of_class], classes[of_class], rule, head, n_heads)
            if behaviour is not None:
                found.append(behaviour)
                followed[head] = rule
                break
    return found, followed


def _order_classes(shares: Numbers) -> list[int]:
    """Classes [C] worth a test for one head's shares [C, R]: all words first, then the best."""
    best = shares.max(1)
    order = [0, *(1 + np.argsort(-best[1:], kind="stable"))]
    return [int(at) for at in order if best[at] >= HALF]


def _describe(
    dev: _ClassWords, test: _ClassWords, words: str, rule: int, head: int, n_heads: int
) -> Behaviour | None:
    """The behaviour, if it holds on both splits."""
    heads = np.array([head])
    contest = Contest(dev.answers(rule, heads), test.answers(rule, heads))
    (dev_low, _), (low, high) = (_interval(split) for split in (contest.dev, contest.test))
    if min(dev_low, low) < HALF or not contest.winners:
        return None
    agreement, uniform = float(contest.test.accuracy[0]), float(contest.test.rule_accuracy[0])
    layer, number = divmod(head, n_heads)
    return Behaviour(
        layer=layer, head=number, words=words, rule=RULES[rule].words, n=len(contest.test),
        agreement=agreement, low=low, high=high, uniform=uniform,
        evidence=(
            f"From {words} to {RULES[rule].words}: {percent(agreement)} of its "
            f"{len(contest.test):,} choices on the test set{interval(low, high)}, uniform "
            f"attention {percent(uniform)}."
        ),
    )  # fmt: skip


def _interval(answers: Answers) -> tuple[float, float]:
    n = group_sums(np.ones(len(answers), np.int8), answers.group)
    (low,), (high,) = bootstrap_interval(group_sums(answers.heads, answers.group), n)
    return float(low), float(high)


def _classes(split: WordSplit) -> dict[str, _ClassWords]:
    views = [SentenceView.of(text, causal=False) for text in split.texts]
    function = np.concatenate([view.function for view in views])
    content = np.concatenate([view.content for view in views])
    masks = {"all words": function | content, "function words": function, "content words": content}
    return {
        name: _ClassWords(split, np.flatnonzero(mask), split.sentence[mask])
        for name, mask in masks.items()
    }
