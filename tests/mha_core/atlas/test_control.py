"""The control has the shape of the model and nothing of what it learned."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.atlas.control import randomize_weights
from mha_core.atlas.synthetic import measure_synthetic
from mha_core.models.catalogue import CatalogueEntry
from mha_core.models.loading import LoadedModel, load
from mha_core.tap import Tap
from mha_core.text.tokenization import tokenize


def patterns(model: LoadedModel) -> Tensor:
    seen: list[Tensor] = []
    text = tokenize(model.tokenizer, "the cat sat on the mat")
    model.forward(text, Tap(lambda _, pattern: seen.append(pattern)))
    return torch.cat(seen)


@pytest.mark.parametrize("name", ["minilm", "smollm2", "tiny"])
def test_a_control_has_the_shape_and_other_maps_and_its_seed_tells_which(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    before = torch.get_rng_state()
    control, other = randomize_weights(model, 5), randomize_weights(model, 6)
    assert torch.equal(before, torch.get_rng_state()), "the caller's random numbers moved"
    trained, random = patterns(model), patterns(control)
    assert trained.shape == random.shape
    assert (control.architecture, control.dtype, control.device) == (
        model.architecture,
        model.dtype,
        model.device,
    )
    assert (trained - random).abs().amax((1, 2, 3)).min() > 0.1, "a layer is as it was"
    assert torch.equal(random, patterns(randomize_weights(model, 5)))
    assert not torch.equal(random, patterns(other))
    assert torch.equal(trained, patterns(model)), "the model itself was changed"
    assert control.revision not in (model.revision, other.revision)


@pytest.mark.parametrize("family", ["t5", "bart", "gpt2"])
def test_the_kept_encoder_of_two_stacks_and_other_families_have_controls(
    family: str, model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    entry = CatalogueEntry(family, family, "", "", directory=model_directory(family))
    model = load(entry, models_dir=tmp_path, device="cpu", hub=False)
    assert patterns(randomize_weights(model, 0)).shape == patterns(model).shape


def test_what_was_never_learned_is_not_found_in_the_control(tiny: LoadedModel) -> None:
    trained, random = measure_synthetic(tiny), measure_synthetic(randomize_weights(tiny, 0))
    assert trained.induction.mean(0)[1].max() > 0.7
    assert random.induction.max() < 0.1
    assert random.duplicate.max() < 0.1
    assert random.previous.max() < 0.3
