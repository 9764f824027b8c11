"""Asking by clicking: tokens become a question, and the heads' ranking is the server's own."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, WebSocket, expect

from tests.browser.conftest import Watched
from tests.browser.programs import SENTENCE, edges_of
from tests.browser.test_page import drawn, expect_done, open_page, readout

ANIMAL, STREET, IT, TIRED = 2, 8, 10, 13


@pytest.fixture
def server(atlas_server: str) -> str:
    """A model with an atlas, which these tests also want to see at work."""
    return atlas_server


def token(page: Page, text: str) -> Locator:
    return page.locator("#tokens").get_by_text(text, exact=True)


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name)


def open_ask(page: Page) -> None:
    """The tab on which a click on a token asks for it."""
    tab(page, "Ask").click()
    expect(tab(page, "Ask")).to_have_attribute("aria-selected", "true")


def slot(page: Page, side: str) -> Locator:
    return page.locator(f".slot[data-side={side}]")


def ranked(page: Page) -> list[tuple[int, int, float]]:
    """Layer, head and weight of each row."""
    return [
        tuple(row)
        for row in page.locator(".ranking tbody tr").evaluate_all(
            "rows => rows.map((row) => "
            "[row.dataset.layer, row.dataset.head, row.dataset.weight].map(Number))"
        )
    ]


def expect_ranking(page: Page, heads: list[dict[str, Any]]) -> None:
    first = page.locator(".ranking tbody tr").first
    expect(first).to_have_attribute("data-weight", re.compile(re.escape(str(heads[0]["weight"]))))
    shown = ranked(page)
    assert shown == [(it["layer"], it["head"], it["weight"]) for it in heads[: len(shown)]]


def test_three_clicks_lead_to_the_servers_own_ranking(
    page: Page, server: str, watched: Watched
) -> None:
    open_page(page, server, text=SENTENCE)
    open_ask(page)
    token(page, "it").click()
    token(page, "animal").click()
    heads = edges_of(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    assert len(ranked(page)) == 12
    expect(page.locator(".ask-said")).to_contain_text("from “it” to “animal”")
    expect(page.locator(".ask-said")).to_contain_text("Uniform attention would give 0.063")
    row = page.locator(".ranking tbody tr").first
    expect(row).to_contain_text(f"{heads[0]['weight']:.3f}")
    expect(row).to_contain_text(f"{heads[0]['weighted']:.3f}")
    page.get_by_role("button", name="Show all 72 heads").click()
    expect(page.locator(".ranking tbody tr")).to_have_count(72)
    expect_ranking(page, heads)
    assert watched.complaints == []


def test_the_tick_is_what_position_alone_predicts(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, tab="ask", ask=f"{IT}/{ANIMAL}")
    heads = edges_of(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    scale = float(page.locator(".ranking thead .quiet").inner_text().removeprefix("0 to "))
    for at in (0, 3):
        box, fill, tick = (
            page.locator(f".ranking tbody tr:nth-child({at + 1}) .edge-{part}").bounding_box()
            for part in ("bar", "fill", "tick")
        )
        assert box is not None
        assert fill is not None
        assert tick is not None
        assert fill["width"] / box["width"] == pytest.approx(heads[at]["weight"] / scale, abs=0.01)
        middle = (tick["x"] + tick["width"] / 2 - box["x"]) / box["width"]
        assert middle == pytest.approx(heads[at]["by_position"] / scale, abs=0.01)


def test_several_tokens_of_a_side_are_one_question_and_a_link_carries_it(
    page: Page, browser: Browser, server: str
) -> None:
    open_page(page, server, text=SENTENCE, tab="ask")
    for text in ("tired", "animal", "street"):
        token(page, text).click()
    slot(page, "queries").click()
    token(page, "it").click()
    expect_ranking(page, edges_of(server, [IT, TIRED], [ANIMAL, STREET]))
    expect(page.locator(".ask-said")).to_contain_text("“it” and “tired” to “animal” and “street”")
    token(page, "tired").click()
    expect_ranking(page, edges_of(server, [IT], [ANIMAL, STREET]))
    shown = ranked(page)
    expect(page).to_have_url(re.compile(f"ask={IT}/{ANIMAL},{STREET}"))
    copied = page.evaluate("location.href")
    with browser.new_context() as context:
        other = context.new_page()
        other.goto(copied)
        expect_done(other)
        expect_ranking(other, edges_of(server, [IT], [ANIMAL, STREET]))
        assert ranked(other) == shown


def test_a_pinned_head_shows_the_link_it_was_pinned_for(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, tab="ask", ask=f"{IT}/{ANIMAL}")
    pin = page.locator(".ranking tbody button").first
    pin.click()
    expect(pin).to_have_text("Pinned")
    layer, head, weight = ranked(page)[0]
    tab(page, "Pinned (1)").click()
    expect(readout(page, layer, head)).to_contain_text(f"{weight:.4f}")
    tab(page, "Ask").click()
    page.locator(".ranking tbody button").first.click()
    expect(tab(page, "Pinned")).to_have_text("Pinned")


def test_a_direction_that_a_causal_model_cannot_see_is_explained_and_turned_round(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, model="smollm2", tab="ask")
    token(page, "animal").click()
    token(page, "it").click()
    expect(page.locator(".ask-problem")).to_contain_text("looks only back")
    page.get_by_role("button", name="Swap From and To").click()
    expect(page.locator(".ask-said")).to_contain_text("from “it” to “animal”")
    expect(page.locator(".ask-problem")).to_be_hidden()
    expect(page.locator(".ranking tbody tr")).to_have_count(12)


def test_a_late_answer_never_replaces_a_newer_one(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, tab="ask")

    def hold_the_first(route: Route) -> None:
        question = route.request.post_data_json
        if question["keys"] != [ANIMAL]:
            route.continue_()

    page.route("**/api/v1/edges", hold_the_first)
    token(page, "it").click()
    with page.expect_request("**/api/v1/edges"):
        token(page, "animal").click()
    expect(page.locator(".ask-said")).to_contain_text("Asking all heads")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/edges")):
        token(page, "street").click()
    newer = edges_of(server, [IT], [ANIMAL, STREET])
    expect_ranking(page, newer)
    expect(page.locator(".ask-said")).to_contain_text("“animal” and “street”")


def test_what_is_pressed_stays_in_place_while_layers_come(page: Page, server: str) -> None:
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    open_page(page, server, text=SENTENCE, tab="ask")
    pressed = [
        page.locator(name).first.element_handle()
        for name in (".ask-empty button", "#examples button", "#tokens .token")
    ]
    with sockets[0].expect_event("framereceived", lambda told: '"done"' in str(told)):
        page.locator("#text").press("Control+Enter")
    drawn(page)
    assert [it.evaluate("it => it.isConnected") for it in pressed] == [True, True, True]


def test_another_text_forgets_the_question(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, tab="ask", ask=f"{IT}/{ANIMAL}")
    expect(page.locator(".ranking")).to_be_visible()
    page.locator("#examples").get_by_text("Agreement").click()
    expect(page.locator(".ranking")).to_be_hidden()
    expect(page.locator(".ask-empty")).to_contain_text("“are”")
    page.get_by_role("button", name="“are” → “keys”").click()
    expect(page.locator(".ask-said")).to_contain_text("from “are” to “keys”")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".ranking")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".ask-said")).to_contain_text("from “are” to “keys”")


def test_all_of_it_is_reached_by_keyboard(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    tab(page, "Pinned").focus()
    page.keyboard.press("ArrowRight")
    expect(tab(page, "Ask")).to_be_focused()
    expect(tab(page, "Ask")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(page.locator("#tab-heads")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-pinned")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(tab(page, "Ask")).to_have_attribute("aria-selected", "true")
    for text, key in (("it", "Enter"), ("animal", " ")):
        token(page, text).focus()
        page.keyboard.press(key)
        expect(token(page, text)).to_have_attribute("aria-pressed", "true")
    expect_ranking(page, edges_of(server, [IT], [ANIMAL]))
    page.locator(".ranking tbody button").first.focus()
    page.keyboard.press("Enter")
    expect(tab(page, "Pinned (1)")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_answer_fits_the_window_and_follows_the_tokens(
    browser: Browser, server: str, width: int
) -> None:
    with browser.new_context(viewport={"width": width, "height": 844}) as context:
        page = context.new_page()
        open_page(page, server, text=SENTENCE)
        open_ask(page)
        token(page, "it").click()
        token(page, "animal").click()
        expect(page.locator(".ranking tbody tr")).to_have_count(12)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for part in page.locator(".ranking tr:nth-child(2) > *").all():
            box = part.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width
        expect(token(page, "it")).to_be_in_viewport()
        expect(page.locator(".ranking tbody tr").first).to_be_in_viewport()
