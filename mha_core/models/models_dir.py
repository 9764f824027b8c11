"""Where weights and training runs are kept, unless the settings say otherwise."""

from pathlib import Path

from platformdirs import user_data_path


def default_models_dir() -> Path:
    return user_data_path("headscope", appauthor=False) / "models"


def default_runs_dir() -> Path:
    return user_data_path("headscope", appauthor=False) / "runs"
