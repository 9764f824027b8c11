"""The section on copying, for causal models: repeated random tokens, and what heads write."""

import numpy as np

from mha_core.atlas.copy_suppression import CopySuppression, measure_copy_suppression
from mha_core.atlas.means import mean_interval
from mha_core.atlas.measure import Measure
from mha_core.atlas.nulls import describe_null
from mha_core.atlas.record import Findings
from mha_core.atlas.roles import find_roles
from mha_core.atlas.sections.run import SectionRun, Subject
from mha_core.atlas.sources import SectionData, SyntheticTexts
from mha_core.atlas.synthetic import (
    LENGTH,
    N_TEXTS,
    SEEDS,
    Synthetic,
    copying_sign,
    measure_synthetic,
)
from mha_core.atlas.template import Template
from mha_core.metrics.catalogue import METRICS


def find_copy(run: SectionRun) -> Findings:
    measures = _measure(run.trained)
    suppression = run.trained.compute(
        "suppression",
        CopySuppression,
        lambda model: measure_copy_suppression(model, run.material.tokenized, seed=run.seed),
    )
    roles = find_roles(measures, run.texts)
    measures["copy_suppression"] = Measure(
        "Copy suppression",
        "On sentences, whether the head makes an earlier token it attends to less likely (1) or "
        "likelier (-1).",
        "sign",
        int(suppression.written_rows.max()),
        0.0,
        *suppression.interval,
    )
    return Findings(
        data=SectionData(
            texts=run.material.text_source,
            synthetic=SyntheticTexts(
                tokens=LENGTH,
                said=2,
                texts=N_TEXTS,
                seeds=list(SEEDS),
                bos=bool(Template.of(run.model.tokenizer).before),
            ),
        ),
        measures={
            name: measure.record()
            for name, measure in measures.items()
            if not np.isnan(measure.values).all()
        },
        roles=roles,
        nulls=[
            describe_null(null.id, null.what, [find_roles(_measure(null), run.texts)])
            for null in run.null_models()
        ],
    )


def _measure(subject: Subject) -> dict[str, Measure]:
    """Scores on repeated random tokens, and the sign of what heads then write."""
    synthetic = subject.compute("random tokens", Synthetic, measure_synthetic)
    measures = {}
    for at, name in enumerate(("previous", "duplicate", "induction")):
        mean, low, high = mean_interval(getattr(synthetic, name))
        measures[f"synthetic_{name}"] = Measure(
            f"{METRICS[name].label}, random tokens",
            f"{METRICS[name].meaning} On random tokens said twice, so that nothing else helps.",
            "share",
            int(synthetic.rows[at]),
            float(synthetic.baseline[at]),
            mean,
            np.maximum(low, 0),
            np.minimum(high, 1),
        )
    copying = copying_sign(synthetic)
    measures["copying"] = Measure(
        "Copying sign",
        "On random tokens, whether the head makes the token it attends to likelier (1) or less "
        "likely (-1).",
        "sign",
        int(copying.rows.max()),
        0.0,
        copying.value,
        copying.low,
        copying.high,
    )
    return measures
