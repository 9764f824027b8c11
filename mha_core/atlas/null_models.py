"""Null models: what a measure finds in them, it finds without any knowledge of language.

random      new weights, drawn as before training: attention is nearly uniform
permuted    the trained numbers, in random places
sharpened   the permuted model, each head as concentrated as its trained one
"""

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from mha_core.atlas.sample import sample
from mha_core.attention import mix
from mha_core.metrics.entropies import EntropyRows, entropy_rows
from mha_core.metrics.passage import Passage
from mha_core.models.loading import LoadedModel
from mha_core.stacks import Site
from mha_core.tap import LayerCapture, Tap, attention_sites
from mha_core.text.tokens import TokenizedText

NULL_MODELS = {
    "random": "The same model with random weights, as before its training.",
    "permuted": "The same model with the entries of each weight matrix in random order.",
    "sharpened": (
        "The same model with the entries of each weight matrix in random order, and queries "
        "scaled so that each head's attention is as concentrated as in the trained model."
    ),
}
"""A sentence for people by id, in the order they are built."""

N_TEXTS = 40
"""Most texts that heads are sharpened on."""
LENGTHS = range(12, 33)
"""Tokens of these texts, where there are such: long enough for a choice of keys, and quick."""
LOWEST, HIGHEST = -10.0, 20.0
"""Bounds of the factor of a head's queries, as powers of two."""
HALVINGS = 24
"""Steps of the bisection: the factor is then known to about one part in a million."""


@dataclass(frozen=True)
class NullModel:
    """A model of the same shape that knows no language; it has no output layer."""

    id: str  # one of NULL_MODELS
    what: str  # one sentence for people
    model: LoadedModel


def build_null_model(
    id: str, model: LoadedModel, texts: Sequence[TokenizedText], seed: int
) -> NullModel:
    """The null model of that id; `texts` are what heads are sharpened on.

    Class, configuration, tokenizer, device and dtype are those of the model. The model itself and
    the global random state are left as they were.
    """
    null = randomize_weights(model, seed) if id == "random" else permute_weights(model, seed)
    if id == "sharpened":
        null = sharpen_heads(null, model, texts, seed)
    revision = f"{model.revision}-{id}-{seed}"
    return NullModel(id, NULL_MODELS[id], replace(null, revision=revision))


def randomize_weights(model: LoadedModel, seed: int) -> LoadedModel:
    """The model with new weights, drawn as its own code draws them before training."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = type(model.network)(deepcopy(model.network.config))
    network.to(model.device, model.dtype).eval().requires_grad_(False)
    return _with_network(model, network)


def permute_weights(model: LoadedModel, seed: int) -> LoadedModel:
    """The model with the entries of each matrix permuted; biases and norms are kept.

    A matrix that is used twice (tied embeddings) is permuted once, so it stays the same in both.
    """
    network = deepcopy(model.network)
    draws = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in network.parameters():
            if weight.ndim >= 2:
                order = torch.randperm(weight.numel(), generator=draws).to(weight.device)
                weight.copy_(weight.flatten()[order].view_as(weight))
    return _with_network(model, network)


def _with_network(model: LoadedModel, network: nn.Module) -> LoadedModel:
    # The trained output layer would predict nothing from other weights.
    return replace(model, network=network, sites=attention_sites(network), output_layer=None)


def sharpen_heads(
    model: LoadedModel, trained: LoadedModel, texts: Sequence[TokenizedText], seed: int
) -> LoadedModel:
    """The model with the queries of each head scaled to the mean entropy of its trained head.

    One run finds all factors: each layer is sharpened before the next one reads what it writes.
    """
    chosen = _choose_texts(texts, seed)
    causal = model.architecture.kind == "decoder"
    passage = Passage.of(chosen[0].tokens, causal=causal, device=model.device)
    rows = entropy_rows(passage)  # the same for all texts of one length
    targets: dict[Site, Tensor] = {}
    scales: dict[Site, Tensor] = {}
    sharpened: dict[Site, LayerCapture] = {}

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        targets[capture.site] = _mean_entropy(pattern, rows)

    def on_layer(capture: LayerCapture) -> None:
        site = capture.site
        scales[site] = _find_scales(capture, targets[site], rows)
        sharpened[site] = _scale_queries(capture, scales[site])

    def edit(site: Site, _: Tensor) -> Tensor:
        capture = sharpened.pop(site)
        return mix(capture.pattern(), capture.v).transpose(1, 2)  # [B, Q, H, d]

    trained.forward_all(chosen, Tap(on_pattern))
    model.forward_all(chosen, Tap(on_layer=on_layer, edit=edit))
    return replace(model, query_scales=scales)


def _choose_texts(texts: Sequence[TokenizedText], seed: int) -> list[TokenizedText]:
    """Texts of one length, so that one batch holds them all: of the length with most tokens."""
    lengths = Counter(len(text.tokens) for text in texts)
    suitable = [length for length in lengths if length in LENGTHS] or list(lengths)
    best = max(suitable, key=lambda length: (min(lengths[length], N_TEXTS) * length, length))
    return sample([text for text in texts if len(text.tokens) == best], N_TEXTS, seed)


def _find_scales(capture: LayerCapture, targets: Tensor, rows: EntropyRows) -> Tensor:
    """The factors [H] that bring each head to its entropy in `targets` [H], by bisection.

    The entropy of softmax(f * scores) never rises with f; in T5, whose position bias is not scaled,
    it may, and any crossing will do. A head that cannot reach its target gets the nearest bound.
    """
    low, high = torch.full_like(targets, LOWEST), torch.full_like(targets, HIGHEST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        pattern = _scale_queries(capture, middle.exp2()).pattern()
        # NaN, where scores overflow, counts as too sharp.
        too_even = _mean_entropy(pattern, rows) > targets
        low, high = torch.where(too_even, middle, low), torch.where(too_even, high, middle)
    return low.exp2()


def _scale_queries(capture: LayerCapture, scales: Tensor) -> LayerCapture:
    """The layer with its queries times `scales` [H]; its log-sum-exps are not those any more."""
    return replace(capture, q=capture.q * scales.to(capture.q)[:, None, None])


def _mean_entropy(pattern: Tensor, rows: EntropyRows) -> Tensor:
    """The metric `entropy` of each head, [H], averaged over texts; `pattern` is [B, H, T, T]."""
    nats = torch.special.entr(pattern).sum(-1)  # [B, H, T]
    mean: Tensor = nats.mean(0) @ rows.per_nat / rows.n
    return mean
