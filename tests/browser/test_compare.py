"""The comparison of A with B: a minimal pair and two models, as the server compares them."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.api_client import fetch_comparison, fetch_map
from tests.browser.compare_actions import DIFFERENCE, expected_rows, open_pair, read_rows
from tests.browser.grid_reader import read_cells
from tests.browser.map_reader import find_points, point_at
from tests.browser.page_actions import (
    LOADING_MS,
    click_cell,
    expect_done,
    expect_exact_maps,
    find_map,
    find_panel,
    find_readout,
    find_tab,
    find_token,
    hover_cell,
    open_page,
    wait_for_frame,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE, WIDE_SENTENCE

# How many colours a canvas has, and how many of them are not on a scale.
SHADES_OF = """async (canvas, scale) => {
  const known = new Set((await import("/maps/color.js"))[scale]("light").table);
  const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const found = new Set(new Uint32Array(image.data.buffer));
  return [found.size, [...found].filter((colour) => !known.has(colour)).length];
}"""

# Which of the grid's colours are those of differences, and how many lie on each arm.
DIVERGING = """async ([layers, heads]) => {
  const { gridGeometry, cellBox } = await import("/drawing/grid_geometry.js");
  const { divergingOf } = await import("/maps/color.js");
  const canvas = document.querySelector("#grid");
  const { gridRoom } = await import("/views/grid/grid_room.js");
  const room = { layers, heads, ...gridRoom(), ratio: devicePixelRatio };
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
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    page.get_by_role("button", name="Compare").click()
    box = page.locator("#against-text")
    expect(box).to_be_focused()
    expect(box).to_have_value(SENTENCE)
    expect(page.locator("#tab-compare")).to_contain_text("Nothing differs yet")
    box.fill(WIDE_SENTENCE)
    expect(page.locator("#compared-alignment")).to_contain_text("1 changed (tired ↔ wide;")
    comparison = fetch_comparison(server, ("minilm", SENTENCE), ("minilm", WIDE_SENTENCE))
    expected = expected_rows(comparison, "change")
    assert read_rows(page) == expected[:12]
    page.get_by_role("button", name="Show all 72 heads").click()
    assert read_rows(page) == expected
    colours = page.locator(".compared-legend")
    for words in ("blue: B gives more", "orange: A gives more"):
        expect(colours).to_contain_text(words)
    # The colours end at the largest difference in the list, rounded up; small maps are in steps.
    largest = max(
        abs(it["one"] - it["other"]) for row in comparison["heads"] for it in row["links"]
    )
    end = float(colours.locator(".legend-ticks span").last.inner_text())
    assert end == pytest.approx(largest, abs=0.02)
    first = comparison["heads"][0]
    row = page.locator(".compared-row").first
    expect(row).to_contain_text(f"L{first['layer']} H{first['head']}")
    expect(row).to_contain_text(f"{first['change']:.3f}")
    links = page.locator(".compared-row[data-layer='3'][data-head='1'] .changed-links li")
    expect(links).to_have_count(3)
    expect(links.filter(has_text="it → animal")).to_have_text("it → animal .677 → .281")
    assert page_log.complaints == []


def test_small_maps_are_painted_in_the_colours_of_the_grid_also_those_far_down(
    page: Page, server: str
) -> None:
    open_pair(page, server, tab="compare")
    read_rows(page)
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
        chip = find_token(page, text, side)
        expect(chip).to_have_attribute("title", re.compile(opposite))
        decoration = chip.evaluate("chip => getComputedStyle(chip).textDecorationStyle")
        assert decoration == "double", "marked by more than colour"
    expect(page.locator(".token.changed")).to_have_count(2)
    expect(page.locator(".token.alone")).to_have_count(0)
    lit = re.compile(r"\bis-query\b")
    for text, side, opposite in (("tired", "a", "wide"), ("wide", "b", "tired")):
        find_token(page, text, side).hover()
        expect(find_token(page, opposite, "b" if side == "a" else "a")).to_have_class(lit)
        expect(page.locator(".token.is-query")).to_have_count(2)


def test_the_grid_shows_a_minus_b_in_its_own_colours(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_pair(page, server)
    sides = page.locator("#grid-sides")
    sides.get_by_text(DIFFERENCE).click()
    expect(page.locator("#grid-title")).to_have_text("Heads of")
    expect(sides.locator("[aria-pressed=true]")).to_have_text(DIFFERENCE)
    expect(page.locator("#legend")).to_contain_text("blue: B gives more")
    expect(page.locator("#legend")).to_contain_text("orange: A gives more")
    found = page.evaluate(DIVERGING, [6, 12])
    assert found["other"] == 0
    assert min(found["blue"], found["orange"]) > 1000
    sides.get_by_text("B", exact=True).click()
    expect(sides.locator("[aria-pressed=true]")).to_have_text("B")
    expect(page.locator("#legend-title")).to_have_text(re.compile("^B: attention weight"))
    click_cell(page, 3, 1)
    expect(find_panel(page, 3, 1, "b")).to_be_visible()
    assert page_log.complaints == []


def test_the_three_pinned_maps_agree_number_by_number(page: Page, server: str) -> None:
    open_pair(page, server, tab="compare")
    layer, head = (int(part) for part in read_rows(page)[0][:2])
    button = page.locator(".compared-row").first.get_by_role(
        "button", name=f"A, B and {DIFFERENCE}"
    )
    button.click()
    expect(button).to_have_text("Pinned")
    find_tab(page, "Focus (3)").click()
    expect_exact_maps(page)
    expect(page.locator(".panel:visible")).to_have_count(3)
    map_view = find_map(page.locator(".panel[data-kind='difference']"))
    canvas = map_view.locator("canvas")
    said = map_view.locator(".readout")
    for point in find_points(canvas, ((0.45, 0.5), (0.8, 0.8), (0.6, 0.35))):
        point_at(canvas, said, point)
        query, key = (int(said.get_attribute(f"data-{end}") or "") for end in ("query", "key"))
        a, b = (
            fetch_map(server, (layer, head), text=text).weights[query, key]
            for text in (SENTENCE, WIDE_SENTENCE)
        )
        values = [
            float(it.get_attribute("data-value") or "nan")
            for it in (find_readout(page, layer, head), find_readout(page, layer, head, "b"), said)
        ]
        assert values == pytest.approx([a, b, a - b], abs=1e-5)


def test_a_small_map_pins_what_it_shows_and_unpins_it(page: Page, server: str) -> None:
    open_pair(page, server, tab="compare")
    layer, head = (int(part) for part in read_rows(page)[0][:2])
    small = page.locator(".compared-row").first.locator(".small-map[data-map='b']")
    small.click()
    expect(small).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".panel")).to_have_count(1)
    expect(find_panel(page, layer, head, "b")).to_have_count(1)
    small.click()
    expect(page.locator(".panel")).to_have_count(0)


