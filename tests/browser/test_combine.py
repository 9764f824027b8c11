"""Maps out of maps: several heads as one, rollout, two maps against each other; and their order."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api_client import fetch_map
from tests.browser.map_reader import PIXEL, find_points, point_at, read_cells_at, read_value
from tests.browser.page_actions import (
    expect_done,
    expect_exact_maps,
    find_map,
    find_panel,
    open_page,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE
from tests.browser.scenes import combine_open

COLOURS = """async () => [...(await import("/maps/color.js")).divergingOf("light").table]"""


def add_combined(page: Page, kind: str, members: str) -> None:
    page.locator("#combine-kind").select_option(kind)
    page.locator("#combine-members").select_option(label=members)
    page.locator(".combine-row").first.get_by_role("button", name="Add map").click()


def add_pair(page: Page, how: str) -> None:
    page.locator("#combine-how").select_option(how)
    page.locator(".combine-row").nth(1).get_by_role("button", name="Add map").click()


def titles(page: Page) -> Locator:
    return page.locator(".panel h3")


def said_by(page: Page, at: int, values: str = "raw") -> float:
    """The number in the readout of one of the panels."""
    return read_value(find_map(page.locator(".panel").nth(at), values).locator(".readout"))


def test_several_heads_as_one_map_show_the_servers_numbers(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11h")
    combine_open(page)
    add_combined(page, "mean", "All heads")
    add_combined(page, "mean", "The 2 pinned heads")
    add_combined(page, "max", "All of L2")
    add_combined(page, "rollout", "Layers 0 to 4")
    names = ["Mean of all heads", "Mean of L3 H1, L5 H11", "Max of L2", "Rollout to L4"]
    expect(titles(page)).to_have_text(["L3 H1", "L5 H11", *names])
    expect_exact_maps(page)
    expect(page.locator(".panel[data-kind='rollout'] .hint").first).to_contain_text("a heuristic")
    assert page.locator(".panel .hint").get_by_text("heuristic").count() == 1
    maps = [
        fetch_map(server, (3, 1)),
        fetch_map(server, (5, 11)),
        fetch_map(server, combine="mean"),
        fetch_map(server, (3, 1), (5, 11), combine="mean"),
        fetch_map(server, (2, None), combine="max"),
        fetch_map(server, combine="rollout", up_to=4),
    ]
    canvas = find_map(find_panel(page, 3, 1)).locator("canvas")
    said = find_map(find_panel(page, 3, 1)).locator(".readout")
    for cell, point in zip(read_cells_at(page, canvas, said), find_points(canvas), strict=True):
        point_at(canvas, said, point)
        shown = [said_by(page, at) for at in range(6)]
        assert shown == pytest.approx([found.weights[cell] for found in maps], abs=1e-6)
        assert shown[3] == pytest.approx((shown[0] + shown[1]) / 2, abs=1e-6)
    assert page_log.complaints == []


def test_any_set_of_heads_and_layers_can_be_typed(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, focus="10.2")
    page.locator("#combine summary").click()
    page.locator("#combine-members").select_option(label="Heads I list")
    add = page.locator(".combine-row").first.get_by_role("button", name="Add map")
    for typed, said in (("", "Write heads or layers"), ("L9", "layers are 0 to 5")):
        page.locator("#combine-typed").fill(typed)
        expect(page.locator("#combine-why")).to_contain_text(said)
        expect(add).to_be_disabled()
    page.locator("#combine-typed").fill("L0-1, L3 H1")
    expect(page.locator("#combine-why")).to_be_hidden()
    add.click()
    expect(titles(page)).to_have_text(["Mean of L0, L1, L3 H1"])
    expect_exact_maps(page)
    expected = fetch_map(server, (0, None), (1, None), (3, 1), combine="mean").weights[10, 2]
    assert said_by(page, 0) == pytest.approx(expected, abs=1e-6)


def test_combined_maps_can_be_value_weighted_and_rollout_says_it_is_raw(
    page: Page, server: str
) -> None:
    pins = "mean(2.*)h,rollout(1)h"
    open_page(page, server, text=SENTENCE, pins=pins, focus="10.2", values="both")
    expect_exact_maps(page)
    expected = [
        fetch_map(server, (2, None), combine="mean", values=it) for it in ("raw", "weighted")
    ]
    shown = [said_by(page, 0, values) for values in ("raw", "weighted")]
    assert shown == pytest.approx([found.weights[10, 2] for found in expected], abs=1e-6)
    rollout = page.locator(".panel[data-kind='rollout']")
    expect(find_map(rollout, "weighted")).to_be_hidden()
    expected = [fetch_map(server, combine="rollout", up_to=1)]
    assert said_by(page, 1) == pytest.approx(expected[0].weights[10, 2], abs=1e-6)


def test_two_maps_are_held_against_each_other_cell_by_cell(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11h")
    combine_open(page)
    add_pair(page, "difference")
    add_pair(page, "agreement")
    expect(titles(page)).to_have_text(["L3 H1", "L5 H11", "L3 H1 \u2212 L5 H11", "L3 H1 ∩ L5 H11"])
    expect_exact_maps(page)
    difference = page.locator(".panel[data-kind='difference']")
    expect(difference.locator(".hint").first).to_contain_text("orange where the first gives more")
    one, other = (fetch_map(server, head).weights for head in ((3, 1), (5, 11)))
    canvas = find_map(difference).locator("canvas")
    said = find_map(difference).locator(".readout")
    cells = read_cells_at(page, canvas, said)
    colours = page.evaluate(COLOURS)
    for cell, point in zip(cells, find_points(canvas), strict=True):
        delta = one[cell] - other[cell]
        step = int(np.floor(127.5 + 127.5 * np.sqrt(abs(delta)) + 0.5))
        pixel = canvas.evaluate(PIXEL, [point["x"], point["y"]])
        assert pixel == colours[step if delta > 0 else 255 - step]
    for cell, point in zip(cells, find_points(canvas), strict=True):
        point_at(canvas, said, point)
        shown = [said_by(page, at) for at in range(4)]
        pair = one[cell], other[cell]
        assert shown == pytest.approx([*pair, pair[0] - pair[1], min(pair)], abs=1e-6)
    assert {one[cell] > other[cell] for cell in cells} == {True, False}
    assert page_log.complaints == []


def test_one_map_alone_cannot_be_held_against_another_and_it_says_so(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    combine_open(page)
    add = page.locator(".combine-row").nth(1).get_by_role("button", name="Add map")
    expect(add).to_be_disabled()
    why = page.locator(".combine-row:has(#combine-one) + .hint")
    expect(why).to_have_text("Pin two maps to compare them.")
    add_combined(page, "max", "All heads")
    expect(add).to_be_enabled()
    expect(why).to_be_hidden()
    page.locator("#combine-other").select_option(index=0)
    expect(add).to_be_disabled()
    expect(why).to_have_text("Choose two different maps.")


def test_panels_are_moved_and_a_link_keeps_their_order(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11l,mean(2.*)t")
    expect_exact_maps(page)
    expect(page.get_by_role("button", name="Move left: L3 H1")).to_be_disabled()
    right = page.get_by_role("button", name="Move right: L3 H1")
    right.click()
    expect(titles(page)).to_have_text(["L5 H11", "L3 H1", "Mean of L2"])
    expect(page).to_have_url(re.compile(r"pins=5\.11l(,|%2C)3\.1h(,|%2C)mean"))
    right.click()
    expect(right).to_be_disabled()
    order = ["L5 H11", "Mean of L2", "L3 H1"]
    expect(titles(page)).to_have_text(order)
    expect(page).to_have_url(re.compile(r"mean\(2\.\*\)t(,|%2C)3\.1h"))
    page.reload()
    expect_done(page)
    expect(titles(page)).to_have_text(order)
    expect(page.locator(".panel .pin-number")).to_have_text(["1", "2", "3"])
    modes = [it.get_attribute("data-mode") for it in page.locator(".panel").all()]
    assert modes == ["lines", "table", "heatmap"]
