"""The section on plain texts: every sentence metric averaged, and variability."""

from collections.abc import Sequence

from mha_core.atlas.batches import PlainText, batch_by_length
from mha_core.atlas.measure import Measure
from mha_core.atlas.nulls import describe_null
from mha_core.atlas.record import Findings
from mha_core.atlas.roles import find_roles
from mha_core.atlas.sample import sample
from mha_core.atlas.sections.run import SectionRun, Subject
from mha_core.atlas.sources import SectionData
from mha_core.atlas.surface import SURFACE, SurfaceTally, count_surface
from mha_core.atlas.variability import Variability, measure_variability
from mha_core.text.tokens import TokenizedText

NULL_TEXTS = 400
"""Texts that null models are measured on: they only have to show whether a role appears."""


def find_surface(run: SectionRun) -> Findings:
    texts = run.material.tokenized
    measures = _measure(run.trained, texts)
    variability = run.trained.compute(
        "variability",
        Variability,
        lambda model: measure_variability(model, texts, seed=run.seed),
    )
    roles = find_roles(measures, run.texts)
    fewer = sample(texts, NULL_TEXTS, run.seed)
    nulls = [
        describe_null(null.id, null.what, [find_roles(_measure(null, fewer), run.texts)])
        for null in run.null_models()
    ]
    measures["variability"] = Measure.without_interval(
        "Variability",
        "How much the map depends on the text; near 0, the head attends to positions, not words.",
        "share",
        int(variability.n),
        variability.values,
    )
    return Findings(
        data=SectionData(texts=run.material.text_source),
        measures={name: measure.record() for name, measure in measures.items()},
        roles=roles,
        nulls=nulls,
    )


def _measure(subject: Subject, texts: Sequence[TokenizedText]) -> dict[str, Measure]:
    batches = list(batch_by_length(map(PlainText, texts)))
    tally = subject.count("metrics", SurfaceTally, batches, count_surface)
    return {name: tally.measure(name) for name in SURFACE}
