"""Examples of pronouns: the right name, within a window, the strongest first."""

import torch

from mha_core.atlas.coreference import GapText, Mentions, tokenize_items
from mha_core.atlas.examples import PRONOUNS, ExampleSearch
from mha_core.atlas.gap import GapItem
from mha_core.models.loading import LoadedModel

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
