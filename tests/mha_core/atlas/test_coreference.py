"""Heads are asked whom a pronoun means; what they cannot be asked is counted."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from mha_core.atlas.batches import batch_by_length
from mha_core.atlas.coreference import RULES, CoreferenceTally, GapText, Mentions, tokenize_items
from mha_core.atlas.gap import GapItem, read_gap
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap
from mha_core.text.byte_tokenizer import byte_tokenizer

TEXT = "Ann met Bo; she left."
ANN, BO, SHE = (0, 3), (8, 10), (12, 15)


def item(line: int, answer: int | None = 0, text: str = TEXT) -> GapItem:
    return GapItem(f"t-{line}", line, text, SHE, (ANN, BO), answer)


def texts(items: list[GapItem], model: LoadedModel) -> list[GapText]:
    return tokenize_items(items, model.tokenizer, 64, causal=False)[0]


def looking(text: GapText, *weights: tuple[float, float]) -> Tensor:
    """A pattern [1, H, T, T] whose pronoun gives each name these weights, a head a pair."""
    n_tokens = len(text.tokenized.tokens)
    pattern = torch.zeros(1, len(weights), n_tokens, n_tokens)
    for head, pair in enumerate(weights):
        for tokens, weight in zip(text.candidates, pair, strict=True):
            for query in text.pronoun:
                pattern[0, head, query, list(tokens)] = weight / len(tokens)
    return pattern


def test_mentions_are_the_tokens_of_their_names(minilm: LoadedModel) -> None:
    (text,) = texts([item(0)], minilm)
    shown = [token.text for token in text.tokenized.tokens]
    assert [shown[i] for i in text.pronoun] == ["she"]
    assert ["".join(shown[i] for i in tokens) for tokens in text.candidates] == ["Ann", "Bo"]


def test_the_larger_sum_is_the_answer_and_a_tie_is_none(minilm: LoadedModel) -> None:
    batch = texts([item(0, answer=0), item(1, answer=1)], minilm)
    weights = (0.3, 0.2), (0.2, 0.3), (0.2, 0.2)
    pattern = torch.cat([looking(text, *weights) for text in batch])
    right, wrong = Mentions.of(batch).attention(pattern)
    assert (right > wrong).tolist() == [[True, False, False], [False, True, False]]


def test_even_lines_choose_and_odd_lines_report(minilm: LoadedModel) -> None:
    batch = texts([item(0), item(1), item(2), item(3, answer=1)], minilm)
    mentions = Mentions.of(batch)
    tally = CoreferenceTally.empty(1, 2)
    tally.count_questions(mentions)
    pattern = torch.cat([looking(text, (0.3, 0.1), (0.1, 0.3)) for text in batch])
    tally.count_answers(mentions, 0, pattern)
    assert tally.n.tolist() == [2, 2]
    # Bo is nearer, one token like Ann, and right on line 3 only.
    assert tally.rule_hits.tolist() == [[0, 2, 0], [1, 1, 1]]
    assert tally.hits.tolist() == [[[2, 0]], [[1, 1]]]
    assert RULES[tally.rule] == "the farther name"
    assert tally.counts(1).baseline == 0.5
    assert not tally.enough


def test_the_baseline_is_the_rule_that_is_best_on_the_choosing_half() -> None:
    tally = CoreferenceTally.empty(1, 1)
    tally.n[:] = 100
    tally.rule_hits[:] = [[30, 70, 60], [80, 20, 55]]
    assert tally.enough
    assert tally.counts(0).baseline == 0.7
    assert tally.counts(1).baseline == 0.2, "chosen on the one, reported on the other"


def test_of_two_names_of_one_length_the_longer_is_the_nearer(minilm: LoadedModel) -> None:
    alike = GapItem("t-0", 0, "Ann met Bea; she left.", (13, 16), ((0, 3), (8, 11)), 1)
    (text,) = texts([alike], minilm)
    assert text.by_rule == (True, False, True)


def test_parts_add_up_and_survive_being_saved(minilm: LoadedModel, tmp_path: Path) -> None:
    batch = texts([item(n, answer=n % 2) for n in range(3)], minilm)
    pattern = torch.cat([looking(text, (0.3, 0.1)) for text in batch])

    def counted(*rows: int) -> CoreferenceTally:
        tally = CoreferenceTally.empty(1, 1)
        mentions = Mentions.of([batch[row] for row in rows])
        tally.count_questions(mentions)
        tally.count_answers(mentions, 0, pattern[list(rows)])
        return tally

    whole, parts = counted(0, 1, 2), counted(0) + counted(1, 2)
    np.savez(tmp_path / "tally.npz", **parts.arrays())
    with np.load(tmp_path / "tally.npz") as saved:
        again = CoreferenceTally.from_arrays(saved)
    for name, array in whole.arrays().items():
        assert array.tolist() == again.arrays()[name].tolist()


def test_what_cannot_be_asked_is_counted_by_reason() -> None:
    items = [
        item(0),
        item(1, answer=None),
        item(2, text=TEXT + " x" * 20),
        GapItem("t-3", 3, TEXT, ANN, (SHE, BO), 0),
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
def test_real_heads_answer_as_counted_by_hand(
    name: str, shared_data: Path, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    causal = model.architecture.kind == "decoder"
    items = read_gap(shared_data / "gap" / "gap-test.tsv")[:6]
    found, skipped = tokenize_items(
        items, model.tokenizer, model.architecture.max_tokens, causal=causal
    )
    tally = CoreferenceTally.empty(model.architecture.n_layers, model.architecture.n_heads)
    by_hand = np.zeros_like(tally.hits)
    for batch in batch_by_length(found, 512):
        mentions = Mentions.of(batch, model.device)
        tally.count_questions(mentions)

        def on_pattern(
            capture: LayerCapture,
            pattern: Tensor,
            batch: list[GapText] = batch,
            mentions: Mentions = mentions,
        ) -> None:
            tally.count_answers(mentions, capture.site.layer, pattern)
            for row, text in enumerate(batch):
                looks = pattern[row][:, list(text.pronoun)].mean(1).cpu()  # [H, T]
                sums = torch.stack([looks[:, list(c)].sum(-1) for c in text.candidates])
                right = sums.argmax(0).numpy() == text.item.answer
                by_hand[text.item.line % 2, capture.site.layer] += right

        model.forward_all([text.tokenized for text in batch], Tap(on_pattern))
    assert tally.n.sum() == len(found) > 0
    assert len(found) + sum(skipped.values()) == len(items)
    assert tally.hits.tolist() == by_hand.tolist()
