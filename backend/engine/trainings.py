"""Training runs in the background: one at a time in a process of its own, others in a queue."""

import os
import subprocess
import sys
import tempfile
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO

from mha_core.errors import RunBusy, UnknownRun
from mha_core.learn.record import StateChange
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import find_run

SECONDS_TO_STOP = 10.0
"""How long a process may take to save its state before it is killed."""

LONGEST_QUEUE = 20


class Trainings:
    """What is trained and what waits for it; any thread may ask."""

    def __init__(self, runs_dir: Path) -> None:
        self._runs_dir = runs_dir
        self._lock = threading.Lock()
        self._queue: deque[str] = deque()
        self._running: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def position(self, run_id: str) -> int | None:
        """How many runs come first: 0 for the one that is trained; None where it does not wait."""
        with self._lock:
            waiting = ([self._running] if self._running else []) + [*self._queue]
            return waiting.index(run_id) if run_id in waiting else None

    def start(self, run: RunDirectory) -> None:
        """Train a run as soon as those before it are done; raises RunBusy."""
        # First: to look for a lock writes a file, and not everybody may where shipped runs lie.
        if run.state.state == "done":
            raise RunBusy(f"The run {run.id} is finished: start a new one.", run=run.id)
        with self._lock:
            # A process that was stopped may take a moment to end: its run may wait for that.
            is_ours = run.id == self._running
            is_trained = run.is_locked and not (is_ours and run.state.state == "stopped")
            if run.id in self._queue or is_trained or (is_ours and run.state.state == "queued"):
                raise RunBusy(f"The run {run.id} is being trained already.", run=run.id)
            if len(self._queue) >= LONGEST_QUEUE:
                raise RunBusy(f"{LONGEST_QUEUE} runs are waiting already: try again later.")
            run.append(StateChange(state="queued", step=run.state.step))
            self._queue.append(run.id)
            if self._running is None:
                self._start_next()

    def stop(self, run: RunDirectory) -> None:
        """Take a run from the queue, or have its process save and end."""
        with self._lock:
            if run.id in self._queue:
                self._queue.remove(run.id)
                run.append(StateChange(state="stopped", step=run.state.step))
            elif run.id == self._running and self._process is not None:
                self._process.terminate()

    def close(self) -> None:
        """Stop all; what is trained can be resumed later."""
        with self._lock:
            self._closed = True
            waiting, process = [*self._queue], self._process
            self._queue.clear()
        for id in waiting:
            with suppress(UnknownRun):  # deleted while it waited
                run = find_run(id, self._runs_dir)
                run.append(StateChange(state="stopped", step=run.state.step))
        if process is not None:
            _end(process)

    def _start_next(self) -> None:
        """Start the first of the queue; the lock is held."""
        if self._closed or not self._queue:
            self._running = self._process = None
            return
        self._running = self._queue.popleft()
        errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by the thread that waits)
        self._process = subprocess.Popen(  # noqa: S603 (our own command)
            [sys.executable, "-m", "backend", "runs", "resume", self._running, "--background"],
            env={**os.environ, "HEADSCOPE_RUNS_DIR": str(self._runs_dir), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        waiting = threading.Thread(
            target=self._wait, args=(self._running, self._process, errors), name="headscope-train"
        )
        waiting.start()

    def _wait(self, run_id: str, process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
        """Wait for a process to end, say why if it failed, start the next."""
        code = process.wait()
        with errors:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()
        with suppress(UnknownRun):  # deleted as soon as it was stopped
            run = find_run(run_id, self._runs_dir)
            # A run that fails says so itself, unless its process could not even begin.
            if code != 0 and run.state.state in ("queued", "stopped"):
                why = lines[-1] if lines else f"the process ended with code {code}"
                run.append(StateChange(state="failed", step=run.state.step, message=why))
        with self._lock:
            self._start_next()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
