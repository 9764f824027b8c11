"""Ask which heads link two tokens, and read their ranking."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.page_actions import find_tab


def open_ask(page: Page) -> None:
    """Open the tab on which a click on a token asks for it."""
    find_tab(page, "Ask").click()
    expect(find_tab(page, "Ask")).to_have_attribute("aria-selected", "true")


def read_ranking(page: Page) -> list[tuple[int, int, float]]:
    """Layer, head and weight of each row."""
    rows = page.locator("#tab-ask .ranking tbody tr").evaluate_all(
        "rows => rows.map((row) => "
        "[row.dataset.layer, row.dataset.head, row.dataset.weight].map(Number))"
    )
    return [tuple(row) for row in rows]


def expect_ranking(page: Page, heads: list[dict[str, Any]]) -> None:
    """Wait for a ranking that begins with the first of these heads, and compare all rows."""
    first = page.locator("#tab-ask .ranking tbody tr").first
    expect(first).to_have_attribute("data-weight", re.compile(re.escape(str(heads[0]["weight"]))))
    shown = read_ranking(page)
    assert shown == [(it["layer"], it["head"], it["weight"]) for it in heads[: len(shown)]]
