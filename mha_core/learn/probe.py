"""The texts that every point of a run is measured on, and what metrics need to know of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import torch

from mha_core.learn.rules import Rules, choose_by_rules
from mha_core.learn.tasks.task import BOS, Batch, Task
from mha_core.metrics.passage import Passage

PROBE_SEED = 1
"""Below the seeds of training."""
N_TEXTS = 40
"""Texts whose maps all metrics are measured on."""
N_PREDICTED = 1000
"""Texts whose predictions are measured."""


@dataclass(frozen=True, eq=False)
class Probe:
    """Fixed texts of a task."""

    task: Task
    batch: Batch
    passages: tuple[Passage, ...]  # of the first texts
    rules: Mapping[str, Rules]  # by relation

    @classmethod
    def of(cls, task: Task) -> "Probe":
        batch = task.draw(PROBE_SEED, N_PREDICTED)
        rows = batch.tokens[:N_TEXTS].numpy()
        passages = (_passage(task, row[:n]) for row, n in zip(rows, batch.lengths, strict=False))
        rules = {name: choose_by_rules(batch, task, cases) for name, cases in batch.cases.items()}
        return cls(task, batch, tuple(passages), rules)

    @property
    def for_maps(self) -> Batch:
        """The texts whose maps are measured."""
        tokens, lengths = self.batch.tokens[:N_TEXTS], self.batch.lengths[:N_TEXTS]
        return replace(self.batch, tokens=tokens, lengths=lengths, cases={})


def _passage(task: Task, ids: np.ndarray) -> Passage:
    words = [task.vocabulary[id] for id in ids.tolist()]
    special = np.array([word == BOS for word in words])
    number = np.cumsum(~special) - 1
    return Passage(
        ids=ids.astype(np.int64),
        special=special,
        punctuation=np.array([word == "." for word in words]),
        word=np.where(special, -1, number),
        segment=np.zeros(len(ids), np.int64),
        content=~special,
        directions=None,
        causal=True,
        device=torch.device("cpu"),
    )
