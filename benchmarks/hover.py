"""Milliseconds of main-thread work per pointer move in Chromium.

Four heads of the largest grid are pinned and the pointer moves over one of their maps. Scripts,
layout and paint count, waiting for the next frame does not.
"""

from collections.abc import Iterator
from statistics import median, quantiles

from playwright.sync_api import CDPSession, Page

from benchmarks.measure import Row
from benchmarks.models import N_HEADS, N_LAYERS
from benchmarks.page import N_TOKENS, open_page
from tests.browser.chromium import HOW_TO, find

PINS = "0.3h,3.1h,7.5l,11.11h"
N_PINS = 4
BUDGET_MS = 1000 / 60
MOVES = 120
WARM_UP = 20

ALL_EXACT = f"() => document.querySelectorAll('.panel[data-exact=true]').length === {N_PINS}"

# A message posted in an animation frame arrives after scripts, layout and paint of that frame, the
# one the page has requested for the move: another one would be extra work.
RESOLVE_AFTER_PAINT = """() => {
  const channel = new MessageChannel();
  window.addEventListener("pointermove", () => {
    window.painted = new Promise((done) => { channel.port1.onmessage = done; });
    requestAnimationFrame(() => channel.port2.postMessage(null));
  });
}"""


def rows() -> Iterator[Row]:
    """One row: median and 95th percentile."""
    heads = f"{N_PINS} of {N_LAYERS * N_HEADS} heads pinned, {N_TOKENS} tokens"
    what = f"the page's work for a move of the pointer, {heads}"
    target = f"95 % under a frame ({BUDGET_MS:.1f} ms)"
    if find() is None:
        yield Row(what, HOW_TO, target, None)
        return
    with open_page(ALL_EXACT, pins=PINS) as page:
        times = hover_times(page)
    slowest = quantiles(times, n=20)[-1]
    measured = f"median {median(times):.1f} ms, 95 % under {slowest:.1f} ms"
    yield Row(what, measured, target, slowest < BUDGET_MS)


def hover_times(page: Page) -> list[float]:
    """Milliseconds of the page's main thread for each move from one cell to another."""
    meter = page.context.new_cdp_session(page)
    # CPU time of the thread, not wall time: other load on the machine does not count.
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate(RESOLVE_AFTER_PAINT)
    canvas = page.locator(".panel canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    left, top = box["x"] + 120, box["y"] + 120

    def busy_ms(step: int | None) -> float:
        """Work for a move to another cell; with None, the overhead of measuring."""
        before = worked_ms(meter)
        if step is not None:
            page.mouse.move(left + 7 * (step % 16), top + 7 * (step // 2 % 16))
        page.evaluate("() => window.painted?.then(() => {})")
        return worked_ms(meter) - before

    for step in range(WARM_UP):
        busy_ms(step)
    overhead = median(busy_ms(None) for _ in range(WARM_UP))
    return [busy_ms(step) - overhead for step in range(MOVES)]


def worked_ms(meter: CDPSession) -> float:
    """CPU time of the page's main thread since it started."""
    metrics = {it["name"]: it["value"] for it in meter.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(metrics["TaskDuration"])
