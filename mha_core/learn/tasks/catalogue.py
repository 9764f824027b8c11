"""All tasks by id."""

from mha_core.learn.settings import RunSettings
from mha_core.learn.tasks.language import Language
from mha_core.learn.tasks.markov import Markov
from mha_core.learn.tasks.repeats import Repeats
from mha_core.learn.tasks.task import Task
from mha_core.transformer_config import TransformerConfig


def make_task(settings: RunSettings) -> Task:
    """The task that a run trains on."""
    if settings.task == "language":
        return Language()
    assert settings.n_symbols is not None  # noqa: S101 (filled in by the settings)
    return (Markov if settings.task == "markov" else Repeats)(n_symbols=settings.n_symbols)


def make_config(settings: RunSettings) -> TransformerConfig:
    """The model that a run trains."""
    task = make_task(settings)
    return TransformerConfig(
        vocab_size=len(task.vocabulary),
        max_tokens=task.n_tokens,
        n_layers=settings.n_layers,
        n_heads=settings.n_heads,
        d_model=settings.d_model,
        d_mlp=settings.d_mlp,
        first_layer=settings.first_layer,
    )
