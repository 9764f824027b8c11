"""A made-up atlas of a model of six layers of twelve heads, made of the classes of a true one."""

from mha_core.atlas.evidence import (
    AtlasRole,
    Behaviour,
    LeadRecord,
    NotAbove,
    NullResult,
    RelationRow,
    RoleHead,
)
from mha_core.atlas.nulls import describe_null
from mha_core.atlas.record import (
    FORMAT,
    Atlas,
    AtlasExample,
    AtlasMeasure,
    AtlasModel,
    Section,
    SectionBuild,
)
from mha_core.atlas.sources import SectionData

LAYERS, HEADS = 6, 12
PLACES = LAYERS * HEADS
WORDS = ("The", "committee", "finally", "rejected", "the", "long", "proposal")
EXAMPLES = (
    *(("amod:head", 0.99), ("det:dependent", 0.5), ("previous", 0.6)),
    *(("obj:dependent", weight) for weight in (0.91, 0.9, 0.89)),
)
"""Claim and weight, in another order than that of the roles; the first two are none of L3 H1."""
RULE = "the next content word"


def made_up_atlas() -> Atlas:
    """Roles, a claim that fell, a usual choice, nulls, examples and neighbours of one head."""
    model = AtlasModel(
        id="minilm", name="MiniLM", revision="made up", family="bert", kind="encoder",
        n_layers=LAYERS, n_heads=HEADS, dtype="float32",
    )  # fmt: skip
    return Atlas(
        format=FORMAT,
        model=model,
        sections={
            "surface": _section(
                roles=[_role("previous", "local", "previous token", (0, 2, 0.9), (3, 1, 0.6))],
                nulls=[describe_null("random", "Random weights.", [[]])],
            ),
            "sink": _section(roles=[_role("sink64", "sink", "first token", (4, 4, 0.7))]),
            "syntax": _section(
                roles=[
                    _role(
                        "obj:dependent", "syntax", "objects → their verb", (3, 1, 0.8), (2, 4, 0.6)
                    ),
                    _role("amod:head", "syntax", "nouns → their adjective", (0, 11, 0.7)),
                ],
                not_above=[_not_above(3, 1), _not_above(1, 2)],
                behaviours=[_behaviour()],
                nulls=_tree_nulls(),
                examples={"3.1": [_example(role, weight) for role, weight in EXAMPLES]},
                examples_source="Made-up sentences, free for all.",
            ),
            "coreference": _section(measures={"gap": _rising()}, relations=[_pronouns()]),
            "similarity": _section(
                similar={"3.1": [(5, 0, 0.02), (0, 0, 0.1)]},
                layout=[(at / PLACES, 0.0) for at in range(PLACES)],
                stress=0.0,
                distances=[[0.0] * PLACES] * PLACES,
            ),
        },
    )


def _section(**found: object) -> Section:
    made = SectionBuild(
        date="2026-01-01", command="headscope atlas build minilm", seconds=1.0, seed=0, versions={}
    )
    return Section.model_validate({"made": made, "data": SectionData(), **found})


def _rising() -> AtlasMeasure:
    return AtlasMeasure(
        label="pronoun to name", meaning="GAP", unit="accuracy", n=2000, baseline=0.5, low=None,
        high=None, values=[None, *(at / PLACES for at in range(1, PLACES))],
    )  # fmt: skip


def _role(id: str, group: str, label: str, *heads: tuple[int, int, float]) -> AtlasRole:
    holders = tuple(_head(label, *head) for head in heads)
    return AtlasRole(id=id, group=group, label=label, claim=label, heads=holders)


def _head(claim: str, layer: int, head: int, value: float) -> RoleHead:
    low, high = value - 0.1, value + 0.1
    return RoleHead(
        layer=layer, head=head, value=value, n=100, baseline=0.4, low=low, high=high,
        lift=value - 0.4, split="the test set", rank=value - 0.4,
        evidence=f"{claim}: {100 * value:.0f} % of 100 on the test set (95 % interval "
        f"{100 * low:.0f} to {100 * high:.0f} %); the best simple rule, {RULE}, 40 %.",
    )  # fmt: skip


def _leads(accuracy: float, rule_accuracy: float) -> tuple[LeadRecord, ...]:
    difference = accuracy - rule_accuracy
    return tuple(
        LeadRecord(
            split=split, n=100, accuracy=accuracy, rule_accuracy=rule_accuracy,
            difference=difference, low=difference - 0.08, high=difference + 0.08,
        )
        for split in ("the dev set", "the test set")
    )  # fmt: skip


def _not_above(layer: int, head: int) -> NotAbove:
    claim = "determiners → their noun"
    return NotAbove(
        id="det:dependent", group="syntax", label=claim, claim=claim, layer=layer, head=head,
        rule=RULE, leads=_leads(0.72, 0.61),
        evidence=f"Not above the best simple rule. {claim}: 72 % of 100 on the test set (95 % "
        f"interval 62 to 80 %); the best simple rule, {RULE}, 61 %. Head minus rule 11 points (3 "
        "to 19); on the dev set 11 points (3 to 19).",
    )  # fmt: skip


def _behaviour() -> Behaviour:
    return Behaviour(
        layer=1, head=2, words="function words", rule=RULE, n=9876, agreement=0.61, low=0.6,
        high=0.62, uniform=0.12,
        evidence=f"From function words to {RULE}: 61 % of its 9,876 choices on the test set (95 % "
        "interval 60 to 62 %), uniform attention 12 %.",
    )  # fmt: skip


def _pronouns() -> RelationRow:
    return RelationRow(
        id="gap", relation="gap", direction="dependent",
        claim="pronouns → the name they stand for", rule="the nearer name", layer=5, head=11,
        accuracy=0.58, n=100, low=0.48, high=0.67, baseline=0.5, lift=0.08,
        leads=_leads(0.58, 0.5), runner_up=None, holds=False,
    )  # fmt: skip


def _tree_nulls() -> list[NullResult]:
    false = _role("obj:dependent", "syntax", "objects → their verb", (5, 5, 0.6))
    shuffled = "Words in random order: what words alone tell is still there."
    return [
        describe_null("random", "Random weights.", [[]]),
        describe_null("other trees", "Trees of other sentences.", [[false], [], [], []]),
        describe_null("shuffled words", shuffled, [[false]], counts_as_false=False),
    ]


def _example(role: str | None, weight: float) -> AtlasExample:
    return AtlasExample(role=role, words=WORDS, query=6, key=3, weight=weight, source="made up")
