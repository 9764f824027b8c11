"""Counts become claims only where the numbers allow it."""

from dataclasses import replace

import numpy as np
import pytest

from mha_core.atlas.coreference import CoreferenceTally
from mha_core.atlas.findings import Findings
from mha_core.atlas.rarity import RarityTally
from mha_core.atlas.record import DevAccuracy, RunnerUp
from mha_core.atlas.sink import Sink
from mha_core.atlas.surface import SURFACE, SurfaceTally
from mha_core.atlas.survey import Counted, SplitTally
from mha_core.atlas.syntax import OFFSETS, SyntaxTally
from mha_core.atlas.variability import Variability

HEADS = (1, 2)
RELATIONS = ("all", "obj")


def syntax(hits: list[int], n: int = 400, offset_hits: int = 120) -> SyntaxTally:
    """Both heads on one relation, dependents looking; the offset -2 finds `offset_hits`."""
    tally = SyntaxTally.empty(RELATIONS, *HEADS)
    for relation in (0, 1):
        tally.hits[relation, 0, 0] = hits
        tally.opportunities[relation, 0] = n
        tally.offset_hits[relation, 0, OFFSETS.index(-2)] = offset_hits
    return tally


def counted(dev: SyntaxTally, test: SyntaxTally) -> Counted:
    rarity, surface = RarityTally.empty(*HEADS), SurfaceTally.empty(*HEADS)
    shares, one = np.zeros(HEADS), np.array(1.0)
    return Counted(
        SplitTally(dev, rarity, surface),
        SplitTally(test, rarity, surface),
        None,
        None,
        Sink(shares, shares, shares, one * 0.05, one * 100),
        Variability(shares, one),
    )


def test_a_head_that_holds_on_both_splits_has_its_role_with_the_test_numbers() -> None:
    findings = Findings.of(counted(syntax([300, 100]), syntax([280, 100])))
    (role,) = findings.roles
    assert (role.id, role.group, role.claim) == ("obj:dependent", "syntax", "objects → their verb")
    assert [(head.layer, head.head) for head in role.heads] == [(0, 0)]
    assert role.heads[0].evidence == (
        "objects → their verb: 70 % of 400 on the test set (95 % interval 65 to 74 %), "
        "best fixed offset (-2) 30 %."
    )


@pytest.mark.parametrize(("dev", "test"), [(300, 150), (150, 300)])
def test_a_head_that_fails_on_one_split_has_none(dev: int, test: int) -> None:
    assert Findings.of(counted(syntax([dev, 0]), syntax([test, 0]))).roles == []


def test_too_few_cases_make_no_role() -> None:
    few = syntax([90, 0], n=90, offset_hits=10)
    findings = Findings.of(counted(few, few))
    assert findings.roles == []
    assert findings.relations == []
    assert findings.best_accuracy is None


def test_a_relation_record_names_the_head_chosen_on_dev() -> None:
    findings = Findings.of(counted(syntax([200, 300]), syntax([390, 280])))
    record = findings.relations[1]
    assert (record.id, record.layer, record.head) == ("obj:dependent", 0, 1)
    assert record.accuracy == 0.7
    assert record.runner_up == RunnerUp(layer=0, head=0, accuracy=0.975)
    assert record.dev == DevAccuracy(accuracy=0.75, n=400, baseline=0.3)


def test_what_the_corpus_never_exercised_is_null() -> None:
    findings = Findings.of(counted(syntax([0, 0]), syntax([0, 0])))
    records = {name: measure.record() for name, measure in findings.measures.items()}
    for name in SURFACE:
        assert records[name].n == 0
        assert records[name].values == [None, None]
    assert records["sink64"].values == [0.0, 0.0]


def test_pronouns_need_both_halves() -> None:
    base = counted(syntax([0, 0]), syntax([0, 0]))
    tally = CoreferenceTally.empty(*HEADS)
    tally.n[:], tally.rule_hits[:] = 400, (200, 100, 100)
    tally.hits[0, 0], tally.hits[1, 0] = [300, 300], [300, 210]
    findings = Findings.of(replace(base, gap=tally))
    (role,) = findings.roles
    assert role.id == "gap"
    assert [head.head for head in role.heads] == [0]
    assert role.heads[0].evidence.endswith("the nearer name 50 %.")
    row = findings.specialisations()[0]
    assert row.holds is True
    assert row.best is not None
    assert row.best.head == 0


def test_few_pronouns_prove_nothing() -> None:
    base = counted(syntax([0, 0]), syntax([0, 0]))
    tally = CoreferenceTally.empty(*HEADS)
    tally.n[:] = 33
    tally.hits[:] = 33
    findings = Findings.of(replace(base, gap=tally))
    assert findings.roles == []
    assert "gap" not in findings.measures
