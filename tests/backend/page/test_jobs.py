"""The page starts with a model that is here, and with a word of care."""

import re

from backend.models.schemas import ModelInfo
from backend.page.jobs import build_config
from backend.page.texts import EXAMPLES, FILTERS, LIMITS_OF_ATTENTION
from backend.settings import Settings
from mha_core.models.catalogue import find


def model(id: str, *, available: bool = True, reason: str | None = None) -> ModelInfo:
    numbers = dict.fromkeys(
        ("family", "kind", "n_layers", "n_heads", "n_kv_heads", "d_model", "d_head", "max_tokens")
    )
    words = {"name": id, "about": "", "licence": "", "source": "", "reason": reason, "no_atlas": ""}
    words["examples"] = []  # type: ignore[assignment]
    flags = {"pairs": False, "chat_template": False, "available": available, "loaded": False}
    return ModelInfo(id=id, **numbers, **words, **flags)  # type: ignore[arg-type]


def starts_with(*models: ModelInfo) -> str:
    return build_config(Settings(default_model="minilm"), list(models)).default_model


def test_the_page_starts_with_the_model_of_the_settings() -> None:
    assert starts_with(model("own"), model("minilm")) == "minilm"


def test_where_that_is_not_here_it_starts_with_one_that_is() -> None:
    not_yet = model("minilm", reason="Not downloaded yet")
    assert starts_with(not_yet, model("gpt2", available=False, reason="No"), model("own")) == "own"
    assert starts_with(not_yet) == "minilm"


def test_the_limits_are_those_of_the_settings() -> None:
    limited = {"max_tokens": 7, "max_characters": 70, "max_json_cells": 700}
    limits = build_config(Settings(**limited, max_corpus_characters=99), []).limits
    assert limits.max_corpus_characters == 99
    assert (limits.max_tokens, limits.max_characters, limits.max_json_cells) == (7, 70, 700)


def test_examples_show_pronouns_agreement_repetition_and_a_pair() -> None:
    assert [example.title for example in EXAMPLES][:3] == ["Pronoun", "Agreement", "Repetition"]
    assert [example.text_pair is not None for example in EXAMPLES].count(True) == 1


def test_an_example_invites_a_model_that_continues_it() -> None:
    (example,) = [example for example in EXAMPLES if example.tab == "generate"]
    assert example.model is not None
    assert find(example.model).id == "smollm2"
    assert example.text[-1].isalpha(), "a full stop would end it"


def test_what_an_example_may_be_held_against_differs_from_it_in_one_word() -> None:
    pairs = [(example.text, example.against) for example in EXAMPLES if example.against]
    assert len(pairs) >= 2
    for text, against in pairs:
        words, others = text.split(), against.split()
        assert len(words) == len(others)
        assert sum(one != other for one, other in zip(words, others, strict=True)) == 1


def test_filters_are_all_ways_between_two_sentences() -> None:
    ways = {(way.query_segment, way.key_segment) for way in FILTERS}
    assert ways == {(None, None), (0, 0), (0, 1), (1, 0), (1, 1)}


def test_what_attention_does_not_show_is_told_with_who_showed_it() -> None:
    told = build_config(Settings(), []).limits_of_attention
    assert told == LIMITS_OF_ATTENTION
    assert len(told) >= 4
    for limit in told:
        assert limit.text.endswith(".")
        assert re.search(r"\b(19|20)\d\d, [A-Z]", limit.source), "author, year, title"
        assert "://" not in limit.source
