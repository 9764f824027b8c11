"""One text run through one model: the kept Q, K and V, and every map derived from them on demand.

An attention map is a view, never a possession: the L x H x T x T floats of a run are never held
at once. This file must not know HTTP, caches or threads.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.errors import NoSuchHead, TextTooLong
from mha_core.loading import LoadedModel
from mha_core.shape import ModelShape
from mha_core.tap import LayerCapture, Tap, Watcher
from mha_core.tokens import TokenizedText


def analysis_id(model: LoadedModel, tokenized: TokenizedText) -> str:
    """Name of a result: the same whenever the same thing is asked of the same weights."""
    asked: list[str | None] = [model.entry.id, model.revision, str(model.dtype)]
    asked += [tokenized.text, tokenized.text_pair]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Subject:
    """A text and the weights that read it: facts of a model, for who must not keep the model."""

    id: str
    model_id: str
    revision: str
    shape: ModelShape
    device: str
    dtype: str
    tokenized: TokenizedText

    @classmethod
    def of(cls, model: LoadedModel, tokenized: TokenizedText) -> "Subject":
        """The subject of a run that is about to start."""
        return Subject(
            id=analysis_id(model, tokenized),
            model_id=model.entry.id,
            revision=model.revision,
            shape=model.shape,
            device=str(model.device),
            dtype=str(model.dtype).removeprefix("torch."),
            tokenized=tokenized,
        )

    @property
    def n_tokens(self) -> int:
        """Tokens of the text, special ones included."""
        return len(self.tokenized.tokens)

    @property
    def causal(self) -> bool:
        """Whether queries see no later key."""
        return self.shape.kind == "decoder"


@dataclass(frozen=True)
class Analysis(Subject):
    """What a forward pass left behind."""

    layers: tuple[LayerCapture, ...]

    @property
    def n_bytes(self) -> int:
        """Memory the kept tensors take; T5's layers share one position bias, counted once."""
        kept = [t for layer in self.layers for t in (layer.q, layer.k, layer.v, layer.mask)]
        return sum({t.data_ptr(): t.nbytes for t in kept if t is not None}.values())

    def patterns(self, layer: int, heads: Sequence[int] | None = None) -> Tensor:
        """Attention of one layer's heads (all when None), float32 [heads, Q, K] in host memory."""
        check_heads(self.shape, [layer], heads)
        with torch.inference_mode():
            return self.layers[layer].pattern(heads)[0].cpu()


def check_heads(
    shape: ModelShape, layers: Sequence[int] | None, heads: Sequence[int] | None
) -> None:
    """Refuse layers and heads that the model does not have."""
    for what, chosen, count in (
        ("layer", layers, shape.n_layers),
        ("head", heads, shape.n_heads),
    ):
        wrong = [i for i in chosen or () if not 0 <= i < count]
        if wrong:
            raise NoSuchHead(
                f"The model has no {what} {wrong[0]}: its {what}s are 0 to {count - 1}.",
                **{what: wrong[0], f"n_{what}s": count},
            )


def check_length(tokenized: TokenizedText, max_tokens: int) -> None:
    """Refuse a text over the limit, with both counts; nothing is ever cut off in silence."""
    n_tokens = len(tokenized.tokens)
    if n_tokens > max_tokens:
        raise TextTooLong(
            f"The text has {n_tokens} tokens and the limit is {max_tokens}: "
            f"shorten it by {n_tokens - max_tokens}.",
            n_tokens=n_tokens,
            max_tokens=max_tokens,
        )


def analyse(model: LoadedModel, tokenized: TokenizedText, watch: Watcher | None = None) -> Analysis:
    """Run the model once; `watch` is shown each layer while the next still has to run."""
    layers: list[LayerCapture] = []

    def keep(capture: LayerCapture, pattern: Tensor) -> None:
        layers.append(capture)
        if watch is not None:
            watch(capture, pattern)

    model.forward(tokenized, Tap(keep))
    return Analysis(**vars(Subject.of(model, tokenized)), layers=tuple(layers))
