"""A head wins when it is clearly ahead of the best rule, on both splits."""

import numpy as np
import pytest

from mha_core.atlas.contest import LEAST, MARGIN, Answers, Booleans, Contest
from mha_core.atlas.tally import Integers

N = 2000


def right(share: float, n: int = N, seed: int = 0) -> Booleans:
    """Exactly this share of n cases is right, at random places."""
    answers = np.arange(n) < round(share * n)
    return np.random.default_rng(seed).permutation(answers)


def split(heads: list[Booleans], rules: list[Booleans], group: Integers | None = None) -> Answers:
    cases = np.arange(len(rules[0])) if group is None else group
    return Answers(np.stack(heads, 1), np.stack(rules, 1), cases)


def contest(dev: list[float], test: list[float], n: int = N) -> Contest:
    """Heads with these accuracies against a rule that is right half of the time."""
    return Contest(
        *(
            split([right(share, n, seed) for seed, share in enumerate(shares, 1)], [right(0.5, n)])
            for shares in (dev, test)
        )
    )


def test_a_head_that_follows_the_rule_never_wins() -> None:
    rule = right(0.9)
    same = Contest(split([rule], [rule]), split([rule], [rule]))
    assert same.winners == []
    lead = same.lead(0, same.test)
    assert (lead.difference, lead.low, lead.high) == (0, 0, 0)


@pytest.mark.parametrize(
    ("dev", "test", "wins"),
    [
        (0.58, 0.58, False),
        (0.70, 0.70, True),
        (0.70, 0.50, False),
        (0.50, 0.70, False),
        (0.70, 0.58, False),
    ],
)
def test_a_head_must_be_ahead_by_the_margin_on_both_splits(
    dev: float, test: float, wins: bool
) -> None:
    asked = contest([dev], [test])
    assert asked.winners == [0] * wins
    assert asked.lead(0, asked.dev).holds == (dev >= 0.6)
    assert asked.lead(0, asked.test).holds == (test >= 0.6)


def test_few_cases_prove_nothing() -> None:
    few = contest([0.64], [0.64], 100)
    assert few.has_cases
    assert few.winners == [], "14 points ahead, but the interval begins too low"
    assert not contest([0.7], [0.7], 99).has_cases


def test_a_lead_of_exactly_the_margin_counts() -> None:
    rule = np.arange(N) < 0.5 * N
    head = np.arange(N) < 0.6 * N  # .6 - .5 is less than .1 in floating point
    asked = Contest(split([head], [rule]), split([head], [rule]))
    assert asked.lead(0, asked.dev).difference < MARGIN
    assert asked.winners == [0]
    assert asked.lead(0, asked.dev).holds


def test_winners_are_in_the_order_of_dev() -> None:
    asked = contest([0.70, 0.55, 0.80, 0.75], [0.90, 0.99, 0.70, 0.75])
    assert asked.winners == [2, 3, 0]
    assert asked.ranking == [2, 3, 0, 1]


def test_the_rule_is_chosen_on_dev_and_scored_on_test() -> None:
    dev = split([right(0.9, seed=1)], [right(0.4), right(0.7), right(0.7)])
    test = split([right(0.7, seed=1)], [right(0.9), right(0.5), right(0.6)])
    asked = Contest(dev, test)
    assert asked.rule == 1, "the first of two that are equally good"
    assert asked.winners == [0]
    lead = asked.lead(0, asked.test)
    assert (lead.n, lead.accuracy, lead.rule_accuracy) == (N, 0.7, 0.5)


def test_a_rule_that_chooses_nothing_asks_a_second_one() -> None:
    cases = np.arange(N)
    early, late = cases < N * 0.6, cases >= N * 0.6
    heads, rules = np.ones((N, 1), bool), np.stack([early, late & (cases % 2 == 0)], 1)
    silent = np.stack([late, early], 1)
    answers = Answers(heads, rules, cases, silent)
    both = Contest(answers, answers)
    assert (both.rule, both.second) == (0, 1)
    assert both.rule_accuracy(answers) == pytest.approx(0.8)
    assert both.lead(0, answers).rule_accuracy == pytest.approx(0.8)
    alone = Contest(*[Answers(heads, rules, cases)] * 2)
    assert (alone.rule, alone.second) == (0, None)
    assert alone.rule_accuracy(alone.dev) == pytest.approx(0.6)


def test_head_and_rule_are_compared_case_by_case() -> None:
    rule = right(0.5)
    # Right wherever the rule is, and in 12 % of the cases besides.
    more = rule | (np.cumsum(~rule) * ~rule > N * 0.38)
    unlike = right(0.62, seed=5)
    asked = Contest(split([more, unlike], [rule]), split([more, unlike], [rule]))
    assert asked.dev.accuracy.tolist() == [0.62, 0.62]
    paired, independent = (asked.lead(head, asked.test) for head in (0, 1))
    binomial = 1.96 * np.sqrt(0.12 * 0.88 / N)
    assert paired.high - paired.low == pytest.approx(2 * binomial, rel=0.1)
    assert independent.high - independent.low > 2 * (paired.high - paired.low)
    assert paired.low > LEAST
    assert asked.winners == [0, 1]


def test_cases_of_one_group_do_not_count_twice() -> None:
    head, rule = right(0.62, 200, seed=1), right(0.5, 200)
    once = split([head], [rule])
    tenfold = split([np.repeat(head, 10)], [np.repeat(rule, 10)], np.repeat(np.arange(200), 10))
    apart = split([np.repeat(head, 10)], [np.repeat(rule, 10)])
    leads = [Contest(each, each).lead(0, each) for each in (once, tenfold, apart)]
    assert (leads[1].low, leads[1].high) == (leads[0].low, leads[0].high)
    assert [lead.holds for lead in leads] == [False, False, True]
    assert Contest(tenfold, tenfold).winners == []


def test_a_hundred_heads_that_guess_do_not_win() -> None:
    asked = contest([0.5] * 100, [0.5] * 100, 400)
    assert asked.winners == []
