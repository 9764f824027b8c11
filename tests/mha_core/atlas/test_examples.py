"""Examples are true links of real sentences, strongest first."""

from dataclasses import replace
from itertools import product

import pytest
import torch

from mha_core.atlas.arcs import Arcs
from mha_core.atlas.coreference import GapText, Mentions, tokenize_items
from mha_core.atlas.examples import PRONOUNS, WINDOW, ExampleSearch, build_example
from mha_core.atlas.gap import GapItem
from mha_core.atlas.record import AtlasExample
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import Pooling, WordText, pool_words
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap

OBJECT = "obj:dependent"


def batch(sentences: list[Sentence], model: LoadedModel) -> list[WordText]:
    return [WordText.of(sentence, model.tokenizer) for sentence in sentences]


def arcs(texts: list[WordText], causal: bool = False) -> Arcs:
    return Arcs.of(texts, causal=causal)


def test_a_claim_gets_right_links_only_and_a_head_without_one_its_strongest(
    marked: list[Sentence], tiny: LoadedModel
) -> None:
    texts = batch(marked, tiny)
    maps = torch.zeros(3, 2, 7, 7)
    maps[0, :, 5, 3] = 0.4  # cat -> chased: right
    maps[0, :, 4, 0] = 0.9  # a -> The: strong, no object, and to the first word
    maps[1, :, 4, 1] = 0.6  # letter -> reads: right, but
    maps[1, :, 4, 2] = 0.7  # letter -> a is stronger
    search = ExampleSearch({(0, 0): [OBJECT]})
    search.search_words(0, maps, texts, arcs(texts))
    (example,) = search.examples((0, 0))
    assert example == AtlasExample(
        role="obj:dependent",
        words=marked[0].words,
        query=5,
        key=3,
        weight=maps[0, 0, 5, 3].item(),
        source="s0",
    )
    links = [(e.role, e.source, e.words[e.query], e.words[e.key]) for e in search.examples((0, 1))]
    assert links == [(None, "s1", "letter", "a"), (None, "s0", "cat", "chased")]


def test_the_strongest_of_all_batches_stay_one_a_sentence(
    marked: list[Sentence], tiny: LoadedModel
) -> None:
    search = ExampleSearch({(0, 0): [OBJECT]})
    for part in range(6):
        sentence = marked[part % 2]
        texts = batch([sentence], tiny)
        maps = torch.zeros(1, 1, 7, 7)
        query, key = (5, 3) if part % 2 == 0 else (4, 1)
        maps[0, 0, query, key] = 0.1 * (part + 1)
        maps[0, 0, 0, 1] = 0.05
        search.search_words(0, maps, texts, arcs(texts))
    weights = [example.weight for example in search.examples((0, 0))]
    assert weights == pytest.approx([0.6, 0.5])


def test_a_sentence_with_two_right_links_shows_the_stronger(
    marked: list[Sentence], tiny: LoadedModel
) -> None:
    texts = batch(marked[:1], tiny)
    maps = torch.zeros(1, 1, 7, 7)
    maps[0, 0, 0, 2] = 0.3  # The -> dog
    maps[0, 0, 4, 5] = 0.8  # a -> cat
    search = ExampleSearch({(0, 0): ["det:dependent"]})
    search.search_words(0, maps, texts, arcs(texts))
    assert [(e.words[e.query], e.role) for e in search.examples((0, 0))] == [("a", "det:dependent")]


def test_a_claim_that_is_nowhere_right_falls_back_on_the_strongest_links(
    marked: list[Sentence], tiny: LoadedModel
) -> None:
    texts = batch(marked[:2], tiny)
    maps = torch.zeros(2, 1, 7, 7)
    maps[:, 0, 2, 1] = 0.3
    search = ExampleSearch({(0, 0): [OBJECT]})
    search.search_words(0, maps, texts, arcs(texts))
    assert [example.role for example in search.examples((0, 0))] == [None, None]


@pytest.mark.parametrize(("query", "key"), [(0, 15), (39, 24), (20, 19), (3, 2), (38, 39)])
def test_a_window_of_a_long_sentence_holds_both_ends_of_the_link(query: int, key: int) -> None:
    words = tuple(f"w{n}" for n in range(40))
    sentence = Sentence("long", " ".join(words), words, words, (-1,) * 40, words)
    example = build_example(None, sentence, query, key, 0.5)
    assert len(example.words) == WINDOW
    assert example.words[example.query] == f"w{query}"
    assert example.words[example.key] == f"w{key}"


