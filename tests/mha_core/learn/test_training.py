"""Training lowers the loss, and the shipped checkpoint has the scores its notes say."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from torch import Tensor

from mha_core.learn.training import (
    CHECKPOINT,
    FRESH_SEEDS,
    Measured,
    Plan,
    Unit,
    any_bytes,
    characters,
    main,
    measure,
    repeating_text,
    train,
    words,
)
from mha_core.tap import LayerCapture, Tap
from mha_core.text.byte_tokenizer import BOS_ID, VOCAB_SIZE, byte_tokenizer
from mha_core.transformer import Transformer, load_transformer
from mha_core.transformer_config import TransformerConfig

SMALL = TransformerConfig(VOCAB_SIZE, max_tokens=64, n_layers=1, n_heads=4, d_model=32, d_mlp=32)

SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def shipped(device: torch.device) -> Transformer:
    return load_transformer(CHECKPOINT).to(device)


@pytest.fixture(scope="module")
def unseen(shipped: Transformer) -> Measured:
    """Measured on strings drawn neither in training nor for the notes."""
    return measure(shipped, seeds=range(5000, 5004))


# The texts --------------------------------------------------------------------------------------

KINDS = st.sampled_from([characters, any_bytes, words])


@given(KINDS, SEEDS, st.integers(2, 256), st.integers(12, 40), st.booleans())
def test_a_text_begins_with_bos_and_has_the_length_asked_for(
    kind: Unit, seed: int, n_tokens: int, longest: int, strays: bool
) -> None:
    tokens, repeated = repeating_text(kind, Random(seed), n_tokens, longest, strays)
    assert len(tokens) == len(repeated) == n_tokens
    assert tokens[0] == BOS_ID
    assert BOS_ID not in tokens[1:]
    assert not repeated[0]


@given(KINDS, SEEDS, st.booleans())
def test_a_token_counts_as_repeated_only_where_its_pair_was_seen_before(
    kind: Unit, seed: int, strays: bool
) -> None:
    tokens, repeated = repeating_text(kind, Random(seed), 256, 40, strays)
    assert any(repeated)
    pairs = list(pairwise(tokens))
    for place, pair in enumerate(pairs):
        if repeated[place + 1]:
            assert pair in pairs[:place]


@given(KINDS, SEEDS)
def test_the_same_seed_writes_the_same_text(kind: Unit, seed: int) -> None:
    once, again = (repeating_text(kind, Random(seed), 128, 40, strays=True) for _ in range(2))
    assert once == again


def test_every_byte_is_read_in_training() -> None:
    rng = Random(0)
    read = {t for _ in range(200) for t in repeating_text(any_bytes, rng, 256, 40, strays=False)[0]}
    assert read == {*range(256), BOS_ID}


# Learning ---------------------------------------------------------------------------------------


def test_a_few_steps_lower_the_loss(device: torch.device) -> None:
    torch.manual_seed(0)
    model = Transformer(SMALL).to(device)
    losses: list[float] = []
    plan = Plan(steps=30, tokens_per_step=512, learning_rate=1e-2)
    train(model, plan, lambda step, loss, accuracy: losses.append(loss))
    assert len(losses) == 30
    assert sum(losses[-5:]) < sum(losses[:5]) - 5 * 0.5


def test_the_command_writes_a_model_with_its_plan_and_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "model.safetensors"
    monkeypatch.setattr("sys.argv", ["training", "--steps", "1", "--seed", "7", "--out", str(path)])
    main()
    assert "accuracy on fresh strings" in capsys.readouterr().out
    with safe_open(path, framework="pt") as file:
        notes = file.metadata()
    assert json.loads(notes["plan"])["seed"] == 7
    assert json.loads(notes["plan"])["steps"] == 1
    again = measure(load_transformer(path), FRESH_SEEDS)
    assert json.loads(notes["measured"])["accuracy"] == pytest.approx(again.accuracy, abs=1e-3)


# The checkpoint that ships ----------------------------------------------------------------------


def test_the_checkpoint_is_small() -> None:
    assert CHECKPOINT.stat().st_size < 2_000_000


def test_the_checkpoint_predicts_repeated_strings(unseen: Measured) -> None:
    assert unseen.accuracy > 0.95


def test_one_head_looks_at_the_previous_token(unseen: Measured) -> None:
    assert max(score for layer in unseen.previous for score in layer) > 0.5


def test_one_head_does_induction(unseen: Measured) -> None:
    assert max(score for layer in unseen.induction for score in layer) > 0.5


def test_an_untrained_model_does_none_of_it(device: torch.device) -> None:
    torch.manual_seed(0)
    untrained = measure(Transformer(TransformerConfig(VOCAB_SIZE)).to(device), [5000])
    assert untrained.accuracy < 0.05
    assert max(score for layer in untrained.previous for score in layer) < 0.3
    assert max(score for layer in untrained.induction for score in layer) < 0.3


def test_the_notes_of_the_checkpoint_are_true(shipped: Transformer) -> None:
    with safe_open(CHECKPOINT, framework="pt") as file:
        noted = json.loads(file.metadata()["measured"])
    measured = measure(shipped, noted.pop("seeds"))
    noted = Measured(**noted)
    assert measured.accuracy == pytest.approx(noted.accuracy, abs=0.002)
    for name in ("previous", "induction"):
        mine, theirs = (torch.tensor(getattr(m, name)) for m in (measured, noted))
        torch.testing.assert_close(mine, theirs, atol=0.002, rtol=0.0)


def test_an_english_sentence_repeated_once_is_predicted_too(shipped: Transformer) -> None:
    sentence = "the quick fox jumped over my lazy dog; "
    ids = torch.tensor([byte_tokenizer(256)(sentence * 2)["input_ids"]])
    ids = ids.to(shipped.positions.device)
    best: list[float] = []

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        successors = pattern[0].diagonal(1 - len(sentence), 1, 2)[
            :, -len(sentence) :
        ]  # [H, len(sentence)]
        best.append(successors.mean(-1).max().item())

    with torch.inference_mode():
        guesses = shipped.logits(shipped(ids, Tap(on_pattern=on_pattern))).argmax(-1)
    second = slice(len(sentence) + 1, -1)
    assert (guesses[:, second] == ids[:, len(sentence) + 2 :]).float().mean() > 0.9
    assert max(best) > 0.4
