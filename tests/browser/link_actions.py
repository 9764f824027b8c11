"""Choose a link between two tokens, and read the ranking of heads by it."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.page_actions import find_token


def choose_link(page: Page, query: str, key: str) -> None:
    """Click the token that attends, then the one it attends to."""
    find_token(page, query).click()
    find_token(page, key).click()


def find_ranking_rows(page: Page) -> Locator:
    return page.locator(".link-ranking .ranking tbody tr")


def read_ranking(page: Page) -> list[tuple[int, int, float]]:
    """Layer, head and weight of each row."""
    rows = find_ranking_rows(page).evaluate_all(
        "rows => rows.map((row) => "
        "[row.dataset.layer, row.dataset.head, row.dataset.weight].map(Number))"
    )
    return [tuple(row) for row in rows]


def expect_ranking(page: Page, heads: list[dict[str, Any]]) -> None:
    """Wait for a ranking that begins with the first of these heads, and compare all rows."""
    first = find_ranking_rows(page).first
    expect(first).to_have_attribute("data-weight", re.compile(re.escape(str(heads[0]["weight"]))))
    shown = read_ranking(page)
    assert shown == [(it["layer"], it["head"], it["weight"]) for it in heads[: len(shown)]]
