"""One run of a model on a text: Q, K and V are kept, and maps are derived from them on demand.

The L x H x T x T weights of a run are never in memory at once.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.attention import Workspace
from mha_core.errors import NoSuchHead, TextTooLong
from mha_core.models.architecture import Architecture
from mha_core.models.loading import LoadedModel
from mha_core.runs.aggregate import derive_maps
from mha_core.stacks import Site, Stack, StackName, find_stack, stacks_of
from mha_core.tap import LayerCapture, OnWeights, Tap
from mha_core.text.cut import where_to_cut
from mha_core.text.tokens import TokenizedText


def analysis_id(model: LoadedModel, tokenized: TokenizedText) -> str:
    """Hash of model, weights, number format and text: the same run always has the same id."""
    asked: list[str | int | None] = [model.entry.id, model.revision, str(model.dtype)]
    asked += [tokenized.text, tokenized.text_pair, *tokenized.continuation]
    if tokenized.prompt is not None:  # a template may write the date, or be changed
        asked.append(tokenized.prompt)
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:20]


@dataclass(frozen=True)
class RunInfo:
    """Metadata of a run, which does not keep the weights alive."""

    id: str
    model_id: str
    revision: str
    architecture: Architecture
    device: str
    dtype: str
    tokenized: TokenizedText

    @classmethod
    def of(cls, model: LoadedModel, tokenized: TokenizedText) -> "RunInfo":
        return cls(
            id=analysis_id(model, tokenized),
            model_id=model.entry.id,
            revision=model.revision,
            architecture=model.architecture,
            device=str(model.device),
            dtype=str(model.dtype).removeprefix("torch."),
            tokenized=tokenized,
        )

    @property
    def n_tokens(self) -> int:
        """Number of tokens, including special tokens."""
        return len(self.tokenized.tokens)

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """The attention stacks on this text: one, or three for an encoder-decoder."""
        return stacks_of(self.architecture, self.tokenized)

    def stack(self, name: StackName | None = None) -> Stack:
        """The stack of that name; None means the only stack, and raises if there are several."""
        return find_stack(self.stacks, name)


@dataclass(frozen=True)
class Analysis(RunInfo):
    """A run with the Q, K, V and log-sum-exps of each layer."""

    layers: tuple[LayerCapture, ...]  # of all stacks, in the order of computation

    @property
    def n_bytes(self) -> int:
        """Size of the kept tensors; the position bias that T5's layers share counts once."""
        kept = [
            tensor
            for layer in self.layers
            for tensor in (layer.q, layer.k, layer.v, layer.mask, layer.lse)
        ]
        return sum({t.data_ptr(): t.nbytes for t in kept if t is not None}.values())

    def captures(self, stack: StackName | None = None) -> tuple[LayerCapture, ...]:
        """The layers of one stack in order; None as in `stack`."""
        chosen = self.stack(stack)
        if len(self.stacks) == 1:
            return self.layers
        return tuple(layer for layer in self.layers if layer.site.stack == chosen.name)

    def patterns(
        self,
        layer: int,
        heads: Sequence[int] | None = None,
        stack: StackName | None = None,
        grams: Mapping[Site, Tensor] | None = None,
    ) -> Tensor:
        """Maps of one layer's heads (None: all), float32 [heads, Q, K] in host memory.

        Value-weighted if the `grams` of the model are given.
        """
        check_heads(self.stack(stack), [layer], heads)
        capture = self.captures(stack)[layer]
        with torch.inference_mode():
            return derive_maps(capture, heads, None if grams is None else grams[capture.site]).cpu()


def check_heads(
    size: Architecture | Stack, layers: Sequence[int] | None, heads: Sequence[int] | None
) -> None:
    """Raise NoSuchHead for layers and heads that the model or stack does not have."""
    for what, chosen, count in (
        ("layer", layers, size.n_layers),
        ("head", heads, size.n_heads),
    ):
        wrong = [i for i in chosen or () if not 0 <= i < count]
        if wrong:
            raise NoSuchHead(
                f"The model has no {what} {wrong[0]}: its {what}s are 0 to {count - 1}.",
                **{what: wrong[0], f"n_{what}s": count},
            )


def check_length(tokenized: TokenizedText, max_tokens: int, in_all: int | None = None) -> None:
    """Raise TextTooLong, with both counts, for a text over the limit; nothing is truncated.

    For an encoder-decoder `max_tokens` limits each text, and `in_all` both together.
    """
    counts = [("The text has", max(map(len, tokenized.inputs.values())), max_tokens)]
    if in_all is not None:
        counts.append(("The two texts have", len(tokenized.tokens), in_all))
    for what, n_tokens, limit in counts:
        if n_tokens > limit:
            places = ((token.segment, token.start, token.end) for token in tokenized.tokens)
            raise TextTooLong.of(n_tokens, limit, what, where_to_cut(places, n_tokens - limit))


def analyse(
    model: LoadedModel,
    tokenized: TokenizedText,
    on_weights: OnWeights | None = None,
    check: Callable[[], None] = lambda: None,
) -> Analysis:
    """Run the model once and keep each layer's Q, K, V and log-sum-exps.

    `on_weights` is called with each layer's maps before the next layer runs; without it no map is
    computed. `check` is called at each layer and stops the run by raising.
    """
    layers: list[LayerCapture] = []

    def keep(capture: LayerCapture) -> None:
        check()
        layers.append(capture)

    model.forward(tokenized, Tap(on_weights=on_weights, on_layer=keep, workspace=Workspace()))
    return Analysis(**vars(RunInfo.of(model, tokenized)), layers=tuple(layers))
