"""A config.json is read as transformers reads it, and nothing in it names code."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from transformers import CONFIG_MAPPING, AutoConfig

from mha_core.models import config as configs
from mha_core.models.architecture import architecture_of
from mha_core.models.config import FAMILIES, copy_without_code, read_architecture, read_config
from tests.conftest import SIZES


@pytest.mark.parametrize("family", SIZES)
def test_every_small_model_is_read_as_transformers_reads_it(
    family: str, model_directory: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = model_directory(family)
    expected = architecture_of(AutoConfig.from_pretrained(directory))
    monkeypatch.setattr(configs, "build_config", None)  # transformers is not asked
    assert read_architecture(directory) == expected


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("changes", [{}, {"is_decoder": True}, {"pad_token_id": 5}])
def test_every_family_of_the_table_is_read_as_transformers_reads_it(
    family: str, changes: dict[str, object], tmp_path: Path
) -> None:
    theirs = CONFIG_MAPPING[family](**changes)
    (tmp_path / "config.json").write_text(json.dumps(theirs.to_dict()))
    assert read_architecture(tmp_path) == architecture_of(theirs)


@pytest.mark.parametrize(
    ("family", "written"),
    [
        ("gpt2", {"num_hidden_layers": 3, "num_attention_heads": 2, "hidden_size": 8}),
        ("gpt2", {"n_layer": 3}),
        ("llama", {"num_hidden_layers": 2}),
        ("qwen2", {"num_attention_heads": 64, "hidden_size": 4096}),
        ("t5", {"num_layers": 2, "n_positions": 512}),
        ("bart", {"encoder_layers": 3, "num_hidden_layers": 3}),
        ("albert", {"num_hidden_layers": 4}),
        ("bert", {}),
    ],
)
def test_what_a_file_leaves_out_is_what_transformers_puts_in(
    family: str, written: dict[str, object], tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": family, **written}))
    assert read_architecture(tmp_path) == architecture_of(AutoConfig.from_pretrained(tmp_path))


def test_nothing_that_names_code_is_left_at_any_depth(tmp_path: Path) -> None:
    code = {
        **{"auto_map": {"AutoModel": "evil.Model"}, "custom_pipelines": {"x": "evil.Pipe"}},
        **{"_attn_implementation": "org/kernel", "attn_implementation": "eager"},
        **{"_experts_implementation": "x", "use_kernels": True, "kernel_config": {}},
    }
    nested = {"text_config": {"hidden_size": 8, **code}, "parts": [{"depth": 2, **code}]}
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert", **nested, **code}))
    kept = {"model_type": "bert", "text_config": {"hidden_size": 8}, "parts": [{"depth": 2}]}
    assert read_config(tmp_path) == kept


def test_the_copy_for_transformers_has_no_code_in_it(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(model_directory("bert"), tmp_path / "bert"))
    (folder / "evil.py").write_text("raise SystemExit")
    (folder / "tokenizer_config.json").write_text('{"auto_map": ["evil.T", null], "a": 1}')
    with copy_without_code(folder) as clean:
        names = {path.name for path in clean.iterdir()}
        assert json.loads((clean / "tokenizer_config.json").read_text()) == {"a": 1}
    assert {"config.json", "tokenizer.json"} <= names
    assert not [name for name in names if name.endswith((".py", ".safetensors"))]
    assert not clean.exists()


@pytest.mark.parametrize(
    ("text", "words"), [("{", "is no JSON"), ("[]", "holds no settings"), ("{}", "no model_type")]
)
def test_a_file_that_is_no_configuration_is_refused(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(ValueError, match=words):
        read_config(tmp_path)
