"""The page at the sizes and in the themes people use it in."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.programs import SENTENCE
from tests.browser.test_page import open_page

LONG = " ".join(
    ["Antidisestablishmentarianism", "and", "the", "small", "words", "around", "it"] * 20
)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "pins"), [(SENTENCE, 0), (SENTENCE, 8), (LONG, 4)])
def test_nothing_is_wider_than_the_window(
    browser: Browser, server: str, width: int, scheme: str, text: str, pins: int
) -> None:
    with browser.new_context(
        viewport={"width": width, "height": 844},
        color_scheme="dark" if scheme == "dark" else "light",
    ) as context:
        page = context.new_page()
        heads = ",".join(f"{n % 6}.{n}{'hl'[n % 2]}" for n in range(pins))
        open_page(page, server, text=text, pins=heads)
        expect(page.locator(".panel")).to_have_count(pins)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red = int(background.removeprefix("rgb(").split(",")[0])
        assert (red < 60) == (scheme == "dark")


@pytest.mark.parametrize("pins", [2, 4, 8])
def test_panels_stand_in_even_columns(browser: Browser, server: str, pins: int) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        heads = ",".join(f"{n % 6}.{n}h" for n in range(pins))
        open_page(page, server, text=SENTENCE, pins=heads)
        boxes = [panel.bounding_box() for panel in page.locator(".panel").all()]
        assert len(boxes) == pins
        widths = {round(box["width"]) for box in boxes if box}
        lefts = sorted({round(box["x"]) for box in boxes if box})
        assert len(widths) == 1
        assert len(lefts) >= 2, "panels are not side by side"


def test_a_long_text_in_eight_panels_needs_few_elements(browser: Browser, server: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        heads = ",".join(f"{n % 6}.{n}{'hl'[n % 2]}" for n in range(8))
        open_page(page, server, text=LONG, pins=heads)
        n_tokens = page.locator("#tokens [data-index]").count()
        assert n_tokens > 200
        # A chip for each token, menus and one open card: nothing for a cell or a line of a map.
        assert page.evaluate("document.querySelectorAll('*').length") < n_tokens + 1500
