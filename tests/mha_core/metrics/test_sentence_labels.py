"""Labels of heads on one sentence: what gives them, and that a short text gives none for free."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from mha_core.attention import Weights
from mha_core.metrics.measure import measure, opportunities
from mha_core.metrics.meter import LayerMeasures, LayerQueue, Meter
from mha_core.metrics.passage import Passage
from mha_core.metrics.sentence_labels import sentence_labels
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import analyse
from mha_core.tap import LayerCapture
from mha_core.text.tokenization import tokenize
from tests.hand_made import looking_at, passage_of, tokens_of, uniform_head


def labels(pattern: Tensor, passage: Passage) -> list[list[str]]:
    found = sentence_labels(measure(pattern, passage), opportunities(passage))
    return [[label.label for label in head] for head in found]


def test_heads_are_labelled_by_what_they_do_on_the_sentence() -> None:
    #       0    1 2 3 4 5 6 7 8 9 10
    text = "[CLS] x a y x b y x c y [SEP]"
    back = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    mostly_back = [9, 0, 1, 2, 3, 4, 5, 9, 2, 5, 9]
    duplicate = [5, 8, 9, 8, 1, 9, 3, 4, 2, 6, 2]
    successor = [5, 8, 9, 8, 2, 9, 4, 5, 2, 7, 2]
    heads = torch.cat([looking_at(rows) for rows in (back, mostly_back, duplicate, successor)])
    found = labels(heads, passage_of(text))
    assert found == [
        *(["previous token (strict)"], ["previous token"], ["duplicate token"], ["induction"])
    ]


def test_a_label_carries_its_evidence_and_uniform_heads_are_broad() -> None:
    passage = passage_of("[CLS] a b c d e f g [SEP]")
    values, limits = measure(uniform_head(passage), passage), opportunities(passage)
    (head,) = sentence_labels(values, limits)
    assert [(label.label, label.metric, label.n) for label in head] == [("broad", "entropy", 9)]
    assert head[0].value == pytest.approx(1)


def test_nine_rows_of_ten_are_enough_for_the_strict_label() -> None:
    back = [0, *range(10), 3]  # ten rows have a token before them that counts; the last looks away
    assert labels(looking_at(back), passage_of("a b c d e f g h i j k l")) == [
        ["previous token (strict)"]
    ]


PIECES = ("[CLS]", "[SEP]", ",", "the", "cat", "dog", "un", "##happy", "##ly", "bird")


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=60), st.booleans())
def test_uniform_attention_gets_no_label_but_broad(pieces: list[str], causal: bool) -> None:
    passage = Passage.of(tokens_of(pieces), causal=causal)
    expected = ["broad"] if opportunities(passage)["entropy"].n >= 3 else []
    assert labels(uniform_head(passage), passage) == [expected]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n_tokens", range(1, 61))
def test_uniform_attention_gets_no_label_but_broad_at_any_length(
    n_tokens: int, causal: bool
) -> None:
    plain = [f"w{at}" for at in range(n_tokens)]
    for pieces in (plain, ["[CLS]", *plain[2:], "[SEP]"][:n_tokens], ["x"] * n_tokens):
        passage = Passage.of(tokens_of(pieces), causal=causal)
        assert set(*labels(uniform_head(passage), passage)) <= {"broad"}


@pytest.mark.parametrize(
    ("text", "targets", "label"),
    [
        # One row less than three, and three.
        ("a b c d", [0, 0, 1, 2], "previous token (strict)"),
        ("a b c d e", [0, 0, 1, 2, 3], "previous token (strict)"),
        ("a b c", [0, 0, 0], "sink"),
        ("a b c d", [0, 0, 0, 0], "sink"),
        ("a b c", [0, 1, 2], "itself (strict)"),
        ("a b c d", [0, 1, 2, 3], "itself (strict)"),
    ],
)
def test_a_causal_head_needs_three_cases(text: str, targets: list[int], label: str) -> None:
    passage = passage_of(text, causal=True)
    metric = {"previous token (strict)": "previous", "sink": "first", "itself (strict)": "self"}
    is_enough = opportunities(passage)[metric[label]].n == 3
    assert (label in labels(looking_at(targets), passage)[0]) == is_enough


def test_too_few_repetitions_give_no_label() -> None:
    assert labels(looking_at([4, 4, 4, 1, 2]), passage_of("a x y x y")) == [[]]


def test_special_tokens_need_three_words_beside_two_special_tokens() -> None:
    assert labels(looking_at([3, 3, 3, 3]), passage_of("[CLS] a b [SEP]")) == [[]]
    found = labels(looking_at([4, 4, 4, 4, 4]), passage_of("[CLS] a b c [SEP]"))
    assert found == [["special tokens"]]


def label_counts(model: LoadedModel, text: str) -> Counter[str]:
    """How many heads have each label."""
    tokenized = tokenize(model.tokenizer, text)
    meter = Meter.of(model, tokenized)
    queue, layers = LayerQueue(meter), list[LayerMeasures]()

    def on_weights(capture: LayerCapture, weights: Weights) -> None:
        layers.extend(queue.put(meter.maps(capture, weights, weighted=False)))

    analyse(model, tokenized, on_weights)
    return Counter(it.label for layer in layers for of_head in layer.labels for it in of_head)


def test_a_greeting_gives_no_label_for_free(minilm: LoadedModel, smollm2: LoadedModel) -> None:
    assert label_counts(smollm2, "Hello") == {}
    assert label_counts(smollm2, "Good morning") == {}
    assert set(label_counts(minilm, "Hello")) <= {"broad"}


LONG = (
    "The unbelievable animal didn't cross the street, because the animal was too tired. The cat "
    "sat on the mat, and the cat slept on the mat all day long while it rained."
)


def test_real_heads_keep_their_labels_on_a_long_text(
    minilm: LoadedModel, smollm2: LoadedModel
) -> None:
    of_minilm, of_smollm2 = label_counts(minilm, LONG), label_counts(smollm2, LONG)
    everywhere = {"previous token (strict)", "sink", "broad", "duplicate token"}
    assert set(of_minilm) >= everywhere | {"next token", "special tokens"}
    assert set(of_smollm2) >= everywhere | {"itself (strict)", "induction"}
    assert of_smollm2["previous token (strict)"] + of_smollm2["previous token"] < 10
