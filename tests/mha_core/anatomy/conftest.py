"""Models of every family that anatomy knows, with numbers far from those they start with."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch

from mha_core.models.catalogue import entry_for, find
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import Analysis, analyse

TEXT = "The cat sat on the cat."


def shake(model: LoadedModel) -> LoadedModel:
    """Draw all weights anew: large matrices, no bias zero, no gamma one."""
    draws = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for name, weight in model.network.named_parameters():
            size = 0.5 if weight.ndim == 2 else 0.1
            drawn = torch.randn(weight.shape, generator=draws) * size
            is_gamma = weight.ndim == 1 and name.endswith("weight")
            weight.copy_(drawn + is_gamma)
    return model


@pytest.fixture(scope="session")
def model_of(
    minilm: LoadedModel,
    smollm2: LoadedModel,
    model_directory: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], LoadedModel]:
    """A function name -> model: a real one, or a small one of a family."""
    real = {"minilm": minilm, "smollm2": smollm2}
    nowhere = tmp_path_factory.mktemp("no-models")

    @cache
    def build(name: str) -> LoadedModel:
        if name in real:
            return real[name]
        own = name == "headscope-tiny"
        entry = find(name) if own else entry_for(str(model_directory(name)))
        model = load(entry, models_dir=nowhere, device="cpu", hub=False)
        if own:
            return model
        if name == "llama":  # its directory holds no output layer
            layer = torch.nn.Linear(32, len(model.tokenizer)).requires_grad_(False)
            model = replace(model, output_layer=layer)
        return shake(model)

    return build


@pytest.fixture(scope="session")
def analysis_of(model_of: Callable[[str], LoadedModel]) -> Callable[[str], Analysis]:
    """A function name -> the model's own run on a short text."""

    @cache
    def run(name: str) -> Analysis:
        model = model_of(name)
        pair = "It slept." if model.architecture.takes_pairs else None
        return analyse(model, model.tokenize(TEXT, pair))

    return run
