"""Nulls say how many false roles to expect, and how many at most."""

import pytest

from mha_core.atlas.evidence import AtlasRole
from mha_core.atlas.nulls import describe_null, poisson_upper
from mha_core.atlas.roles import build_evidence


def role(label: str, *places: tuple[int, int]) -> AtlasRole:
    heads = [
        build_evidence(
            place, value=0.8, baseline=0.3, n=200, low=0.7, high=0.9, split="the test set",
            evidence="", rank=0.5,
        )
        for place in places
    ]  # fmt: skip
    return AtlasRole(id=label, group="syntax", label=label, claim="", heads=tuple(heads))


@pytest.mark.parametrize(
    ("count", "upper"),
    [(0, 3.6889), (1, 5.5716), (2, 7.2247), (10, 18.3904), (100, 121.6268), (1000, 1063.952)],
)
def test_the_upper_end_is_that_of_the_exact_poisson_interval(count: int, upper: float) -> None:
    assert poisson_upper(count) == pytest.approx(upper, rel=1e-4)


def test_nothing_found_is_no_proof_that_nothing_is_ever_found() -> None:
    null = describe_null("random", "Random weights.", [[]])
    assert (null.roles, null.expected, null.found) == (0, 0, [])
    assert null.upper == pytest.approx(3.689, abs=1e-3)
    many = describe_null("other trees", "Other trees.", [[]] * 20)
    assert many.upper == pytest.approx(3.689 / 20, abs=1e-3), "twenty runs know more than one"


def test_a_head_counts_once_a_role_and_roles_of_all_runs_are_counted() -> None:
    found = [[role("object → verb", (2, 3), (0, 1))], [], [role("subject → verb", (2, 3))], []]
    null = describe_null("other trees", "Other trees.", found)
    assert (null.runs, null.roles, null.expected) == (4, 3, 0.75)
    assert null.found == ["L2 H3 object → verb", "L0 H1 object → verb", "L2 H3 subject → verb"]
    assert null.upper == pytest.approx(poisson_upper(3) / 4)
    assert null.counts_as_false


def test_at_most_ten_are_named_and_all_are_counted() -> None:
    null = describe_null("x", "", [[role("r", *((0, head) for head in range(25)))]])
    assert len(null.found) == 10
    assert null.roles == null.expected == 25


def test_a_null_whose_roles_may_be_real_says_so() -> None:
    assert not describe_null("shuffled words", "", [[]], counts_as_false=False).counts_as_false
