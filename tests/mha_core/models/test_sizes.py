"""A size that no model can have is refused before anything is built."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mha_core.errors import ModelFailed
from mha_core.models.architecture import Architecture
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import load
from mha_core.models.sizes import MAX_LAYERS, check_config, check_weights
from mha_core.models.sources import availability

SHAPE = Architecture("bert", "encoder", 2, 4, 4, 32, 8, 512)
TENSORS = {"embeddings": (100, 32), "layer.0": (32, 32), "layer.1": (32, 32)}

IMPOSSIBLE: list[tuple[str, dict[str, object]]] = [
    ("num_hidden_layers", {"num_hidden_layers": 10**9}),
    ("num_hidden_layers", {"num_hidden_layers": 0}),
    ("num_attention_heads", {"num_attention_heads": -3}),
    ("num_attention_heads", {"num_attention_heads": "4"}),
    ("hidden_size", {"hidden_size": 32.5}),
    ("hidden_size", {"hidden_size": True}),
    ("vocab_size", {"vocab_size": 10**12}),
    ("intermediate_size", {"intermediate_size": 10**10}),
    ("max_position_embeddings", {"max_position_embeddings": -1}),
    ("n_layer", {"text_config": {"n_layer": 10**9}}),
    ("heads do not divide", {"num_attention_heads": 5}),
    ("layers, and its files hold", {"num_hidden_layers": MAX_LAYERS}),
    ("which no tensor in its files has", {"hidden_size": 1056}),
]


@pytest.mark.parametrize(("words", "changes"), IMPOSSIBLE)
@pytest.mark.parametrize("family", ["bert", "qwen2"])
def test_an_impossible_model_is_listed_as_broken_and_refused(
    family: str,
    words: str,
    changes: dict[str, object],
    model_directory: Callable[[str], Path],
    tmp_path: Path,
) -> None:
    folder = Path(shutil.copytree(model_directory(family), tmp_path / "huge"))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))
    entry, room_made = entry_for(str(folder)), list[bool]()
    listed = availability(entry, models_dir=tmp_path / "none", hub=False)
    assert (listed.available, listed.state) == (False, "broken")
    assert words in (listed.reason or "")
    with pytest.raises(ModelFailed, match=words):
        load(entry, models_dir=tmp_path, hub=False, make_room=lambda: room_made.append(True))
    assert room_made == []


def test_sizes_that_are_left_out_or_given_for_each_layer_are_no_problem() -> None:
    check_config({"n_inner": None, "intermediate_size": [64, 128], "quantization_config": {}})
    with pytest.raises(ValueError, match="intermediate_size = -1"):
        check_config({"intermediate_size": [64, -1]})


def test_a_head_width_of_its_own_need_not_divide_the_model() -> None:
    check_weights(replace(SHAPE, n_heads=3, n_kv_heads=3, d_head=16), TENSORS)
    with pytest.raises(ValueError, match="3 heads do not divide a width of 32"):
        check_weights(replace(SHAPE, n_heads=3, n_kv_heads=3, d_head=10), TENSORS)
    with pytest.raises(ValueError, match="3 key/value heads do not divide 4"):
        check_weights(replace(SHAPE, n_kv_heads=3), TENSORS)
