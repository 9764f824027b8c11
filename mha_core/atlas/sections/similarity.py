"""The section on similarity: how alike heads are, and where each stands on a map of them."""

import numpy as np

from mha_core.atlas.distances import Distances, lay_out, measure_distances
from mha_core.atlas.part import DIGITS
from mha_core.atlas.record import Findings
from mha_core.atlas.sections.run import SectionRun
from mha_core.atlas.sources import SectionData
from mha_core.atlas.tally import Numbers

SIMILAR = 5


def find_similarity(run: SectionRun) -> Findings:
    texts = run.material.tokenized
    distances = run.trained.compute(
        "distances",
        Distances,
        lambda model: measure_distances(model, texts, run.seed, run.progress),
    ).values
    layout, stress = lay_out(distances)
    return Findings(
        data=SectionData(texts=run.material.text_source),
        similar=_find_similar(distances, run.n_heads),
        layout=np.round(layout, DIGITS).tolist(),
        stress=stress,
        distances=np.round(distances, DIGITS).tolist(),
    )


def _find_similar(distances: Numbers, n_heads: int) -> dict[str, list[tuple[int, int, float]]]:
    """The nearest other heads of each: layer, head, distance."""
    found = {}
    for place, row in enumerate(distances):
        nearest = [int(other) for other in np.argsort(row, kind="stable") if other != place]
        found[f"{place // n_heads}.{place % n_heads}"] = [
            (*divmod(other, n_heads), float(row[other])) for other in nearest[:SIMILAR]
        ]
    return found
