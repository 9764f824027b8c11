"""A GGUF file becomes safetensors without losing a bit."""

import os
from pathlib import Path
from threading import Timer

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoTokenizer

from mha_core.errors import Cancelled, ModelFailed
from mha_core.models.catalogue import entry_for
from mha_core.models.gguf import convert
from mha_core.models.loading import load
from mha_core.text.byte_tokenizer import byte_characters

pytestmark = pytest.mark.processes

LAYERS, HEADS, GROUPS, WIDTH, HIDDEN = 2, 4, 2, 64, 96
TOKENS = [*byte_characters(), "<s>", "</s>", "th", "the"]


def matrices() -> dict[str, tuple[int, int]]:
    """Name in the GGUF -> shape, of everything that is stored quantised."""
    keys = WIDTH // HEADS * GROUPS
    block = {
        "attn_q": (WIDTH, WIDTH),
        "attn_k": (keys, WIDTH),
        "attn_v": (keys, WIDTH),
        "attn_output": (WIDTH, WIDTH),
        "ffn_gate": (HIDDEN, WIDTH),
        "ffn_up": (HIDDEN, WIDTH),
        "ffn_down": (WIDTH, HIDDEN),
    }
    blocks = {f"blk.{n}.{name}": shape for n in range(LAYERS) for name, shape in block.items()}
    return {"token_embd": (len(TOKENS), WIDTH), **blocks}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Tensor]]:
    """A small Llama as a GGUF file in Q4_1, and the numbers that its blocks stand for."""
    path = tmp_path_factory.mktemp("gguf") / "small.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("Small")
    writer.add_context_length(128)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(TOKENS)
    writer.add_token_types([gguf.TokenType.NORMAL] * len(TOKENS))
    writer.add_token_merges(["t h", "th e"])
    writer.add_bos_token_id(256)
    writer.add_eos_token_id(257)
    numbers: dict[str, Tensor] = {}
    random = np.random.default_rng(0)
    four_bits = gguf.GGMLQuantizationType.Q4_1
    for name, shape in matrices().items():
        blocks = gguf.quantize(random.standard_normal(shape, dtype=np.float32), four_bits)
        writer.add_tensor(f"{name}.weight", blocks, raw_dtype=four_bits)
        numbers[name] = torch.from_numpy(gguf.dequantize(blocks, four_bits))
    norms = [f"blk.{n}.{which}" for n in range(LAYERS) for which in ("attn_norm", "ffn_norm")]
    for name in ("output_norm", *norms):
        vector = random.standard_normal(WIDTH, dtype=np.float32)
        writer.add_tensor(f"{name}.weight", vector)
        numbers[name] = torch.from_numpy(vector)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path, numbers


@pytest.fixture(scope="module")
def converted(
    written: tuple[Path, dict[str, Tensor]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder it was converted to."""
    folder = tmp_path_factory.mktemp("small-llama")
    told: list[int] = []
    convert(written[0], folder, "Small", lambda message, done, total: told.append(done))
    assert told == [0, 1, 2, 3, 4]
    return folder


def in_halves(weight: Tensor, n_heads: int) -> Tensor:
    """Rows of q or k as transformers wants them: GGUF has the two halves of a head interleaved."""
    heads = weight.reshape(n_heads, -1, 2, weight.shape[1])  # [heads, d/2, 2, D]
    return heads.transpose(1, 2).reshape(weight.shape)


def test_every_number_is_kept_to_the_last_bit(
    written: tuple[Path, dict[str, Tensor]], converted: Path
) -> None:
    numbers = written[1]
    saved = load_file(converted / "model.safetensors")
    expected = {
        "model.embed_tokens.weight": numbers["token_embd"],
        "model.norm.weight": numbers["output_norm"],
    }
    for n in range(LAYERS):
        ours, theirs = f"model.layers.{n}.", f"blk.{n}."
        expected |= {
            f"{ours}input_layernorm.weight": numbers[f"{theirs}attn_norm"],
            f"{ours}post_attention_layernorm.weight": numbers[f"{theirs}ffn_norm"],
            f"{ours}self_attn.q_proj.weight": in_halves(numbers[f"{theirs}attn_q"], HEADS),
            f"{ours}self_attn.k_proj.weight": in_halves(numbers[f"{theirs}attn_k"], GROUPS),
            f"{ours}self_attn.v_proj.weight": numbers[f"{theirs}attn_v"],
            f"{ours}self_attn.o_proj.weight": numbers[f"{theirs}attn_output"],
            f"{ours}mlp.gate_proj.weight": numbers[f"{theirs}ffn_gate"],
            f"{ours}mlp.up_proj.weight": numbers[f"{theirs}ffn_up"],
            f"{ours}mlp.down_proj.weight": numbers[f"{theirs}ffn_down"],
        }
    assert saved.keys() == expected.keys()
    for name, weight in expected.items():
        assert torch.equal(saved[name], weight), name


def test_the_head_that_the_file_ties_is_there_for_later(converted: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(converted)
    assert model.lm_head.weight is model.model.embed_tokens.weight


def test_the_tokenizer_comes_along(converted: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(converted)
    assert tokenizer.tokenize("the hé") == ["the", "Ġ", "h", "Ã", "©"]


def test_the_result_loads_as_any_model_directory(converted: Path) -> None:
    shape = load(entry_for(str(converted)), models_dir=converted, hub=False).architecture
    assert (shape.n_layers, shape.n_heads, shape.n_kv_heads) == (LAYERS, HEADS, GROUPS)
    assert (shape.d_model, shape.max_tokens) == (WIDTH, 128)


def test_a_file_that_is_no_gguf_is_an_error_with_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(ModelFailed, match=r"broken\.gguf could not be turned into safetensors"):
        convert(broken, tmp_path, "Broken")


def test_whoever_raises_in_progress_stops_the_conversion(
    written: tuple[Path, dict[str, Tensor]], tmp_path: Path
) -> None:
    # Written before the weights, and a pipe that nobody reads: the process cannot be done before
    # it is stopped. Were it not stopped at all, it would go on when somebody does.
    os.mkfifo(tmp_path / "config.json")
    going_on = Timer(30, (tmp_path / "config.json").read_bytes)

    def stop(message: str, done: int, total: int) -> None:
        if done == 3:  # only the files are left to write
            going_on.start()
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        convert(written[0], tmp_path, "Small", stop)
    going_on.cancel()
    assert not (tmp_path / "model.safetensors").exists()
