"""Copying and suppressing heads made by hand, down to the numbers."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from mha_core.atlas.attribution import (
    MIN_WRITTEN_ROWS,
    Copying,
    TokenDirections,
    Writing,
    own_logits,
)
from mha_core.atlas.template import Template
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load


def test_a_head_that_writes_what_it_reads_raises_it_and_its_negation_lowers_it() -> None:
    directions = torch.tensor([[[1.0, 2], [0, 3]]])  # [B, T, D]: two tokens
    v = directions[:, None]  # [B, G, T, d]: one key/value head shared by two
    projection = torch.cat([torch.eye(2), -2 * torch.eye(2)], 1)  # [D, H*d]
    own = own_logits(directions, v, projection, 2)
    assert own.tolist() == [[[5, 9], [-10, -18]]]


def test_only_rows_with_an_allowed_favourite_count() -> None:
    row = torch.tensor([[1.0, 0, 0], [0.25, 0.75, 0], [0.2, 0.5, 0.3]])
    pattern = torch.stack([row, row.flip(1)])[None]  # [B, H, Q, T]
    own = torch.tensor([[[1.0, 2, 3], [-1, -2, 4]]])  # [B, H, T]
    allowed = torch.tensor([False, True, True]).expand(1, 3, 3)
    found = Writing.of(pattern, own, allowed)
    # Favourites of head 0: 0, 1, 1; of head 1: 2, 1, 1.
    assert found.rows.tolist() == [2, 3]
    assert found.total == pytest.approx(np.array([[1.5 + 1, 4 - 1.5 - 1]]))
    assert found.total_abs == pytest.approx(np.array([[2.5, 6.5]]))


def test_a_sign_is_clear_with_enough_rows_and_an_interval_beside_zero() -> None:
    written_abs = np.ones((50, 1, 4))
    noise = np.resize([0.2, -0.2], (50, 1, 1))
    # A copier, a suppressor, a head of no sign, and a copier on too few rows.
    written = noise + np.array([0.5, -0.5, 0, 0.5])
    rows = np.array([[MIN_WRITTEN_ROWS] * 3 + [MIN_WRITTEN_ROWS - 1]], float)
    found = Copying.of(written, written_abs, rows)
    assert found.clear.tolist() == [[True, True, False, False]]
    assert found.value[0, :3] == pytest.approx([0.5, -0.5, 0])
    assert np.isnan([found.value[0, 3], found.low[0, 3], found.high[0, 3]]).all()
    assert (found.rows == rows).all()


def test_a_sign_never_leaves_its_range() -> None:
    written_abs = np.full((3, 1, 2), 100.0)
    written = written_abs * np.array([[[1.0, 1]], [[1, -1]], [[1, 0.9]]])
    found = Copying.of(written, written_abs, np.full((1, 2), 300.0))
    assert found.high[0].tolist() == [1, 1]
    assert found.low[0].tolist() == [1, -1]


def test_directions_leave_out_what_all_ordinary_tokens_share(tiny: LoadedModel) -> None:
    ordinary = Template.of(tiny.tokenizer).ordinary
    directions = TokenDirections.of(tiny, ordinary)
    assert directions is not None
    ids = torch.tensor([ordinary], device=tiny.device)
    found = directions(ids)  # [1, V, D]
    assert found.mean(1).abs().max() < 1e-5
    # The difference of two directions is that of two logits.
    hidden = tiny.forward(tiny.tokenize("two logits"))[0, -1]  # [D]: has passed the final norm
    norm = tiny.network.get_submodule("final_norm")
    gamma, beta = norm.get_parameter("weight"), norm.get_parameter("bias")
    tokens = tiny.network.get_submodule("tokens").get_parameter("weight")
    logits = (hidden - beta) @ tokens[ids[0]].T
    by_directions = found[0] @ ((hidden - beta) / gamma)
    torch.testing.assert_close(
        by_directions - by_directions[0], logits - logits[0], atol=1e-4, rtol=1e-4
    )


def test_a_model_whose_unembedding_is_not_known_has_no_directions(
    tiny: LoadedModel, minilm: LoadedModel, model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    unknown = replace(tiny, architecture=replace(tiny.architecture, family="unheard of"))
    # GPT-NeoX does not tie its embeddings.
    untied = load(
        entry_for(str(model_directory("gpt_neox"))), models_dir=tmp_path, device="cpu", hub=False
    )
    for model in (unknown, untied, minilm):
        assert TokenDirections.of(model, Template.of(model.tokenizer).ordinary) is None
