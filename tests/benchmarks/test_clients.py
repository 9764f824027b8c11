"""The benchmark of several clients, on a model small enough for a test."""

from collections.abc import Callable
from pathlib import Path

from backend.settings import Settings
from backend.stream.schemas import StreamRequest
from benchmarks.clients import compare_throughput
from benchmarks.models import text_of
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import load


def test_all_clients_are_answered_and_compared_with_the_bare_model(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    directory = model_directory("bert")
    model = load(entry_for(str(directory)), models_dir=tmp_path, device="cpu", hub=False)
    settings = Settings(extra_models=(str(directory),), cache_mb=0, hub=False)
    request = StreamRequest(request=1, model=directory.name, text=text_of(16))
    row = compare_throughput(model, settings, request, 1, "small")
    assert row.what == ("8 clients at once against the bare model in one process: small, 16 tokens")
    assert "texts a second" in row.measured
    assert row.kept is not None
