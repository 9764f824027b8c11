"""Open a comparison of two sides and read its rows."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.page_actions import LOADING_MS, find_token, open_page
from tests.browser.sample_texts import SENTENCE, WIDE_SENTENCE

DIFFERENCE = "A \u2212 B"
CHANGED = re.compile(r"\bchanged\b")


def open_pair(page: Page, server: str, **state: str) -> None:
    """Open the minimal pair and wait for both sides' answers and their comparison."""
    open_page(
        page, server, **{"text": SENTENCE, "against": "", "against_text": WIDE_SENTENCE, **state}
    )
    expect(find_token(page, "wide", "b")).to_have_class(CHANGED)


def read_rows(page: Page) -> list[tuple[float, ...]]:
    """Layer, head, other layer, other head and number of each row that is not of the past."""
    expect(page.locator(".compared-card:not(.stale) .compared-row").first).to_be_visible(
        timeout=LOADING_MS
    )
    found: list[list[float]] = page.locator(".compared-row").evaluate_all(
        "rows => rows.map(({ dataset }) => [dataset.layer, dataset.head, dataset.otherLayer, "
        "dataset.otherHead, dataset.value].map(Number))"
    )
    return [tuple(row) for row in found]


def expected_rows(comparison: dict[str, Any], number: str) -> list[tuple[float, ...]]:
    names = ("layer", "head", "other_layer", "other_head", number)
    return [tuple(head[name] for name in names) for head in comparison["heads"]]
