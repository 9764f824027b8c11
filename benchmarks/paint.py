"""Milliseconds the page takes to paint every head at once, in a real Chromium on a real server.

The page itself measures and leaves the number on its grid. This file must not know how it paints.
"""

from collections.abc import Iterator
from statistics import median
from urllib.parse import quote

from playwright.sync_api import Browser, sync_playwright

from benchmarks.measure import Row
from benchmarks.models import N_HEADS, N_LAYERS, model_directory, text_of
from tests.browser.chromium import FLAGS, HOW_TO, find
from tests.server_process import serving

N_TOKENS = 128
BUDGET_MS = 25
REPEATS = 20
LOADING_MS = 120_000

ALL_PAINTED = f"() => document.querySelector('#grid')?.dataset.painted === '{N_LAYERS}'"

# Each paint sets the attribute anew, even to the same number, so each is seen.
KEEP_TIMES = """() => {
  const grid = document.querySelector('#grid');
  window.paintTimes = [];
  new MutationObserver(() => window.paintTimes.push(Number(grid.dataset.paintMs)))
    .observe(grid, { attributeFilter: ['data-paint-ms'] });
}"""


def rows() -> Iterator[Row]:
    """One row: the middle one of many full repaints."""
    what = f"{N_LAYERS * N_HEADS} heads x {N_TOKENS} tokens painted in Chromium"
    target = f"under {BUDGET_MS} ms"
    path = find()
    if path is None:
        yield Row(what, HOW_TO, target, None)
        return
    with (
        model_directory("bert") as directory,
        serving(extra_models=str(directory), default_model=directory.name) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        times = paint_times(browser, f"{address}/#model={directory.name}")
        browser.close()
    measured = f"{median(times):.1f} ms ({min(times):.1f} to {max(times):.1f})"
    yield Row(what, measured, target, median(times) < BUDGET_MS)


def paint_times(browser: Browser, link: str) -> list[float]:
    """Milliseconds of full repaints; another theme has other colours for every cell."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page.goto(f"{link}&text={quote(text_of(N_TOKENS))}")
    page.wait_for_function(ALL_PAINTED, timeout=LOADING_MS)
    page.evaluate(KEEP_TIMES)
    for turn in range(REPEATS):
        page.emulate_media(color_scheme="light" if turn % 2 else "dark")
        page.wait_for_function(f"() => window.paintTimes.length > {turn}")
    times: list[float] = page.evaluate("() => window.paintTimes")
    return times