def test_links_too_long_for_a_window_are_passed_over(tiny: LoadedModel) -> None:
    words = tuple("abcdefghijklmnopqrstuvwxyz")
    heads = (16, *[-1] * 25)
    sentence = Sentence("long", " ".join(words), words, words, heads, ("obj", *["root"] * 25))
    texts = batch([sentence], tiny)
    maps = torch.zeros(1, 1, 26, 26)
    maps[0, 0, 0, 16] = 0.9
    maps[0, 0, 1, 16] = 0.2
    search = ExampleSearch({(0, 0): [OBJECT]})
    search.search_words(0, maps, texts, arcs(texts))
    assert [(e.words[e.query], e.role) for e in search.examples((0, 0))] == [("b", None)]


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_every_head_of_a_real_model_has_examples_from_the_sentences(
    name: str, marked: list[Sentence], request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    causal = model.architecture.kind == "decoder"
    search = ExampleSearch({})
    for text in batch(marked[:2], model):
        pooling, asked = Pooling.of([text], model.device), arcs([text], causal)

        def on_pattern(capture: LayerCapture, pattern: torch.Tensor) -> None:
            maps = pool_words(pattern, pooling)  # noqa: B023
            search.search_words(capture.site.layer, maps, [text], asked)  # noqa: B023

        model.forward(text.tokenized, Tap(on_pattern))
    heads = product(range(model.architecture.n_layers), range(model.architecture.n_heads))
    for examples in map(search.examples, heads):
        assert [e.weight for e in examples] == sorted((e.weight for e in examples), reverse=True)
        assert {e.source for e in examples} == {"s0", "s1"}
        assert all(e.key < e.query if causal else e.key != e.query for e in examples)


def test_a_sentence_nobody_should_meet_unasked_is_passed_over(
    marked: list[Sentence], tiny: LoadedModel
) -> None:
    rude = replace(marked[0], words=("The", "old", "retard", "chased", "a", "cat", "."))
    texts = [replace(batch([marked[0]], tiny)[0], sentence=rude)]
    maps = torch.zeros(1, 1, 7, 7)
    maps[0, 0, 5, 3] = 0.9
    search = ExampleSearch({})
    search.search_words(0, maps, texts, arcs(texts))
    assert search.examples((0, 0)) == []


NEAR = "Ann met Bea, and she smiled."
FAR = "Ann met Bea " + "on and on " * 8 + "until she smiled."


def item(number: int, text: str) -> GapItem:
    she = text.index("she")
    return GapItem(f"g{number}", number, text, (she, she + 3), ((0, 3), (8, 11)), 0)


def asked(model: LoadedModel, texts: list[str]) -> list[GapText]:
    items = [item(number, text) for number, text in enumerate(texts)]
    return tokenize_items(items, model.tokenizer, 256, causal=False)[0]


def maps(batch: list[GapText], *links: tuple[int, int, float]) -> torch.Tensor:
    """Of two heads: head 0 puts so much of the pronoun's row on a candidate of a text."""
    n_tokens = len(batch[0].tokenized.tokens)
    pattern = torch.zeros(len(batch), 2, n_tokens, n_tokens)
    for row, candidate, weight in links:
        pattern[row, 0, batch[row].pronoun[0], batch[row].candidates[candidate][0]] = weight
    return pattern


def test_only_right_links_are_kept_strongest_first(minilm: LoadedModel) -> None:
    batch = asked(minilm, [NEAR] * 4)
    search = ExampleSearch({(3, 0): [PRONOUNS], (3, 1): [PRONOUNS]})
    pattern = maps(batch, (0, 0, 0.5), (1, 1, 0.9), (2, 0, 0.8), (3, 0, 0.6))
    search.search_pronouns(3, pattern, batch, Mentions.of(batch))
    found = search.examples((3, 0))
    assert search.examples((3, 1)) == [], "the other head found nobody"
    assert [(example.source, round(example.weight, 1)) for example in found] == [
        ("g2", 0.8),
        ("g3", 0.6),
    ]
    best = found[0]
    assert (best.words[best.query], best.words[best.key]) == ("she", "Ann")
    assert best.role == "gap"


def test_another_layer_is_not_looked_at(minilm: LoadedModel) -> None:
    batch = asked(minilm, [NEAR])
    search = ExampleSearch({(3, 0): [PRONOUNS]})
    search.search_pronouns(2, maps(batch, (0, 0, 0.5)), batch, Mentions.of(batch))
    assert search.examples((3, 0)) == []


def test_a_link_that_fits_no_window_is_passed_over(minilm: LoadedModel) -> None:
    batch = asked(minilm, [FAR])
    search = ExampleSearch({(3, 0): [PRONOUNS]})
    search.search_pronouns(3, maps(batch, (0, 0, 0.5)), batch, Mentions.of(batch))
    assert search.examples((3, 0)) == []
