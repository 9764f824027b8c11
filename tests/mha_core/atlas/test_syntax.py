"""Heads that follow trees get roles; heads that follow rules, however well, get none."""

import numpy as np
import pytest

from mha_core.atlas.arcs import Arcs
from mha_core.atlas.contest import LEAST, MARGIN, MIN_N
from mha_core.atlas.evidence import AtlasRole
from mha_core.atlas.null_texts import exchange_trees
from mha_core.atlas.relation_words import DIRECTIONS
from mha_core.atlas.syntax import Syntax, answer
from mha_core.atlas.word_rules import NOTHING, RULES, Choices
from tests.made_up_treebank import RULE_IDS, MadeUpTreebank, judge, make_treebank

NEXT_LONG = "next_letters_4"
MADE_OF_RULES = {
    "nsubj": NEXT_LONG,
    "obj": "previous_content",
    "amod": "offset+1",
    "advcl": "longest",
}


def heads_of(roles: list[AtlasRole]) -> dict[str, list[int]]:
    return {role.id: [head.head for head in role.heads] for role in roles}


@pytest.mark.parametrize("causal", [False, True])
def test_a_head_that_follows_the_tree_gets_the_role_of_each_relation_with_enough_cases(
    causal: bool,
) -> None:
    names = ("nsubj",) * 10 + ("obj",) * 60 + ("advcl",)
    dev, test = (make_treebank(seed, relations=names, causal=causal) for seed in (0, 1))
    assert 0 < (dev.arcs.asked_by("advcl:dependent")).sum() < MIN_N
    syntax = judge(dev, test, [dev.guess(), dev.tree], [test.guess(), test.tree])
    assert heads_of(syntax.roles()) == {"nsubj:dependent": [1], "obj:dependent": [1]}
    assert syntax.not_above() == []
    assert all(head.value == 1 for role in syntax.roles() for head in role.heads)
    rows = {row.id: row for row in syntax.relations()}
    assert list(rows) == [f"{name}:{way}" for name in ("all", "nsubj", "obj") for way in DIRECTIONS]
    for id in ("all:dependent", "nsubj:dependent", "obj:dependent"):
        assert (rows[id].head, rows[id].accuracy, rows[id].holds) == (1, 1, True)
        assert rows[id].baseline < 0.3


def test_a_head_that_looks_from_heads_to_dependents_gets_the_other_direction() -> None:
    dev, test = make_treebank(0), make_treebank(1)
    heads = [look_down(split) for split in (dev, test)]
    syntax = judge(dev, test, heads[:1], heads[1:])
    assert heads_of(syntax.roles()) == {"nsubj:head": [0], "obj:head": [0]}


def look_down(treebank: MadeUpTreebank) -> Choices:
    """Each word chooses the last of the words that hang on it."""
    chosen = []
    for text in treebank.texts:
        last = {head: word for word, head in enumerate(text.sentence.heads)}
        chosen += [last.get(word, NOTHING) for word in range(len(text.sentence.words))]
    return np.array(chosen, np.int16)


def test_a_head_that_follows_the_tree_on_one_split_only_gets_no_role() -> None:
    dev, test = make_treebank(0), make_treebank(1)
    syntax = judge(dev, test, [dev.tree, dev.guess()], [test.guess(), test.tree])
    assert syntax.roles() == []
    (row,) = [row for row in syntax.relations() if row.id == "obj:dependent"]
    assert (row.head, row.holds) == (0, False), "dev chooses, and test does not hold"
    assert row.leads[0].difference > 0.8
    assert row.leads[1].difference < MARGIN


@pytest.mark.parametrize(("ahead", "wins"), [(0.08, False), (0.14, True)])
def test_a_head_must_be_ahead_of_the_best_rule_by_ten_points(ahead: float, wins: bool) -> None:
    dev, test = (
        make_treebank(seed).made_of_rules({"nsubj": NEXT_LONG}, share=0.6) for seed in (0, 1)
    )
    heads = []
    for split in (dev, test):
        rule = split.follow(NEXT_LONG)
        wrong = (rule != split.tree).mean()
        heads.append(split.mix(split.tree, rule, ahead / wrong))
    syntax = judge(dev, test, heads[:1], heads[1:])
    (outcome,) = [it for it in syntax.outcomes if it.task.id == "nsubj:dependent"]
    assert outcome.rule.startswith("the next word of at least 4 letters")  # with a second one
    row = outcome.row()
    assert [lead.difference for lead in row.leads] == pytest.approx([ahead] * 2, abs=0.025)
    assert all(lead.low >= LEAST for lead in row.leads), "only the margin is missing"
    assert row.holds == wins
    assert heads_of(syntax.roles()) == ({"nsubj:dependent": [0]} if wins else {})
    assert [it.id for it in syntax.not_above()] == ([] if wins else ["nsubj:dependent"])


