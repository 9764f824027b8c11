"""Training small models on the command line, with a progress bar."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from backend.cli.fetch import show_progress
from backend.settings import Settings
from mha_core.errors import InputError
from mha_core.learn.export import export_gpt2
from mha_core.learn.record import Event, LossPoint, Point
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runner import train_run
from mha_core.learn.runs import all_runs, create_run, delete_run, find_run, new_run
from mha_core.learn.settings import RunSettings
from mha_core.learn.tasks.catalogue import make_task
from mha_core.text.word_tokenizer import word_tokenizer
from mha_core.transformer import load_transformer

NICENESS = 10
"""Other work on this machine comes first."""


def start_run(settings: RunSettings, *, name: str | None, out: Path | None) -> None:
    """Train a new run, kept where the page lists it, or in a directory of its own."""
    if out is not None and out.exists():
        raise InputError(f"{out} exists already: name a new directory.")
    if out is None:
        run = new_run(settings, Settings().runs_dir, name)
    else:
        run = create_run(settings, out, name)
    _train(run)


def resume_run(id: str, *, background: bool) -> None:
    """Go on with a run; in the background, nothing is printed and other work comes first."""
    run = find_run(id, Settings().runs_dir)
    if background:
        with suppress(OSError):
            os.nice(NICENESS)
        torch.set_num_threads(1)
        train_run(run, stop=_stop_on_signals())
    else:
        _train(run)


def list_runs() -> Table:
    """All runs, and how far they are."""
    table = Table("run", "name", "state", "step", "loss", box=None, pad_edge=False)
    for run in all_runs(Settings().runs_dir):
        description, state = run.description, run.state
        points = [it for it in run.events() if isinstance(it, Point)]
        loss = f"{points[-1].loss:.3f}" if points else ""
        step = f"{state.step:,} of {description.settings.steps:,}"
        table.add_row(run.id, description.name, state.state, step, loss)
    return table


def remove_run(id: str) -> None:
    delete_run(id, Settings().runs_dir)


def export_run(id: str, directory: Path) -> None:
    """Write a run's last weights as a GPT-2 of transformers."""
    run = find_run(id, Settings().runs_dir)
    steps = run.kept_steps()
    if not steps:
        raise InputError(f"The run {id} has no weights yet: train it first.")
    task = make_task(run.description.settings)
    model = load_transformer(run.weights_file(steps[-1]))
    export_gpt2(model, word_tokenizer(task.vocabulary, task.n_tokens), directory)
    Console().print(
        f"{directory}: GPT2LMHeadModel with the weights of step {steps[-1]:,}",
        highlight=False,
        soft_wrap=True,
    )


def _train(run: RunDirectory) -> None:
    torch.set_num_threads(1)  # several would wait for one another: the matrices are small
    console, total = Console(highlight=False, soft_wrap=True), run.description.settings.steps
    last: dict[str, Point] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with show_progress(*columns, TimeElapsedColumn()) as report:

        def on_event(event: Event) -> None:
            if isinstance(event, LossPoint):
                report(f"loss {event.loss:.3f}", event.step, total)
            elif isinstance(event, Point):
                last["point"] = event

        state = train_run(run, stop=_stop_on_signals(), on_event=on_event)
    if "point" in last:
        console.print(_describe(last["point"]))
    if state == "stopped":
        console.print(f"Stopped. To go on: headscope runs resume {run.id}")
    else:
        console.print(f"{run.path}: {len(run.kept_steps())} checkpoints")


def _describe(point: Point) -> str:
    """What the heads do at the last point."""
    lines = [f"Step {point.step:,}: loss {point.loss:.3f}, accuracy {point.accuracy:.3f}"]
    lines += [
        f"{it.label}: {it.accuracy:.3f} of {it.n:,} predictions fit"
        for it in point.relations.values()
    ]
    lines += [
        f"L{it.layer} H{it.head}: {it.label}, {it.value:.2f} (n = {it.n:,}, baseline "
        f"{it.baseline:.2f})"
        for it in point.roles
    ]
    return "\n".join(lines)


def _stop_on_signals() -> Any:  # noqa: ANN401 (a function that says whether to stop)
    """Whether Ctrl+C or SIGTERM came: training then stops after the step it is at."""
    came: list[int] = []

    def remember(number: int, _: FrameType | None) -> None:
        came.append(number)

    signal.signal(signal.SIGINT, remember)
    signal.signal(signal.SIGTERM, remember)
    return lambda: bool(came)
