"""Open the Training tab, wait for what it shows, read its numbers."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.made_up_sweeps import sweeps
from tests.browser.page_actions import LOADING_MS

SEVERAL = re.compile(r"\d")


def expect_run(page: Page) -> None:
    """Wait until the run on screen has its charts and its maps."""
    plots = page.locator(".training-run .training-plot[data-step]")
    expect(plots).to_have_count(2, timeout=LOADING_MS)
    expect(page.locator(".training-maps")).to_have_attribute(
        "data-step", SEVERAL, timeout=LOADING_MS
    )
    expect(page.locator(".head-maps:not(.waiting)")).to_be_visible(timeout=LOADING_MS)


def open_training(page: Page, server: str, **state: str) -> None:
    """Open the tab on a lesson or a run and wait for it."""
    fragment = "&".join(f"{name}={value}" for name, value in {"tab": "training", **state}.items())
    page.goto(f"{server}/#v=2&{fragment}")
    expect_run(page)


def find_head(page: Page, layer: int, head: int) -> Locator:
    """Find the map of a head."""
    return page.locator(f".head-maps figure[data-layer='{layer}'][data-head='{head}']")


def point_at(page: Page, layer: int, head: int, query: int, key: int, n: int) -> None:
    """Point at one cell of the map of a head, of so many tokens."""
    canvas = find_head(page, layer, head).locator("canvas")
    canvas.scroll_into_view_if_needed()
    side = float(page.locator(".training-maps").get_attribute("data-side") or 0)
    canvas.hover(position={"x": (key + 0.5) * side / n, "y": (query + 0.5) * side / n})


def give_sweeps(page: Page) -> None:
    """Have the page get made-up records of many trainings."""
    page.route("**/api/v1/learn/sweeps", lambda route: route.fulfill(json=sweeps()))


def choose_lesson(page: Page, title: str) -> None:
    page.locator(".lesson-title", has_text=title).click()
