"""Every specialisation people speak of has its row, whether it holds or not."""

from collections import defaultdict

import numpy as np

from mha_core.atlas.roles import Evidence, Measure, Role
from mha_core.atlas.specialisations import SPECIALISATIONS, specialisation_rows


def evidence(value: float, baseline: float = 0.3, head: int = 0) -> Evidence:
    return Evidence(
        1, head, value, 200, None, None, baseline, "the test set", f"{value} said.", value
    )


def rows(roles: list[Role], **relations: list[Evidence]) -> dict[str, dict[str, object]]:
    similarity = Measure("Similarity", "", "correlation", 50, 0.0, np.array([0.1, 0.4]))
    given = defaultdict(list, relations)
    found = specialisation_rows(roles, given, {"similarity": similarity}, n_heads=2)
    return {str(row["name"]): row for row in found}


def test_every_specialisation_has_its_row() -> None:
    assert list(rows([])) == [special.name for special in SPECIALISATIONS]


def test_one_that_holds_names_its_roles_and_best_head() -> None:
    role = Role("nsubj:head", "syntax", "verb → subject", "verbs → their subject", (evidence(0.8),))
    found = rows([role], nsubj=[evidence(0.5, head=1)])["subject-verb"]
    assert found["holds"] is True
    assert found["rows"] == ["nsubj:head"]
    assert found["best"]["value"] == 0.8  # type: ignore[index]


def test_one_that_does_not_hold_names_the_best_head_all_the_same() -> None:
    found = rows([], obj=[evidence(0.3, head=0), evidence(0.35, head=1)])["verb-object"]
    assert found["holds"] is False
    assert found["best"]["head"] == 1  # type: ignore[index]


def test_a_measure_without_a_threshold_is_shown_and_is_no_role() -> None:
    found = rows([])["semantic similarity"]
    assert found["holds"] is False
    assert found["best"]["head"] == 1  # type: ignore[index]
    assert "no threshold" in found["best"]["evidence"]  # type: ignore[index]


def test_one_that_nothing_was_measured_for_says_so() -> None:
    assert rows([])["copy"]["best"] is None


def test_a_subtype_is_not_taken_for_its_relation() -> None:
    role = Role("acl:head", "syntax", "", "", (evidence(0.9),))
    assert rows([role])["relative clause"]["holds"] is False
