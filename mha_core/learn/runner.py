"""Trains a run to its end, or until somebody stops it: measures, keeps weights, can be resumed."""

from collections.abc import Callable
from time import perf_counter

import torch
from filelock import Timeout

from mha_core.errors import RunBusy
from mha_core.learn.checkpoint import save_checkpoint
from mha_core.learn.measure import measure_point
from mha_core.learn.probe import Probe
from mha_core.learn.record import Event, LossPoint, Point, StateChange, StateName
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.trainer import Trainer

LOSSES = 200
"""How many points the curve of the loss has."""

OnEvent = Callable[[Event], None]


def ignore(_: Event) -> None:
    """An `OnEvent` that does nothing."""


def train_run(
    run: RunDirectory, *, stop: Callable[[], bool] = lambda: False, on_event: OnEvent = ignore
) -> StateName:
    """Train from where the run is; returns the state it is left in.

    `stop` is asked after every step. Each event is written to the run before `on_event` sees it.
    """
    if run.state.state == "done":
        raise RunBusy(f"The run {run.id} is finished: start a new one.", run=run.id)
    try:
        with run.lock(timeout=1):
            return _Runner(run, on_event).go_on(stop)
    except Timeout as error:
        raise RunBusy(f"The run {run.id} is being trained already.", run=run.id) from error


class _Runner:
    """One attempt, while the lock is held."""

    def __init__(self, run: RunDirectory, on_event: OnEvent) -> None:
        self._run, self._on_event = run, on_event
        self._settings = run.description.settings
        self._trainer = Trainer(self._settings)
        self._seconds = 0.0
        self._losses: list[float] = []

    def go_on(self, stop: Callable[[], bool]) -> StateName:
        run, trainer, settings = self._run, self._trainer, self._settings
        if run.state_file.exists():
            trainer.restore(run.state_file)
        run.forget_after(trainer.step)
        spent = [it.seconds for it in run.events() if isinstance(it, LossPoint)]
        self._seconds = spent[-1] if spent else 0.0
        self._emit(StateChange(state="running", step=trainer.step))
        probe, points = Probe.of(trainer.task), set(settings.point_steps)
        try:
            # One that was stopped before its first step has been measured already.
            if not any(isinstance(it, Point) for it in run.events()):
                self._measure(probe)
            while trainer.step < settings.steps:
                if stop():
                    trainer.save(run.state_file)
                    return self._end("stopped")
                self._advance()
                if trainer.step in points:
                    self._measure(probe)
        except Exception as error:
            self._end("failed", str(error))
            raise
        run.state_file.unlink(missing_ok=True)
        return self._end("done")

    def _advance(self) -> None:
        started = perf_counter()
        self._losses.append(self._trainer.advance())
        self._seconds += perf_counter() - started
        every = max(1, self._settings.steps // LOSSES)
        if self._trainer.step % every == 0 or self._trainer.step == self._settings.steps:
            mean = sum(self._losses) / len(self._losses)
            self._emit(LossPoint(step=self._trainer.step, loss=mean, seconds=self._seconds))
            self._losses.clear()

    def _measure(self, probe: Probe) -> None:
        run, trainer = self._run, self._trainer
        with torch.inference_mode():
            point = measure_point(trainer.model, probe, trainer.step)
        save_checkpoint(trainer.model, self._settings, run, trainer.step)
        trainer.save(run.state_file)
        self._emit(point)

    def _end(self, state: StateName, message: str = "") -> StateName:
        self._emit(StateChange(state=state, step=self._trainer.step, message=message))
        return state

    def _emit(self, event: Event) -> None:
        self._run.append(event)
        self._on_event(event)
