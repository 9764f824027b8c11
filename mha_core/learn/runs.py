"""All training runs: those that come with HeadScope, and those trained here."""

import secrets
from datetime import UTC, datetime
from pathlib import Path

import torch

from mha_core.errors import RunBusy, UnknownModel, UnknownRun
from mha_core.learn.record import LossLine, RunDescription
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.settings import RunSettings
from mha_core.learn.tasks.catalogue import make_config, make_task
from mha_core.models.catalogue import CatalogueEntry
from mha_core.transformer import Transformer

SHIPPED = Path(__file__).parent / "shipped"


def all_runs(runs_dir: Path) -> list[RunDirectory]:
    """Those that come with HeadScope in their order, then those trained here, newest first."""
    own = sorted(_runs_in(runs_dir), key=lambda run: run.description.created, reverse=True)
    return [*shipped_runs(), *own]


def shipped_runs() -> list[RunDirectory]:
    return sorted(_runs_in(SHIPPED), key=lambda run: run.id)


def _runs_in(directory: Path) -> list[RunDirectory]:
    return [RunDirectory(file.parent) for file in directory.glob("*/run.json")]


def find_run(id: str, runs_dir: Path) -> RunDirectory:
    """The run of that name; raises UnknownRun."""
    for run in (it for directory in (SHIPPED, runs_dir) for it in _runs_in(directory)):
        if run.id == id:
            return run
    known = [run.id for run in all_runs(runs_dir)]
    raise UnknownRun(
        f"There is no training run {id!r}. There are: {', '.join(known)}.", available=known
    )


def new_run(settings: RunSettings, runs_dir: Path, name: str | None = None) -> RunDirectory:
    """A run of these settings, which nothing trains yet."""
    time = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return create_run(settings, runs_dir / f"{settings.task}-{time}-{secrets.token_hex(2)}", name)


def create_run(settings: RunSettings, path: Path, name: str | None = None) -> RunDirectory:
    """The same in a directory of that name."""
    with torch.device("meta"):  # only the sizes
        model = Transformer(make_config(settings))
    description = RunDescription(
        id=path.name,
        name=name or name_run(settings),
        settings=settings,
        n_parameters=sum(weight.numel() for weight in model.parameters()),
        created=datetime.now(UTC).replace(microsecond=0),
        lines=[LossLine(**vars(line)) for line in make_task(settings).lines()],
    )
    return RunDirectory.create(description, path)


def name_run(settings: RunSettings) -> str:
    """What a run is called unless it is given a name."""
    symbols = f", {settings.n_symbols} symbols" if settings.task == "markov" else ""
    heads = "head" if settings.n_heads == 1 else "heads"
    layers = "layer" if settings.n_layers == 1 else "layers"
    first = {
        "free": "",
        "shifted_keys": ", keys of the token before",
        "previous_only": ", layer 0 sees only the token before",
    }[settings.first_layer]
    sizes = f"{settings.n_layers} {layers} x {settings.n_heads} {heads}"
    return f"{make_task(settings).label}{symbols}: {sizes}{first}"


def delete_run(id: str, runs_dir: Path) -> None:
    """Delete a run that was trained here and is not being trained."""
    run = find_run(id, runs_dir)
    if run.path.parent == SHIPPED:
        raise RunBusy(f"The run {id} comes with HeadScope and cannot be deleted.", run=id)
    if run.is_locked:
        raise RunBusy(f"The run {id} is being trained: stop it first.", run=id)
    run.delete()


def run_models(runs_dir: Path) -> list[CatalogueEntry]:
    """The finished runs as models."""
    return [entry_of(run) for run in all_runs(runs_dir) if run.state.state == "done"]


def find_model(id: str, runs_dir: Path) -> CatalogueEntry:
    """A finished run, or `run@step` with a step whose weights are kept.

    Raises UnknownRun, or UnknownModel for a run without such weights.
    """
    run_id, _, step = id.partition("@")
    run = find_run(run_id, runs_dir)
    if not step:
        if run.state.state != "done":
            raise UnknownModel(
                f"The run {id} is not finished: wait for it, or name one of its steps, like "
                f"{id}@{run.kept_steps()[-1] if run.kept_steps() else 0}."
            )
        return entry_of(run)
    if not step.isdecimal() or int(step) not in run.kept_steps():
        steps = ", ".join(map(str, run.kept_steps()))
        raise UnknownModel(f"The run {run_id} has no weights of step {step}. It has: {steps}.")
    return entry_of(run, int(step))


def entry_of(run: RunDirectory, step: int | None = None) -> CatalogueEntry:
    description = run.description
    at = "" if step is None else f", step {step:,}"
    return CatalogueEntry(
        id=run.id if step is None else f"{run.id}@{step}",
        name=description.name + at,
        licence="MIT",
        about=make_task(description.settings).about,
        checkpoint=run.weights_file(run.kept_steps()[-1] if step is None else step),
    )
