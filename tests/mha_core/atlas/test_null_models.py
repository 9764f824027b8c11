"""Null models have the shape of the model, sharpened ones its entropies, none what it learned."""

import gc
import weakref
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.atlas.null_models import (
    HIGHEST,
    LENGTHS,
    LOWEST,
    NULL_MODELS,
    build_null_model,
    permute_weights,
    sharpen_heads,
)
from mha_core.atlas.synthetic import measure_synthetic
from mha_core.metrics.measure import measurement
from mha_core.metrics.passage import Passage
from mha_core.models.catalogue import CatalogueEntry
from mha_core.models.loading import LoadedModel, load
from mha_core.tap import Tap
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import TokenizedText

PROSE = """
the old man went down to the river with his dog and sat under a tree there he read a letter from
his son who lived in the city and had not been home for two years the dog ran into the water and
came back with a small fish which it put at the feet of the man he laughed and gave the fish to a
cat that had come out of the house next to the bridge then the sun went down and they all went home
"""


def windows(model: LoadedModel) -> list[TokenizedText]:
    """Texts of one length: 12 common words, or 24 letters for a model that reads letters."""
    words, letters = PROSE.split(), " ".join(PROSE.split())
    found = [" ".join(words[at : at + 12]) for at in range(0, len(words) - 12, 4)]
    if model.architecture.family == "headscope":
        found = [letters[at : at + 24] for at in range(0, len(letters) - 24, 16)]
    texts = [tokenize(model.tokenizer, text) for text in found]
    [(length, _)] = Counter(len(text.tokens) for text in texts).most_common(1)
    return [text for text in texts if len(text.tokens) == length]


def patterns(model: LoadedModel) -> Tensor:
    seen: list[Tensor] = []
    text = tokenize(model.tokenizer, "the cat sat on the mat")
    model.forward(text, Tap(lambda _, pattern: seen.append(pattern)))
    return torch.cat(seen)


def entropies(model: LoadedModel, texts: list[TokenizedText]) -> Tensor:
    """The metric of every head, [L, H], averaged over texts."""
    causal, found = model.architecture.kind == "decoder", list[Tensor]()
    for text in texts:
        maps: list[Tensor] = []
        model.forward(text, Tap(lambda _, pattern, maps=maps: maps.append(pattern[0])))
        passage = Passage.of(text.tokens, causal=causal, device=model.device)
        layers = [measurement("entropy", pattern, passage).value for pattern in maps]
        found.append(torch.stack(layers))
    return torch.stack(found).mean(0)


@pytest.fixture
def loaded(model_directory: Callable[[str], Path], tmp_path: Path) -> Callable[[str], LoadedModel]:
    """A function family -> a small model of it, loaded anew."""

    def load_family(family: str) -> LoadedModel:
        entry = CatalogueEntry(family, family, "", "", directory=model_directory(family))
        return load(entry, models_dir=tmp_path, device="cpu", hub=False)

    return load_family


