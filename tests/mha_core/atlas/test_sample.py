"""A sample is what its seed says, in the order of the corpus."""

from mha_core.atlas.sample import sample


def test_a_sample_keeps_the_order_repeats_nothing_and_is_the_same_every_time() -> None:
    chosen = sample(range(1000), 50, seed=3)
    assert chosen == sorted(set(chosen))
    assert len(chosen) == 50
    assert chosen == sample(range(1000), 50, seed=3)
    assert chosen != sample(range(1000), 50, seed=4)


def test_a_small_corpus_is_taken_whole() -> None:
    assert sample("abc", 50, seed=0) == ["a", "b", "c"]
