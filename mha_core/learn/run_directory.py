"""The files of one training run.

    run.json       what is trained and how
    events.jsonl   what happened, a line each: losses, points, states
    steps/         the weights at every point, each a model of its own
    state.safetensors   what a stopped run needs to go on

A process that trains holds a lock on the directory; whoever reads it needs none.
"""

import shutil
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from mha_core.errors import UnreadableRun
from mha_core.learn.record import Event, RunDescription, StateChange

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)
_STATE = '{"kind":"state",'


class RunDirectory:
    """One run on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.id = path.name

    @classmethod
    def create(cls, description: RunDescription, path: Path) -> "RunDirectory":
        """Write a new run, which nothing trains yet."""
        path.mkdir(parents=True)
        run = cls(path)
        (path / "run.json").write_text(description.model_dump_json(indent=1) + "\n", "utf-8")
        run._events_file.touch()
        return run

    @property
    def description(self) -> RunDescription:
        try:
            return RunDescription.model_validate_json((self.path / "run.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise UnreadableRun(
                f"The training run {self.id} cannot be read: {error}. Delete {self.path}."
            ) from error

    @property
    def _events_file(self) -> Path:
        return self.path / "events.jsonl"

    @property
    def state_file(self) -> Path:
        return self.path / "state.safetensors"

    def weights_file(self, step: int) -> Path:
        return self.path / "steps" / f"{step:06}.safetensors"

    def kept_steps(self) -> list[int]:
        """The steps whose weights are here, in order."""
        return sorted(int(file.stem) for file in (self.path / "steps").glob("*.safetensors"))

    def append(self, event: Event) -> None:
        """Add one event, in one write."""
        with self._events_file.open("a", encoding="utf-8") as file:
            file.write(event.model_dump_json() + "\n")

    def events(self, skip: int = 0) -> list[Event]:
        """All events but the first ones, oldest first; a line still being written is left out."""
        text = self._events_file.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1].splitlines()[skip:]
        try:
            return [_EVENT.validate_json(line) for line in whole]
        except ValidationError as error:
            raise UnreadableRun(
                f"The events of the training run {self.id} cannot be read. Delete {self.path}."
            ) from error

    def count_events(self) -> int:
        return self._events_file.read_bytes().count(b"\n")

    def forget_after(self, step: int) -> None:
        """Drop losses, points and weights of later steps, which a resumed run makes again."""
        kept = [it for it in self.events() if it.step <= step]
        part = self._events_file.with_suffix(".part")
        part.write_text("".join(it.model_dump_json() + "\n" for it in kept), "utf-8")
        part.replace(self._events_file)
        for late in [it for it in self.kept_steps() if it > step]:
            self.weights_file(late).unlink()

    @property
    def state(self) -> StateChange:
        """The state it is in; a run whose process died counts as stopped."""
        # Only its own lines are parsed: lists of models and runs ask every run.
        lines = self._events_file.read_text("utf-8").splitlines()
        changes = [line for line in lines if line.startswith(_STATE) and line.endswith("}")]
        last = StateChange(state="stopped", step=0)
        if changes:
            last = StateChange.model_validate_json(changes[-1])
        if last.state == "running" and not self.is_locked:
            return last.model_copy(update={"state": "stopped"})
        return last

    def lock(self, timeout: float = 0) -> FileLock:
        """Held by the process that trains."""
        return FileLock(self.path / "run.lock", timeout=timeout)

    @property
    def is_locked(self) -> bool:
        """Whether a process trains this run now."""
        try:
            with self.lock():
                return False
        except Timeout:
            return True

    def delete(self) -> None:
        shutil.rmtree(self.path)
