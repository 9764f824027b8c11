"""Each family's matrices are found where they are, and no other family is guessed at."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from mha_core.models.catalogue import entry_for, find
from mha_core.models.family import (
    FINAL_NORMS,
    OUTPUT_PROJECTIONS,
    STACK_PROJECTIONS,
    input_embeddings,
    output_projection,
    unembedding,
)
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import analyse
from mha_core.stacks import Site, StackName
from mha_core.tap import Tap
from mha_core.text.tokenization import tokenize


@pytest.fixture
def small(model_directory: Callable[[str], Path], tmp_path: Path) -> Callable[[str], LoadedModel]:
    """A function family -> small model of it; "headscope" gives HeadScope's own."""

    def loaded(family: str) -> LoadedModel:
        own = family == "headscope"
        entry = find("headscope-tiny") if own else entry_for(str(model_directory(family)))
        return load(entry, models_dir=tmp_path, device="cpu", hub=False)

    return loaded


@pytest.mark.parametrize(
    ("family", "stack"),
    [
        *[(family, None) for family in OUTPUT_PROJECTIONS],
        *[(family, stack) for family, stacks in STACK_PROJECTIONS.items() for stack in stacks],
    ],
)
def test_the_matrix_is_the_one_that_takes_the_heads_outputs(
    family: str, stack: StackName | None, small: Callable[[str], LoadedModel]
) -> None:
    model = small(family)
    tokenized = model.tokenize("a b", None if stack is None else "c d e")
    capture = analyse(model, tokenized).captures(stack)[1]
    projection = output_projection(model.network, family, capture.site)
    assert projection is not None
    n_heads, d_head = capture.q.shape[1], capture.q.shape[3]
    assert projection.shape == (model.architecture.d_model, n_heads * d_head)
    # What a change of z does to the input of everything after is W_O times that change.
    seen: list[torch.Tensor] = []
    handle = _module_of(model, projection).register_forward_hook(
        lambda _, inputs, output: seen.append(output.detach().clone())
    )
    change = torch.randn(n_heads, d_head)

    def edit(site: Site, z: torch.Tensor) -> torch.Tensor:
        return z + change if site == capture.site else z

    model.forward(tokenized)
    model.forward(tokenized, Tap(edit=edit))
    handle.remove()
    difference = (seen[1] - seen[0])[0, 0]
    torch.testing.assert_close(difference, projection @ change.flatten(), atol=1e-5, rtol=1e-4)


def _module_of(model: LoadedModel, projection: torch.Tensor) -> torch.nn.Module:
    """The module whose weight this is, in either orientation."""
    for module in model.network.modules():
        weight = dict(module.named_parameters(recurse=False)).get("weight")
        if weight is not None and weight.ndim == 2:
            for way in (weight, weight.T):
                if way.shape == projection.shape and torch.equal(way, projection):
                    return module
    raise AssertionError("the projection is no weight of the model")


def test_a_family_that_is_not_known_has_no_matrix(minilm: LoadedModel) -> None:
    assert output_projection(minilm.network, "mamba", Site(0)) is None


@pytest.mark.parametrize("family", FINAL_NORMS)
def test_tied_models_have_an_unembedding(family: str, small: Callable[[str], LoadedModel]) -> None:
    model = small(family)
    found = unembedding(model.network, family, tied=True)
    assert found is not None
    assert found.weight.shape[1] == found.gamma.shape[0] == model.architecture.d_model
    assert unembedding(model.network, family, tied=False) is None


def test_the_own_models_logits_come_from_its_unembedding(
    small: Callable[[str], LoadedModel],
) -> None:
    model = small("headscope")
    tokenized = tokenize(model.tokenizer, "the cat")
    hidden = model.forward(tokenized)
    found = unembedding(model.network, "headscope", tied=True)
    assert found is not None
    torch.testing.assert_close(hidden @ found.weight.T, model.network.logits(hidden))  # type: ignore[operator]


def test_an_encoder_has_no_unembedding(minilm: LoadedModel) -> None:
    assert unembedding(minilm.network, "bert", tied=True) is None


@pytest.mark.parametrize("family", [*OUTPUT_PROJECTIONS, *STACK_PROJECTIONS])
def test_every_id_has_an_input_embedding(family: str, small: Callable[[str], LoadedModel]) -> None:
    model = small(family)
    table = input_embeddings(model.network)
    assert table.shape == (len(model.tokenizer), model.architecture.d_model)
    assert analyse(model, tokenize(model.tokenizer, "a b")).layers  # it is the one that runs


@pytest.mark.parametrize("family", ["bart", "t5"])
def test_a_decoder_with_embeddings_of_its_own_is_asked_for_those(
    family: str, small: Callable[[str], LoadedModel]
) -> None:
    model = small(family)
    assert torch.equal(
        input_embeddings(model.network), input_embeddings(model.network, "decoder")
    ), "as a rule they are shared"
    decoder = model.network.get_decoder()  # type: ignore[operator]
    other = torch.nn.Embedding(len(model.tokenizer), model.architecture.d_model)
    decoder.set_input_embeddings(other)
    assert input_embeddings(model.network, "decoder") is other.weight
    assert input_embeddings(model.network, "encoder") is not other.weight