def test_cells_are_coloured_and_ordered_by_change(page: Page, server: str) -> None:
    open_pair(page, server)
    page.locator("#grid-colour").select_option(label="Change between A and B")
    page.locator("#grid-sort").select_option(label="Strongest first")
    expect(page.locator("#grid")).to_have_attribute("data-colour", "change")
    wait_for_frame(page)
    heads = fetch_comparison(server, ("minilm", SENTENCE), ("minilm", WIDE_SENTENCE))["heads"]
    for at in (0, 1, 13, 71):
        row, column = divmod(at, 12)
        hover_cell(page, row, column)
        name = f"L{heads[at]['layer']} H{heads[at]['head']}"
        expect(page.locator("#focus-head .panel-head h3")).to_have_text(name)
        expect(page.locator("#focus-head")).to_contain_text(f"Change: {heads[at]['change']:.3f}")


def test_a_link_restores_the_whole_comparison(page: Page, other_page: Page, server: str) -> None:
    open_pair(page, server, tab="compare", grid="difference")
    read_rows(page)
    page.locator(".compared-row .chip").first.click()
    page.locator("#grid-colour").select_option("change")
    page.locator("#grid-sort").select_option("value")
    find_token(page, "wide", "b").click()
    page.mouse.move(5, 5)
    expect(page).to_have_url(re.compile("color=change.*sort=value"))
    other_page.goto(page.url)
    expect_done(other_page)
    assert read_rows(other_page) == read_rows(page)
    expect(other_page.locator("#against-text")).to_have_value(WIDE_SENTENCE)
    expect(find_token(other_page, "wide", "b")).to_have_attribute("aria-pressed", "true")
    expect(other_page.locator("#grid")).to_have_attribute("data-colour", "change")
    expect(other_page.locator("#grid-sides [aria-pressed=true]")).to_have_text(DIFFERENCE)
    expect(other_page.locator(".panel")).to_have_count(3)
    for what in ("#tokens-b", "#tab-compare", "#legend-title"):
        said = page.locator(what).inner_text()
        expect(other_page.locator(what)).to_have_text(said, use_inner_text=True)
    expect(other_page).to_have_url(page.url)


