"""Side A against side B: what a program gets, and where the page shows it."""

import json
import re
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LOADING_MS
from tests.browser.programs import SENTENCE
from tests.browser.test_page import open_page

WIDE = SENTENCE.replace("tired", "wide")
TIRED = 13
DIFFERENCE = "A \u2212 B"
CHANGED = re.compile(r"\bchanged\b")


def asked(server: str, path: str, **body: object) -> dict[str, Any]:
    """What a program gets for a question."""
    sent = json.dumps(body).encode()
    request = Request(f"{server}/api/v1/{path}", sent, {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def told(server: str, one: tuple[str, str], other: tuple[str, str]) -> dict[str, Any]:
    """The comparison of two models' texts as the server tells it."""
    sides = [{"model": model, "text": text} for model, text in (one, other)]
    return asked(server, "compare", one=sides[0], other=sides[1])


def weight(server: str, text: str, layer: int, head: int, query: int, key: int) -> float:
    cells = [{"layer": layer, "head": head}]
    found = asked(server, "maps", model="minilm", text=text, combine="head", cells=cells)
    return float(found["pattern"][query][key])


def open_pair(page: Page, server: str, **state: str) -> None:
    """The minimal pair, with both sides' answers and their comparison here."""
    open_page(page, server, **{"text": SENTENCE, "against": "", "against_text": WIDE, **state})
    expect(token(page, "wide", "b")).to_have_class(CHANGED)


def token(page: Page, text: str, side: str = "a") -> Locator:
    strip = page.locator("#tokens" if side == "a" else "#tokens-b")
    return strip.get_by_role("button", name=text, exact=True)


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name)


def rows(page: Page) -> list[tuple[float, ...]]:
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
