"""Builds of atlases in the background: one at a time, each in a thread of its own."""

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.wire.errors import BuildRunning, describe_error
from backend.wire.schemas import ErrorBody
from mha_core.atlas.record import SECTIONS, SectionName
from mha_core.errors import Cancelled
from mha_core.progress import Progress

Work = Callable[[threading.Event, Progress], None]
"""Builds until it is done, or raises Cancelled soon after the event is set."""


class BuildState(BaseModel):
    """How far the last build of a model is, or how it ended."""

    model_config = ConfigDict(frozen=True)

    state: Literal["idle", "running", "stopped", "failed", "done"] = Field(
        "idle", description="`idle`: none was started since the server started."
    )
    message: str = Field("", description="What it is doing, or how it ended, for people.")
    section: SectionName | None = Field(None, description="The section it is at, or ended at.")
    sections: tuple[SectionName, ...] = Field((), description="Those it measures, in order.")
    done: int = Field(0, description="Steps done of what `message` says.")
    total: int = Field(0, description="Steps in all; 0: unknown.")
    started: datetime | None = None
    error: ErrorBody | None = Field(None, description="Why it failed.")


class Builds:
    """What is built now and how the last build of each model ended; any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._states: dict[str, BuildState] = {}
        self._running: str | None = None
        self._cancelled = threading.Event()

    def state(self, model_id: str) -> BuildState:
        with self._lock:
            return self._states.get(model_id, BuildState())

    def start(self, model_id: str, sections: Sequence[SectionName], work: Work) -> None:
        """Start work in a thread; raises BuildRunning while another build is under way."""
        cancelled = threading.Event()
        with self._lock:
            if self._running is not None:
                raise BuildRunning.of(self._running)
            self._running, self._cancelled = model_id, cancelled
            self._states[model_id] = BuildState(
                state="running",
                message="Starting",
                sections=tuple(sections),
                started=datetime.now(UTC).replace(microsecond=0),
            )
        run = threading.Thread(
            target=self._run, args=(model_id, work, cancelled), name="headscope-build"
        )
        run.start()

    def stop(self, model_id: str) -> None:
        """Have the build of this model, if it is under way, stop at its next check."""
        with self._lock:
            if self._running == model_id:
                self._cancelled.set()
                self._change(model_id, message="Stopping", done=0, total=0)

    def _run(self, model_id: str, work: Work, cancelled: threading.Event) -> None:
        def report(message: str, done: int, total: int) -> None:
            # A step of a section begins with the section's name.
            name, _, step = message.partition(": ")
            section = next((it for it in SECTIONS if it == name), None)
            changes = {"message": step, "section": section} if section else {"message": message}
            with self._lock:
                if not cancelled.is_set():
                    self._change(model_id, **changes, done=done, total=total)

        try:
            work(cancelled, report)
            end: dict[str, object] = {"state": "done", "message": "Everything is measured"}
        except Cancelled:
            words = "Stopped: what is measured is kept, and the next start continues from there"
            end = {"state": "stopped", "message": words}
        except Exception as error:  # whatever it is, whoever asks next should know
            described = describe_error(error)
            end = {"state": "failed", "message": described.message, "error": described}
        with self._lock:
            self._running = None
            self._change(model_id, **end)

    def _change(self, model_id: str, **changes: object) -> None:
        self._states[model_id] = self._states[model_id].model_copy(update=changes)
