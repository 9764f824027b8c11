"""The section on names, for causal models: where the last position of a prompt looks."""

from mha_core.atlas.measure import Measure
from mha_core.atlas.name_prompts import TEMPLATES
from mha_core.atlas.names import NAMES_OF_A_PROMPT, Names, measure_names
from mha_core.atlas.record import Findings
from mha_core.atlas.sections.run import SectionRun
from mha_core.atlas.sources import NamePrompts, SectionData

_LABELS = {
    "indirect_object": "Indirect object",
    "subject_first": "Subject, first mention",
    "subject_second": "Subject, second mention",
}


def find_names(run: SectionRun) -> Findings:
    """No roles: whether a head moves a name or suppresses it is a matter of sign."""
    names = run.trained.compute("prompts", Names, lambda it: measure_names(it, seed=run.seed))
    n = len(names.template)
    return Findings(
        data=SectionData(names=NamePrompts(templates=len(TEMPLATES), prompts=n)),
        measures={
            f"names_{name}": Measure(
                f"{_LABELS[name]}, at the end of a prompt",
                f"Attention of the last token to the {_LABELS[name].lower()}, in prompts such as "
                f"'When Mary and John went to the shops, John gave the bag to'.",
                "share",
                n,
                float(names.baseline[at]),
                *names.interval(name),
            ).record()
            for at, name in enumerate(NAMES_OF_A_PROMPT)
        },
    )
