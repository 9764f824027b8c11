"""The section on GAP: whom does a pronoun mean?"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.claims import Outcome, Task
from mha_core.atlas.coreference import (
    GapText,
    Mentions,
    NameChoices,
    count_names,
    exchange_answers,
    make_contest,
    pooled,
)
from mha_core.atlas.evidence import AtlasRole, NullResult
from mha_core.atlas.examples import PRONOUNS, ExampleSearch
from mha_core.atlas.name_rules import RULES
from mha_core.atlas.nulls import describe_null
from mha_core.atlas.record import AtlasExample, Findings
from mha_core.atlas.sample import sample
from mha_core.atlas.sections.run import SectionRun, Subject
from mha_core.atlas.sources import SectionData
from mha_core.atlas.tally import Integers

EXCHANGES = 100
"""How often right answers are exchanged between documents."""
NULL_ITEMS = 600
"""Items that null models are run on: they only have to show whether a role appears."""
SEARCHED = 300
"""Items at the start of the file that examples are taken from."""

_USUAL = ("nearer", "farther", "longer_else_nearer")


def find_coreference(run: SectionRun) -> Findings:
    """Heads that find the name better than rules that do not read."""
    texts, choices = _read(run.trained, run.material.gap)
    outcome = _judge(run, texts, choices)
    role = outcome.role()
    source = run.material.gap_source
    return Findings(
        data=SectionData(gap=source),
        measures={
            PRONOUNS: outcome.measure(
                "Pronoun to name",
                "Share of pronouns that attend more to the name they stand for than to another "
                "one, on the half of GAP not used for choosing heads.",
                "share of pronouns",
            ).record()
        },
        roles=[role] if role else [],
        not_above=outcome.not_above(),
        relations=[outcome.row()] if outcome.is_asked else [],
        # Where there are too few cases for a role, a null without roles says nothing.
        nulls=_find_nulls(run, texts, choices) if outcome.is_asked else [],
        examples=_find_examples(run, role) if role else {},
        examples_source=f"Pronouns: {source.source}." if source else None,
    )


def _read(subject: Subject, texts: Sequence[GapText]) -> tuple[list[GapText], NameChoices]:
    """Let a model choose names; the texts in the order of its choices."""
    batches = list(batch_by_length(texts))
    choices = subject.count("names", NameChoices, batches, count_names)
    return [text for batch in batches for text in batch], choices


def _judge(
    run: SectionRun,
    texts: Sequence[GapText],
    choices: NameChoices,
    answers: Integers | None = None,
) -> Outcome:
    task = Task(
        id=PRONOUNS,
        relation=PRONOUNS,
        direction="dependent",
        group="coreference",
        label="pronoun → name",
        claim="pronouns → the name they stand for",
        splits=("the half of GAP that chooses", "the other half of GAP"),
        rules=[rule.words for rule in RULES],
        usual=[at for at, rule in enumerate(RULES) if rule.id in _USUAL],
        n_heads=run.n_heads,
    )
    contest = make_contest(texts, choices, answers)
    return Outcome(task, contest, pooled(texts, choices, answers))


def _find_nulls(
    run: SectionRun, texts: Sequence[GapText], choices: NameChoices
) -> list[NullResult]:
    def roles(outcome: Outcome) -> list[AtlasRole]:
        role = outcome.role()
        return [role] if role else []

    fewer = sample(run.material.gap, NULL_ITEMS, run.seed)
    found = [
        describe_null(null.id, null.what, [roles(_judge(run, *_read(null, fewer)))])
        for null in run.null_models()
    ]
    draws = np.random.default_rng(run.seed)
    exchanged = []
    for at in range(EXCHANGES):
        run.progress(f"{run.section}: exchanging answers", at, EXCHANGES)
        answers = exchange_answers(texts, draws)
        exchanged.append(roles(_judge(run, texts, choices, answers)))
    what = (
        "The model's maps against the right answers of other documents in which the nearer name "
        "is named alike."
    )
    return [*found, describe_null("exchanged answers", what, exchanged)]


def _find_examples(run: SectionRun, role: AtlasRole) -> dict[str, list[AtlasExample]]:
    """The strongest links of pronouns to the right name, of each head with the role."""
    run.progress(f"{run.section}: examples", 0, 0)
    search = ExampleSearch({(head.layer, head.head): [PRONOUNS] for head in role.heads})
    for batch in batch_by_length(run.material.gap[:SEARCHED]):
        mentions = Mentions.of(batch, run.model.device)
        run_batch(run.model, batch, partial(search.search_pronouns, batch=batch, mentions=mentions))
    return search.by_head(run.model.architecture)
