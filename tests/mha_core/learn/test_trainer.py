"""Training step by step: the loss falls, and a restored trainer goes on as if nothing happened."""

from pathlib import Path

import pytest
import torch

from mha_core.learn.settings import RunSettings
from mha_core.learn.trainer import Trainer, mean_loss
from tests.mha_core.learn.conftest import SMALL


def test_the_loss_falls() -> None:
    trainer = Trainer(SMALL)
    losses = [trainer.advance() for _ in range(40)]
    assert sum(losses[-5:]) < 0.9 * sum(losses[:5])
    assert trainer.step == 40


def test_a_restored_trainer_goes_on_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    straight, stopped, resumed = Trainer(SMALL), Trainer(SMALL), Trainer(SMALL)
    for _ in range(6):
        straight.advance()
    for _ in range(3):
        stopped.advance()
    stopped.save(tmp_path / "state.safetensors")
    resumed.restore(tmp_path / "state.safetensors")
    assert resumed.step == 3
    for _ in range(3):
        resumed.advance()
    for name, weight in straight.model.state_dict().items():
        assert torch.equal(weight, resumed.model.state_dict()[name]), name


def test_the_same_seed_trains_the_same_model_and_another_seed_another() -> None:
    def losses(seed: int) -> list[float]:
        trainer = Trainer(SMALL.model_copy(update={"seed": seed}))
        return [trainer.advance() for _ in range(3)]

    assert losses(0) == losses(0)
    assert losses(0) != losses(1)


def test_training_leaves_the_global_random_state_alone() -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    Trainer(SMALL).advance()
    assert torch.equal(torch.rand(3), expected)


def test_padding_does_not_change_the_loss() -> None:
    trainer = Trainer(SMALL)
    batch = trainer.task.draw(seed=3, n=8)
    with torch.no_grad():
        whole = mean_loss(trainer.model, batch)
        batch.tokens[torch.arange(batch.tokens.shape[1]) >= batch.lengths[:, None]] = 2
        assert mean_loss(trainer.model, batch) == pytest.approx(float(whole), abs=1e-6)


@pytest.mark.parametrize("task", ["markov", "repeats"])
def test_every_task_can_be_trained(task: str) -> None:
    trainer = Trainer(RunSettings.model_validate({"task": task, "d_model": 8, "n_heads": 2}))
    losses = [trainer.advance() for _ in range(20)]
    assert sum(losses[-5:]) < sum(losses[:5])
