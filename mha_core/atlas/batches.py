"""Batches of texts of one length, and running a model over one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol, TypeVar

from torch import Tensor

from mha_core.atlas.word_maps import Pooling, pool_words
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokens import TokenizedText

TOKENS_IN_BATCH = 2048


class HasTokens(Protocol):
    @property
    def tokenized(self) -> TokenizedText: ...


@dataclass(frozen=True)
class PlainText:
    """A text of nothing but its tokens."""

    tokenized: TokenizedText


AnyText = TypeVar("AnyText", bound=HasTokens)


def batch_by_length(
    texts: Iterable[AnyText], max_tokens: int = TOKENS_IN_BATCH
) -> Iterator[list[AnyText]]:
    """Batches of texts of one length, so nothing is padded: shortest first, order kept within.

    A batch holds up to `max_tokens` tokens, and at least one text.
    """

    def length(text: AnyText) -> int:
        return len(text.tokenized.tokens)

    for n_tokens, group in groupby(sorted(texts, key=length), key=length):
        same = list(group)
        size = max(1, max_tokens // n_tokens)
        for start in range(0, len(same), size):
            yield same[start : start + size]


def run_batch(
    model: LoadedModel,
    batch: Sequence[HasTokens],
    on_layer: Callable[[int, Tensor], None],
    pooling: Pooling | None = None,
) -> None:
    """Run a model over a batch; `on_layer` gets each layer and its maps.

    Maps are of tokens, [B, H, T, T]; with a pooling of words, [B, H, W, W].
    """

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        on_layer(capture.site.layer, pattern if pooling is None else pool_words(pattern, pooling))

    model.forward_all([text.tokenized for text in batch], Tap(on_pattern))
