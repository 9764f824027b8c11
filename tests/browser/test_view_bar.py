"""Which maps are shown, and how: values, scale, sinks, how many lines."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from tests.browser.api_client import Map, fetch_map
from tests.browser.map_reader import (
    PIXEL,
    SPOTS,
    find_points,
    find_table_rows,
    read_cells_at,
    read_labels,
    read_links,
    read_value,
    record_labels,
)
from tests.browser.page_actions import (
    expect_exact_maps,
    find_cell,
    find_map,
    find_panel,
    find_readout,
    open_page,
    open_view_bar,
    resize,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE

COLOURS = """async () => [...(await import("/maps/color.js")).scaleOf("light").table]"""

FORMULAS: dict[str, Callable[[Any], Any]] = {
    "linear": lambda part: part,
    "sqrt": np.sqrt,
    "log": lambda part: np.maximum(0, 1 + np.log10(np.maximum(part, 1e-9)) / 4),
}
WORDS = {"linear": "linear scale", "sqrt": "square-root scale", "log": "log scale"}


def choose(page: Page, name: str) -> None:
    """One of the buttons of the bar."""
    open_view_bar(page)
    page.locator(f"#view-tools [data-choice={name}]").click()


def percent(part: float) -> str:
    return f"{np.floor(100 * part + 0.5):.0f} %"


def shares(found: Map) -> str:
    """How much of a map is on the first token and on special ones, in the page's words.

    In a causal map the first row does not count: it sees nothing else.
    """
    is_causal = not np.triu(found.weights, 1).any()
    rows = found.weights[int(is_causal) :]
    total = rows.sum()
    first = rows[:, 0].sum()
    special = [rows[:, at].sum() for at, key in enumerate(found.keys) if at > 0 and is_special(key)]
    taken = f"Sinks take {percent((first + sum(special)) / total)} of the attention in this map: "
    if not special:
        return f"{taken}all of it the first token."
    after = percent(sum(special) / total)
    return f"{taken}the first token {percent(first / total)}, special tokens after it {after}."


def is_special(token: dict[str, Any]) -> bool:
    return bool(token["kind"] == "special")


def test_raw_and_value_weighted_maps_stand_side_by_side_with_their_own_numbers(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,4.7h", focus="10.2")
    open_view_bar(page)
    expect_exact_maps(page)
    expect(find_map(find_panel(page, 3, 1), "weighted")).to_be_hidden()
    choose(page, "both")
    expect(page.locator("#view-summary")).to_contain_text("raw and value-weighted")
    for layer, head in ((3, 1), (4, 7)):
        boxes = []
        for values in ("raw", "weighted"):
            view = find_map(find_panel(page, layer, head), values)
            expect(view).to_have_attribute("data-exact", "true")
            found = fetch_map(server, (layer, head), values=values)
            assert read_value(view.locator(".readout")) == pytest.approx(
                found.weights[10, 2], abs=1e-6
            )
            expect(view.locator("> .note")).to_contain_text(shares(found))
            boxes.append(view.bounding_box())
        raw, weighted = boxes
        assert raw is not None
        assert weighted is not None
        assert weighted["x"] >= raw["x"] + raw["width"]
        assert weighted["y"] == raw["y"]
    choose(page, "weighted")
    expect(find_map(find_panel(page, 3, 1), "raw")).to_be_hidden()
    expect(page.locator("#legend-title")).to_contain_text("value-weighted attention")
    expect_exact_maps(page)
    expected = fetch_map(server, (3, 1), values="weighted").weights[10, 2]
    shown = read_value(find_map(find_panel(page, 3, 1), "weighted").locator(".readout"))
    assert shown == pytest.approx(expected, abs=1e-6)
    assert page_log.complaints == []


def step_of(weights: NDArray[np.float64], cell: tuple[int, int], scale: str, kind: str) -> int:
    """The colour step of one cell, by the definition of the scale."""
    weight = weights[cell]
    if scale == "rank":
        some = weights[weights > 0]
        before, ties = (some < weight).sum(), (some == weight).sum()
        part = (before + (ties + 1) / 2) / some.size
    else:
        part = FORMULAS[scale](weight / (1 if kind == "fixed" else weights.max()))
    return int(np.floor(255 * part + 0.5))


def test_every_scale_and_range_is_named_and_gives_its_colours(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    open_view_bar(page)
    expect_exact_maps(page)
    weights = fetch_map(server, (3, 1)).weights
    canvas = find_map(find_panel(page, 3, 1)).locator("canvas")
    cells = read_cells_at(page, canvas, find_readout(page, 3, 1))
    assert len(set(cells)) == len(SPOTS)
    colours = page.evaluate(COLOURS)
    centre = find_cell(page, 3, 1)
    of_grid = set()
    for scale in ("linear", "sqrt", "log", "rank"):
        page.locator("#view-scale").select_option(scale)
        for kind in ("fixed", "head") if scale != "rank" else ("fixed",):
            if scale != "rank":
                page.locator("#view-range").select_option(kind)
            reach = "fixed 0 to 1" if kind == "fixed" else "0 to this map's largest weight"
            said = "ranked within this map" if scale == "rank" else f"{WORDS[scale]}, {reach}"
            is_usual = (scale, kind) == ("sqrt", "fixed")
            old = "sinks not dimmed"
            differs = old if is_usual else f"attention weight, {said} · {old}"
            expect(page.locator("#view-summary")).to_have_text(differs)
            expect(page.locator("#legend-title")).to_have_text(f"attention weight, {said}")
            last = (
                "highest" if scale == "rank" else "1" if kind == "fixed" else "maximum of each map"
            )
            expect(page.locator("#legend-ticks span").last).to_have_text(last)
            for cell, point in zip(cells, find_points(canvas), strict=True):
                pixel = canvas.evaluate(PIXEL, [point["x"], point["y"]])
                assert pixel == colours[step_of(weights, cell, scale, kind)], (scale, kind, cell)
            of_grid.add(page.locator("#grid").evaluate(PIXEL, [centre["x"], centre["y"]]))
    expect(page.locator("#view-range")).to_be_disabled()
    assert len(of_grid) > 3, "the grid is drawn in the same scale"
    assert of_grid <= set(colours)


def hidden_places(found: Map, hide: str) -> list[int]:
    """Which tokens a choice hides."""
    special = [at for at, token in enumerate(found.keys) if is_special(token)]
    return {"special": special, "first": [0], "both": sorted({0, *special})}[hide]


@pytest.mark.parametrize(("model", "head"), [("minilm", (3, 1)), ("headscope-tiny", (1, 0))])
def test_what_is_hidden_leaves_axes_and_table_and_is_counted(
    page: Page, server: str, model: str, head: tuple[int, int]
) -> None:
    text = SENTENCE if model == "minilm" else "A cat."
    record_labels(page)
    layer, number = head
    pins = f"{layer}.{number}t,{layer}.{number + 1}h"
    open_page(page, server, model=model, text=text, pins=pins)
    open_view_bar(page)
    expect_exact_maps(page)
    found = fetch_map(server, head, model=model, text=text)
    view = find_map(find_panel(page, layer, number))
    heatmap = find_map(find_panel(page, layer, number + 1)).locator("canvas")
    note = view.locator("> .note")
    for hide in ("special", "first", "both"):
        open_view_bar(page)
        page.locator("#view-hide").select_option(hide)
        hidden = hidden_places(found, hide)
        kept = [at for at in range(len(found.keys)) if at not in hidden]
        labels = [found.keys[at]["text"] for at in kept]
        expect(find_table_rows(view).locator("th")).to_have_text(labels)
        for turned in (False, True):
            assert [it.text for it in read_labels(heatmap) if it.turned == turned] == labels
        dropped = found.weights[np.ix_(kept, hidden)].sum(1) / found.weights[kept].sum(1)
        for renormalise in (False, True):
            open_view_bar(page)  # a click on the map closes it
            page.locator("#view-renormalise").set_checked(renormalise)
            end = "; rows renormalised." if renormalise else "."
            said = f"{shares(found)} Hidden: {percent(dropped.mean())} of the weight{end}"
            expect(note).to_have_text(said)
            row = found.weights[kept[-1], kept]
            expected = row / row.sum() if renormalise else row
            told = read_links(view, labels[-1])
            assert sorted(key for key, _ in told) == sorted(labels)
            weights = [weight for _, weight in told]
            assert weights == pytest.approx(sorted(expected, reverse=True), abs=1e-4)
            assert not renormalise or sum(weights) == pytest.approx(1, abs=2e-3)
    open_view_bar(page)
    page.locator("#view-hide").select_option("none")
    expect(page.locator("#view-renormalise")).to_be_disabled()
    expect(note).to_have_text(shares(found))


def n_links(weights: NDArray[np.float64], mass: float) -> int:
    """Per row as many of the strongest keys as hold this share of it."""
    if mass == 1:
        return int((weights > 0).sum())
    ordered = -np.sort(-weights, 1)
    before = np.cumsum(ordered, 1) - ordered
    return int((before < mass * weights.sum(1, keepdims=True)).sum())


def test_the_slider_draws_as_many_links_as_hold_its_share_of_each_row(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    open_view_bar(page)
    expect_exact_maps(page)
    expect(page.locator("#view-mass")).to_be_hidden()
    page.locator("#view-bar summary").click()  # open it covers the panel
    find_panel(page, 3, 1).get_by_role("button", name="Lines").click()
    open_view_bar(page)
    weights = fetch_map(server, (3, 1)).weights
    view = find_map(find_panel(page, 3, 1))
    drawn = []
    for mass in (50, 0, 90, 100):
        page.locator("#view-mass").fill(str(mass))
        expect(view.locator("> .note")).to_contain_text(
            f"Strongest links, {mass} % of each row's mass."
        )
        expect(page.locator("#view-tools output")).to_have_text(f"{mass} % of each row")
        drawn.append(int(view.locator("canvas").get_attribute("data-links") or "-1"))
        assert drawn[-1] == n_links(weights, mass / 100)
    assert drawn[1] == 0 < drawn[0] < drawn[2] < drawn[3] == weights.size


def test_a_map_out_of_sight_shows_the_chosen_token_once_it_is_seen(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="0.0h,1.1h,2.2h,3.3h,4.4h,5.5h,0.1h,1.2h,2.3h,3.4h")
    expect_exact_maps(page)
    last = find_map(find_panel(page, 3, 4))
    canvas = last.locator("canvas").element_handle()
    expect(last).not_to_be_in_viewport()
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    page.locator("#tokens").get_by_text("it", exact=True).click()
    expect(last.locator(".readout")).to_contain_text("it →")
    canvas.scroll_into_view_if_needed()
    drawn_anew = "([canvas, before]) => canvas.toDataURL() !== before"
    page.wait_for_function(drawn_anew, arg=[canvas, before])


def test_words_along_the_bar_of_colours_stay_on_it(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, range="head")
    open_view_bar(page)
    ticks = page.locator("#legend-ticks")
    expect(ticks).to_contain_text("maximum of each map")
    for width in (1280, 390):
        resize(page, width, 900)
        line = ticks.bounding_box()
        assert line is not None
        for tick in ticks.locator("span").all():
            box = tick.bounding_box()
            assert box is not None
            assert line["x"] <= box["x"] < box["x"] + box["width"] <= line["x"] + line["width"] + 1
            assert box["height"] <= line["height"]
