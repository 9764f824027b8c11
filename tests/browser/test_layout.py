"""What the window shows at once, in both themes, and how many elements it takes."""

import re

import numpy as np
import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.api_client import ask_server, fetch_map
from tests.browser.compare_actions import open_pair, read_rows
from tests.browser.grid_reader import read_rows_of_tiles
from tests.browser.held_requests import HeldStream, delay_requests
from tests.browser.page_actions import (
    expect_done,
    expect_exact_maps,
    find_cell,
    find_tab,
    find_token,
    hover_cell,
    open_page,
    resize,
    wait_for_frame,
)
from tests.browser.sample_texts import IT, LONG_TEXT, LONG_WORDS, SENTENCE, TIRED

LAPTOP = {"width": 1280, "height": 800}
FOCUS_NAME = "#focus-head .panel-head h3"

# What lies over the cells of the grid where the pointer can be.
COVERS = """() => {
  const { left, top, width, height } = document.querySelector("#grid").getBoundingClientRect();
  const found = new Set();
  for (let row = 1; row < 20; row += 1) {
    for (let column = 1; column < 20; column += 1) {
      const at = document.elementFromPoint(left + (column / 20) * width, top + (row / 20) * height);
      if (!at.closest(".grid-stack")) found.add(at.outerHTML.slice(0, 80));
    }
  }
  return [...found];
}"""


