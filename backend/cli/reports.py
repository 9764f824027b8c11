"""What the command line tells about the machine and its models.

This file must not change either.
"""

import platform
import shutil
import sys
from importlib.metadata import version
from pathlib import Path

import torch
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from backend import __version__
from backend.engine.model_cache import ModelCache
from backend.models.jobs import describe_model
from backend.models.schemas import ModelInfo
from backend.settings import Settings
from mha_core.errors import ModelFailed
from mha_core.models.device import available_devices, resolve_device

PACKAGES = ("torch", "transformers", "tokenizers", "fastapi", "uvicorn", "plotly")


def model_infos(settings: Settings) -> list[ModelInfo]:
    """What the server would tell of its models."""
    return [describe_model(listed, settings) for listed in ModelCache(settings).list_models()]


def models_table(infos: list[ModelInfo]) -> Table:
    """Every model: its size, where it comes from, or why it is not here."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("model", "family", "layers x heads", "tokens", "licence", "source", "state"):
        table.add_column(heading, overflow="fold")
    for info in infos:
        size = f"{info.n_layers} x {info.n_heads}" if info.n_layers else "?"
        table.add_row(
            info.id,
            info.family or "?",
            size,
            str(info.max_tokens or "?"),
            info.licence,
            info.source,
            _state(info),
        )
    return table


def doctor_report(settings: Settings) -> tuple[RenderableType, bool]:
    """Device, memory, versions, models; and whether all that is set can run."""
    healthy = True
    facts = Table.grid(padding=(0, 2))
    facts.add_row("HeadScope", __version__)
    facts.add_row("Python", f"{platform.python_version()} ({sys.executable})")
    for package in PACKAGES:
        facts.add_row(package, version(package))
    facts.add_row("devices", ", ".join(available_devices()))
    try:
        device = resolve_device(settings.device)
        facts.add_row("runs on", f"{device}, {settings.dtype}, {torch.get_num_threads()} threads")
        facts.add_row("memory", _memory(device))
    except ModelFailed as error:
        healthy = False
        facts.add_row("runs on", Text(error.message, style="red"))
    facts.add_row("models directory", f"{settings.models_dir} ({_room(settings.models_dir)} free)")
    infos = model_infos(settings)
    here = [info.id for info in infos if info.available and info.reason is None]
    facts.add_row("will run", ", ".join(here) or Text("nothing", style="red"))
    if settings.default_model not in here:
        words = (
            f"{settings.default_model} is not here: headscope models get {settings.default_model}"
        )
        facts.add_row("", Text(words, style="yellow"))
    return Group(facts, Text(), models_table(infos)), healthy and bool(here)


def _state(info: ModelInfo) -> Text:
    if info.reason is None:
        return Text("here", style="green")
    return Text(info.reason, style="yellow" if info.available else "red")


def _memory(device: torch.device) -> str:
    if device.type == "cuda":
        free, total = torch.cuda.mem_get_info(device)
        return f"{_gigabytes(free)} free of {_gigabytes(total)} on {device}"
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return "not told by this system"
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    free, total = kilobytes["MemAvailable"] * 1024, kilobytes["MemTotal"] * 1024
    return f"{_gigabytes(free)} free of {_gigabytes(total)}"


def _room(path: Path) -> str:
    existing = next(parent for parent in (path, *path.parents) if parent.exists())
    return _gigabytes(shutil.disk_usage(existing).free)


def _gigabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:.1f} GB"
