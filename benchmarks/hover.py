"""Milliseconds of main-thread work per pointer move in Chromium.

Four heads of the largest grid are pinned and the pointer moves over one of their maps; then nothing
is pinned and it moves over the tokens, each of which repaints all tiles with its row. Scripts,
layout and paint count, waiting for the next frame does not.
"""

from collections.abc import Iterator
from statistics import median, quantiles

from playwright.sync_api import CDPSession, Page

from benchmarks.measure import Row
from benchmarks.models import N_HEADS, N_LAYERS
from benchmarks.page import N_TOKENS, open_page
from benchmarks.paint import ALL_PAINTED
from tests.browser.chromium import HOW_TO, find

Point = tuple[float, float]

PINS = "0.3h,3.1h,7.5l,11.11h"
N_PINS = 4
HOVER_MS = 10
FRAME_MS = 1000 / 60
MOVES = 120
WARM_UP = 20

ALL_EXACT = f"() => document.querySelectorAll('.panel[data-exact=true]').length === {N_PINS}"

TOKENS_IN_SIGHT = """() => [...document.querySelectorAll("#tokens [data-token]")]
  .map((chip) => chip.getBoundingClientRect())
  .filter(({ left, right }) => left >= 0 && right <= innerWidth - 40)
  .map(({ left, top, width, height }) => [left + width / 2, top + height / 2])"""

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
    """One row for maps, one for tokens: median and 95th percentile."""
    size = f"{N_LAYERS * N_HEADS} heads, {N_TOKENS} tokens"
    what = f"the page's work for a move of the pointer over a map, {N_PINS} pinned of {size}"
    target = f"median under {HOVER_MS} ms"
    if find() is None:
        yield Row(what, HOW_TO, target, None)
        return
    with open_page(ALL_EXACT, pins=PINS) as page:
        times = move_times(page, cells(page))
    yield Row(what, _measured(times), target, median(times) < HOVER_MS)
    with open_page(ALL_PAINTED, v="2") as page:
        times = move_times(page, tokens(page))
    what = f"the page's work for pointing at a token, which repaints {size}"
    target = f"95 % under a frame ({FRAME_MS:.1f} ms)"
    yield Row(what, _measured(times), target, quantiles(times, n=20)[-1] < FRAME_MS)


def _measured(times: list[float]) -> str:
    return f"median {median(times):.1f} ms, 95 % under {quantiles(times, n=20)[-1]:.1f} ms"


def cells(page: Page) -> list[Point]:
    """Places on the first pinned map, each in another cell than the one before."""
    canvas = page.locator(".panel canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    left, top = box["x"] + 120, box["y"] + 120
    return [(left + 7 * (step % 16), top + 7 * (step // 2 % 16)) for step in range(MOVES)]


def tokens(page: Page) -> list[Point]:
    """The tokens that are in sight, back and forth."""
    seen: list[Point] = page.evaluate(TOKENS_IN_SIGHT)
    around = [*seen, *reversed(seen[1:-1])]
    return [around[step % len(around)] for step in range(MOVES)]


def move_times(page: Page, places: list[Point]) -> list[float]:
    """Milliseconds of the page's main thread for each move from one place to the next."""
    meter = page.context.new_cdp_session(page)
    # CPU time of the thread, not wall time: other load on the machine does not count.
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate(RESOLVE_AFTER_PAINT)

    def busy_ms(place: Point | None) -> float:
        """Work for a move to a place; with None, the overhead of measuring."""
        before = worked_ms(meter)
        if place is not None:
            page.mouse.move(*place)
        page.evaluate("() => window.painted?.then(() => {})")
        return worked_ms(meter) - before

    for place in places[:WARM_UP]:
        busy_ms(place)
    overhead = median(busy_ms(None) for _ in range(WARM_UP))
    return [busy_ms(place) - overhead for place in places]


def worked_ms(meter: CDPSession) -> float:
    """CPU time of the page's main thread since it started."""
    metrics = {it["name"]: it["value"] for it in meter.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(metrics["TaskDuration"])
