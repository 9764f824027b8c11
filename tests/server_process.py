"""`headscope serve` in a process of its own, as people start it, for tests and benchmarks."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
STOP_SECONDS = 30
COMMAND = (sys.executable, "-m", "backend", "serve")


@contextmanager
def serving(command: Sequence[str] = COMMAND, **settings: str) -> Iterator[str]:
    """The address, without a slash at the end, of a server with these settings and no hub."""
    usual = {"port": "0", "open": "false", "hub": "false"}
    environment = {f"HEADSCOPE_{k.upper()}": v for k, v in {**usual, **settings}.items()}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that whatever the command started stops with it
    )
    assert process.stdout is not None
    said = []
    try:
        for line in process.stdout:
            said.append(line)
            if found := re.search(r"http://[\w.:\[\]]+", line):
                yield found[0]
                return
        raise RuntimeError(f"the server did not start: {''.join(said)}")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(STOP_SECONDS)
        process.stdout.close()
