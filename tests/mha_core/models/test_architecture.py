"""One vocabulary of sizes for all families."""

import pytest
from transformers import (
    BartConfig,
    BertConfig,
    DistilBertConfig,
    GPT2Config,
    GPTNeoXConfig,
    LlamaConfig,
    MistralConfig,
    PretrainedConfig,
    Qwen3Config,
    RobertaConfig,
    T5Config,
)

from mha_core.models.architecture import NO_LIMIT, Architecture, architecture_of, own_architecture
from mha_core.models.catalogue import find
from mha_core.transformer_config import TransformerConfig


@pytest.mark.parametrize(
    ("config", "shape"),
    [
        (BertConfig(), Architecture("bert", "encoder", 12, 12, 12, 768, 64, 512)),
        (DistilBertConfig(), Architecture("distilbert", "encoder", 6, 12, 12, 768, 64, 512)),
        (GPT2Config(), Architecture("gpt2", "decoder", 12, 12, 12, 768, 64, 1024)),
        (GPTNeoXConfig(), Architecture("gpt_neox", "decoder", 44, 64, 64, 6144, 96, 2048)),
        (LlamaConfig(), Architecture("llama", "decoder", 32, 32, 32, 4096, 128, 2048)),
        (
            LlamaConfig(num_attention_heads=32, num_key_value_heads=8),
            Architecture("llama", "decoder", 32, 32, 8, 4096, 128, 2048),
        ),
        (MistralConfig(), Architecture("mistral", "decoder", 32, 32, 8, 4096, 128, 131072)),
        # Heads may be wider than the model divided among them.
        (
            Qwen3Config(num_attention_heads=16, num_key_value_heads=8, hidden_size=1024),
            Architecture("qwen3", "decoder", 32, 16, 8, 1024, 128, 32768),
        ),
        (BartConfig(), Architecture("bart", "encoder-decoder", 12, 16, 16, 1024, 64, 1024, 12, 16)),
        (T5Config(), Architecture("t5", "encoder-decoder", 6, 8, 8, 512, 64, NO_LIMIT, 6, 8)),
        (
            T5Config(num_decoder_layers=3),
            Architecture("t5", "encoder-decoder", 6, 8, 8, 512, 64, NO_LIMIT, 3, 8),
        ),
        (
            BartConfig(decoder_layers=3, decoder_attention_heads=4),
            Architecture("bart", "encoder-decoder", 12, 16, 16, 1024, 64, 1024, 3, 4),
        ),
    ],
    ids=lambda value: value.model_type if isinstance(value, PretrainedConfig) else "",
)
def test_every_family_is_read_in_the_same_words(
    config: PretrainedConfig, shape: Architecture
) -> None:
    assert architecture_of(config) == shape


def test_roberta_loses_the_positions_it_counts_over() -> None:
    config = RobertaConfig(max_position_embeddings=514)
    assert architecture_of(config).max_tokens == 512


def test_bert_turned_decoder_is_a_decoder() -> None:
    assert architecture_of(BertConfig(is_decoder=True)).kind == "decoder"


@pytest.mark.parametrize(
    ("model", "config"),
    [
        ("bert-base-uncased", BertConfig()),
        ("gpt2", GPT2Config()),
        ("distilgpt2", GPT2Config(n_layer=6)),
        ("gpt2-medium", GPT2Config(n_layer=24, n_head=16, n_embd=1024)),
        ("distilbert-base-uncased", DistilBertConfig()),
        ("roberta-base", RobertaConfig(max_position_embeddings=514)),
    ],
)
def test_the_catalogue_publishes_what_the_configuration_says(
    model: str, config: PretrainedConfig
) -> None:
    assert find(model).architecture == architecture_of(config)


def test_the_own_model_is_described_in_the_same_words() -> None:
    config = TransformerConfig(vocab_size=257, max_tokens=99, n_layers=3, n_heads=4, d_model=64)
    assert own_architecture(config) == Architecture("headscope", "decoder", 3, 4, 4, 64, 16, 99)


@pytest.mark.parametrize(
    ("config", "pairs"), [(BertConfig(), True), (T5Config(), True), (GPT2Config(), False)]
)
def test_all_but_decoders_read_a_second_text(config: PretrainedConfig, pairs: bool) -> None:
    assert architecture_of(config).takes_pairs is pairs
