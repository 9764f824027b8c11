"""Why heads rest on the first token: its keys, their queries, and the states they come from.

On the windows of the sink. Of every head, over rows after the first and the keys they see:

    key_norm_ratio = |k_first| / mean |k_other|        cosine_first = mean cos(q_i, k_first)
    query_norm = mean |q_i|                            cosine_other = mean cos(q_i, k_other)

Of the residual stream before every layer and after the last one: the largest activation, where it
is, and the median activation beside it (massive activations, Sun and others 2024).
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from mha_core.atlas.means import mean_interval
from mha_core.atlas.sink import N_WINDOWS, batch_windows, cut_windows
from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.attention import uniform_attention
from mha_core.models.loading import LoadedModel
from mha_core.stacks import stack_sizes
from mha_core.tap import LayerCapture, Tap, attention_sites

OnState = Callable[[int, Tensor], None]
"""Called with the residual stream [B, T, D] before each layer, and with L after the last one."""


@dataclass(frozen=True, eq=False)
class SinkAnatomy(ArrayResult):
    """Means over windows: of heads [L, H] with 95 % intervals, of states [L + 1].

    States of a model whose layers cannot be found are NaN.
    """

    key_norm_ratio: Numbers
    key_norm_ratio_low: Numbers
    key_norm_ratio_high: Numbers
    query_norm: Numbers
    query_norm_low: Numbers
    query_norm_high: Numbers
    cosine_first: Numbers
    cosine_first_low: Numbers
    cosine_first_high: Numbers
    cosine_other: Numbers
    cosine_other_low: Numbers
    cosine_other_high: Numbers
    massive_magnitude: Numbers  # the largest |x| of a window
    massive_median: Numbers  # the median |x| of a window
    massive_position: Numbers  # of the largest in most windows; 0 is the first token
    massive_position_share: Numbers  # share of windows in which it is there
    massive_dimension: Numbers  # of the largest in most windows
    windows: Numbers  # []


_OF_HEADS = ("key_norm_ratio", "query_norm", "cosine_first", "cosine_other")
_OF_STATES = 4


def measure_sink_anatomy(
    model: LoadedModel, sentences: Sequence[str], *, size: int = N_WINDOWS, seed: int = 0
) -> SinkAnatomy:
    """The anatomy of every head's sink, on the same windows as `measure_sink`."""
    windows = cut_windows(model, sentences, size=size, seed=seed)
    n_layers, n_heads = model.architecture.n_layers, model.architecture.n_heads
    causal = model.architecture.kind == "decoder"
    heads = np.zeros((len(_OF_HEADS), len(windows), n_layers, n_heads))
    states = np.full((_OF_STATES, len(windows), n_layers + 1), np.nan)
    places = slice(0)

    def on_layer(capture: LayerCapture) -> None:
        found = compare_keys(capture.q, capture.k, causal=causal)  # [4, B, H]
        heads[:, places, capture.site.layer] = found.double().cpu().numpy()

    def on_state(layer: int, state: Tensor) -> None:
        states[:, places, layer] = find_largest(state).double().cpu().numpy()

    observed = observe_states(model, on_state)
    for places, batch in batch_windows(windows):  # noqa: B007 (the callbacks read it)
        observed.forward_all(batch, Tap(on_layer=on_layer))
    numbers: dict[str, Numbers] = {}
    for name, per_window in zip(_OF_HEADS, heads, strict=True):
        mean, low, high = mean_interval(per_window)
        numbers |= {name: mean, f"{name}_low": low, f"{name}_high": high}
    magnitude, median, positions, dimensions = states
    position, share = _most_frequent(positions)
    return SinkAnatomy(
        **numbers,
        massive_magnitude=mean_interval(magnitude)[0],
        massive_median=mean_interval(median)[0],
        massive_position=position,
        massive_position_share=share,
        massive_dimension=_most_frequent(dimensions)[0],
        windows=np.array(float(len(windows))),
    )


@torch.inference_mode()
def compare_keys(q: Tensor, k: Tensor, *, causal: bool) -> Tensor:
    """Key norm ratio, query norm and both cosines of each text, [4, B, H].

    From q [B, H, T, d] and k [B, G, T, d]. The cosine with other keys is a mean over those that a
    row sees, then over rows, so that each row counts as much as in the cosine with the first.
    """
    q, k = q.float(), k.float().repeat_interleave(q.shape[1] // k.shape[1], 1)  # [B, H, T, d]
    key_norms, query_norms = k.norm(dim=-1), q.norm(dim=-1)  # [B, H, T]
    cosines = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT  # [B, H, T, T]
    n_others = k.shape[2] - 1
    seen = uniform_attention(n_others, n_others, causal=causal, device=k.device)
    return torch.stack(
        [
            key_norms[..., 0] / key_norms[..., 1:].mean(-1),
            query_norms[..., 1:].mean(-1),
            cosines[..., 1:, 0].mean(-1),
            (cosines[..., 1:, 1:] * seen).sum(-1).mean(-1),
        ]
    )


def find_largest(state: Tensor) -> Tensor:
    """Largest and median |x|, position and dimension of the largest, [4, B], of x [B, T, D]."""
    sizes = state.float().abs().flatten(1)  # [B, T * D]
    largest, place = sizes.max(1)
    width = state.shape[-1]
    return torch.stack([largest, sizes.median(1).values, place // width, place % width])


def observe_states(model: LoadedModel, on_state: OnState) -> LoadedModel:
    """A copy of a model that calls `on_state` as it runs; it shares the weights.

    The hooks are on the copy: other runs of the model are not affected. Transformers' own hidden
    states are no way to this, because the last of them has passed the final norm, and HeadScope's
    own model has none. A model whose layers cannot be found never calls.
    """
    tensors = chain(model.network.parameters(), model.network.buffers())
    network = deepcopy(model.network, {id(tensor): tensor for tensor in tensors})
    copied = replace(model, network=network, sites=attention_sites(network))
    for layer, block in enumerate(_find_blocks(copied)):
        block.register_forward_hook(partial(_report_states, layer, on_state))
    return copied


def _find_blocks(model: LoadedModel) -> Sequence[nn.Module]:
    """The layers of the model's first stack, in order; empty if they cannot be found."""
    sizes = stack_sizes(model.architecture)
    first, (n_layers, _) = next(iter(sizes.items()))
    for module in model.network.modules():
        if isinstance(module, nn.ModuleList):
            sites = [model.sites[block] for block in module if block in model.sites]
            own = len(sizes) == 1 or all(site.stack == first for site in sites)
            if own and [site.layer for site in sites] == list(range(n_layers)):
                return list(module)
    return ()


def _report_states(
    layer: int,
    on_state: OnState,
    _: nn.Module,
    args: tuple[Any, ...],
    output: Tensor | tuple[Any, ...],
) -> None:
    if layer == 0 and args:
        on_state(0, args[0])
    after = output[0] if isinstance(output, tuple) else output
    on_state(layer + 1, after)


def _most_frequent(found: Numbers) -> tuple[Numbers, Numbers]:
    """The most frequent number of each column and its share of the rows, [L] from [N, L]."""
    number, share = np.full((2, found.shape[1]), np.nan)
    for at, column in enumerate(found.T):
        numbers, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        if len(numbers):
            number[at], share[at] = numbers[counts.argmax()], counts.max() / len(column)
    return number, share
