"""`headscope serve` in a process of its own, as people start it, for tests and benchmarks."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

STOP_SECONDS = 30


@contextmanager
def serving(**settings: str) -> Iterator[str]:
    """The address, without a slash at the end, of a server with these settings and no hub."""
    usual = {"port": "0", "open": "false", "hub": "false"}
    environment = {f"HEADSCOPE_{k.upper()}": v for k, v in {**usual, **settings}.items()}
    process = subprocess.Popen(
        [sys.executable, "-m", "backend", "serve"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
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
        process.terminate()
        process.wait(STOP_SECONDS)
        process.stdout.close()
