"""An analysis keeps little, and every map derived from it is a proper one."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import AutoModel

from mha_core.attention import Weights
from mha_core.errors import NoSuchHead, NoSuchStack, TextTooLong
from mha_core.models.architecture import Architecture
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import Analysis, analyse, analysis_id, check_heads, check_length
from mha_core.tap import LayerCapture
from mha_core.text.tokenization import tokenize

SENTENCE = "The animal didn't cross the street because it was too tired."
TWO_STACKS = ("bart", "t5", "marian")
FAMILIES = ("bert", "gpt2", "llama", "distilbert", "t5")
SHAPE = Architecture("bert", "encoder", 6, 12, 12, 384, 32, 512)


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
    for layer in range(model.architecture.n_layers):
        maps = analysis.patterns(layer)
        assert maps.shape == (model.architecture.n_heads, n_tokens, n_tokens)
        assert maps.min() >= 0
        torch.testing.assert_close(maps.sum(-1), torch.ones(maps.shape[:2]), atol=1e-5, rtol=0)
        if model.architecture.kind == "decoder":
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

    def on_weights(capture: LayerCapture, weights: Weights) -> None:
        shown.append((capture.site.layer, weights.pattern.clone()))

    analysis = analyse(minilm, tokenize(minilm.tokenizer, SENTENCE), on_weights)
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
    projections = sum(
        t.nbytes for layer in analysis.layers for t in (layer.q, layer.k, layer.v, layer.lse)
    )
    assert analysis.n_bytes == projections + biases[0].nbytes


def test_of_t5_one_position_bias_is_kept_for_all_layers_of_each_stack(
    small_model: Callable[[str], LoadedModel],
) -> None:
    model = small_model("t5")
    analysis = analyse(model, model.tokenize("a " * 45, "b " * 30))
    for stack in analysis.stacks:
        biases = [layer.mask for layer in analysis.captures(stack.name)]
        assert len(biases) == stack.n_layers
        assert len({bias.data_ptr() for bias in biases if bias is not None}) == 1


@pytest.mark.parametrize("family", TWO_STACKS)
def test_every_stack_of_an_encoder_decoder_equals_eager_attention(
    family: str, model_directory: Callable[[str], Path], small_model: Callable[[str], LoadedModel]
) -> None:
    model = small_model(family)
    tokenized = model.tokenize(SENTENCE, "L'animal était trop fatigué.")
    analysis = analyse(model, tokenized)
    eager = AutoModel.from_pretrained(model_directory(family), attn_implementation="eager")
    inputs = {name: torch.tensor([ids]) for name, ids in tokenized.inputs.items()}
    with torch.inference_mode():
        output = eager.eval()(**inputs, output_attentions=True)
    for stack in analysis.stacks:
        theirs = output[f"{stack.name}_attentions"]
        assert len(theirs) == len(analysis.captures(stack.name)) == stack.n_layers
        for layer, expected in enumerate(theirs):
            maps = analysis.patterns(layer, stack=stack.name)
            assert maps.shape == (stack.n_heads, stack.n_queries, stack.n_keys)
            torch.testing.assert_close(maps, expected[0], atol=1e-6, rtol=0)
            torch.testing.assert_close(maps.sum(-1), torch.ones(maps.shape[:2]))
            looks_ahead = stack.n_queries == stack.n_keys and maps.triu(1).count_nonzero() > 0
            assert looks_ahead == (stack.name == "encoder")
            chosen = analysis.patterns(layer, [1, 0], stack.name)
            torch.testing.assert_close(chosen, maps[[1, 0]], atol=1e-6, rtol=0)


@pytest.mark.parametrize("family", TWO_STACKS)
def test_a_decoder_at_its_start_looks_at_its_start_and_at_the_source(
    family: str, small_model: Callable[[str], LoadedModel]
) -> None:
    model = small_model(family)
    analysis = analyse(model, model.tokenize(SENTENCE))
    n_source = analysis.n_tokens - 1
    assert analysis.stack("cross").queries == (n_source, n_source + 1)
    assert torch.equal(
        analysis.patterns(0, stack="decoder"), torch.ones(model.architecture.decoder_heads, 1, 1)
    )
    assert analysis.patterns(0, stack="cross").shape[1:] == (1, n_source)


def test_the_stack_of_an_encoder_decoder_must_be_named(
    small_model: Callable[[str], LoadedModel],
) -> None:
    model = small_model("bart")
    analysis = analyse(model, model.tokenize("one", "two"))
    with pytest.raises(NoSuchStack, match="one of encoder, decoder, cross"):
        analysis.captures()
    with pytest.raises(NoSuchStack):
        analysis.patterns(0)
    with pytest.raises(NoSuchHead, match="no head 2: its heads are 0 to 1"):
        analysis.patterns(0, [2], "cross")
    with pytest.raises(NoSuchHead, match="no layer 2: its layers are 0 to 1"):
        analysis.patterns(2, stack="encoder")


def test_of_one_stack_the_layers_are_those_that_were_kept(minilm: LoadedModel) -> None:
    analysis = analyse(minilm, minilm.tokenize("one", "two"))
    assert analysis.captures() == analysis.captures("encoder") == analysis.layers
    with pytest.raises(NoSuchStack, match="no stack 'decoder'"):
        analysis.captures("decoder")


def test_memory_grows_with_the_length_of_the_text_and_not_with_its_square(
    minilm: LoadedModel,
) -> None:
    sizes = [
        analyse(minilm, tokenize(minilm.tokenizer, "word " * n_words)).n_bytes
        for n_words in (48, 98, 198)  # 50, 100, 200 tokens with the special two
    ]
    assert sizes[1] == 2 * sizes[0]
    assert sizes[2] == 2 * sizes[1]
    # layers x tokens x (q, k, v of the model's width, and a log-sum-exp a head) x float32
    assert sizes[0] == 6 * 50 * (3 * 384 + 12) * 4


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


def test_a_continuation_is_part_of_the_question(smollm2: LoadedModel) -> None:
    typed = smollm2.tokenize("one two")
    ids = typed.inputs["input_ids"]
    first = smollm2.tokenize("one", continuation=ids[1:])
    assert first.inputs == typed.inputs
    asked = {analysis_id(smollm2, it) for it in (typed, first, smollm2.tokenize("one"))}
    assert len(asked) == 3


def test_a_kept_analysis_does_not_keep_the_weights(minilm: LoadedModel) -> None:
    analysis = analyse(minilm, tokenize(minilm.tokenizer, "word"))
    values = [getattr(analysis, field.name) for field in fields(analysis)]
    assert not any(isinstance(value, LoadedModel | torch.nn.Module) for value in values)
    assert (analysis.model_id, analysis.dtype) == ("minilm", "float32")
    assert analysis.device == str(minilm.device)


def test_a_text_over_the_limit_is_refused_with_both_counts(minilm: LoadedModel) -> None:
    tokenized = tokenize(minilm.tokenizer, "one two three")
    check_length(tokenized, 5)
    with pytest.raises(TextTooLong, match="limit is 3: remove at least 2") as e:
        check_length(tokenized, 3)
    cut = {"field": "text", "n_characters": len("one")}
    assert e.value.details == {"n_tokens": 5, "max_tokens": 3, "cut": cut}


def test_two_texts_are_measured_each_by_itself_and_both_together(
    small_model: Callable[[str], LoadedModel],
) -> None:
    model = small_model("t5")
    tokenized = model.tokenize("one two three", "one two")  # 5 tokens and, with a start, 4
    check_length(tokenized, 5, in_all=9)
    with pytest.raises(TextTooLong, match="The text has 5 tokens and the limit is 4"):
        check_length(tokenized, 4, in_all=9)
    with pytest.raises(TextTooLong, match="two texts have 9 tokens and the limit is 8") as e:
        check_length(tokenized, 5, in_all=8)
    assert e.value.details["cut"]["field"] == "text", "the longer one"


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
