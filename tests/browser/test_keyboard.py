"""The page without a mouse: all is reached, all works, and the place is never lost."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keyboard import expect_somewhere, press
from tests.browser.page_actions import (
    LOADING_MS,
    expect_done,
    expect_exact_maps,
    find_panel,
    find_readout,
    find_token,
    open_page,
)
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE, WIDE_SENTENCE
from tests.browser.scenes import SCENES

MOST_STOPS = 600
MINUS = "\N{MINUS SIGN}"

# What can be clicked and seen; of a row of tabs the arrow keys reach the others.
CLICKABLE = """a[href], button:enabled:not([role=tab][tabindex='-1'], .token[tabindex='-1']),
input:enabled, select:enabled, textarea:enabled, summary, canvas[tabindex]"""

# Where Tab has led: what it is called, and whether anybody can see that.
STOP = """() => {
  const at = document.activeElement;
  window.reached ??= new Set();
  const isNew = !window.reached.has(at);
  window.reached.add(at);
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
  const hasRing = at.tagName === "TEXTAREA" && boxShadow !== "none";
  const isMarked = hasRing || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
  const name = at.id || at.getAttribute("aria-label") || at.textContent.trim();
  return { name: `${at.tagName} ${name}`, isNew, isMarked };
}"""

MISSED = """(clickable) => [...document.querySelectorAll(clickable)]
  .filter((part) => part.checkVisibility() && !window.reached.has(part))
  .map((part) => `${part.tagName} ${part.id || part.ariaLabel || part.textContent.trim()}`)"""


@pytest.mark.parametrize(
    "scene",
    [
        *("first visit", "two sentences", "pinned, all three ways", "combine open", "head card"),
        *("a link ranked", "heads", "compared sentences", "generate, written on"),
    ],
)
def test_tab_reaches_everything_that_can_be_clicked(page: Page, server: str, scene: str) -> None:
    next(one for one in SCENES if one.name == scene).show(page, server)
    expect(page.locator("#grid-show")).to_be_visible()  # it comes with the atlas
    page.mouse.move(5, 5)
    page.locator("#skip").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    stops: list[dict[str, Any]] = []
    while len(stops) < MOST_STOPS:
        stop = page.evaluate(STOP)
        if not stop["isNew"] or stop["name"].startswith("BODY"):
            break
        stops.append(stop)
        page.keyboard.press("Tab")
    assert [stop["name"] for stop in stops if not stop["isMarked"]] == []
    assert page.evaluate(MISSED, CLICKABLE) == []


def test_a_sentence_is_typed_run_and_its_tokens_locked(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    expect_exact_maps(page)
    page.keyboard.press("/")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("Dogs bark, and hens don't. v s w x h l t")
    page.keyboard.press("Control+Enter")
    # A pause in typing has the half sentence answered too.
    expect(page.locator("#tokens:not(.stale) .token")).to_have_count(19)
    expect_done(page)
    expect(page.locator("#view-scale")).to_have_value("sqrt")
    token = page.locator("#tokens").get_by_text("bark", exact=True)
    press(page, token)
    expect(token).to_have_attribute("aria-pressed", "true")
    expect(find_readout(page, 3, 1)).to_contain_text("chosen")
    page.keyboard.press("Escape")
    expect(token).to_have_attribute("aria-pressed", "false")
    expect_somewhere(page)


def test_the_grid_pins_and_a_map_is_walked_over(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#grid")).to_be_focused()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    pinned = find_panel(page, 3, 1)
    expect(pinned).to_have_attribute("data-exact", "true")
    canvas = pinned.locator(".map-view:not([hidden]) canvas")
    canvas.focus()
    for _ in range(IT + 1):
        page.keyboard.press("ArrowDown")
    for _ in range(ANIMAL + 1):
        page.keyboard.press("ArrowRight")
    expect(find_readout(page, 3, 1)).to_contain_text("it → animal")
    page.keyboard.press("Enter")
    expect(find_readout(page, 3, 1)).to_contain_text("chosen")
    expect(page).to_have_url(re.compile(f"focus={IT}\\.{ANIMAL}"))
    page.keyboard.press("ArrowUp")
    expect(find_readout(page, 3, 1)).to_contain_text("because → animal")
    page.keyboard.press("Escape")
    expect(find_readout(page, 3, 1)).not_to_contain_text("chosen")
    expect(canvas).to_be_focused()


def test_panels_change_move_and_go_and_the_keyboard_stays_among_them(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="0.0h,1.1h,2.2h")
    expect_exact_maps(page)
    second = find_panel(page, 1, 1)
    for mode in ("Lines", "Table", "Heatmap"):
        press(page, second.get_by_role("button", name=mode))
        expect(second).to_have_attribute("data-mode", mode.lower())
    for name, order in (("left", [1, 0, 2]), ("right", [0, 1, 2]), ("right", [0, 2, 1])):
        press(page, second.get_by_role("button", name=f"Move {name}: L1 H1"))
        expect(page.locator(".panel h3")).to_have_text([f"L{at} H{at}" for at in order])
        other = "left" if order[-1] == 1 else "right" if order[0] == 1 else name
        expect(second.get_by_role("button", name=f"Move {other}: L1 H1")).to_be_focused()
    press(page, find_panel(page, 2, 2).get_by_role("button", name="Unpin"))
    expect(second.get_by_role("button", name="Unpin")).to_be_focused()
    page.keyboard.press("Enter")
    expect(find_panel(page, 0, 0).get_by_role("button", name="Unpin")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".panel")).to_have_count(0)
    expect_somewhere(page)
    page.keyboard.press("Control+z")
    expect(page.locator(".panel")).to_have_count(1)
    press(page, page.locator("#unpin-all"))
    expect(page.locator(".panel")).to_have_count(0)


def test_a_table_of_a_map_locks_a_token(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1t")
    expect_exact_maps(page)
    press(page, find_panel(page, 3, 1).get_by_role("button", name="it", exact=True))
    expect(find_readout(page, 3, 1)).to_contain_text("chosen")


def test_maps_are_combined(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11h")
    press(page, page.locator("#combine summary"))
    page.locator("#combine-kind").focus()
    page.keyboard.type("Rol")
    rows = page.locator("#combine").get_by_role("button", name="Add map")
    press(page, rows.first)
    press(page, rows.last)
    expect(page.locator(".panel h3")).to_have_text(
        ["L3 H1", "L5 H11", "Rollout to L5", f"L3 H1 {MINUS} L5 H11"]
    )


def test_the_look_changes_by_its_menus_and_by_single_keys(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    press(page, page.locator("#view-bar summary"))
    page.locator("#view-scale").focus()
    page.keyboard.type("Log")
    expect(page.locator("#legend-title")).to_contain_text("log scale")
    press(page, page.locator("#view-words"), "Space")
    expect(page).to_have_url(re.compile("words=true"))
    page.locator("#grid").focus()
    for key, said in (("s", "scale=rank"), ("v", "values=weighted"), ("x", "hide=special")):
        page.keyboard.press(key)
        page.wait_for_url(f"**{said}**")
    for key, mode in (("l", "lines"), ("t", "table"), ("h", "heatmap")):
        page.keyboard.press(key)
        expect(find_panel(page, 3, 1)).to_have_attribute("data-mode", mode)


def test_the_table_of_heads_sorts_and_pins(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, tab="heads")
    table = page.locator(".heads-table")
    expect(table.locator("tbody tr")).to_have_count(72)
    heading = table.locator("th[data-by] button").nth(2)
    press(page, heading)
    expect(table.locator("th[data-by]").nth(2)).not_to_have_attribute("aria-sort", "none")
    expect(heading).to_be_focused()
    first = table.locator("tbody tr button").first
    press(page, first)
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(first).to_be_focused()
    chart = page.locator(".chart")
    expect(chart).to_have_attribute("aria-label", re.compile("the table below has the numbers"))
    described = chart.get_attribute("aria-describedby")
    expect(page.locator(f"#{described}")).to_contain_text("pins the head")


def test_ranked_heads_are_pinned_where_they_stand(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    for token in ("it", "animal"):
        press(page, find_token(page, token))
    pin = page.locator(".ranking tbody button").nth(1)
    expect(pin).to_be_visible()
    press(page, pin)
    expect(pin).to_be_focused()
    expect(pin).to_have_attribute("aria-pressed", "true")
    press(page, page.get_by_role("button", name="Show all 72 heads"))


def test_sides_are_compared_and_let_go(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#add-against").focus()
    page.keyboard.press("Enter")
    box = page.locator("#against-text")
    expect(box).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type(WIDE_SENTENCE)
    row = page.locator(".compared-card:not(.stale) .compared-row").first
    expect(row).to_be_visible(timeout=LOADING_MS)
    press(page, row.get_by_role("button").first)
    expect(page.get_by_role("tab", name=re.compile("Focus"))).to_contain_text("(1)")
    press(page, page.locator("#grid-sides button").last)
    expect(page.locator("#grid-sides [aria-pressed=true]")).to_have_text(f"A {MINUS} B")
    page.get_by_role("button", name="Stop comparing").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#add-against")).to_be_focused()


def test_a_wrong_model_is_left_by_a_key(page: Page, server: str) -> None:
    page.goto(f"{server}/#model=gone&text=Hello")
    choice = page.locator("#problem").get_by_role("button", name="MiniLM")
    expect(choice).to_be_visible()
    press(page, choice)
    expect_done(page)
    expect_somewhere(page)
