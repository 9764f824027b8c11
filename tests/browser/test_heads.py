"""The heads tab: charts that pin and follow the grid, and the table with the server's numbers."""

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from tests.browser.api_client import fetch_heads
from tests.browser.held_requests import hold_requests
from tests.browser.made_up_atlas import made_up_atlas
from tests.browser.page_actions import (
    LOADING_MS,
    SCHEMES,
    find_panel,
    hover_cell,
    open_page,
    resize,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE

ALONE = (0, 2)  # far from every other head by distance and entropy

PLACE = """([layer, head]) => {
  const plot = document.querySelector(".chart");
  const { xaxis, yaxis } = plot._fullLayout;
  for (const { customdata = [], x, y } of plot.data) {
    const at = customdata.findIndex((cell) => cell[0] === layer && cell[1] === head);
    if (at >= 0) return [xaxis._offset + xaxis.d2p(x[at]), yaxis._offset + yaxis.d2p(y[at])];
  }
}"""
RINGS = "document.querySelector('.chart').layout.shapes.length"


@pytest.fixture(scope="module")
def server(atlas_server: str) -> str:
    """A model with an atlas, which these tests also want to see at work."""
    return atlas_server


def open_heads(page: Page, server: str, **state: str) -> None:
    """The heads tab with its chart drawn."""
    open_page(page, server, **{"text": SENTENCE, "tab": "heads", **state})
    # A large library is read before the first chart.
    expect(page.locator(".chart .main-svg").first).to_be_visible(timeout=LOADING_MS)


def measured(server: str) -> dict[tuple[int, int], dict[str, Any]]:
    """Every metric of every head by its place."""
    return {(head["layer"], head["head"]): head["raw"] for head in fetch_heads(server)}


def rows(page: Page) -> list[list[str]]:
    """The words of the table."""
    found: list[list[str]] = page.locator(".heads-table tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
    )
    return found


def row(page: Page, layer: int, head: int) -> Locator:
    return page.locator(f".heads-table tr[data-layer='{layer}'][data-head='{head}']")


def point_position(page: Page, layer: int, head: int) -> Position:
    x, y = page.evaluate(PLACE, [layer, head])
    return {"x": x, "y": y}


def test_every_head_is_a_point_and_no_style_is_refused(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_heads(page, server)
    expect(page.locator(".chart")).to_have_attribute("data-points", "72")
    for kind in ("Similarity", "Layers", "Scatter"):
        page.get_by_role("button", name=kind).click()
        expect(page.locator(".chart")).not_to_have_class("chart stale")
        expect(page.locator(".chart .main-svg").first).to_be_visible()
    for colour in ("role", "shape", "entropy"):
        page.locator("#chart-color").select_option(colour)
        expect(page.locator(".chart")).not_to_have_class("chart stale")
    page.locator(".chart").hover()
    expect(page.locator(".chart .modebar-btn").first).to_be_visible()
    assert page.locator(".chart .plotlyjsicon, .chart [data-title*=Plotly]").count() == 0
    assert page_log.complaints == []


def test_the_chart_library_is_fetched_only_for_a_chart(
    page: Page, server: str, page_log: PageLog
) -> None:
    library = f"{server}/vendor/plotly.min.js"
    open_page(page, server, text=SENTENCE)
    assert library not in page_log.requests
    page.get_by_role("tab", name="Heads").click()
    expect(page.locator(".chart .main-svg").first).to_be_visible()
    page.get_by_role("tab", name="Focus").click()
    page.get_by_role("tab", name="Heads").click()
    expect(page.locator(".chart .main-svg").first).to_be_visible()
    assert page_log.requests.count(library) == 1


def test_a_click_on_a_point_pins_its_head_and_rings_it(page: Page, server: str) -> None:
    open_heads(page, server)
    assert page.evaluate(RINGS) == 0
    page.locator(".chart").click(position=point_position(page, *ALONE))
    expect(page.get_by_role("tab", name="Focus (1)")).to_be_visible()
    page.mouse.move(5, 5)
    page.wait_for_function(f"() => {RINGS} === 1")
    expect(row(page, *ALONE)).to_have_class("pinned")
    page.get_by_role("tab", name="Focus (1)").click()
    expect(find_panel(page, *ALONE)).to_be_visible()


def test_point_row_and_cell_of_a_head_light_up_together(page: Page, server: str) -> None:
    open_heads(page, server)
    grid = page.locator("#grid")
    page.locator(".chart").hover(position=point_position(page, *ALONE))
    expect(grid).to_have_attribute("aria-label", re.compile("L0 H2"))
    expect(page.locator(".chart .hoverlayer")).to_contain_text("L0 H2")
    expect(row(page, *ALONE)).to_have_class("pointed")
    page.wait_for_function(f"() => {RINGS} === 1")
    page.mouse.move(5, 5)
    expect(grid).to_have_attribute("aria-label", re.compile("no head chosen"))
    hover_cell(page, 3, 1)
    page.wait_for_function(f"() => {RINGS} === 1")
    expect(row(page, 3, 1)).to_have_class("pointed")
    before = page.evaluate("scrollY")
    row(page, 1, 1).hover()
    expect(grid).to_have_attribute("aria-label", re.compile("L1 H1"))
    assert page.evaluate("document.activeElement.id") != "grid"
    assert page.evaluate("scrollY") >= before
    grid.focus()
    page.keyboard.press("ArrowRight")
    expect(grid).to_have_attribute("aria-label", re.compile("L1 H2"))
    row(page, 1, 3).hover()  # the keyboard is still on the grid
    expect(grid).to_have_attribute("aria-label", re.compile("L1 H3"))


def test_the_table_has_the_servers_numbers_and_sorts_them(page: Page, server: str) -> None:
    open_heads(page, server)
    values = measured(server)
    names = {place: f"L{place[0]} H{place[1]}" for place in values}
    shown = {words[0]: words[2:] for words in rows(page)}
    assert shown == {
        names[place]: [f"{raw['distance']:.3f}", f"{raw['entropy']:.3f}"]
        for place, raw in values.items()
    }
    heading = page.locator(".heads-table thead")
    for falling in (True, False):
        heading.get_by_role("button", name="Entropy").click()
        way = "descending" if falling else "ascending"
        expect(heading.locator("[data-by=entropy]")).to_have_attribute("aria-sort", way)
        order = sorted(values, key=lambda place: values[place]["entropy"], reverse=falling)
        assert [words[0] for words in rows(page)] == [names[place] for place in order]
    heading.get_by_role("button", name="Head").click()
    expect(heading.locator("[data-by=head]")).to_have_attribute("aria-sort", "ascending")
    assert [words[0] for words in rows(page)] == list(names.values())


def test_a_click_on_a_row_pins_and_its_button_does_so_by_keyboard(page: Page, server: str) -> None:
    open_heads(page, server)
    row(page, 2, 3).locator("td").last.click()
    expect(page.get_by_role("tab", name="Focus (1)")).to_be_visible()
    row(page, 2, 4).get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Focus (2)")).to_be_visible()
    row(page, 2, 3).get_by_role("button").click()
    expect(page.get_by_role("tab", name="Focus (1)")).to_be_visible()


def test_the_head_of_the_table_stays_while_its_rows_scroll(page: Page, server: str) -> None:
    open_heads(page, server)
    row(page, 5, 11).scroll_into_view_if_needed()
    expect(page.locator(".heads-table thead th").first).to_be_in_viewport()
    assert page.locator("#tab-heads .table-scroll").evaluate("box => box.scrollTop") > 0


def test_corpus_measures_and_roles_come_from_the_atlas(page: Page, server: str) -> None:
    open_heads(page, server)
    page.locator("#chart-source").select_option("corpus")
    expect(page.locator("#chart-x")).to_have_value("gap")
    expect(page.locator(".chart-facts")).to_contain_text("n = 2,000")
    values = made_up_atlas().sections["coreference"].measures["gap"].values
    assert [words[2] for words in rows(page)] == [
        "undefined" if value is None else f"{value:.3f}" for value in values
    ]
    page.locator(".heads-table thead").get_by_role("button", name="Roles").click()
    expect(page.locator(".heads-table tbody tr").first).to_contain_text("L3 H1")
    assert [words[0] for words in rows(page)][:4] == ["L3 H1", "L0 H11", "L2 H4", "L0 H2"]
    page.get_by_role("button", name="Layers").click()
    page.locator("#chart-color").select_option("role")
    bars = "document.querySelector('.chart').data.map(({ name, y }) => [name, ...y])"
    page.wait_for_function(f"() => {bars}[0][0] === 'Syntax'")
    assert page.evaluate(bars)[0] == ["Syntax", 1, 0, 1, 1, 0, 0]


def test_the_tab_says_how_many_roles_there_are_and_what_nulls_found(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_heads(page, server)
    card = page.locator(".evidence-card")
    counts = "5 of 72 heads have a role, 4 not counting sinks and delimiters."
    expect(card.locator(".role-count")).to_have_text(counts)
    line = card.locator("summary")
    expect(line).to_have_text(
        "In 6 runs of 2 nulls, where there is nothing to find, 1 role was found: 0.25 of this "
        "model's 6 roles are expected to be false."
    )
    expect(card.locator("table")).to_be_hidden()
    line.press("Enter")
    trees = card.locator("tbody", has_text="Trees of other sentences.")
    expect(trees.locator("tr").nth(1)).to_have_text("Syntax410.251.4")
    expect(trees).to_contain_text("L5 H5 objects → their verb")
    expect(card.locator("tbody", has_text="Random weights.").locator("tr")).to_have_count(3)
    apart = card.locator(".other-null")
    expect(apart).to_contain_text("Words in random order: what words alone tell is still there.")
    expect(apart).to_contain_text("Syntax: 1 role found.")
    expect(card.locator("table")).not_to_contain_text("Words in random order")
    assert page_log.complaints == []


def test_without_an_atlas_the_corpus_parts_say_how_to_get_one(page: Page, server: str) -> None:
    open_heads(page, server, model="plain")
    expect(page.locator("#chart-color option[value=role]")).to_have_count(0)
    page.get_by_role("button", name="Similarity").click()
    problem = page.locator(".chart-problem")
    expect(problem).to_contain_text("headscope atlas build plain")
    expect(page.locator(".chart")).to_be_hidden()
    page.get_by_role("button", name="Scatter").click()
    expect(page.locator(".chart")).to_be_visible()
    page.locator("#chart-source").select_option("corpus")
    expect(problem).to_contain_text("headscope atlas build plain")


def test_the_last_of_two_charts_wins(page: Page, server: str) -> None:
    hold_requests(page, "figures", lambda question: question["x"] == "first")
    open_heads(page, server)
    with page.expect_request("**/api/v1/figures"):
        page.locator("#chart-x").select_option("first")
    page.wait_for_function("() => document.querySelector('.chart').matches('.stale')")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/figures")):
        page.locator("#chart-x").select_option("special")
    title = "document.querySelector('.chart').layout.xaxis.title.text"
    page.wait_for_function(f"() => {title}.startsWith('Special')")
    expect(page.locator(".chart")).not_to_have_class("chart stale")


def test_a_link_shows_the_same_chart(page: Page, server: str) -> None:
    open_heads(page, server, chart="scatter,first,special,entropy,sentence")
    expect(page.locator("#chart-x")).to_have_value("first")
    assert "chart=scatter,first,special,entropy,sentence" in page.url
    title = page.evaluate("document.querySelector('.chart').layout.xaxis.title.text")
    assert title.startswith("First token")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_charts_follow_theme_and_width(
    page: Page, server: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    open_heads(page, server)
    ink = page.evaluate("getComputedStyle(document.body).color")
    fill = "getComputedStyle(document.querySelector('.chart .xtitle')).fill"
    assert page.evaluate(fill) == ink
    page.locator("#theme").click()  # light, whatever the system wants
    page.locator("#theme").click()  # dark
    page.wait_for_function(f"() => {fill} === getComputedStyle(document.body).color")
    for width in (1220, 390, 330):
        resize(page, width, 844)
        page.wait_for_function(
            "() => { const plot = document.querySelector('.chart');"
            " return plot.querySelector('.main-svg').clientWidth === plot.clientWidth; }"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_chart_library_that_did_not_come_is_asked_for_again(page: Page, server: str) -> None:
    page.route("**/vendor/plotly.min.js", lambda route: route.abort())
    open_page(page, server, text=SENTENCE, tab="heads")
    missing = page.get_by_role("alert").filter(has_text="chart library")
    expect(missing).to_be_visible(timeout=LOADING_MS)
    page.unroute("**/vendor/plotly.min.js")
    hover_cell(page, *ALONE)
    expect(page.locator(".chart .main-svg").first).to_be_visible(timeout=LOADING_MS)
    expect(missing).to_have_count(0)
