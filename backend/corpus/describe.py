"""What was counted over a corpus, as the schemas say it."""

from itertools import product
from math import isnan

import numpy as np

from backend.corpus.schemas import CorpusLink, CorpusMetric, HeadLink, HeadMean, SkippedOut
from mha_core.atlas.surface import SURFACE, SurfaceTally
from mha_core.atlas.tally import Numbers
from mha_core.corpus.link_tally import LinkTally
from mha_core.corpus.reasons import REASONS, Skipped


def describe_metrics(tally: SurfaceTally) -> dict[str, CorpusMetric]:
    """Every metric that has a mean, of the maps that were counted first."""
    mean, (low, high) = tally.mean[0], (end[0] for end in tally.interval)
    n, texts = tally.n[0], tally.sentences[0]
    found = {}
    for at, name in enumerate(SURFACE):
        measure = tally.measure(name)
        found[name] = CorpusMetric(
            label=measure.label,
            meaning=measure.meaning,
            unit=measure.unit,
            n=measure.n,
            texts=int(texts[at].max()),
            baseline=measure.baseline,
            heads=[
                HeadMean(
                    layer=layer,
                    head=head,
                    mean=_number(mean[at, layer, head]),
                    low=_number(low[at, layer, head]),
                    high=_number(high[at, layer, head]),
                    n=int(n[at, layer, head]),
                    texts=int(texts[at, layer, head]),
                )
                for layer, head in product(*map(range, mean[at].shape))
            ],
        )
    return found


def describe_link(tally: LinkTally, skipped: Skipped) -> CorpusLink:
    """All heads, strongest first; those that are equal in model order."""
    mean, (low, high), by_position = tally.mean, tally.interval, tally.mean_by_position
    order = np.argsort(-mean, axis=None, kind="stable")
    return CorpusLink(
        texts=int(tally.texts),
        uniform=float(tally.uniform / tally.texts),
        by_position_texts=int(tally.with_position),
        skipped=describe_skipped(skipped),
        heads=[
            HeadLink(
                layer=layer,
                head=head,
                mean=float(mean[layer, head]),
                low=_number(low[layer, head]),
                high=_number(high[layer, head]),
                by_position=_number(by_position[layer, head]),
            )
            for layer, head in (divmod(int(place), mean.shape[1]) for place in order)
        ],
    )


def describe_skipped(skipped: Skipped) -> list[SkippedOut]:
    """The reasons there were, in the order of their list."""
    return [
        SkippedOut(reason=reason, meaning=words, n=len(skipped[reason]), lines=skipped[reason])
        for reason, words in REASONS.items()
        if reason in skipped
    ]


def _number(value: Numbers) -> float | None:
    """What is undefined in an array (NaN) is null here."""
    return None if isnan(value) else float(value)
