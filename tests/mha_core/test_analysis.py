"""An analysis keeps little, and every map derived from it is a proper one."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.analysis import Analysis, analyse, analysis_id, check_heads, check_length
from mha_core.catalogue import entry_for
from mha_core.errors import NoSuchHead, TextTooLong
from mha_core.loading import LoadedModel, load
from mha_core.shape import ModelShape
from mha_core.tap import LayerCapture
from mha_core.tokens import tokenize

SENTENCE = "The animal didn't cross the street because it was too tired."
FAMILIES = ("bert", "gpt2", "llama", "distilbert", "t5")
SHAPE = ModelShape("bert", "encoder", 6, 12, 12, 384, 32, 512)


@pytest.fixture(scope="module")
def small_model(
    model_directory: Callable[[str], Path], device: torch.device
) -> Callable[[str], LoadedModel]:
    def build(family: str) -> LoadedModel:
        entry = entry_for(str(model_directory(family)))
        return load(entry, models_dir=Path(), device=str(device), hub=False)

    return build


def tensors_of(analysis: Analysis) -> list[Tensor]:
    """Every tensor that a kept analysis holds."""
    kept = [getattr(layer, field.name) for layer in analysis.layers for field in fields(layer)]
    return [value for value in kept if isinstance(value, Tensor)]


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_every_row_sums_to_one_and_a_causal_model_looks_only_back(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    analysis = analyse(model, tokenize(model.tokenizer, SENTENCE))
    n_tokens = analysis.n_tokens
    for layer in range(model.shape.n_layers):
        maps = analysis.patterns(layer)
        assert maps.shape == (model.shape.n_heads, n_tokens, n_tokens)
        assert maps.min() >= 0
        torch.testing.assert_close(maps.sum(-1), torch.ones(maps.shape[:2]), atol=1e-5, rtol=0)
        if model.shape.kind == "decoder":
            assert maps.triu(1).count_nonzero() == 0
        else:
            assert maps.triu(1).max() > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_chosen_heads_are_rows_of_the_whole_layer(
    family: str, small_model: Callable[[str], LoadedModel]
) -> None:
    model = small_model(family)
    analysis = analyse(model, tokenize(model.tokenizer, SENTENCE))
    whole = analysis.patterns(1)
    for heads in ([3], [2, 0], [1, 1]):
        torch.testing.assert_close(analysis.patterns(1, heads), whole[heads], atol=1e-6, rtol=0)


def test_a_watcher_sees_each_layer_with_the_map_derived_later(minilm: LoadedModel) -> None:
    shown: list[tuple[int, Tensor]] = []

    def watch(capture: LayerCapture, pattern: Tensor) -> None:
        shown.append((capture.site.layer, pattern.clone()))

    analysis = analyse(minilm, tokenize(minilm.tokenizer, SENTENCE), watch)
    assert [layer for layer, _ in shown] == list(range(6))
    for layer, pattern in shown:
        torch.testing.assert_close(analysis.patterns(layer), pattern[0].cpu(), atol=1e-6, rtol=0)


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "t5"])
def test_an_analysis_keeps_no_map(family: str, small_model: Callable[[str], LoadedModel]) -> None:
    model = small_model(family)
    special = len(tokenize(model.tokenizer, "a").tokens) - 1
    tokenized = tokenize(model.tokenizer, " ".join(["a"] * (97 - special)))
    analysis = analyse(model, tokenized)
    assert analysis.n_tokens == 97
    kept = tensors_of(analysis)
    assert all(list(tensor.shape).count(97) <= 1 for tensor in kept)
    assert all(tensor.untyped_storage().nbytes() <= 97 * 3 * 4 * 32 for tensor in kept)
    assert analysis.n_bytes == sum(tensor.nbytes for tensor in kept)


def test_of_t5_one_position_bias_is_kept_for_all_layers(
    small_model: Callable[[str], LoadedModel],
) -> None:
    model = small_model("t5")
    analysis = analyse(model, tokenize(model.tokenizer, "a " * 95))
    biases = [layer.mask for layer in analysis.layers if layer.mask is not None]
    assert len(biases) == 2
    assert len({bias.data_ptr() for bias in biases}) == 1
    projections = sum(t.nbytes for layer in analysis.layers for t in (layer.q, layer.k, layer.v))
    assert analysis.n_bytes == projections + biases[0].nbytes


def test_memory_grows_with_the_length_of_the_text_and_not_with_its_square(
    minilm: LoadedModel,
) -> None:
    sizes = [
        analyse(minilm, tokenize(minilm.tokenizer, "word " * n_words)).n_bytes
        for n_words in (48, 98, 198)  # 50, 100, 200 tokens with the special two
    ]
    assert sizes[1] == 2 * sizes[0]
    assert sizes[2] == 2 * sizes[1]
    assert sizes[0] == 6 * 3 * 50 * 384 * 4  # layers x (q, k, v) x tokens x width x float32


def test_the_same_question_has_the_same_id_and_any_other_has_another(
    minilm: LoadedModel, smollm2: LoadedModel
) -> None:
    def asked(model: LoadedModel, text: str, text_pair: str | None = None) -> str:
        return analysis_id(model, tokenize(model.tokenizer, text, text_pair))

    once = asked(minilm, "one two")
    assert once == asked(minilm, "one two")
    assert once == analyse(minilm, tokenize(minilm.tokenizer, "one two")).id
    others = {
        asked(minilm, "one two "),  # the same tokens, another text
        asked(minilm, "one", "two"),
        asked(minilm, "one two", "one two"),
        asked(smollm2, "one two"),
        asked(replace(minilm, revision="another"), "one two"),
        asked(replace(minilm, dtype=torch.bfloat16), "one two"),
    }
    assert len(others) == 6
    assert once not in others


def test_a_kept_analysis_does_not_keep_the_weights(minilm: LoadedModel) -> None:
    analysis = analyse(minilm, tokenize(minilm.tokenizer, "word"))
    values = [getattr(analysis, field.name) for field in fields(analysis)]
    assert not any(isinstance(value, LoadedModel | torch.nn.Module) for value in values)
    assert (analysis.model_id, analysis.dtype) == ("minilm", "float32")
    assert analysis.device == str(minilm.device)


def test_a_text_over_the_limit_is_refused_with_both_counts(minilm: LoadedModel) -> None:
    tokenized = tokenize(minilm.tokenizer, "one two three")
    check_length(tokenized, 5)
    with pytest.raises(TextTooLong, match="has 5 tokens and the limit is 3: shorten it by 2") as e:
        check_length(tokenized, 3)
    assert e.value.details == {"n_tokens": 5, "max_tokens": 3}


@pytest.mark.parametrize("head", [-1, 12, 99])
def test_a_head_outside_the_model_is_named(head: int) -> None:
    with pytest.raises(NoSuchHead, match=f"no head {head}: its heads are 0 to 11") as error:
        check_heads(SHAPE, [0], [3, head])
    assert error.value.details == {"head": head, "n_heads": 12}


@pytest.mark.parametrize("layer", [-1, 6])
def test_a_layer_outside_the_model_is_named(layer: int) -> None:
    with pytest.raises(NoSuchHead, match=f"no layer {layer}: its layers are 0 to 5") as error:
        check_heads(SHAPE, [layer], None)
    assert error.value.details == {"layer": layer, "n_layers": 6}


def test_a_negative_head_never_counts_from_the_end(minilm: LoadedModel) -> None:
    analysis = analyse(minilm, tokenize(minilm.tokenizer, "word"))
    with pytest.raises(NoSuchHead):
        analysis.patterns(0, [-1])
    with pytest.raises(NoSuchHead):
        analysis.patterns(-1)
