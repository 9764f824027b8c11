"""Requests and milliseconds of a first visit, until all heads are painted, in a real Chromium.

HEADSCOPE_BENCHMARK_BASE names another checkout of HeadScope: then both pages are opened in turn,
each time by a browser that has kept nothing, and the ratio of their times is given.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from benchmarks.measure import Row
from tests.browser.chromium import FLAGS, HOW_TO, find
from tests.server_process import COMMAND, ROOT, serving

BASE = "HEADSCOPE_BENCHMARK_BASE"
MOST_RATIO = 0.7
VISITS = 12

# Milliseconds since the visit began, in the frame in which the last layer is painted.
NOTE_FULL_GRID = """() => {
  performance.setResourceTimingBufferSize(1000);
  const look = () => {
    const isFull = document.querySelector("#grid")?.dataset.painted === "6";
    if (isFull) window.fullGrid = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
# Modules, style sheets and answers that the page names in its head, and those it asks for later.
COUNT_REQUESTS = """() => {
  const asked = performance.getEntriesByType("resource").map(({ name }) => name);
  const files = asked.filter((name) => !name.includes("/api/"));
  const links = [...document.head.querySelectorAll("[href], [src]")];
  const named = new Set(links.map((it) => it.href || it.src));
  return [files.length, files.filter((name) => !named.has(name)).length];
}"""


def rows() -> Iterator[Row]:
    """One row for requests, one for the time beside that of another checkout, if one is named."""
    what = "files of a first visit that the page does not name in its head"
    if find() is None:
        yield Row(what, HOW_TO, "none", None)
        return
    base = os.environ.get(BASE)
    trees = [ROOT, *([Path(base).resolve()] if base else [])]
    with ExitStack() as stack:
        commands = [("env", f"PYTHONPATH={tree}", *COMMAND) for tree in trees]
        addresses = [
            stack.enter_context(serving(command, cwd=tree))
            for command, tree in zip(commands, trees, strict=True)
        ]
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        visits = [[visit(browser, address) for address in addresses] for _ in range(VISITS)]
        browser.close()
    n_files, n_late = visits[-1][0][1]
    yield Row(what, f"{n_late} of {n_files}", "none", n_late == 0)
    times = [median(turn[at][0] for turn in visits[1:]) for at in range(len(trees))]
    what = "first visit until all heads of MiniLM are painted"
    if base is None:
        yield Row(what, f"{times[0]:.0f} ms", f"set {BASE} for a ratio", None)
        return
    ratio = times[0] / times[1]
    measured = f"{ratio:.2f} ({times[0]:.0f} ms against {times[1]:.0f} ms)"
    yield Row(f"{what}, against {BASE}", measured, f"at most {MOST_RATIO}", ratio <= MOST_RATIO)


def visit(browser: Browser, address: str) -> tuple[float, tuple[int, int]]:
    """Milliseconds until the grid is full; files asked for, and those not named in the head."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(f"({NOTE_FULL_GRID})()")
    page.goto(f"{address}/")
    page.wait_for_function("() => window.fullGrid")
    milliseconds = float(page.evaluate("window.fullGrid"))
    n_files, n_late = page.evaluate(COUNT_REQUESTS)
    context.close()
    return milliseconds, (n_files, n_late)
