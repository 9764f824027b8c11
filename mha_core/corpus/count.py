"""Running a model over a batch of texts: what is counted in every head."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor

from mha_core.atlas.surface import SurfaceCounter, SurfaceTally
from mha_core.atlas.tally import Tally
from mha_core.corpus.link_tally import LinkCounter, LinkTally
from mha_core.corpus.texts import CorpusText
from mha_core.models.loading import LoadedModel
from mha_core.runs.value_weights import value_norms, weight_by_value
from mha_core.tap import LayerCapture, Tap

TOKENS_IN_BATCH = 512
"""Few enough that other requests soon get their turn between two batches."""


@dataclass(frozen=True, eq=False)
class CorpusTally(Tally):
    """What is counted over the texts of a corpus."""

    metrics: SurfaceTally
    link: LinkTally

    @classmethod
    def empty(cls, n_layers: int, n_heads: int) -> "CorpusTally":
        heads = (n_layers, n_heads)
        return cls(SurfaceTally.empty(*heads), LinkTally.empty(*heads))


def count_batch(
    model: LoadedModel,
    batch: Sequence[CorpusText],
    *,
    weighted: bool = False,
    check: Callable[[], None] = lambda: None,
) -> CorpusTally:
    """Count texts of one length, in raw or in value-weighted maps.

    `check` is called at each layer and stops the run by raising.
    """
    texts = [text.tokenized for text in batch]
    metrics, link = SurfaceCounter(model, texts), LinkCounter(model, batch)
    grams = model.known_grams() if weighted else None

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        check()
        if grams is not None:
            pattern = weight_by_value(pattern, value_norms(capture.v, grams[capture.site]))
        metrics.add(capture.site.layer, [pattern])
        link.count(capture.site.layer, pattern)

    model.forward_all(texts, Tap(on_pattern))
    return CorpusTally(metrics.tally, link.tally)