def test_ending_the_comparison_leaves_a_as_it_was(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_pair(page, server, tab="compare", grid="difference", color="change", pins="0.0h,b:0.0h")
    read_rows(page)
    page.get_by_role("button", name="Stop comparing").click()
    expect(page.get_by_role("button", name="Compare")).to_be_focused()
    for gone in ("#against", "#tokens-b", "#grid-sides", "#tab-compare", "#tab-button-compare"):
        expect(page.locator(gone)).to_be_hidden()
    expect(page.locator(".side-badge:visible")).to_have_count(0)
    expect(page.locator(".token.changed, .token.alone")).to_have_count(0)
    expect(page.locator(".panel")).to_have_count(1)
    expect(page.locator("#grid-title")).to_have_text("All heads")
    expect(page.locator("#grid")).to_have_attribute("data-colour", "map")
    expect(page).not_to_have_url(re.compile("against|grid=|change"))
    assert page_log.complaints == []


@pytest.mark.parametrize(
    ("one", "other", "alone"),
    [("minilm", "smollm2", ["[CLS]", "[SEP]"]), ("headscope-tiny", "minilm", ["<bos>"])],
)
def test_heads_of_two_models_are_matched_as_the_server_matches_them(
    page: Page, server: str, page_log: PageLog, one: str, other: str, alone: list[str]
) -> None:
    open_page(
        page, server, model=one, text=SENTENCE, against="", against_model=other, tab="compare"
    )
    comparison = fetch_comparison(server, (one, SENTENCE), (other, SENTENCE))
    expected = expected_rows(comparison, "similarity")
    assert read_rows(page) == expected[:12]
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
    assert page_log.complaints == []


def test_a_focus_goes_over_to_the_words_of_another_model(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, against="", against_model="smollm2", pins="3.1h,b:11.6h")
    expect(find_token(page, "[CLS]")).to_have_class(re.compile("alone"), timeout=LOADING_MS)
    find_token(page, "t").hover()
    expect(find_token(page, "'t", "b")).to_have_class(re.compile("is-query"))
    find_token(page, "'t", "b").hover()
    expect(page.locator("#tokens .token.is-query")).to_have_text(["'", "t"])
    find_token(page, "it").hover()
    expect(find_readout(page, 3, 1)).to_contain_text("it →")
    expect(find_readout(page, 11, 6, "b")).to_contain_text("it →")
    find_token(page, "[CLS]").hover()
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
    expect(page.locator("#grid-colour option:checked")).to_have_text(
        "Similarity to the other model"
    )
    expect(page.locator("#grid")).to_have_attribute("data-colour", "change", timeout=LOADING_MS)
    page.locator("#grid-sides").get_by_text("A", exact=True).click()
    expect(note).to_be_hidden()
    expect(page.locator("#grid-sides").get_by_text(DIFFERENCE)).to_be_disabled()


# The step of a colour in the scale of differences.
STEP_OF = """async (fill) => {
  const { divergingOf } = await import("/maps/color.js");
  const [colour] = new Uint32Array(Uint8Array.from(fill).buffer);
  return [...divergingOf("light").table].indexOf(colour);
}"""


def test_a_locked_link_in_the_grid_of_differences_is_a_minus_b(page: Page, server: str) -> None:
    it, animal = 10, 2
    open_pair(page, server, focus=f"{it}.{animal}")
    page.get_by_role("group", name="Whose heads").get_by_role("button", name=DIFFERENCE).click()
    ends = [(3, 1), (5, 11), (0, 0)]
    expected = [
        fetch_map(server, head).weights[it, animal]
        - fetch_map(server, head, text=WIDE_SENTENCE).weights[it, animal]
        for head in ends
    ]
    assert abs(expected[0]) > 0.3
    wait_for_frame(page)
    for cell, value in zip(read_cells(page, *ends), expected, strict=True):
        step = page.evaluate(STEP_OF, cell["fill"])
        part = np.sqrt(abs(value)) * (1 if value > 0 else -1)
        assert step == pytest.approx(127.5 + 127.5 * part, abs=2)
