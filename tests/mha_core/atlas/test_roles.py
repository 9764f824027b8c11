"""A role needs a lower bound above its bar; a head that meets none is unassigned."""

import re
from pathlib import Path

import numpy as np
import pytest

from mha_core.atlas.evidence import RoleHead
from mha_core.atlas.measure import Measure
from mha_core.atlas.roles import GROUPS, IDLE_GROUPS, RULES, Rule, find_roles
from mha_core.metrics.catalogue import METRICS

TEXTS = "the dev set"


def measure(values: list[float], **changes: object) -> Measure:
    numbers = np.array(values).reshape(-1, min(2, len(values)))  # [L, H] of up to two heads
    given = {"low": numbers - 0.02, "high": numbers + 0.02, "baseline": 0.1, "n": 1234, **changes}
    return Measure("Label", "Meaning.", "share", values=numbers, **given)  # type: ignore[arg-type]


def only_head(**measures: Measure) -> RoleHead:
    (role,) = find_roles(measures, TEXTS)
    (head,) = role.heads
    return head


def test_only_a_lower_bound_above_the_bar_makes_a_role() -> None:
    found = find_roles({"previous": measure([0.9, 0.51, 0.49, 0.6])}, TEXTS)
    assert [role.id for role in found] == ["previous"]
    assert [(head.layer, head.head) for head in found[0].heads] == [(0, 0), (1, 1)]


def test_a_lift_is_counted_from_the_baseline() -> None:
    bars = {"induction": measure([0.49, 0.55], baseline=0.2)}
    (role,) = find_roles(bars, TEXTS)
    assert [head.head for head in role.heads] == [1]
    assert role.heads[0].lift == pytest.approx(0.35)


@pytest.mark.parametrize("values", [[float("nan")] * 2, [0.0, 0.0]])
def test_nothing_proven_is_no_role(values: list[float]) -> None:
    assert find_roles({rule.measure: measure(values) for rule in RULES}, TEXTS) == []


def test_a_head_without_an_interval_has_no_role() -> None:
    low = np.array([[np.nan, 0.8]])
    (role,) = find_roles({"previous": measure([0.9, 0.85], low=low)}, TEXTS)
    assert [head.head for head in role.heads] == [1]


def test_heads_are_ordered_by_their_value() -> None:
    (role,) = find_roles({"previous": measure([0.8, 0.9, 0.7, 0.95])}, TEXTS)
    assert [head.value for head in role.heads] == [0.95, 0.9, 0.8, 0.7]
    assert [head.rank for head in role.heads] == pytest.approx([0.85, 0.8, 0.7, 0.6])


def test_nothing_counted_is_no_role() -> None:
    assert find_roles({"previous": measure([0.9], n=0)}, TEXTS) == []


def test_the_evidence_names_claim_value_n_interval_texts_and_baseline() -> None:
    (role,) = find_roles({"previous": measure([0.61])}, "HeadScope's own sentences")
    assert role.heads[0].evidence == (
        "each token → the one before it: 61 % of the attention (1,234 rows) on HeadScope's own "
        "sentences (95 % interval 59 to 63 %), uniform attention 10 %."
    )
    assert role.heads[0].split == "HeadScope's own sentences"
    assert "uniform" not in only_head(previous=measure([0.61], baseline=None)).evidence


def test_windows_and_random_tokens_are_not_called_sentences() -> None:
    assert "(1,234 windows of 64 tokens)" in only_head(sink64=measure([0.61])).evidence
    head = only_head(synthetic_previous=measure([0.61]))
    assert head.split == "random tokens, repeated"
    assert TEXTS not in head.evidence


@pytest.mark.parametrize(
    ("sign", "words"),
    [
        (0.8, "its output raises the logit of what it attends to (sign +0.80"),
        (-0.4, "its output lowers the logit of what it attends to (sign -0.40"),
        (0.01, "whether its output raises or lowers what it attends to is unclear"),
        (float("nan"), "whether its output raises or lowers what it attends to is unclear"),
    ],
)
def test_a_copying_head_says_what_it_does_with_what_it_finds(sign: float, words: str) -> None:
    found = only_head(synthetic_induction=measure([0.92]), copying=measure([sign]))
    assert f", strong; {words}" in found.evidence
    assert ", partial" in only_head(synthetic_induction=measure([0.5])).evidence


def test_where_only_the_sign_is_known_nothing_is_said_about_it() -> None:
    unknown = measure([0.8], low=np.array([[np.nan]]), high=np.array([[np.nan]]))
    found = only_head(synthetic_induction=measure([0.92]), copying=unknown)
    assert "is unclear" in found.evidence
    assert "nan" not in found.evidence


def test_every_rule_is_of_a_group_and_each_group_has_its_own_letter() -> None:
    assert {rule.group for rule in RULES} <= {group.id for group in GROUPS}
    assert len({group.letter for group in GROUPS}) == len(GROUPS)
    assert {group.id for group in GROUPS if group.idle} == IDLE_GROUPS


def test_a_group_says_what_its_roles_are_compared_with() -> None:
    against = {group.id: group.against for group in GROUPS}
    assert {against[rule.group] for rule in RULES} == {"uniform attention"}
    contests = (against[id] for id in ("syntax", "coreference", "rare"))
    assert set(contests) == {"the best rule that does not read"}


def rule(name: str) -> Rule:
    return next(rule for rule in RULES if rule.measure == name)


@pytest.mark.parametrize(
    ("measure", "threshold", "is_lift"),
    [
        *((name, 0.5, False) for name in ("previous", "next", "self", "current_word")),
        *((name, 0.6, False) for name in ("special", "punctuation")),
        *((name, 0.3, True) for name in ("duplicate", "induction")),
        ("sink64", 0.3, False),
    ],
)
def test_labels_need_the_thresholds_of_roles_too(
    measure: str, threshold: float, is_lift: bool
) -> None:
    found = rule(measure)
    called = METRICS["first" if measure == "sink64" else measure].called
    assert called is not None
    assert (found.threshold, found.above_baseline) == (threshold, is_lift)
    assert (called.lift if is_lift else called.above) == threshold


def test_every_group_has_a_letter_and_the_page_a_tone_for_it() -> None:
    colours = Path(__file__).parents[3] / "frontend" / "styles" / "colours.css"
    tones = re.findall(r"--tone-\d:", colours.read_text())
    assert len({group.letter for group in GROUPS}) == len(GROUPS) <= len(tones)
