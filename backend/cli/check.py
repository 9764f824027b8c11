"""`headscope doctor --check`: are the maps of every installed model those of transformers?"""

from importlib.metadata import version

import torch
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from backend.cli.models import list_models
from backend.settings import Settings
from mha_core.errors import HeadScopeError
from mha_core.models.catalogue import CatalogueEntry
from mha_core.models.device import resolve_device, resolve_dtype
from mha_core.models.loading import load
from mha_core.models.parity import TOLERANCES, Parity, check_parity

SLOW_RATIO = 1.5
SHORT_PASS = 0.01
"""Seconds: the ratio of shorter passes is mostly the fixed cost of calls, whoever else computes."""

_FORMULA = (
    "formula: HeadScope's own model has no eager attention. Its maps are compared with the formula "
    "in float64, its hidden state with that of a pass without maps."
)


def check_models(settings: Settings) -> tuple[RenderableType, bool]:
    """A table of every installed model with advice below it; and whether all are the same."""
    checked: dict[str, Parity | str] = {}
    console = Console(stderr=True)
    for entry, known in list_models(settings):
        if known.state == "ready":
            with console.status(f"Comparing {entry.id}"):
                checked[entry.id] = check_model(entry, settings)
    healthy = all(isinstance(found, Parity) and found.same for found in checked.values())
    tolerance = TOLERANCES[resolve_dtype(settings.dtype)]
    heading = (
        f"Maps with a tap against eager attention of transformers {version('transformers')}, on "
        f"{resolve_device(settings.device)} in {settings.dtype}. Up to {tolerance:g} is rounding. "
        f"Time as a multiple of a bare pass."
    )
    return Group(Text(heading), Text(), parity_table(checked), *explain(checked)), healthy


def check_model(entry: CatalogueEntry, settings: Settings) -> Parity | str:
    """What the comparison found, or why there is none: the other models are still compared."""
    places = settings.model_dump(include={"models_dir", "device", "dtype"})
    try:
        return check_parity(load(entry, **places, hub=False))
    except HeadScopeError as error:
        return error.message
    except Exception as error:  # a device or an architecture can fail in any way there is
        lines = str(error).splitlines()
        return lines[0] if lines else type(error).__name__


def parity_table(checked: dict[str, Parity | str]) -> Table:
    """One line a model within 80 columns."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("\nmodel", overflow="ellipsis")  # the one that gives way to the others
    table.add_column("\nmaps", no_wrap=True, justify="right")
    table.add_column("\nagainst", no_wrap=True)
    table.add_column("largest difference\nof a weight, where", no_wrap=True)
    table.add_column("hidden\nstate", no_wrap=True)
    table.add_column("times\nbare", no_wrap=True, justify="right")
    table.add_column("\nverdict", no_wrap=True)
    for name, found in checked.items():
        if isinstance(found, str):
            table.add_row(name, *["-"] * 5, Text("failed", style="red"))
            continue
        slow = "yellow" if _is_slow(found) else ""
        table.add_row(
            name,
            str(found.n_maps),
            found.reference,
            f"{found.difference:.1e} {_place(found)}" if found.difference else "0",
            f"{found.hidden_difference:.1e}" if found.hidden_difference else "0",
            Text(f"{found.ratio:.2f}x", style=slow),
            Text("same", style="green") if found.same else Text("differs", style="red"),
        )
    return table


def _is_slow(found: Parity) -> bool:
    return found.ratio > SLOW_RATIO and found.bare_seconds > SHORT_PASS


def _place(found: Parity) -> str:
    prefix = f"{found.site.stack} " if found.n_stacks > 1 else ""
    return f"{prefix}L{found.site.layer} H{found.head}"


def explain(checked: dict[str, Parity | str]) -> list[Text]:
    """Errors and advice, each with the models it concerns."""
    concerned: dict[str, list[str]] = {}
    for name, found in checked.items():
        for line in [found] if isinstance(found, str) else advise(found):
            concerned.setdefault(line, []).append(name)
    lines = [Text(f"\n{', '.join(names)}: {line}") for line, names in concerned.items()]
    if any(
        isinstance(found, Parity) and found.reference == "formula" for found in checked.values()
    ):
        lines.insert(0, Text(f"\n{_FORMULA}"))
    return lines


def advise(found: Parity) -> list[str]:
    """What to do about a difference or a slow pass; nothing if all is well."""
    device, half = found.device.type, found.dtype != torch.float32
    name = str(found.dtype).removeprefix("torch.")
    advice = []
    if not found.same and device == "mps":
        advice.append(
            "mps has returned wrong numbers silently. Run on the CPU: headscope serve --device cpu "
            "(to check it: HEADSCOPE_DEVICE=cpu headscope doctor --check)."
        )
    elif not found.same and half:
        advice.append(
            f"{name} may be too coarse for this model. Use headscope serve --dtype float32 "
            f"(to check it: HEADSCOPE_DTYPE=float32 headscope doctor --check)."
        )
    elif not found.same and device == "cuda":
        advice.append(
            "The GPU may round float32 products to TF32. Check again with NVIDIA_TF32_OVERRIDE=0 "
            "in the environment; if the difference stays, use headscope serve --device cpu and "
            "report it with this output."
        )
    elif not found.same:
        advice.append("These maps cannot be trusted: report it with this output.")
    if _is_slow(found) and device == "cpu" and half:
        advice.append(
            f"Maps take long because CPUs compute slowly in {name}: --dtype float32 is faster."
        )
    elif _is_slow(found):
        busy = "cores" if device == "cpu" else "GPU"
        advice.append(
            f"Maps take long: other programs may be using the {busy}. Check again when it is idle."
        )
    return advice
