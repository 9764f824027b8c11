"""The comparison of A with B: a minimal pair and two models, as the server compares them."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.comparing import (
    DIFFERENCE,
    WIDE,
    expected_rows,
    open_pair,
    rows,
    tab,
    token,
    told,
    weight,
)
from tests.browser.conftest import LOADING_MS, Watched
from tests.browser.map_reader import point_at, points
from tests.browser.programs import SENTENCE
from tests.browser.scenes import exact
from tests.browser.test_page import (
    CENTRE,
    click_cell,
    drawn,
    expect_done,
    open_page,
    panel,
    readout,
    shown_map,
)

# How many colours a canvas has, and how many of them are not on a scale.
SHADES_OF = """async (canvas, scale) => {
  const known = new Set((await import("/maps/color.js"))[scale]("light").table);
  const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const found = new Set(new Uint32Array(image.data.buffer));
  return [found.size, [...found].filter((colour) => !known.has(colour)).length];
}"""

# Which of the grid's colours are those of differences, and how many lie on each arm.
DIVERGING = """async ([layers, heads]) => {
  const { gridGeometry, cellBox } = await import("/views/grid/grid_geometry.js");
  const { divergingOf } = await import("/maps/color.js");
  const canvas = document.querySelector("#grid");
  const width = document.querySelector("#explore").clientWidth;
  const room = { layers, heads, width, height: innerHeight, ratio: devicePixelRatio };
  const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const codes = new Map([...divergingOf("light").table].map((colour, code) => [colour, code]));
  const found = { blue: 0, orange: 0, other: 0 };
  for (let layer = 0; layer < layers; layer += 1) {
    for (let head = 0; head < heads; head += 1) {
      const box = cellBox(gridGeometry(room), { layer, head });
      const [x, y, size] = [box.x, box.y, box.size].map((at) => Math.round(at * devicePixelRatio));
      for (let row = y; row < y + size; row += 1) {
        const start = row * canvas.width + x;
        for (const colour of pixels.subarray(start, start + size)) {
          const code = codes.get(colour);
          found[code === undefined ? "other" : code < 128 ? "blue" : "orange"] += 1;
        }
      }
    }
  }
  return found;
}"""


def test_a_word_is_changed_and_the_heads_are_listed_by_how_much_they_changed(
    page: Page, server: str, watched: Watched
) -> None:
    open_page(page, server, text=SENTENCE)
    page.get_by_role("button", name="Compare with…").click()
    box = page.locator("#against-text")
    expect(box).to_be_focused()
    expect(box).to_have_value(SENTENCE)
    expect(page.locator("#tab-compare")).to_contain_text("Nothing differs yet")
    box.fill(WIDE)
    expect(page.locator("#compared-alignment")).to_contain_text("1 changed (tired ↔ wide;")
    comparison = told(server, ("minilm", SENTENCE), ("minilm", WIDE))
    expected = expected_rows(comparison, "change")
    assert rows(page) == expected[:12]
    page.get_by_role("button", name="Show all 72 heads").click()
    assert rows(page) == expected
    colours = page.locator(".compared-legend")
    for words in ("blue: B gives more", "orange: A gives more", "0.25", "+1"):
        expect(colours).to_contain_text(words)
    first = comparison["heads"][0]
    row = page.locator(".compared-row").first
    expect(row).to_contain_text(f"L{first['layer']} H{first['head']}")
    expect(row).to_contain_text(f"{first['change']:.3f}")
    assert watched.complaints == []


def test_small_maps_are_painted_in_the_colours_of_the_grid_also_those_far_down(
    page: Page, server: str
) -> None:
    open_pair(page, server, tab="compare")
    rows(page)
    page.get_by_role("button", name="Show all 72 heads").click()
    expect(page.locator(".compared-row")).to_have_count(72)
    for at in (0, 71):
        row = page.locator(".compared-row").nth(at)
        row.scroll_into_view_if_needed()
        for name, scale in (("a", "scaleOf"), ("b", "scaleOf"), ("difference", "divergingOf")):
            canvas = row.locator(f".small-map[data-map='{name}'] canvas")
            expect(canvas).to_have_js_property("width", 56)
            shades, strange = canvas.evaluate(SHADES_OF, scale)
            assert shades > 3
            assert strange == 0


def test_opposite_tokens_are_marked_and_light_up_together(page: Page, server: str) -> None:
    open_pair(page, server)
    for text, side, opposite in (("tired", "a", "B reads wide"), ("wide", "b", "A reads tired")):
        chip = token(page, text, side)
        expect(chip).to_have_attribute("title", re.compile(opposite))
        decoration = chip.evaluate("chip => getComputedStyle(chip).textDecorationStyle")
        assert decoration == "double", "marked by more than colour"
    expect(page.locator(".token.changed")).to_have_count(2)
    expect(page.locator(".token.alone")).to_have_count(0)
    lit = re.compile(r"\bis-query\b")
    for text, side, opposite in (("tired", "a", "wide"), ("wide", "b", "tired")):
        token(page, text, side).hover()
        expect(token(page, opposite, "b" if side == "a" else "a")).to_have_class(lit)
        expect(page.locator(".token.is-query")).to_have_count(2)


def test_the_grid_shows_a_minus_b_in_its_own_colours(
    page: Page, server: str, watched: Watched
) -> None:
    open_pair(page, server)
    sides = page.locator("#grid-sides")
    sides.get_by_text(DIFFERENCE).click()
    expect(page.locator("#grid-title")).to_have_text(DIFFERENCE)
    expect(page.locator("#legend")).to_contain_text("blue: B gives more")
    expect(page.locator("#legend")).to_contain_text("orange: A gives more")
    found = page.evaluate(DIVERGING, [6, 12])
    assert found["other"] == 0
    assert min(found["blue"], found["orange"]) > 1000
    sides.get_by_text("B", exact=True).click()
    expect(page.locator("#grid-title")).to_have_text("All heads of B")
    expect(page.locator("#legend-title")).to_have_text(re.compile("^B: attention weight"))
    click_cell(page, 3, 1)
    expect(panel(page, 3, 1, "b")).to_be_visible()
    assert watched.complaints == []


def test_the_three_pinned_maps_agree_number_by_number(page: Page, server: str) -> None:
    open_pair(page, server, tab="compare")
    layer, head = (int(part) for part in rows(page)[0][:2])
    button = page.locator(".compared-row").first.get_by_role(
        "button", name=f"A, B and {DIFFERENCE}"
    )
    button.click()
    expect(button).to_have_text("Pinned")
    tab(page, "Pinned (3)").click()
    exact(page)
    expect(page.locator(".panel:visible")).to_have_count(3)
    map_view = shown_map(page.locator(".panel[data-kind='difference']"))
    canvas = map_view.locator("canvas")
    said = map_view.locator(".readout")
    for point in points(canvas, ((0.45, 0.5), (0.8, 0.8), (0.6, 0.35))):
        point_at(canvas, said, point)
        query, key = (int(said.get_attribute(f"data-{end}") or "") for end in ("query", "key"))
        a, b = (weight(server, text, layer, head, query, key) for text in (SENTENCE, WIDE))
        values = [
            float(it.get_attribute("data-value") or "nan")
            for it in (readout(page, layer, head), readout(page, layer, head, "b"), said)
        ]
        assert values == pytest.approx([a, b, a - b], abs=1e-5)


def test_a_small_map_pins_what_it_shows_and_unpins_it(page: Page, server: str) -> None:
    open_pair(page, server, tab="compare")
    layer, head = (int(part) for part in rows(page)[0][:2])
    small = page.locator(".compared-row").first.locator(".small-map[data-map='b']")
    small.click()
    expect(small).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".panel")).to_have_count(1)
    expect(panel(page, layer, head, "b")).to_have_count(1)
    small.click()
    expect(page.locator(".panel")).to_have_count(0)


def test_cells_are_coloured_and_ordered_by_change(page: Page, server: str) -> None:
    open_pair(page, server)
    page.locator("#grid-colour").select_option(label="Change between A and B")
    page.locator("#grid-sort").select_option(label="Strongest first")
    expect(page.locator("#grid")).to_have_attribute("data-colour", "change")
    drawn(page)
    heads = told(server, ("minilm", SENTENCE), ("minilm", WIDE))["heads"]
    for at in (0, 1, 13, 71):
        row, column = divmod(at, 12)
        x, y = page.evaluate(CENTRE, [row, column, 6, 12])
        page.locator("#grid").hover(position={"x": x, "y": y})
        name = f"L{heads[at]['layer']} H{heads[at]['head']}"
        expect(page.locator("#grid-tip-name")).to_have_text(name)
        expect(page.locator("#grid-tip")).to_contain_text(f"Change: {heads[at]['change']:.3f}")


def test_a_link_restores_the_whole_comparison(page: Page, browser: Browser, server: str) -> None:
    open_pair(page, server, tab="compare", grid="difference")
    rows(page)
    page.locator(".compared-row .chip").first.click()
    page.locator("#grid-colour").select_option("change")
    page.locator("#grid-sort").select_option("value")
    token(page, "wide", "b").click()
    page.mouse.move(5, 5)
    expect(page).to_have_url(re.compile("color=change.*sort=value"))
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        other = context.new_page()
        other.goto(page.url)
        expect_done(other)
        assert rows(other) == rows(page)
        expect(other.locator("#against-text")).to_have_value(WIDE)
        expect(token(other, "wide", "b")).to_have_attribute("aria-pressed", "true")
        expect(other.locator("#grid")).to_have_attribute("data-colour", "change")
        expect(other.locator("#grid-sides [aria-pressed=true]")).to_have_text(DIFFERENCE)
        expect(other.locator(".panel")).to_have_count(3)
        for what in ("#tokens-b", "#tab-compare", "#legend-title"):
            said = page.locator(what).inner_text()
            expect(other.locator(what)).to_have_text(said, use_inner_text=True)
        expect(other).to_have_url(page.url)


def test_ending_the_comparison_leaves_a_as_it_was(
    page: Page, server: str, watched: Watched
) -> None:
    open_pair(page, server, tab="compare", grid="difference", color="change", pins="0.0h,b:0.0h")
    rows(page)
    page.get_by_role("button", name="Stop comparing").click()
    expect(page.get_by_role("button", name="Compare with…")).to_be_focused()
    for gone in ("#against", "#tokens-b", "#grid-sides", "#tab-compare", "#tab-button-compare"):
        expect(page.locator(gone)).to_be_hidden()
    expect(page.locator(".side-badge:visible")).to_have_count(0)
    expect(page.locator(".token.changed, .token.alone")).to_have_count(0)
    expect(page.locator(".panel")).to_have_count(1)
    expect(page.locator("#grid-title")).to_have_text("All heads")
    expect(page.locator("#grid")).to_have_attribute("data-colour", "map")
    expect(page).not_to_have_url(re.compile("against|grid=|change"))
    assert watched.complaints == []


@pytest.mark.parametrize(
    ("one", "other", "alone"),
    [("minilm", "smollm2", ["[CLS]", "[SEP]"]), ("headscope-tiny", "minilm", ["<bos>"])],
)
def test_heads_of_two_models_are_matched_as_the_server_matches_them(
    page: Page, server: str, watched: Watched, one: str, other: str, alone: list[str]
) -> None:
    open_page(
        page, server, model=one, text=SENTENCE, against="", against_model=other, tab="compare"
    )
    comparison = told(server, (one, SENTENCE), (other, SENTENCE))
    expected = expected_rows(comparison, "similarity")
    assert rows(page) == expected[:12]
    first = comparison["heads"][0]
    names = [f"L{first[f'{it}layer']} H{first[f'{it}head']}" for it in ("", "other_")]
    heads = page.locator(".compared-row").first.locator(".named-head")
    expect(heads.locator("b")).to_have_text(names)  # each beside its own letters
    little = [
        it for it in comparison["heads"][:12] if min(it["share_one"], it["share_other"]) < 0.5
    ]
    expect(page.locator(".compared-row .hint")).to_have_count(len(little))
    expect(page.locator("#compared-alignment")).to_contain_text(
        f"words both tokenizers share: {sum(1 for it in comparison['units'] if it['same'])} matched"
    )
    for text in alone:
        expect(page.locator("#tokens .token.alone").get_by_text(text)).to_have_count(1)
    assert watched.complaints == []


def test_a_focus_goes_over_to_the_words_of_another_model(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, against="", against_model="smollm2", pins="3.1h,b:11.6h")
    expect(token(page, "[CLS]")).to_have_class(re.compile("alone"), timeout=LOADING_MS)
    token(page, "t").hover()
    expect(token(page, "'t", "b")).to_have_class(re.compile("is-query"))
    token(page, "'t", "b").hover()
    expect(page.locator("#tokens .token.is-query")).to_have_text(["'", "t"])
    token(page, "it").hover()
    expect(readout(page, 3, 1)).to_contain_text("it →")
    expect(readout(page, 11, 6, "b")).to_contain_text("it →")
    token(page, "[CLS]").hover()
    expect(page.locator("#tokens-b .is-query")).to_have_count(0)


def test_heads_of_two_models_are_not_subtracted_and_the_grid_says_why(
    page: Page, server: str
) -> None:
    open_page(
        page,
        server,
        text=SENTENCE,
        against="",
        against_model="headscope-tiny",
        grid="difference",
        color="change",
    )
    note = page.locator("#grid-side-note")
    expect(note).to_contain_text("two models. The grid shows A.")
    expect(page.locator("#grid-colour option:checked")).to_have_text("Likeness to the other model")
    expect(page.locator("#grid")).to_have_attribute("data-colour", "change", timeout=LOADING_MS)
    page.locator("#grid-sides").get_by_text("A", exact=True).click()
    expect(note).to_be_hidden()
    expect(page.locator("#grid-sides").get_by_text(DIFFERENCE)).to_be_disabled()
