"""The section on the sink: attention to the first token, and what makes it so attractive."""

from mha_core.atlas.measure import Measure
from mha_core.atlas.nulls import describe_null
from mha_core.atlas.record import Findings, MassiveActivation
from mha_core.atlas.roles import find_roles
from mha_core.atlas.sections.run import SectionRun, Subject
from mha_core.atlas.sink import Sink, measure_sink
from mha_core.atlas.sink_anatomy import SinkAnatomy, measure_sink_anatomy
from mha_core.atlas.sources import SectionData

_ANATOMY = {
    "key_norm_ratio": (
        "First token: length of its key",
        "Length of the first token's key, divided by the mean length of the other keys.",
        "ratio",
    ),
    "query_norm": ("Length of queries", "Mean length of the queries after the first.", "length"),
    "cosine_first": (
        "First token: direction of its key",
        "Cosine between queries and the first token's key: near 1, its direction attracts them.",
        "cosine",
    ),
    "cosine_other": (
        "Other tokens: direction of their keys",
        "Cosine between queries and the other keys they see, to compare with the first token's.",
        "cosine",
    ),
}
"""Label, meaning and unit of each number of a head's anatomy."""


def find_sink(run: SectionRun) -> Findings:
    sentences = run.material.sentences
    measures = _measure(run.trained)
    anatomy = run.trained.compute(
        "anatomy",
        SinkAnatomy,
        lambda model: measure_sink_anatomy(model, sentences, seed=run.seed),
    )
    numbers = {name: _describe(anatomy, name) for name in _ANATOMY}
    return Findings(
        data=SectionData(texts=run.material.text_source),
        measures={name: it.record() for name, it in (measures | numbers).items()},
        roles=find_roles(measures, run.texts),
        nulls=[
            describe_null(null.id, null.what, [find_roles(_measure(null), run.texts)])
            for null in run.null_models()
        ],
        massive=_describe_massive(anatomy),
    )


def _measure(subject: Subject) -> dict[str, Measure]:
    run = subject.run
    sink = subject.compute(
        "first token", Sink, lambda it: measure_sink(it, run.material.sentences, seed=run.seed)
    )
    return {
        "sink64": Measure(
            "First token at 64 tokens",
            "Attention to the first token in windows of 64 tokens.",
            "share",
            int(sink.windows),
            float(sink.first_baseline),
            sink.first,
            sink.first_low,
            sink.first_high,
        )
    }


def _describe(anatomy: SinkAnatomy, name: str) -> Measure:
    numbers = (getattr(anatomy, f"{name}{end}") for end in ("", "_low", "_high"))
    return Measure(*_ANATOMY[name], int(anatomy.windows), None, *numbers)


def _describe_massive(anatomy: SinkAnatomy) -> list[MassiveActivation]:
    """Nothing for a model whose residual stream is not known."""
    return [
        MassiveActivation(
            layer=layer,
            position=int(anatomy.massive_position[layer]),
            position_share=float(anatomy.massive_position_share[layer]),
            dimension=int(anatomy.massive_dimension[layer]),
            magnitude=float(magnitude),
            median=float(anatomy.massive_median[layer]),
        )
        for layer, magnitude in enumerate(anatomy.massive_magnitude)
        if magnitude == magnitude
    ]