def box_of(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box is not None
    return box


def expect_inside(part: Locator) -> None:
    """All of a part is inside the laptop's window."""
    box = box_of(part)
    assert min(box["x"], box["y"]) >= 0
    assert box["x"] + box["width"] <= LAPTOP["width"]
    assert box["y"] + box["height"] <= LAPTOP["height"]


def expect_grid_on_the_first_screen(page: Page) -> None:
    """The page does not scroll, the first tile is near its top, and all tiles are inside."""
    size = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert size == [LAPTOP["width"], LAPTOP["height"]]
    grid = page.locator("#grid")
    expect_inside(grid)
    tile = find_cell(page, 0, 0)
    half = (find_cell(page, 1, 0)["y"] - tile["y"]) / 2
    assert box_of(grid)["y"] + tile["y"] - half < 200
    assert half > 15, "the tiles are large enough to see a pattern"


def test_a_first_visit_shows_all_heads_and_the_one_in_focus_without_scrolling(
    page: Page, server: str
) -> None:
    page.set_viewport_size(LAPTOP)
    page.goto(server)
    expect_done(page)
    expect(page.locator("#tokens [aria-pressed=true]")).to_have_text(["it"])
    expect(page.locator(FOCUS_NAME)).to_have_text("L3 H1")
    expect(page.locator(".focus-said")).to_have_text(
        "Each tile is one attention head. L3 H1 connects it to animal."
    )
    expect(page.locator("#grid-roles .badge").first).to_be_visible()  # the atlas is drawn
    expect(page.locator("#grid")).to_have_attribute("data-row", str(IT))
    wait_for_frame(page)
    expect_grid_on_the_first_screen(page)
    expect_inside(page.locator("#focus-head .map-view:visible canvas"))


def test_two_sentences_are_compared_without_scrolling(page: Page, server: str) -> None:
    page.set_viewport_size(LAPTOP)
    open_pair(page, server, tab="compare")
    read_rows(page)
    expect(page.locator("#grid-roles .badge").first).to_be_visible()
    wait_for_frame(page)
    expect_grid_on_the_first_screen(page)
    row = page.locator(".compared-row").first
    expect_inside(row)
    maps, links = row.locator(".small-map"), row.locator(".changed-links > *")
    expect(maps).to_have_count(3)
    expect(links).not_to_have_count(0)
    for part in (*maps.all(), *links.all()):
        expect_inside(part)


@pytest.mark.parametrize(("token", "index"), [("tired", TIRED), ("[CLS]", 0)])
def test_pointing_at_a_token_shows_what_it_attends_to_in_every_tile(
    page: Page, server: str, token: str, index: int
) -> None:
    page.emulate_media(color_scheme="light")
    open_page(page, server, text=SENTENCE)
    grid = page.locator("#grid")
    before = grid.evaluate("grid => grid.toDataURL()")
    find_token(page, token).hover()
    expect(grid).to_have_attribute("data-row", str(index))
    told = ask_server(server, "attention")["attention"]
    heads = {(it["layer"], it["head"]): it["pattern"][index] for it in told}
    attention = np.array([[heads[layer, head] for head in range(12)] for layer in range(6)])
    shown = read_rows_of_tiles(page, attention.shape[-1])
    for height in (0, 1):
        # The overview has steps of 1/255 of the root of a weight, and rounds its colours once more.
        assert np.abs(np.sqrt(shown[:, :, height]) - np.sqrt(attention)).max() < 1.6 / 255
    page.mouse.move(5, 5)
    expect(grid).to_have_attribute("data-row", "")
    assert grid.evaluate("grid => grid.toDataURL()") == before


def test_pointing_at_a_tile_shows_that_head_and_covers_no_tile(page: Page, server: str) -> None:
    page.set_viewport_size(LAPTOP)
    open_page(page, server, text=SENTENCE, focus=f"{IT}.")
    canvas = page.locator("#focus-head .map-view:visible canvas")
    name, said = page.locator(FOCUS_NAME), page.locator(".focus-said")
    pictures = set()
    for layer, head in ((5, 11), (0, 2), (3, 1)):
        hover_cell(page, layer, head)
        expect(name).to_have_text(f"L{layer} H{head}")
        expect(said).to_contain_text(f"L{layer} H{head} connects it to ")
        wait_for_frame(page)
        expect_inside(canvas)
        pictures.add(canvas.evaluate("canvas => canvas.toDataURL()"))
        assert page.evaluate(COVERS) == []
        exact = fetch_map(server, (layer, head)).weights[IT].max()
        expect(page.locator("#focus-head .readout:visible")).to_contain_text(f"{exact:.4f}")
    assert len(pictures) == 3, "each head has a map of its own"
    page.mouse.move(5, 5)
    expect(name).to_have_text("L3 H1")  # the last one seen stays


SIZES_OF_GRID = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(() =>
  done(["grid", "grid-foot"].map((id) => document.getElementById(id)).map((it) =>
    [it.offsetWidth, it.offsetHeight])))))"""


@pytest.mark.parametrize("model", ["minilm", "smollm2"])
def test_the_grid_keeps_its_size_in_any_window(page: Page, server: str, model: str) -> None:
    open_page(page, server, model=model, text=SENTENCE)
    for width in (1000, 1280, 1920):
        for height in (560, 640, 720, 800, 1000):
            resize(page, width, height)
            for _ in range(5):  # cells that become larger or smaller may change what is below them
                page.evaluate(SIZES_OF_GRID)
            sizes = [page.evaluate(SIZES_OF_GRID) for _ in range(3)]
            assert sizes[0] == sizes[1] == sizes[2], f"{width} x {height}"


@pytest.mark.parametrize(
    ("text", "waits"), [(SENTENCE, False), (LONG_TEXT, False), (LONG_TEXT, True)]
)
def test_pointing_at_tokens_leaves_the_grid_its_size(
    page: Page, server: str, text: str, waits: bool
) -> None:
    if waits:  # for the exact rows, while pooled ones stand in
        delay_requests(page, "rows")
    open_page(page, server, v="2", text=text)
    page.mouse.move(5, 5)
    wait_for_frame(page)
    before = page.evaluate(SIZES_OF_GRID)
    for token in ("animal", "it", "tired"):
        page.locator("#tokens").get_by_text(token, exact=True).first.hover()
        wait_for_frame(page)
        assert page.evaluate(SIZES_OF_GRID) == before
        page.locator("#tokens").get_by_text(token, exact=True).first.click()
        expect(page.locator("#grid")).to_have_attribute("data-row", re.compile(r"\d|^$"))
        assert page.evaluate(SIZES_OF_GRID) == before
        page.keyboard.press("Escape")


def test_arcs_of_an_earlier_answer_leave_a_narrower_window_its_width(
    page: Page, server: str
) -> None:
    arcs = page.locator("#arcs")
    stream = HeldStream(page)
    page.set_viewport_size(LAPTOP)
    page.goto(server)
    expect(arcs).to_have_attribute("data-links", re.compile("[1-9]"))
    stream.is_holding = True  # what is typed now gets no answer, and so no arcs
    page.locator("#text").click()
    page.keyboard.type("Not answered.")
    expect(arcs).to_have_attribute("data-links", "0")
    resize(page, 390, 844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


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
    n_tokens = page.locator("#tokens [data-token]").count()
    assert n_tokens > 200
    widths = page.locator(".panel").evaluate_all("all => all.map((it) => it.offsetWidth)")
    assert widths[0] > 1.5 * widths[1], "a long heatmap takes the whole row"
    # A chip for each token, a span for each word, menus: nothing for a cell or a line of a map.
    n_chips = n_tokens + page.locator("#tokens .word").count()
    assert page.evaluate("document.body.querySelectorAll('*').length") < n_chips + 1550


def test_on_a_phone_the_first_screen_reaches_the_grid_and_cards_stay_closed(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server)
    expect_done(page)
    top = page.locator("#grid-card").evaluate("it => it.getBoundingClientRect().top")
    assert top < 700
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    strip = box_of(page.locator("#tokens"))
    chosen = box_of(page.locator("#tokens .token[aria-pressed=true]"))
    assert strip["x"] <= chosen["x"] <= strip["x"] + strip["width"] - chosen["width"]
    tops = page.locator(".wordmark, .top-links > :visible").evaluate_all(
        "all => all.map((it) => it.getBoundingClientRect().bottom)"
    )
    assert max(tops) < 60, "the links stand in one row"
    page.locator("#grid").click()
    expect(page.locator(".panel .head-card")).to_have_count(1)
    expect(page.locator(".head-card[open]")).to_have_count(0)


def test_on_a_phone_a_long_text_leaves_the_screen_to_the_grid(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, server, text=LONG_TEXT)
    text = page.locator("#text")
    assert box_of(text)["height"] <= 100
    assert box_of(page.locator("#grid"))["y"] < 422
    text.click()
    assert box_of(text)["height"] > 200, "there is room to edit it"


def test_on_a_phone_a_tap_goes_to_the_head_it_pinned(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, server, text=SENTENCE, v="2", focus=f"{IT}.")
    for at, (layer, head) in enumerate(((3, 1), (0, 2), (5, 11))):
        page.evaluate("scrollTo(0, 0)")
        page.locator("#grid").click(position=find_cell(page, layer, head))
        panel = page.locator(f".panel[data-layer='{layer}'][data-head='{head}']")
        expect(panel).to_be_in_viewport()
        wait_for_frame(page)
        strip, place = box_of(page.locator("#strips")), box_of(panel)
        assert place["y"] >= strip["y"] + strip["height"], "the strip covers nothing of it"
        assert at == 0 or place["y"] < 200


def test_on_a_phone_tabs_stay_where_they_were_pressed(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, server, v="2", model="smollm2", text=SENTENCE)
    tabs = page.locator("#side-tabs")
    tabs.evaluate("it => scrollBy(0, it.getBoundingClientRect().top - 300)")
    for name in ("Heads", "Corpus"):
        find_tab(page, name).click()
        assert box_of(tabs)["y"] == pytest.approx(300, abs=2)
    find_tab(page, "Generate").click()  # it is above the grid: there the strip is near the top
    expect(tabs).to_be_in_viewport()
    before = box_of(tabs)["y"]
    find_tab(page, "Heads").click()
    assert box_of(tabs)["y"] == pytest.approx(before, abs=2)


def test_strips_of_two_sides_are_scrolled_together(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_pair(page, server, focus=f"{TIRED}.")
    positions = "() => ['tokens', 'tokens-b'].map((id) => document.getElementById(id).scrollLeft)"
    one, other = page.evaluate(positions)
    assert one > 50
    assert other == pytest.approx(one, abs=30), "the shorter one as far as it goes"
    page.locator("#tokens-b").evaluate("strip => { strip.scrollLeft = 40; }")
    page.wait_for_function("() => document.getElementById('tokens').scrollLeft === 40")
    wait_for_frame(page)
    assert page.evaluate(positions) == [40, 40]


def test_what_attention_does_not_show_opens_over_the_grid(page: Page, server: str) -> None:
    page.set_viewport_size(LAPTOP)
    open_page(page, server, text=SENTENCE)
    before = page.evaluate(SIZES_OF_GRID)
    page.get_by_text("What attention does not show").click()
    expect(page.locator("#limits-list li").first).to_be_in_viewport()
    assert page.evaluate(SIZES_OF_GRID)[0] == before[0]
    page.keyboard.press("Escape")
    expect(page.locator("#limits-list li").first).to_be_hidden()


# Of what is in sight: rows further down are painted when they come near.
PICTURES = """() => [...document.querySelectorAll("canvas")]
  .filter((it) => it.checkVisibility() && it.getBoundingClientRect().bottom < innerHeight)
  .map((it) => it.toDataURL())"""


@pytest.mark.parametrize("tab", ["pinned", "compare"])
def test_another_theme_paints_every_canvas_as_if_the_page_had_opened_in_it(
    page: Page, server: str, tab: str
) -> None:
    page.emulate_media(color_scheme="dark")
    open_pair(page, server, tab=tab, pins="3.1h,5.11l", focus=f"{IT}.")
    page.wait_for_load_state("networkidle")
    wait_for_frame(page)
    dark = page.evaluate(PICTURES)
    page.emulate_media(color_scheme="light")
    page.reload()
    expect(find_token(page, "it")).to_have_attribute("aria-pressed", "true")
    page.wait_for_load_state("networkidle")
    wait_for_frame(page)
    light = page.evaluate(PICTURES)
    changed = sum(one != other for one, other in zip(light, dark, strict=True))
    assert changed >= 5, "all but empty ones"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"dark => String(({PICTURES})()) === String(dark)", arg=dark)


def test_one_pin_fills_its_column_and_a_card_keeps_inside(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    widths = page.locator(".side, .panel").evaluate_all("all => all.map((it) => it.offsetWidth)")
    assert len(set(widths)) == 1
    page.get_by_text("Evidence and numbers").click()
    expect(page.locator(".head-card[open] table")).to_be_visible()
    resize(page, 390, 844)
    inside = "it => it.scrollWidth <= it.clientWidth"
    assert page.locator(".head-card-body").evaluate(inside)


def test_pinned_maps_come_back_as_they_were_scrolled(page: Page, server: str) -> None:
    page.set_viewport_size(LAPTOP)
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11l,2.4t")
    expect_exact_maps(page)
    tab = page.locator("#tab-pinned")
    tab.evaluate("tab => { tab.scrollTop = 120; }")
    widths = page.locator(".panel canvas").evaluate_all("all => all.map((it) => it.width)")
    hover_cell(page, 0, 0)
    expect(page.locator(FOCUS_NAME)).to_have_text("L0 H0")
    expect(page.locator(".panel").first).to_be_hidden()
    wait_for_frame(page)
    behind = page.locator(".panel canvas").evaluate_all("all => all.map((it) => it.width)")
    assert behind == widths, "they need not be drawn again"
    tools = box_of(page.locator("#tab-pinned .side-tools"))
    assert tab.evaluate("tab => tab.scrollTop") <= tools["height"], "it is shown from its top"
    page.mouse.move(5, 5)
    expect(page.locator(".panel").first).to_be_visible()
    wait_for_frame(page)
    assert tab.evaluate("tab => tab.scrollTop") == 120
    resize(page, 1300, 780)
    assert tab.evaluate("tab => tab.scrollTop") == 120


def test_the_ranking_below_pinned_maps_stays_under_the_pointer(page: Page, server: str) -> None:
    page.set_viewport_size(LAPTOP)
    open_page(page, server, text=SENTENCE, pins="5.11h", focus=f"{IT}.2")
    expect_exact_maps(page)
    page.get_by_role("button", name="All heads ranked").click()
    row = page.locator(".link-ranking tbody tr", has_text="L0 H6")
    row.hover()
    wait_for_frame(page)
    row.get_by_role("button", name="Pin").click()
    expect(page.locator(".panel")).to_have_count(2)


def test_the_head_in_focus_has_both_maps_while_both_are_shown(page: Page, server: str) -> None:
    page.set_viewport_size(LAPTOP)
    open_page(page, server, text=SENTENCE, values="both", focus=f"{IT}.")
    hover_cell(page, 3, 1)
    maps = page.locator("#focus-head .map-view:visible")
    expect(maps.locator("figcaption")).to_have_text(["Raw", "Value-weighted"])
    for picture in maps.locator("canvas").all():
        expect_inside(picture)
    page.mouse.move(5, 5)
    page.keyboard.press("v")
    expect(maps).to_have_count(1)
