"""The queries and keys of each stack of a model."""

from dataclasses import replace

import pytest

from mha_core.errors import NoSuchStack
from mha_core.models.architecture import Architecture
from mha_core.stacks import Site, Stack, StackName, find_stack, stack_at, stack_sizes, stacks_of
from mha_core.text.tokens import TokenizedText
from tests.hand_made import tokens_of

BERT = Architecture("bert", "encoder", 6, 12, 12, 384, 32, 512)
BART = Architecture("bart", "encoder-decoder", 6, 12, 12, 384, 32, 512, 3, 4)
TOKENS = tuple(tokens_of(["[CLS]", "a", "cat", "[SEP]", "[start]", "un", "chat"]))
ONE = TokenizedText("a cat", None, TOKENS, {"input_ids": [0] * 7})
TWO = replace(ONE, inputs={"input_ids": [0] * 4, "decoder_input_ids": [0] * 3})


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_in_a_single_stack_all_tokens_are_queries_and_keys(kind: StackName) -> None:
    stacks = stacks_of(replace(BERT, kind=kind), ONE)
    assert stacks == (Stack(kind, 6, 12, (0, 7), (0, 7), kind == "decoder"),)


def test_an_encoder_decoder_has_three_stacks_over_one_list_of_tokens() -> None:
    encoder, decoder, cross = stacks_of(BART, TWO)
    assert encoder == Stack("encoder", 6, 12, (0, 4), (0, 4), causal=False)
    assert decoder == Stack("decoder", 3, 4, (4, 7), (4, 7), causal=True)
    assert cross == Stack("cross", 3, 4, (4, 7), (0, 4), causal=False)
    assert (cross.n_queries, cross.n_keys) == (3, 4)
    sizes = stack_sizes(BART)
    assert list(sizes) == ["encoder", "decoder", "cross"]
    assert all(sizes[it.name] == (it.n_layers, it.n_heads) for it in (encoder, decoder, cross))


def test_a_source_alone_has_the_encoders_stack() -> None:
    assert stacks_of(BART, ONE) == (Stack("encoder", 6, 12, (0, 7), (0, 7), causal=False),)


def test_the_only_stack_need_not_be_named() -> None:
    stacks = stacks_of(BERT, ONE)
    assert find_stack(stacks, None) == find_stack(stacks, "encoder") == stacks[0]


def test_one_of_several_must_be_named_and_the_error_names_them() -> None:
    stacks = stacks_of(BART, TWO)
    with pytest.raises(NoSuchStack, match="one of encoder, decoder, cross") as refused:
        find_stack(stacks, None)
    assert refused.value.details == {"stack": None, "available": ["encoder", "decoder", "cross"]}
    assert [find_stack(stacks, it.name) for it in stacks] == list(stacks)


def test_the_error_for_a_missing_stack_lists_the_available_ones() -> None:
    with pytest.raises(NoSuchStack, match="no stack 'cross': its stacks are encoder"):
        find_stack(stacks_of(BERT, ONE), "cross")


def test_a_layer_belongs_to_the_stack_of_its_site() -> None:
    stacks = stacks_of(BART, TWO)
    assert [stack_at(stacks, Site(1, it.name)) for it in stacks] == list(stacks)
    alone = stacks_of(BERT, ONE)
    assert stack_at(alone, Site(1, "decoder")) == alone[0]
