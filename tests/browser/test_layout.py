"""The page in both themes, its panels side by side, and how many elements it takes."""

from playwright.sync_api import Page, expect

from tests.browser.page_actions import expect_done, expect_exact_maps, open_page, wait_for_frame
from tests.browser.sample_texts import LONG_WORDS, SENTENCE


def test_the_page_is_as_dark_as_the_system_wants_it(page: Page, server: str) -> None:
    page.emulate_media(color_scheme="dark")
    open_page(page, server, text=SENTENCE)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red = int(background.removeprefix("rgb(").split(",")[0])
        assert (red < 60) == (scheme == "dark")


def test_panels_stand_in_even_columns(page: Page, server: str) -> None:
    for pins in (2, 4, 8):
        heads = ",".join(f"{n % 6}.{n}h" for n in range(pins))
        open_page(page, server, text=SENTENCE, pins=heads)
        expect(page.locator(".panel")).to_have_count(pins)
        expect_exact_maps(page)
        wait_for_frame(page)
        boxes = [panel.bounding_box() for panel in page.locator(".panel").all()]
        widths = {round(box["width"]) for box in boxes if box}
        lefts = sorted({round(box["x"]) for box in boxes if box})
        assert len(widths) == 1
        assert len(lefts) >= 2, "panels are not side by side"


def test_a_long_text_in_eight_panels_needs_few_elements(page: Page, server: str) -> None:
    heads = ",".join(f"{n % 6}.{n}{'hl'[n % 2]}" for n in range(8))
    open_page(page, server, text=LONG_WORDS, pins=heads)
    n_tokens = page.locator("#tokens [data-index]").count()
    assert n_tokens > 200
    widths = page.locator(".panel").evaluate_all("all => all.map((it) => it.offsetWidth)")
    assert widths[0] > 1.5 * widths[1], "a long heatmap takes the whole row"
    # A chip for each token, menus and one open card: nothing for a cell or a line of a map.
    assert page.evaluate("document.body.querySelectorAll('*').length") < n_tokens + 1500


def test_on_a_phone_the_first_screen_reaches_the_grid_and_cards_stay_closed(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server)
    expect_done(page)
    top = page.locator("#grid-card").evaluate("it => it.getBoundingClientRect().top")
    assert top < 700
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    tops = page.locator(".wordmark, .top-links > :visible").evaluate_all(
        "all => all.map((it) => it.getBoundingClientRect().bottom)"
    )
    assert max(tops) < 60, "the links stand in one row"
    page.locator("#grid").click()
    expect(page.locator(".panel .head-card")).to_have_count(1)
    expect(page.locator(".head-card[open]")).to_have_count(0)


def test_one_pin_fills_its_column_and_a_card_keeps_inside(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    widths = page.locator(".side, .panel").evaluate_all("all => all.map((it) => it.offsetWidth)")
    assert len(set(widths)) == 1
    expect(page.locator(".head-card[open] table")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    inside = "it => it.scrollWidth <= it.clientWidth"
    assert page.locator(".head-card-body").evaluate(inside)
