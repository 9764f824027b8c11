"""What is read from a directory: which output layer, and what a decoder starts with."""

import json
import shutil
import socket
from collections.abc import Callable
from logging import ERROR
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoConfig, AutoModelForCausalLM, PretrainedConfig
from transformers.utils import logging

from mha_core.errors import ModelFailed
from mha_core.models.catalogue import entry_for, find
from mha_core.models.loading import LoadedModel, load
from mha_core.models.reading import quiet, read_directory, start_id

ENCODERS = ("bert", "roberta", "distilbert")
DECODERS = ("gpt2", "gpt_neox", "llama", "qwen2")
TWO_STACKS = ("bart", "t5")

Copied = Callable[..., Path]


@pytest.fixture
def copied(model_directory: Callable[[str], Path], tmp_path: Path) -> Copied:
    """A function family, changes -> a copy of its directory with a changed configuration."""

    def copy(family: str, **changes: object) -> Path:
        directory = Path(shutil.copytree(model_directory(family), tmp_path / family))
        file = directory / "config.json"
        config = {**json.loads(file.read_text()), **changes}
        file.write_text(json.dumps({key: it for key, it in config.items() if it is not None}))
        return directory

    return copy


@pytest.mark.parametrize("family", ["bart", "t5", "marian", "pegasus"])
def test_a_decoder_starts_with_what_the_configuration_says(family: str, copied: Copied) -> None:
    directory = copied(family, decoder_start_token_id=5)
    assert read_directory(directory, torch.float32).start_id == 5


def test_a_decoder_starts_with_what_generation_would_start_with(copied: Copied) -> None:
    directory = copied("t5")
    (directory / "generation_config.json").write_text('{"decoder_start_token_id": 7}')
    assert read_directory(directory, torch.float32).start_id == 7


def test_where_nothing_is_said_it_starts_with_padding_as_t5_does(copied: Copied) -> None:
    directory = copied("t5", pad_token_id=3)
    assert read_directory(directory, torch.float32).start_id == 3


def test_a_decoder_that_starts_with_nothing_known_is_refused() -> None:
    silent = PretrainedConfig(pad_token_id=None)
    assert start_id(silent, {"decoder_start_token_id": 4}, "It") == 4
    with pytest.raises(ModelFailed, match=r"It does not say .* set `decoder_start_token_id`"):
        start_id(silent, {}, "It")


def test_a_model_with_one_text_starts_with_nothing(copied: Copied) -> None:
    directory = copied("bert")
    assert read_directory(directory, torch.float32).start_id is None


@pytest.mark.parametrize(
    ("family", "lost"),
    [
        ("llama", "layers.1.self_attn.q_proj.weight"),
        ("bart", "decoder.layers.2.encoder_attn.q_proj.weight"),
        ("t5", "decoder.block.1.layer.1.EncDecAttention.k.weight"),
    ],
)
def test_a_weight_that_a_head_needs_is_missed_in_every_stack(
    family: str, lost: str, copied: Copied
) -> None:
    directory = copied(family)
    weights = load_file(directory / "model.safetensors")
    del weights[lost]
    save_file(weights, directory / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelFailed, match=f"lacks 1 weights of its model, .*{lost}"):
        read_directory(directory, torch.float32)


def loaded(directory: Path) -> LoadedModel:
    entry = entry_for(str(directory))
    return load(entry, models_dir=directory / "none", device="cpu", hub=False)


def guesses(model: LoadedModel) -> tuple[Tensor, Tensor | None]:
    tokenized = model.tokenize("The capital of France is")
    hidden = model.forward(tokenized)
    return torch.tensor([tokenized.inputs["input_ids"]], device=model.device), model.unembed(hidden)


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("family", DECODERS)
def test_logits_are_those_of_the_whole_model(
    family: str, tied: bool, model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    directory = Path(shutil.copytree(model_directory(family), tmp_path / "whole"))
    config = AutoConfig.from_pretrained(directory, tie_word_embeddings=tied)
    torch.manual_seed(1)
    AutoModelForCausalLM.from_config(config).save_pretrained(directory)
    ids, logits = guesses(loaded(directory))
    theirs = AutoModelForCausalLM.from_pretrained(directory, attn_implementation="eager").eval()
    with torch.inference_mode():
        expected = theirs(input_ids=ids).logits
    assert logits is not None
    torch.testing.assert_close(logits, expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("family", [*ENCODERS, *DECODERS, *TWO_STACKS])
def test_files_without_an_output_layer_load_and_guess_only_where_embeddings_are_tied(
    family: str, model_directory: Callable[[str], Path]
) -> None:
    model = loaded(model_directory(family))  # saved from AutoModel
    tied = family in DECODERS and model.network.config.tie_word_embeddings  # type: ignore[union-attr]
    _, logits = guesses(model)
    assert (logits is not None) == tied


def test_a_family_that_scales_its_logits_is_not_guessed_for(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    directory = Path(shutil.copytree(model_directory("llama"), tmp_path / "scaled"))
    torch.manual_seed(1)
    config = AutoConfig.for_model(
        "cohere",
        **{"vocab_size": 50257, "num_hidden_layers": 2, "num_attention_heads": 4},
        **{"hidden_size": 32, "intermediate_size": 64, "logit_scale": 0.25},
    )
    AutoModelForCausalLM.from_config(config).save_pretrained(directory)
    assert guesses(loaded(directory))[1] is None


def test_the_own_models_guesses_are_its_own(models_dir: Path) -> None:
    model = load(find("headscope-tiny"), models_dir=models_dir)
    hidden = model.forward(model.tokenize("abcabc"))
    logits = model.unembed(hidden)
    assert logits is not None
    assert torch.equal(logits, model.network.logits(hidden))  # type: ignore[operator]


@pytest.mark.parametrize("implementation", ["eager", "org/kernel", "flash_attention_2"])
@pytest.mark.parametrize("key", ["_attn_implementation", "attn_implementation"])
def test_a_configuration_cannot_choose_another_attention_function(
    key: str, implementation: str, copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *address, **_: asked.append(address))
    changes = {key: implementation, "_experts_implementation": "org/kernel", "use_kernels": True}
    model = loaded(copied("llama", **changes))  # refused unless every layer passes the tap
    assert model.network.config._attn_implementation == "headscope"  # type: ignore[union-attr]
    assert asked == []


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
def test_code_beside_a_model_of_a_known_family_is_never_run(file: str, copied: Copied) -> None:
    directory = copied("bert")
    code = {"AutoConfig": "evil.C", "AutoModel": "evil.M", "AutoTokenizer": ["evil.T", "evil.T"]}
    settings = json.loads((directory / file).read_text())
    (directory / file).write_text(json.dumps({**settings, "auto_map": code}))
    (directory / "evil.py").write_text(f"open({str(directory / 'opened')!r}, 'w')")
    assert loaded(directory).architecture.n_layers == 2
    assert not (directory / "opened").exists()


def test_bars_and_warnings_go_and_errors_stay(capfd: pytest.CaptureFixture[str]) -> None:
    quiet()
    logger = logging.get_logger("transformers")
    logger.warning("a warning")
    logger.error("an error")
    assert list(logging.tqdm(range(3))) == [0, 1, 2]
    written = capfd.readouterr()
    assert "a warning" not in written.err + written.out
    assert "%" not in written.err + written.out
    assert logger.isEnabledFor(ERROR)
