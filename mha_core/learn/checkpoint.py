"""The weights of a run at one step, as a model file that holds its own vocabulary and examples."""

import json

from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.settings import RunSettings
from mha_core.learn.tasks.catalogue import make_task
from mha_core.transformer import Transformer, save_transformer


def save_checkpoint(
    model: Transformer, settings: RunSettings, run: RunDirectory, step: int
) -> None:
    """Write the weights, and what it takes to use them as a model."""
    task = make_task(settings)
    notes = {
        "vocabulary": json.dumps(task.vocabulary),
        "examples": json.dumps(task.examples),
        "settings": settings.model_dump_json(),
        "step": str(step),
    }
    save_transformer(model, run.weights_file(step), notes)
