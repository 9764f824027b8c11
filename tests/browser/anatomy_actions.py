"""The walk of the tab Anatomy: opening it at a step, finding its matrices and their numbers."""

import re
from typing import Any, cast
from urllib.parse import quote

from playwright.sync_api import Locator, Page, Position, expect

from tests.browser.api_client import post
from tests.browser.page_actions import LOADING_MS, STALE

KING = "the king near the girls says that he sleeps ."
"""A sentence of the small language: eleven tokens with the one before it."""
STEPS = (
    *("embeddings", "one_or_many", "qkv", "scores", "scale", "mask"),
    *("softmax", "values", "concat", "output", "block", "stack"),
)


def open_walk(page: Page, server: str, step: str, place: str = "0.1", **link: str) -> None:
    """Open a step of the small model on its sentence, or of what the link says; the place is layer,
    head and perhaps token."""
    parts = {"v": "2", "model": "language", "text": KING, "tab": "anatomy", **link}
    parts["walk"] = f"{step}.{place}"
    page.goto(f"{server}/#{'&'.join(f'{name}={quote(value)}' for name, value in parts.items())}")
    expect_step(page, step)


def expect_step(page: Page, step: str) -> None:
    """Wait until the picture is that of a step, with all its numbers."""
    stage = page.locator(".stage")
    expect(stage).to_have_attribute("data-step", step, timeout=LOADING_MS)
    expect(stage).not_to_have_class(STALE, timeout=LOADING_MS)


def find_matrix(page: Page, figure: str) -> Locator:
    return page.locator(f".stage .matrix:not(.leaving)[data-figure='{figure}']")


def find_number(page: Page, figure: str, row: int, column: int) -> Position:
    """The middle of a cell as it is drawn, from the corner of the matrix's canvas."""
    told = find_matrix(page, figure).get_attribute("data-cells") or ""
    left, top, wide, high = map(float, told.split(","))
    return {"x": left + (column + 0.5) * wide, "y": top + (row + 0.5) * high}


def point_at(page: Page, figure: str, row: int, column: int) -> None:
    cells = find_matrix(page, figure).locator(".matrix-cells")
    cells.hover(position=find_number(page, figure, row, column))


def click_number(page: Page, figure: str, row: int, column: int) -> None:
    cells = find_matrix(page, figure).locator(".matrix-cells")
    cells.click(position=find_number(page, figure, row, column))


def read_number(page: Page) -> float:
    """The number that the readout says, with all its digits."""
    readout = page.locator(".number-readout")
    expect(readout).to_have_attribute("data-value", re.compile(r"\d|Infinity"))
    return float(readout.get_attribute("data-value") or "nan")


def read_head_bars(page: Page, kind: str) -> list[float]:
    """What each head's bar says."""
    bars = page.locator(f".{kind} li")
    expect(bars.first).to_be_visible(timeout=LOADING_MS)
    return cast(
        list[float], bars.evaluate_all("rows => rows.map((row) => Number(row.dataset.value))")
    )


def fetch_layer(
    server: str, step: str, layer: int = 0, head: int = 1, **more: object
) -> dict[str, Any]:
    """The same layer as a program gets it."""
    asked: dict[str, object] = {
        "model": "language",
        "text": KING,
        "layer": layer,
        "head": head,
        "step": step,
    }
    return post(server, "learn/anatomy", **asked | more)
