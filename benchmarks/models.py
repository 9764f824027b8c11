"""Models of the published sizes with random weights and MiniLM's vocabulary."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from transformers import AutoModel, BertConfig, GPT2Config, PretrainedConfig

from mha_core.models.catalogue import find
from mha_core.models.models_dir import default_models_dir
from mha_core.models.packages import fetch

N_LAYERS, N_HEADS, D_MODEL, MAX_TOKENS = 12, 12, 768, 512

SENTENCE = "the animal did not cross the street because it was too tired and it saw the other side"


def config_of(family: str, vocab_size: int) -> PretrainedConfig:
    """BERT base or GPT-2 small, with another vocabulary size."""
    if family == "bert":
        return BertConfig(
            vocab_size=vocab_size,
            num_hidden_layers=N_LAYERS,
            num_attention_heads=N_HEADS,
            hidden_size=D_MODEL,
            max_position_embeddings=MAX_TOKENS,
        )
    return GPT2Config(
        vocab_size=vocab_size,
        n_layer=N_LAYERS,
        n_head=N_HEADS,
        n_embd=D_MODEL,
        n_positions=MAX_TOKENS,
    )


@contextmanager
def model_directory(family: str) -> Iterator[Path]:
    """A temporary directory with a model that HeadScope can load."""
    vocabulary = fetch(find("minilm"), default_models_dir()) / "tokenizer.json"
    vocab_size = len(json.loads(vocabulary.read_text())["model"]["vocab"])
    with tempfile.TemporaryDirectory() as parent:
        directory = Path(parent) / f"{family}-random"
        torch.manual_seed(0)
        AutoModel.from_config(config_of(family, vocab_size)).save_pretrained(directory)
        shutil.copy(vocabulary, directory)
        (directory / "tokenizer_config.json").write_text(
            json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "cls_token": "[CLS]"})
        )
        yield directory


def text_of(n_tokens: int) -> str:
    """Words of one word piece each, `n_tokens` tokens with [CLS] and [SEP]."""
    words = SENTENCE.split()
    return " ".join(words[i % len(words)] for i in range(n_tokens - 2))
