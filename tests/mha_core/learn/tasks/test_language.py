"""Sentences as sequences: each case points at the word that decides, and its two forms."""

import torch

from mha_core.learn.tasks.language import Language
from mha_core.learn.tasks.task import BOS


def test_each_case_predicts_the_word_that_comes_next() -> None:
    task = Language()
    batch = task.draw(seed=1, n=300)
    assert set(batch.cases) == {relation.id for relation in task.relations}
    for cases in batch.cases.values():
        assert torch.equal(batch.tokens[cases.text, cases.query + 1], cases.right)
        assert (cases.right != cases.wrong).all()
        assert (cases.key <= cases.query).all(), "what decides is visible"


def test_what_follows_a_sentence_does_not_count() -> None:
    batch = Language().draw(seed=1, n=50)
    assert torch.equal(batch.scored.sum(1) + 1, batch.lengths)
    assert (batch.tokens[:, 0] == 0).all()


def test_the_vocabulary_begins_with_bos_and_writes_the_examples() -> None:
    task = Language()
    assert task.vocabulary[0] == BOS
    assert task.starts_with_bos
    for text in task.examples:
        assert set(text.split()) <= set(task.vocabulary)


def test_the_same_seed_draws_the_same_texts() -> None:
    once, again, other = (Language().draw(seed, 8).tokens for seed in (5, 5, 6))
    assert torch.equal(once, again)
    assert not torch.equal(once, other)


def test_landmarks_are_words_of_the_vocabulary() -> None:
    task = Language()
    nouns = {task.vocabulary[id] for id in task.landmarks["noun"]}
    assert {"king", "kings", "dog"} <= nouns
    assert "old" not in nouns
