"""Whether a model's maps are right on this device: the tap against transformers' eager attention.

HeadScope's own model has no eager attention: its maps are compared with the formula in float64,
and its last hidden state with that of a pass without a tap.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from statistics import median
from time import perf_counter
from typing import Literal

import torch
from torch import Tensor
from transformers import PreTrainedModel

from mha_core.attention import Workspace, causal_mask
from mha_core.errors import ModelFailed, TextTooLong
from mha_core.models.loading import LoadedModel
from mha_core.stacks import Site
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokens import TokenizedText

SENTENCE = "The animal didn't cross the street because it was too tired, so we carried it home."
TARGET = "It was too tired, so we took it home."  # what the decoder of an encoder-decoder reads

TOLERANCES = {torch.float32: 1e-4, torch.float16: 5e-3, torch.bfloat16: 3e-2}
"""Largest difference that rounding explains: of a weight, and of a relative hidden state.

More than was measured on a CPU (1e-6, 2e-3, 2e-2), because GPUs sum in another order.
"""

REPEATS = 9
"""Timed pairs of passes: odd, so that the median is one of them."""

Maps = Mapping[Site, Tensor]
"""The maps of each attention layer, [B, H, Q, K]."""


@dataclass(frozen=True)
class Parity:
    """How far a tapped pass is from its reference, and what it costs."""

    reference: Literal["eager", "formula"]
    device: torch.device
    dtype: torch.dtype
    n_stacks: int
    n_maps: int
    difference: float  # the largest between two weights of a map; NaN if either is
    site: Site  # where it is
    head: int
    hidden_difference: float  # the largest, as a share of the largest number in the hidden state
    bare_seconds: float  # of a pass without maps
    ratio: float  # time of a pass with all maps, by that of a bare pass

    @property
    def tolerance(self) -> float:
        return TOLERANCES[self.dtype]

    @property
    def same(self) -> bool:
        """Whether rounding explains the differences; it does not explain NaN."""
        return self.difference <= self.tolerance and self.hidden_difference <= self.tolerance


def check_parity(model: LoadedModel) -> Parity:
    """Run a sentence with a tap and through the reference; the model is left as it is."""
    tokenized = _tokenize_sentence(model)
    captures: dict[Site, LayerCapture] = {}
    shown: dict[Site, Tensor] = {}

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        captures[capture.site], shown[capture.site] = capture, pattern

    hidden = model.forward(tokenized, Tap(on_pattern))
    reference: Literal["eager", "formula"]
    if isinstance(model.network, PreTrainedModel):
        reference = "eager"
        expected, expected_hidden = _run_eager(model, model.network, tokenized, shown)
    else:
        reference = "formula"
        expected = {site: compute_formula(capture) for site, capture in captures.items()}
        expected_hidden = model.forward(tokenized)
    difference, site, head = _largest_difference(shown, expected)
    bare_seconds, ratio = _time_passes(model, tokenized)
    return Parity(
        reference=reference,
        device=model.device,
        dtype=model.dtype,
        n_stacks=len({site.stack for site in shown}),
        n_maps=sum(maps.shape[1] for maps in shown.values()),
        difference=difference,
        site=site,
        head=head,
        hidden_difference=_relative_difference(hidden, expected_hidden),
        bare_seconds=bare_seconds,
        ratio=ratio,
    )


def _tokenize_sentence(model: LoadedModel) -> TokenizedText:
    """The sentence, or as many words of it as a model with few positions reads."""
    words, target = SENTENCE.split(), None if model.start_id is None else TARGET
    limit = model.architecture.max_tokens
    while True:
        try:
            return model.tokenize(" ".join(words), target, max_tokens=limit)
        except TextTooLong:
            if len(words) == 1:
                raise
            words = words[: len(words) // 2]
            target = target and " ".join(target.split()[: len(words)])


def _run_eager(
    model: LoadedModel, network: PreTrainedModel, tokenized: TokenizedText, shown: Maps
) -> tuple[Maps, Tensor]:
    """Maps and last hidden state by transformers' eager attention, with the same weights."""
    # Threads may share the model, so a copy is changed; its tensors are those of the original.
    tensors = chain(network.parameters(), network.buffers())
    eager = copy.deepcopy(network, {id(tensor): tensor for tensor in tensors})
    eager.set_attn_implementation("eager")
    inputs = {
        name: torch.tensor([ids], device=model.device) for name, ids in tokenized.inputs.items()
    }
    with torch.inference_mode():
        output = eager(**inputs, output_attentions=True)
    maps: dict[Site, Tensor] = {}
    for site, ours in shown.items():
        several = model.architecture.kind == "encoder-decoder"
        layers = getattr(output, f"{site.stack}_attentions" if several else "attentions", None)
        theirs = layers[site.layer] if layers is not None and site.layer < len(layers) else None
        if theirs is None or theirs.shape != ours.shape:
            raise ModelFailed(
                f"{model.entry.name} cannot be compared: transformers returns no such maps of "
                f"{site.stack} layer {site.layer} for the family {model.architecture.family!r}."
            )
        maps[site] = theirs
    return maps, output.last_hidden_state


def compute_formula(capture: LayerCapture) -> Tensor:
    """softmax(q k^T * scale) over the visible keys, [B, H, Q, K], in float64 on the CPU.

    Written out here: what the tap itself uses would share its mistakes.
    """
    # Converted on the CPU: mps has no float64.
    q, k = capture.q.cpu().double(), capture.k.cpu().double()
    k = k.repeat_interleave(q.shape[1] // k.shape[1], dim=1)  # [B, H, K, d]
    scores = q @ k.transpose(-1, -2) * capture.scale  # [B, H, Q, K]
    if capture.causal:
        scores = scores.masked_fill(~causal_mask(q.shape[2], k.shape[2]), -torch.inf)
    return scores.softmax(-1)


def _largest_difference(ours: Maps, theirs: Maps) -> tuple[float, Site, int]:
    """The largest difference of a weight, with the site and the head it is in."""
    found = [
        ((maps.cpu().double() - theirs[site].cpu().double()).abs().amax((0, 2, 3)), site)
        for site, maps in ours.items()
    ]  # [H] each
    # Torch takes NaN for the largest; Python's max would pass over it.
    worst = int(torch.stack([per_head.max() for per_head, _ in found]).argmax())
    per_head, site = found[worst]
    head = int(per_head.argmax())
    return float(per_head[head]), site, head


def _relative_difference(ours: Tensor, theirs: Tensor) -> float:
    ours, theirs = ours.cpu().double(), theirs.cpu().double()
    return float((ours - theirs).abs().max() / theirs.abs().max())


def _time_passes(model: LoadedModel, tokenized: TokenizedText) -> tuple[float, float]:
    """Seconds of a bare pass, and how many times that a pass with all maps takes."""
    tap = Tap(lambda *_: None, workspace=Workspace())

    def seconds(with_maps: bool) -> float:
        began = perf_counter()
        model.forward(tokenized, tap if with_maps else None)
        if model.device.type != "cpu":
            torch.accelerator.synchronize(model.device)
        return perf_counter() - began

    pairs = []
    for turn in range(1 + REPEATS):
        order = (False, True) if turn % 2 else (True, False)
        times = {with_maps: seconds(with_maps) for with_maps in order}
        pairs.append((times[False], times[True]))
    del pairs[0]  # it warms up
    # Neighbouring runs share the machine's other load.
    return median(bare for bare, _ in pairs), median(tapped / bare for bare, tapped in pairs)
