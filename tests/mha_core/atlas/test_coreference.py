"""Heads choose whom a pronoun means; only one that knows more than the rules wins."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.coreference import (
    GapText,
    Mentions,
    NameChoices,
    count_names,
    exchange_answers,
    make_contest,
    pooled,
    right_answers,
    tokenize_items,
)
from mha_core.atlas.gap import GapItem, read_gap
from mha_core.atlas.name_rules import RULES
from mha_core.models.loading import LoadedModel
from mha_core.text.byte_tokenizer import byte_tokenizer

TEXT = "Ann met Bea; she left."
ANN, BEA, SHE = (0, 3), (8, 11), (13, 16)


def item(line: int, answer: int | None = 0, text: str = TEXT) -> GapItem:
    return GapItem(f"t-{line}", line, text, SHE, (ANN, BEA), answer)


def tokenized(items: list[GapItem]) -> list[GapText]:
    return tokenize_items(items, byte_tokenizer(64), 64, causal=False)[0]


def attend(batch: list[GapText], weights: Tensor) -> Tensor:
    """Patterns [B, H, T, T] whose pronouns give each name these weights [B, H, 2]."""
    n_tokens = len(batch[0].tokenized.tokens)
    pattern = torch.zeros(*weights.shape[:2], n_tokens, n_tokens)
    for row, text in enumerate(batch):
        for tokens, weight in zip(text.candidates, weights[row].T, strict=True):
            for query in text.pronoun:
                pattern[row, :, query, list(tokens)] = weight[:, None] / len(tokens)
    return pattern


def heads_choosing(texts: list[GapText], *names: np.ndarray) -> NameChoices:
    """A layer of heads that attend more to these names, [N] a head, by way of their maps."""
    chosen = torch.from_numpy(np.stack(names, 1))  # [N, H]
    weights = 0.1 + 0.2 * torch.nn.functional.one_hot(chosen, 2)
    return NameChoices(Mentions.of(texts).choose(attend(texts, weights))[:, None])


def test_mentions_are_the_tokens_of_their_names(minilm: LoadedModel) -> None:
    ((text,), _) = tokenize_items([item(0)], minilm.tokenizer, 64, causal=False)
    shown = [token.text for token in text.tokenized.tokens]
    assert [shown[i] for i in text.pronoun] == ["she"]
    assert ["".join(shown[i] for i in tokens) for tokens in text.candidates] == ["Ann", "Bea"]


def test_the_larger_sum_is_the_choice_and_a_tie_is_none() -> None:
    batch = tokenized([item(0, answer=0), item(1, answer=1)])
    pattern = attend(batch, torch.tensor([[0.3, 0.2], [0.2, 0.3], [0.2, 0.2]]).expand(2, -1, -1))
    mentions = Mentions.of(batch)
    assert mentions.choose(pattern).tolist() == [[0, 1, -1]] * 2, "whichever is right"
    right, wrong = mentions.attention(pattern)
    assert right.flatten().tolist() == pytest.approx([0.3, 0.2, 0.2, 0.2, 0.3, 0.2])
    assert (right > wrong).tolist() == [[True, False, False], [False, True, False]]


def test_a_name_gets_the_sum_over_its_tokens_and_the_pronoun_the_mean() -> None:
    (text,) = tokenized([item(0)])
    n_tokens = len(text.tokenized.tokens)
    pattern = torch.zeros(1, 2, n_tokens, n_tokens)
    pattern[0, :, text.pronoun[0], text.candidates[0][0]] = 0.5
    pattern[0, 0, text.pronoun[0], list(text.candidates[1])] = 0.2  # 3 tokens: .6 in all
    pattern[0, 1, text.pronoun[1], list(text.candidates[1])] = 0.1  # another row: .3 in all
    assert Mentions.of([text]).choose(pattern).tolist() == [[1, 0]]


def test_equal_weights_are_a_tie_whatever_the_places_of_their_tokens() -> None:
    (text,) = tokenized([item(0)])
    n_tokens = len(text.tokenized.tokens)
    weights = torch.rand(200, generator=torch.Generator().manual_seed(0)) / n_tokens
    pattern = weights[None, :, None, None].expand(1, 200, n_tokens, n_tokens)
    assert (Mentions.of([text]).choose(pattern) == -1).all()


def test_even_lines_choose_and_odd_lines_report() -> None:
    texts = tokenized([item(0), item(1), item(2), item(3, answer=1)])
    choices = heads_choosing(texts, np.zeros(4, np.int64), np.ones(4, np.int64))
    contest, everything = make_contest(texts, choices), pooled(texts, choices)
    assert contest.dev.heads.tolist() == [[True, False]] * 2
    assert contest.test.heads.tolist() == [[True, False], [False, True]]
    # Bea is nearer, as long as Ann, mentioned as often, and right on line 3 only.
    nearer, farther = ([rule.id for rule in RULES].index(id) for id in ("nearer", "farther"))
    assert contest.dev.rules[:, [nearer, farther]].tolist() == [[False, True]] * 2
    assert contest.test.rules[:, nearer].tolist() == [False, True]
    assert RULES[contest.rule].id == "farther"
    assert everything.accuracy.tolist() == [0.75, 0.25]
    assert not contest.has_cases


def test_cases_are_grouped_by_document() -> None:
    pages = ["b", "a", "b", "a", "c"]
    items = [GapItem("t", n, TEXT, SHE, (ANN, BEA), 0, page) for n, page in enumerate(pages)]
    texts = tokenized(items)
    choices = heads_choosing(texts, np.zeros(5, np.int64))
    assert pooled(texts, choices).group.tolist() == [1, 0, 1, 0, 2]
    contest = make_contest(texts, choices)
    assert (contest.dev.group.tolist(), contest.test.group.tolist()) == ([1, 1, 2], [0, 0])


def test_a_head_wins_by_knowing_more_than_how_often_names_are_mentioned() -> None:
    rng, n = np.random.default_rng(0), 600
    answer = rng.integers(0, 2, n)
    frequent, knowing = (
        np.where(rng.random(n) < share, answer, 1 - answer) for share in (0.65, 0.9)
    )
    texts = tokenized(
        [
            item(line, int(answer[line]), f"{TEXT} {('Ann', 'Bea')[frequent[line]]} sat.")
            for line in range(n)
        ]
    )
    choices = heads_choosing(texts, frequent, knowing, np.ones(n, np.int64))
    contest = make_contest(texts, choices)
    assert "mentioned more often" in RULES[contest.rule].words
    assert contest.winners == [1]
    assert contest.lead(0, contest.test).difference == 0
    assert contest.lead(1, contest.test).difference == pytest.approx(0.25, abs=0.08)
    for _ in range(5):
        assert make_contest(texts, choices, exchange_answers(texts, rng)).winners == []


def test_exchanged_answers_keep_how_often_the_nearer_name_is_right() -> None:
    other = "Ann; she met Bea, he."  # the nearer name is the other candidate
    near_first = [
        GapItem(f"o-{n}", n, other, (5, 8), ((0, 3), (13, 16)), int(n % 7 == 0)) for n in range(300)
    ]
    near_second = [item(n, int(n % 5 > 0)) for n in range(300, 600)]
    texts = tokenized([*near_first, *near_second])
    true, new = right_answers(texts), exchange_answers(texts, np.random.default_rng(0))
    assert {text.item.nearest for text in texts} == {0, 1}
    nearest = np.array([text.item.nearest for text in texts])
    half = np.array([text.item.line % 2 for text in texts])
    for side in (0, 1):
        for at in (0, 1):
            stratum = (nearest == side) & (half == at)
            assert new[stratum].sum() == true[stratum].sum()
    assert (new != true).any()
    assert right_answers(texts).tolist() == true.tolist(), "the texts keep theirs"


def test_what_cannot_be_asked_is_counted_by_reason() -> None:
    items = [
        item(0),
        item(1, answer=None),
        item(2, text=TEXT + " x" * 20),
        GapItem("t-3", 3, TEXT, ANN, (SHE, BEA), 0),
    ]
    found, skipped = tokenize_items(items, byte_tokenizer(32), 32, causal=True)
    assert [text.item.line for text in found] == [0]
    assert skipped == {"no_single_answer": 1, "too_long": 1, "not_both_visible": 1}
    both, _ = tokenize_items(items, byte_tokenizer(32), 32, causal=False)
    assert [text.item.line for text in both] == [0, 3]


def test_names_in_one_token_cannot_be_told_apart(minilm: LoadedModel) -> None:
    overlapping = GapItem("t-0", 0, TEXT, SHE, ((0, 2), (2, 3)), 0)
    _, skipped = tokenize_items([overlapping], minilm.tokenizer, 64, causal=False)
    assert skipped == {"no_own_token": 1}


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_real_heads_choose_as_counted_by_hand(
    name: str, shared_data: Path, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    causal = model.architecture.kind == "decoder"
    items = read_gap(shared_data / "gap" / "gap-test.tsv")[:6]
    found, skipped = tokenize_items(
        items, model.tokenizer, model.architecture.max_tokens, causal=causal
    )
    assert len(found) > 0
    assert len(found) + sum(skipped.values()) == len(items)
    for batch in batch_by_length(found, 512):
        counted = count_names(model, batch)
        assert counted.chosen.dtype == np.int8

        def check(
            layer: int,
            pattern: Tensor,
            batch: list[GapText] = batch,
            chosen: np.ndarray = counted.chosen,
        ) -> None:
            for row, text in enumerate(batch):
                looks = pattern[row][:, list(text.pronoun)].mean(1).cpu()  # [H, T]
                sums = torch.stack([looks[:, list(c)].sum(-1) for c in text.candidates])
                assert chosen[row, layer].tolist() == sums.argmax(0).tolist()

        run_batch(model, batch, check)
