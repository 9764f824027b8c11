"""Milliseconds the page takes to paint all heads, in a real Chromium on a real server.

The page measures this itself and writes it to an attribute of its grid.
"""

from collections.abc import Iterator
from statistics import median

from playwright.sync_api import Page

from benchmarks.measure import Row
from benchmarks.models import N_HEADS, N_LAYERS
from benchmarks.page import N_TOKENS, open_page
from tests.browser.chromium import HOW_TO, find

BUDGET_MS = 25
REPEATS = 20

ALL_PAINTED = f"() => document.querySelector('#grid')?.dataset.painted === '{N_LAYERS}'"

# Each paint sets the attribute, even to the same number, so the observer sees each one.
KEEP_TIMES = """() => {
  const grid = document.querySelector('#grid');
  window.paintTimes = [];
  new MutationObserver(() => window.paintTimes.push(Number(grid.dataset.paintMs)))
    .observe(grid, { attributeFilter: ['data-paint-ms'] });
}"""

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def rows() -> Iterator[Row]:
    """One row: the median of full repaints."""
    what = f"{N_LAYERS * N_HEADS} heads x {N_TOKENS} tokens painted in Chromium"
    target = f"under {BUDGET_MS} ms"
    if find() is None:
        yield Row(what, HOW_TO, target, None)
        return
    with open_page(ALL_PAINTED) as page:
        times = paint_times(page)
    measured = f"{median(times):.1f} ms ({min(times):.1f} to {max(times):.1f})"
    yield Row(what, measured, target, median(times) < BUDGET_MS)


def paint_times(page: Page) -> list[float]:
    """Milliseconds of full repaints, each caused by a change of theme."""
    page.evaluate(KEEP_TIMES)
    for turn in range(REPEATS):
        before = page.evaluate("() => window.paintTimes.length")
        page.emulate_media(color_scheme="light" if turn % 2 else "dark")
        page.wait_for_function(f"() => window.paintTimes.length > {before}")
        # Changes that come within one frame are painted once.
        page.evaluate(NEXT_FRAME)
    times: list[float] = page.evaluate("() => window.paintTimes")
    return times
