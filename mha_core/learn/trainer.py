"""Trains one small model: a step at a time, so that it can be measured, stopped and resumed.

Every step draws its sequences from a seed of its own: a resumed run goes on as if it had never
stopped.
"""

from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from mha_core.learn.settings import RunSettings
from mha_core.learn.tasks.catalogue import make_config, make_task
from mha_core.learn.tasks.task import Batch
from mha_core.transformer import Transformer

WARM_UP = 50
"""Steps over which the learning rate rises; a tenth of a shorter run."""
COOL_DOWN = 0.3
"""Share of the steps, at the end, over which it falls."""


class Trainer:
    """The model, its optimizer, and how many steps are done."""

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self.task = make_task(settings)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            self.model = Transformer(make_config(settings))
        self.step = 0
        self._optimizer = torch.optim.AdamW(
            self.model.parameters(), betas=(0.9, 0.98), weight_decay=0.01
        )

    def advance(self) -> float:
        """Train one step; the loss of its batch, in nats a prediction."""
        settings = self.settings
        batch = self.task.draw(_seed_of(settings.seed, self.step), settings.batch)
        loss = mean_loss(self.model, batch)
        rate = settings.learning_rate * self._schedule()
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        self.step += 1
        return float(loss.detach())

    def _schedule(self) -> float:
        steps = self.settings.steps
        risen = (self.step + 1) / min(WARM_UP, 0.1 * steps)
        return min(1.0, risen, (steps - self.step) / (COOL_DOWN * steps))

    def save(self, path: Path) -> None:
        """Write all that `restore` needs."""
        state = dict(self.model.state_dict())
        for number, of_parameter in self._optimizer.state_dict()["state"].items():
            state |= {f"optimizer.{number}.{name}": it for name, it in of_parameter.items()}
        part = path.with_suffix(".part")
        save_file(state, part, metadata={"step": str(self.step)})
        part.replace(path)  # an interrupted write leaves the earlier state

    def restore(self, path: Path) -> None:
        """Go on from where a run with the same settings was saved."""
        with safe_open(path, framework="pt") as file:
            self.step = int(file.metadata()["step"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no dict)
        optimizer = self._optimizer.state_dict()
        for name in [name for name in tensors if name.startswith("optimizer.")]:
            _, number, part = name.split(".")
            optimizer["state"].setdefault(int(number), {})[part] = tensors.pop(name)
        self._optimizer.load_state_dict(optimizer)
        self.model.load_state_dict(tensors)


def mean_loss(model: Transformer, batch: Batch) -> Tensor:
    """Cross entropy of the predictions that count, in nats, a scalar."""
    n_tokens = int(batch.lengths.max())
    tokens, scored = batch.tokens[:, :n_tokens], batch.scored[:, : n_tokens - 1]
    logits = model.logits(model(tokens)[:, :-1])  # [B, T - 1, V]
    return F.cross_entropy(logits[scored], tokens[:, 1:][scored])


def _seed_of(run_seed: int, step: int) -> int:
    """A seed of its own for each step of each run; those below 2**32 are left to evaluation."""
    return 2**32 + run_seed * 100_003 + step