@pytest.mark.parametrize(
    ("name", "id"),
    [*(("tiny", id) for id in NULL_MODELS), ("minilm", "random"), ("minilm", "sharpened")],
)
def test_a_null_model_has_the_shape_and_other_maps_and_its_seed_tells_which(
    name: str, id: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    texts, trained = windows(model)[:4], patterns(model)
    weights = {name: weight.clone() for name, weight in model.network.named_parameters()}
    before = torch.get_rng_state()
    null, other = (build_null_model(id, model, texts, seed) for seed in (5, 6))
    assert torch.equal(before, torch.get_rng_state()), "the caller's random numbers moved"
    assert (null.id, null.model.output_layer) == (id, None)
    assert null.what.endswith(".")
    for field in ("architecture", "tokenizer", "device", "dtype", "entry"):
        assert getattr(null.model, field) is getattr(model, field)
    assert type(null.model.network) is type(model.network)
    found = patterns(null.model)
    assert found.shape == trained.shape
    assert (trained - found).abs().amax((1, 2, 3)).min() > 0.1, "a layer is as it was"
    assert torch.equal(found, patterns(build_null_model(id, model, texts, 5).model))
    assert not torch.equal(found, patterns(other.model))
    assert len({it.revision for it in (model, null.model, other.model)}) == 3
    assert torch.equal(trained, patterns(model)), "the model itself was changed"
    now = dict(model.network.named_parameters())
    assert all(torch.equal(weight, now[name]) for name, weight in weights.items())


def test_a_large_causal_model_has_null_models(smollm2: LoadedModel) -> None:
    trained, texts = patterns(smollm2), windows(smollm2)[:4]
    for id in ("random", "sharpened"):  # sharpened includes permuted, which takes seconds
        found = patterns(build_null_model(id, smollm2, texts, 0).model)
        assert (trained - found).abs().amax((1, 2, 3)).min() > 0.1


@pytest.mark.parametrize("family", ["t5", "bart", "gpt2", "qwen2"])
def test_the_encoder_of_two_stacks_and_other_families_have_null_models(
    family: str, loaded: Callable[[str], LoadedModel]
) -> None:
    model = loaded(family)
    texts, shape = windows(model)[:6], patterns(model).shape
    for id in NULL_MODELS:
        null = build_null_model(id, model, texts, 0).model
        assert patterns(null).shape == shape
    torch.testing.assert_close(entropies(null, texts), entropies(model, texts), atol=1e-4, rtol=0)


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5"])
def test_permuted_matrices_hold_the_same_numbers_elsewhere_and_vectors_are_kept(
    family: str, loaded: Callable[[str], LoadedModel]
) -> None:
    model = loaded(family)
    with torch.no_grad():  # before training norms are all ones and biases all zeros
        for weight in model.network.parameters():
            if weight.ndim == 1:
                weight.copy_(torch.rand(len(weight), generator=torch.Generator().manual_seed(0)))
    permuted = dict(permute_weights(model, 0).network.named_parameters())
    for name, weight in model.network.named_parameters():
        moved = permuted[name]
        if weight.ndim < 2:
            assert torch.equal(moved, weight)
        else:
            assert torch.equal(moved.flatten().sort().values, weight.flatten().sort().values)
            assert (moved == weight).float().mean() < 0.1, f"{name} is as it was"
            rows = moved.sort(1).values == weight.sort(1).values
            assert not rows.all(1).any(), f"{name} is permuted only within its rows"


@pytest.mark.parametrize("family", ["t5", "bart"])
def test_tied_weights_stay_tied(family: str, loaded: Callable[[str], LoadedModel]) -> None:
    model = loaded(family)
    null = permute_weights(model, 0)
    for network in (model.network, null.network):
        embeddings = [network.get_parameter("shared.weight")]
        embeddings += [
            network.get_submodule(it).embed_tokens.weight for it in ("encoder", "decoder")
        ]  # type: ignore[union-attr]
        assert len({weight.data_ptr() for weight in embeddings}) == 1
    named = list(null.network.named_parameters(remove_duplicate=False))
    assert len(named) == len(list(model.network.named_parameters(remove_duplicate=False)))


@pytest.mark.parametrize("name", ["minilm", "tiny"])
def test_sharpened_heads_are_as_concentrated_as_the_trained_ones(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    texts = windows(model)
    seen, unseen = texts[::2], texts[1::2]
    random, permuted, sharpened = (build_null_model(it, model, seen, 0).model for it in NULL_MODELS)
    target = entropies(model, seen)
    torch.testing.assert_close(entropies(sharpened, seen), target, atol=1e-4, rtol=0)
    # On other texts there is more than rounding between them, and far less than without factors.
    trained = entropies(model, unseen)
    far, near = (entropies(it, unseen) - trained for it in (permuted, sharpened))
    assert near.abs().mean() < 0.05 < 0.25 < far.abs().mean()
    assert entropies(random, unseen).mean() > entropies(permuted, unseen).mean() > trained.mean()
    assert not random.query_scales
    assert not permuted.query_scales


def test_heads_are_sharpened_on_texts_of_one_length(tiny: LoadedModel) -> None:
    texts = windows(tiny)
    assert len(texts[0].tokens) in LENGTHS
    others = [tokenize(tiny.tokenizer, "the cat sat on the mat"[:n]) for n in (5, 13, 20)]
    long = [tokenize(tiny.tokenizer, " ".join(PROSE.split())[n : n + 90]) for n in range(99)]
    nulls = [build_null_model("sharpened", tiny, it, 0) for it in (texts, others + texts + long)]
    one, both = (null.model.query_scales for null in nulls)
    assert all(torch.equal(scales, both[site]) for site, scales in one.items())
    # Where no text has such a length, others must do.
    only_long = build_null_model("sharpened", tiny, long[:3], 0).model
    torch.testing.assert_close(
        entropies(only_long, long[:3]), entropies(tiny, long[:3]), atol=1e-4, rtol=0
    )


def test_a_head_that_cannot_reach_its_entropy_gets_the_nearest_bound(tiny: LoadedModel) -> None:
    indifferent = replace(tiny, network=deepcopy(tiny.network))
    with torch.no_grad():
        for name, weight in indifferent.network.named_parameters():
            if ".query." in name:
                weight.zero_()
    texts = windows(tiny)[:3]
    for model, target, bound in (
        (indifferent, tiny, HIGHEST),
        (tiny, indifferent, LOWEST),
    ):
        for scales in sharpen_heads(model, target, texts, 0).query_scales.values():
            torch.testing.assert_close(scales.log2(), torch.full((8,), bound), atol=1e-4, rtol=0)


def test_a_null_model_keeps_no_other_weights_alive(loaded: Callable[[str], LoadedModel]) -> None:
    model = loaded("bert")
    trained = weakref.ref(model.network)
    nulls = [build_null_model(id, model, windows(model)[:2], 0) for id in NULL_MODELS]
    networks = [weakref.ref(null.model.network) for null in nulls]
    del model
    gc.collect()
    assert trained() is None
    while nulls:
        del nulls[-1]
        gc.collect()
        alive = [network() is not None for network in networks]
        assert Counter(alive) == Counter({True: len(nulls), False: len(networks) - len(nulls)})


@pytest.mark.parametrize("id", NULL_MODELS)
def test_what_was_never_learned_is_not_found_in_a_null_model(tiny: LoadedModel, id: str) -> None:
    null = build_null_model(id, tiny, windows(tiny), 0)
    trained, found = measure_synthetic(tiny), measure_synthetic(null.model)
    assert trained.induction.mean(0)[1].max() > 0.7
    assert found.induction.max() < 0.1
    assert found.duplicate.max() < 0.1
    assert found.previous.max() < 0.3
