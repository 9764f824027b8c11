"""Rules choose names by place, length, mentions and punctuation, and always choose one."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from mha_core.atlas.gap import GapItem, read_gap
from mha_core.atlas.name_rules import RULES, choose_names

IDS = [rule.id for rule in RULES]


@dataclass(frozen=True)
class Asked:
    item: GapItem


def asked(text: str, first: str, second: str) -> Asked:
    """A text whose pronoun is "she", with two names where they first occur."""

    def span(words: str) -> tuple[int, int]:
        return text.index(words), text.index(words) + len(words)

    return Asked(GapItem("t", 0, text, span("she"), (span(first), span(second)), 0))


def choices(text: str, first: str, second: str) -> dict[str, int]:
    """What every rule chooses; the same names in the other order must be chosen again."""
    (chosen,) = choose_names([asked(text, first, second)])
    (exchanged,) = choose_names([asked(text, second, first)])
    assert (exchanged == 1 - chosen).all()
    return dict(zip(IDS, chosen.tolist(), strict=True))


def test_places_decide_between_names_that_are_otherwise_alike() -> None:
    found = choices("Ann met Bea, and she left.", "Ann", "Bea")
    plain = [id for id in IDS if "after_mark" not in id]  # "Ann" begins the text
    assert {id for id in plain if found[id] == 1} == {id for id in plain if id.endswith("nearer")}
    found = choices("Ann came after she met Elizabeth of Bath.", "Ann", "Elizabeth")
    assert (found["nearer"], found["farther"], found["first"]) == (1, 0, 0)
    found = choices("There she is, Ann, with Bea.", "Ann", "Bea")
    assert (found["nearer"], found["farther"], found["first"]) == (0, 1, 0)


def test_the_longer_name_has_more_letters_and_a_tie_goes_to_the_second_rule() -> None:
    found = choices("A.-B. C. met Elsa, and she left.", "A.-B. C.", "Elsa")
    assert {found[id] for id in IDS if id.startswith("longer")} == {1}, "marks are no letters"
    found = choices("Elsa met Anna. Elsa sat, she left.", "Elsa", "Anna")
    assert {id: found[id] for id in IDS if id.startswith("longer")} == {
        "longer_else_nearer": 1,
        "longer_else_farther": 0,
        "longer_else_first": 0,
        "longer_else_shorter_else_nearer": 1,
        "longer_else_fewer_words_else_nearer": 1,
        "longer_else_after_mark_else_nearer": 0,
        "longer_else_frequent_else_nearer": 0,
    }


def test_the_shorter_name_and_the_name_of_fewer_words_are_chosen() -> None:
    found = choices("Ann Lee met Wilhelmina, and she left.", "Ann Lee", "Wilhelmina")
    assert found["shorter_else_farther"] == 0
    assert found["fewer_words_else_farther"] == 1


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Ann met Bea, and she left.", 0),  # at the start of the text
        ("So Ann sat. Bea rose, and she left.", 1),
        ("So Ann (Bea's aunt) sat, and she left.", 1),
        ("So Ann met Bea, and she left.", 1),  # neither: the nearer
    ],
)
def test_the_name_after_a_punctuation_mark_is_chosen(text: str, choice: int) -> None:
    assert choices(text, "Ann", "Bea")["after_mark_else_nearer"] == choice


@pytest.mark.parametrize(
    ("text", "first", "second", "choice"),
    [
        ("Ann met Bea. Ann sat, she left.", "Ann", "Bea", 0),
        ("Ann Lee met Bea Ray. Ray sat, she left.", "Ann Lee", "Bea Ray", 1),  # a part of a name
        ("Ann Lee met Bea. Bea sat, she left.", "Ann Lee", "Bea", 1),  # two words are no mentions
        ("Ann met Bea. Annie, Anna: she left.", "Ann", "Bea", 1),  # others: a tie, the nearer
        ("Ann of the Hill met Bea: the sum of the two. Bea sat, she left.",
         "Ann of the Hill", "Bea", 1),  # small words are nobody
    ],
)  # fmt: skip
def test_mentions_are_those_of_the_words_of_a_name(
    text: str, first: str, second: str, choice: int
) -> None:
    assert choices(text, first, second)["frequent_else_nearer"] == choice


def test_a_name_without_capitals_or_letters_can_be_counted_too() -> None:
    assert choices("bo met amy. bo sat, she left.", "bo", "amy")["frequent_else_nearer"] == 0
    assert choices("*** met Amy, and she left.", "***", "Amy")["frequent_else_nearer"] == 1


def test_rules_differ_and_are_described() -> None:
    assert len(set(IDS)) == len({rule.words for rule in RULES}) == len(RULES) == 38
    words = {rule.id: rule.words for rule in RULES}
    assert words["nearer"] == "the nearer name"
    assert words["frequent_else_nearer"] == "the name mentioned more often, else the nearer one"
    assert words["frequent_else_longer_else_nearer"] == (
        "the name mentioned more often, else the longer one, else the nearer one"
    )


def test_no_texts_no_choices() -> None:
    assert choose_names([]).shape == (0, len(RULES))


def test_the_known_rules_are_as_good_as_known(shared_data: Path) -> None:
    items = read_gap(shared_data / "gap" / "gap-test.tsv")
    texts = [Asked(item) for item in items if item.answer is not None]
    chosen = choose_names(texts)
    assert set(np.unique(chosen)) == {0, 1}
    right = chosen == np.array([[text.item.answer] for text in texts])
    even = np.array([text.item.line % 2 == 0 for text in texts])
    accuracy = dict(zip(IDS, right.mean(0), strict=True))
    on_even = dict(zip(IDS, right[even].mean(0), strict=True))
    assert accuracy["nearer"] == pytest.approx(0.501, abs=5e-4)
    assert accuracy["nearer"] + accuracy["farther"] == 1
    assert on_even["frequent_else_nearer"] == pytest.approx(0.647, abs=5e-4)
    assert on_even["shorter_else_nearer"] > on_even["longer_else_nearer"]
    best = max(on_even, key=lambda id: on_even[id])
    assert best == "after_mark_else_frequent_else_nearer"
    assert on_even[best] == pytest.approx(0.733, abs=5e-3)
