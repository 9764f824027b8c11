"""Claims about heads with their evidence: roles, contests with rules, behaviours, nulls."""

from pydantic import Field

from mha_core.atlas.part import Part, Rounded, RoundedOrNull
from mha_core.atlas.relation_words import Direction


class RoleGroup(Part):
    """Roles of one kind."""

    id: str
    label: str
    letter: str
    meaning: str
    idle: bool = Field(
        description="Whether such a role says where a head rests when it finds nothing to do."
    )
    against: str = Field(description="What the baseline of its roles is, in words.")


class RoleHead(Part):
    """A head with a role, and the evidence for it."""

    layer: int
    head: int
    n: int
    value: Rounded
    low: RoundedOrNull
    high: RoundedOrNull
    baseline: RoundedOrNull
    lift: RoundedOrNull
    split: str = Field(description="The data it was measured on.")
    evidence: str = Field(description="One sentence for people.")
    rank: Rounded = Field(description="Lift on the data that heads are chosen on.")


class AtlasRole(Part):
    """A claim that holds, and its heads, best first."""

    id: str
    group: str
    label: str
    claim: str
    heads: tuple[RoleHead, ...]


class LeadRecord(Part):
    """A head against a rule on the same cases, with the 95 % interval of the difference."""

    split: str
    n: int
    accuracy: Rounded
    rule_accuracy: Rounded
    difference: Rounded
    low: Rounded
    high: Rounded


class RunnerUp(Part):
    """The head that came second on dev."""

    layer: int
    head: int
    accuracy: Rounded


class RelationRow(Part):
    """A task and the head that does it best: chosen on dev, scored on test.

    The tasks are the grammatical relations in both directions, the name of a pronoun (`gap`) and
    the rarest word of a sentence (`rare_word`).
    """

    id: str
    relation: str
    direction: Direction = Field(description="Which of the two words looks.")
    claim: str
    rule: str = Field(description="The best simple rule on dev, in words.")
    layer: int
    head: int
    accuracy: Rounded
    n: int
    low: Rounded = Field(description="Lower end of the 95 % Wilson interval.")
    high: Rounded
    baseline: Rounded = Field(description="What that rule gets on test.")
    lift: Rounded
    leads: tuple[LeadRecord, ...] = Field(description="Head against rule on dev and on test.")
    runner_up: RunnerUp | None
    holds: bool = Field(
        description="Whether the head is ahead of the rule by 10 points, with the lower end of the "
        "interval at least 5, on dev and on test."
    )


class NotAbove(Part):
    """A claim that beats the usual baseline (fixed offsets, uniform attention), but not the best
    simple rule: no role."""

    id: str
    group: str
    label: str
    claim: str
    layer: int
    head: int
    rule: str
    leads: tuple[LeadRecord, ...]
    evidence: str = Field(description="One sentence for people.")


class Behaviour(Part):
    """The simple rule a head follows when it looks at words, before any relation is named."""

    layer: int
    head: int
    words: str = Field(description="The words it attends from.")
    rule: str = Field(description="The word it attends to.")
    n: int
    agreement: Rounded = Field(description="Share of choices on test that are the rule's.")
    low: Rounded
    high: Rounded
    uniform: Rounded = Field(description="The same share for uniform attention.")
    evidence: str


class NullResult(Part):
    """What the same protocol finds where there is nothing to find."""

    id: str
    what: str = Field(description="One sentence for people.")
    runs: int = Field(description="How often it was drawn anew.")
    roles: int = Field(description="Heads with a role, each counted once a role, over all runs.")
    found: list[str] = Field(description="Which: `L2 H3 role`, at most ten.")
    expected: Rounded = Field(description="False roles a run, from this null.")
    upper: Rounded = Field(description="Upper end of the 95 % interval of that number.")
    counts_as_false: bool = Field(
        description="False where roles may be real: shuffled words still tell what words tell."
    )
