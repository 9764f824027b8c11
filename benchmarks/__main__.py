"""`python -m benchmarks [NAME ...]`: run benchmarks and print a Markdown table.

Ratios are taken within one run, so they are comparable between machines; times are not. On a busy
machine torch's threads wait for each other and the ratios of `analysis` are noisy: set
OMP_NUM_THREADS=1.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import torch

from benchmarks import analysis, clients, first_load, hover, metrics, paint, payload
from benchmarks.measure import Row, table
from mha_core.models.reading import quiet

BENCHMARKS: dict[str, Callable[[], Iterator[Row]]] = {
    "analysis": analysis.rows,
    "metrics": metrics.rows,
    "clients": clients.rows,
    "payload": payload.rows,
    "paint": paint.rows,
    "hover": hover.rows,
    "first_load": first_load.rows,
}


def main(names: list[str]) -> None:
    """Run the named benchmarks, all when none is named."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"There is no benchmark {unknown[0]!r}. There are: {', '.join(BENCHMARKS)}.")
    quiet()
    for line in table(_in_one_thread(names or list(BENCHMARKS))):
        print(line, flush=True)
    machine = f"cores: {os.cpu_count()}, threads of torch: {torch.get_num_threads()}"
    print(f"\nPython {platform.python_version()}, torch {torch.__version__}, {machine}.")


def _in_one_thread(names: list[str]) -> Iterator[Row]:
    """All rows, measured in one worker thread that also loads the models, as a job of the server.

    Each thread that runs a model has its own team of torch's threads. Once there are more of these
    than cores, they no longer wait for the next operation but sleep, and each has to wake them.
    """
    rows = (row for name in names for row in BENCHMARKS[name]())
    with ThreadPoolExecutor(1) as worker:
        while (row := worker.submit(next, rows, None).result()) is not None:
            yield row


if __name__ == "__main__":
    main(sys.argv[1:])
