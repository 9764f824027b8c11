"""`headscope doctor`: device, memory, versions, and which models will run."""

import platform
import shutil
import sys
from importlib.metadata import version
from pathlib import Path

import torch
from rich.console import Group, RenderableType
from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from backend import __version__
from backend.cli.models import list_models, models_table
from backend.settings import Settings
from mha_core.errors import ModelFailed
from mha_core.models.device import available_devices, resolve_device

PACKAGES = ("torch", "transformers", "tokenizers", "fastapi", "uvicorn", "plotly")


def report_health(settings: Settings) -> tuple[RenderableType, bool]:
    """What the machine and its models are like; and whether the settings can run on it."""
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
    folder = settings.models_dir
    facts.add_row("models directory", f"{folder} ({_free_space(folder)} free)")
    listing = list_models(settings)
    ready = [entry.id for entry, known in listing if known.state == "ready"]
    facts.add_row("will run", ", ".join(ready) or Text("nothing", style="red"))
    default = settings.default_model
    if default not in ready:
        advice = f"{default} is not ready: headscope models get {default}"
        facts.add_row("", Text(advice, style="yellow"))
    table = models_table(listing, settings.max_tokens)
    return Group(facts, Text(), table), healthy and bool(ready)


def _memory(device: torch.device) -> str:
    if device.type == "cuda":
        free, total = torch.cuda.mem_get_info(device)
        return f"{decimal(free)} free of {decimal(total)} on {device}"
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return "unknown on this system"
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    free, total = kilobytes["MemAvailable"] * 1024, kilobytes["MemTotal"] * 1024
    return f"{decimal(free)} free of {decimal(total)}"


def _free_space(path: Path) -> str:
    existing = next(parent for parent in (path, *path.parents) if parent.exists())
    return decimal(shutil.disk_usage(existing).free)
