"""`headscope serve` in a process of its own, as people start it, for tests and benchmarks."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

ROOT = Path(__file__).parent.parent
STOP_SECONDS = 30
COMMAND = (sys.executable, "-m", "backend", "serve")


@contextmanager
def serving(command: Sequence[str] = COMMAND, cwd: Path = ROOT, **settings: str) -> Iterator[str]:
    """The address, without a slash at the end, of a server with these settings and no hub."""
    runs = TemporaryDirectory()  # never the user's own
    usual = {"port": "0", "open": "false", "hub": "false", "runs_dir": runs.name}
    environment = {f"HEADSCOPE_{k.upper()}": v for k, v in {**usual, **settings}.items()}
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that whatever the command started stops with it
    )
    assert process.stdout is not None
    # Whatever it says later is read and forgotten: a full pipe would hold the server up.
    listening = threading.Thread(target=deque, args=(process.stdout, 0))
    try:
        address = _address(process.stdout)
        listening.start()
        yield address
    finally:
        _stop(process)
        if listening.ident is not None:
            listening.join()
        process.stdout.close()
        runs.cleanup()


def _address(output: IO[str]) -> str:
    said = []
    for line in output:
        said.append(line)
        if found := re.search(r"http://[\w.:\[\]]+", line):
            return found[0]
    raise RuntimeError(f"the server did not start: {''.join(said)}")


def _stop(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    finally:  # what does not stop, or outlives its command, is not left to the next test
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
