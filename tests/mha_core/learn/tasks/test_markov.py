"""Random Markov chains: drawn as described, and the theory's lines are what counting reaches."""

import math
from collections import Counter
from itertools import pairwise

import pytest
import torch

from mha_core.learn.tasks.markov import Markov, draw_chains, pair_loss, symbol_loss


@pytest.mark.parametrize("n_symbols", [2, 3])
def test_the_lines_fall_from_nothing_to_counts_to_pairs(n_symbols: int) -> None:
    nothing, counts, pairs = (line.value for line in Markov(n_symbols=n_symbols).lines())
    expected = {2: (0.693, 0.58, 0.51), 3: (1.099, 1.01, 0.89)}[n_symbols]
    assert (nothing, counts, pairs) == pytest.approx(expected, abs=0.012)
    assert nothing == math.log(n_symbols)
    assert nothing > counts > pairs


def test_the_pair_line_is_what_counting_by_hand_gives() -> None:
    tokens = draw_chains(torch.Generator().manual_seed(0), 3, 3, 20)
    losses = []
    for row in tokens.tolist():
        for position in range(19):
            seen = Counter(pairwise(row[: position + 1]))
            after = [seen[row[position], symbol] for symbol in range(3)]
            losses.append(-math.log((after[row[position + 1]] + 1) / (sum(after) + 3)))
    assert pair_loss(tokens, 3) == pytest.approx(sum(losses) / len(losses), abs=1e-9)


def test_the_symbol_line_is_no_better_than_the_best_smoothing_by_hand() -> None:
    tokens = draw_chains(torch.Generator().manual_seed(0), 4, 2, 12)
    by_hand = []
    for added in (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0):
        losses = [
            -math.log((row[:at].count(row[at]) + added) / (at + 2 * added))
            for row in tokens.tolist()
            for at in range(1, 12)
        ]
        by_hand.append(sum(losses) / len(losses))
    assert symbol_loss(tokens, 2) == pytest.approx(min(by_hand), abs=1e-9)


def test_chains_differ_and_are_in_equilibrium_from_the_start() -> None:
    tokens = draw_chains(torch.Generator().manual_seed(0), 20_000, 2, 30)
    ones = tokens.float().mean(0)
    assert torch.allclose(ones, torch.full_like(ones, 0.5), atol=0.02), "at every position alike"
    # Rows from Dirichlet(1): the chance of staying is uniform, so chains differ widely.
    stays = (tokens[:, 1:] == tokens[:, :-1]).float().mean(1)
    assert stays.std() > 0.2


def test_the_same_seed_draws_the_same_texts() -> None:
    task = Markov(n_symbols=3)
    once, again, other = (task.draw(seed, 4).tokens for seed in (5, 5, 6))
    assert torch.equal(once, again)
    assert not torch.equal(once, other)
    assert task.draw(5, 4).scored.all()


def test_examples_are_written_in_the_vocabulary() -> None:
    task = Markov(n_symbols=3)
    assert all(set(text.split()) <= set(task.vocabulary) for text in task.examples)
