"""The runs that come with HeadScope: `python -m mha_core.learn.shipped_runs` trains them anew.

With names of runs, only those. The same seed gives the same run on the same machine; another may
round differently, so that heads may change their places.
"""

import shutil
import sys

import torch

from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runner import train_run
from mha_core.learn.runs import SHIPPED, create_run
from mha_core.learn.settings import RunSettings

RUNS: dict[str, tuple[str, dict[str, object]]] = {
    "markov-2": ("Markov chains, 2 symbols", {"task": "markov"}),
    "markov-2-slow": (
        "Markov chains, 2 symbols, small learning rate",
        {"task": "markov", "learning_rate": 3e-4, "steps": 4000},
    ),
    "markov-3": ("Markov chains, 3 symbols", {"task": "markov", "n_symbols": 3}),
    "repeats": ("Repeats, 2 layers", {"task": "repeats"}),
    "repeats-one-layer": ("Repeats, 1 layer", {"task": "repeats", "n_layers": 1}),
    "repeats-shifted-keys": (
        "Repeats, 1 layer whose keys see the token before",
        {"task": "repeats", "n_layers": 1, "first_layer": "shifted_keys"},
    ),
    "repeats-previous-only": (
        "Repeats, 2 layers, the first fixed to the token before",
        {"task": "repeats", "first_layer": "previous_only"},
    ),
    "language": ("Small language", {"task": "language", "seed": 2}),
}
"""Id -> name and settings."""


def train_shipped(id: str) -> RunDirectory:
    """Train one of them from scratch, in place of the one that is there."""
    name, settings = RUNS[id]
    shutil.rmtree(SHIPPED / id, ignore_errors=True)
    run = create_run(RunSettings.model_validate(settings), SHIPPED / id, name)
    train_run(run)
    (run.path / "run.lock").unlink(missing_ok=True)
    return run


def main() -> None:
    """Train the runs named on the command line, or all."""
    torch.set_num_threads(1)
    for id in sys.argv[1:] or RUNS:
        run = train_shipped(id)
        print(f"{id}: {run.state.state}, {len(run.kept_steps())} checkpoints", flush=True)


if __name__ == "__main__":
    main()
