"""Rules that do not read: which earlier word they would choose, for heads to be compared with.

A head that only looks two tokens back, or at the nearest noun, finds the right word often enough to
look clever. It has a role only if it does better than the best of these.
"""

from dataclasses import dataclass

import numpy as np

from mha_core.atlas.contest import Booleans
from mha_core.learn.tasks.task import Batch, Cases, Task

FARTHEST = 10
"""Offsets up to this one are rules."""


@dataclass(frozen=True, eq=False)
class Rules:
    """What each rule gets right."""

    names: tuple[str, ...]
    right: Booleans  # [N, R]


def choose_by_rules(batch: Batch, task: Task, cases: Cases) -> Rules:
    """Every rule on every case of a relation."""
    text, query, key = (it.numpy() for it in (cases.text, cases.query, cases.key))
    tokens = batch.tokens.numpy()[text]  # [N, T]
    columns: dict[str, Booleans] = {"itself": key == query}
    for offset in range(1, FARTHEST + 1):
        columns[f"{offset} back"] = key == query - offset
    seen = np.arange(tokens.shape[1])[None] <= query[:, None]  # [N, T]
    for name, ids in task.landmarks.items():
        here = np.isin(tokens, list(ids)) & seen
        from_left = np.cumsum(here, -1)
        from_right = np.cumsum(here[:, ::-1], -1)[:, ::-1]
        at_key = np.arange(len(key)), key
        for nth, word in enumerate(("", "second ", "third "), start=1):
            columns[f"the {word or 'first '}{name}"] = here[at_key] & (from_left[at_key] == nth)
            columns[f"the {word}nearest {name}"] = here[at_key] & (from_right[at_key] == nth)
    return Rules(tuple(columns), np.stack([*columns.values()], axis=1))