@pytest.fixture(scope="module", params=[False, True], ids=["both ways", "causal"])
def made_of_rules(request: pytest.FixtureRequest) -> tuple[MadeUpTreebank, MadeUpTreebank]:
    """Two splits in which a relation is mostly what one rule chooses."""
    dev, test = (
        make_treebank(seed, causal=request.param).made_of_rules(MADE_OF_RULES, share=0.7)
        for seed in (0, 1)
    )
    return dev, test


@pytest.fixture(scope="module")
def followers(made_of_rules: tuple[MadeUpTreebank, MadeUpTreebank]) -> Syntax:
    """A model with a head for each rule there is, which does nothing else."""
    dev, test = made_of_rules
    return judge(dev, test, list(dev.rules.T), list(test.rules.T))


def test_a_head_that_follows_any_rule_gets_no_role(followers: Syntax) -> None:
    assert followers.roles() == []
    assert not any(row.holds for row in followers.relations())


def test_a_rule_follower_that_beats_fixed_offsets_is_listed_with_both_numbers(
    followers: Syntax,
) -> None:
    usual = {at for at, rule in enumerate(RULES) if rule.is_usual}
    causal = followers.outcomes[0].contest.dev.rules[:, RULE_IDS.index("offset+1")].sum() == 0
    (best_head, id) = (
        (RULE_IDS.index("previous_content"), "obj:dependent")
        if causal
        else (RULE_IDS.index(NEXT_LONG), "nsubj:dependent")
    )
    (row,) = [it for it in followers.not_above() if (it.id, it.head) == (id, best_head)]
    assert row.rule.startswith(RULES[best_head].words)
    for lead in row.leads:  # the rule has a second one where it chooses nothing, the head has not
        assert lead.rule_accuracy >= lead.accuracy - 0.02
        assert lead.accuracy > 0.6
        assert lead.difference == pytest.approx(0, abs=0.05)
    assert [lead.split for lead in row.leads] == ["the dev set", "the test set"]
    for number in (f"{lead.accuracy:.0%}".replace("%", " %") for lead in row.leads[1:]):
        assert number in row.evidence
    assert row.rule in row.evidence
    assert not {it.head for it in followers.not_above()} & usual


def test_the_evidence_says_what_the_relation_adds_to_a_heads_usual_choice() -> None:
    dev, test = (
        make_treebank(seed).made_of_rules({"nsubj": NEXT_LONG}, share=0.5) for seed in (0, 1)
    )
    syntax = judge(dev, test, [dev.tree], [test.tree])
    (role,) = syntax.roles({0: RULE_IDS.index(NEXT_LONG)})
    rule, tree = test.follow(NEXT_LONG), test.tree
    assert role.heads[0].evidence.endswith(
        " Where its usual choice (the next word of at least 4 letters) is wrong, it is right in "
        f"100 % of {(rule != tree).sum():,}."
    )
    (without,) = syntax.roles()
    assert role.heads[0].evidence.startswith(without.heads[0].evidence)


@pytest.mark.parametrize("causal", [False, True])
def test_a_perfect_head_gets_no_role_by_the_trees_of_other_sentences(causal: bool) -> None:
    dev, test = (make_treebank(seed, causal=causal) for seed in (0, 1))
    draws = np.random.default_rng(0)
    for _ in range(3):
        arcs = [
            Arcs.of(it.texts, causal=causal, trees=exchange_trees(it.texts, draws))
            for it in (dev, test)
        ]
        assert len(arcs[0].text) > 2000
        syntax = Syntax(dev.split(dev.tree), test.split(test.tree), (arcs[0], arcs[1]), 1)
        assert syntax.roles() == []
        assert max(row.accuracy for row in syntax.relations()) < 0.3


def test_too_few_cases_are_not_reported() -> None:
    dev, test = make_treebank(0, 20), make_treebank(1, 20)
    syntax = judge(dev, test, [dev.tree], [test.tree])
    assert {row.relation for row in syntax.relations()} == {"all"}, "some 95 of each relation"
    assert syntax.roles() == syntax.not_above() == []
    nothing = Arcs.of(dev.texts, causal=False, trees=[None] * 20)
    empty = Syntax(dev.split(dev.tree), test.split(test.tree), (nothing, nothing), 1)
    assert empty.relations() == empty.roles() == empty.not_above() == []


def test_answers_are_counted_by_hand() -> None:
    treebank = make_treebank(3, 30)
    head = treebank.guess()
    arcs, split = treebank.arcs, treebank.split(treebank.tree, head)
    answers = answer(split, arcs, arcs.asked_by("obj:head"))
    start, expected, group = 0, [], []
    for at, text in enumerate(treebank.texts):
        sentence = text.sentence
        for word, (on, name) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
            if name == "obj":
                expected.append([int(split.heads[start + on, it]) == word for it in (0, 1)])
                group.append(at)
        start += len(sentence.words)
    assert answers.heads.tolist() == expected
    assert answers.group.tolist() == group
    assert answers.rules.shape == (len(group), len(RULES))
