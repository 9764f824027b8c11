"""Asking by clicking: tokens become a question, and the heads' ranking is the server's own."""

import re

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.api_client import fetch_ranking
from tests.browser.ask_actions import expect_ranking, open_ask, read_ranking
from tests.browser.held_requests import hold_requests
from tests.browser.page_actions import (
    expect_done,
    find_readout,
    find_tab,
    find_token,
    open_page,
    wait_for_frame,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE, STREET, TIRED


@pytest.fixture(scope="module")
def server(atlas_server: str) -> str:
    """A model with an atlas, which these tests also want to see at work."""
    return atlas_server


def slot(page: Page, side: str) -> Locator:
    return page.locator(f".slot[data-side={side}]")


def test_three_clicks_lead_to_the_servers_own_ranking(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    open_ask(page)
    find_token(page, "it").click()
    find_token(page, "animal").click()
    heads = fetch_ranking(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    assert len(read_ranking(page)) == 12
    expect(page.locator(".ask-said")).to_contain_text("from “it” to “animal”")
    expect(page.locator(".ask-said")).to_contain_text("Uniform attention would give 0.063")
    row = page.locator("#tab-ask .ranking tbody tr").first
    expect(row).to_contain_text(f"{heads[0]['weight']:.3f}")
    expect(row).to_contain_text(f"{heads[0]['weighted']:.3f}")
    page.get_by_role("button", name="Show all 72 heads").click()
    expect(page.locator("#tab-ask .ranking tbody tr")).to_have_count(72)
    expect_ranking(page, heads)
    assert page_log.complaints == []


def test_the_tick_is_what_position_alone_predicts(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, tab="ask", ask=f"{IT}/{ANIMAL}")
    heads = fetch_ranking(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    scale = float(page.locator("#tab-ask .ranking thead .quiet").inner_text().removeprefix("0 to "))
    for at in (0, 3):
        box, fill, tick = (
            page.locator(
                f"#tab-ask .ranking tbody tr:nth-child({at + 1}) .edge-{part}"
            ).bounding_box()
            for part in ("bar", "fill", "tick")
        )
        assert box is not None
        assert fill is not None
        assert tick is not None
        assert fill["width"] / box["width"] == pytest.approx(heads[at]["weight"] / scale, abs=0.01)
        middle = (tick["x"] + tick["width"] / 2 - box["x"]) / box["width"]
        assert middle == pytest.approx(heads[at]["by_position"] / scale, abs=0.01)


def test_several_tokens_of_a_side_are_one_question_and_a_link_carries_it(
    page: Page, other_page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, tab="ask")
    for text in ("tired", "animal", "street"):
        find_token(page, text).click()
    slot(page, "queries").click()
    find_token(page, "it").click()
    expect_ranking(page, fetch_ranking(server, [IT, TIRED], [ANIMAL, STREET]))
    expect(page.locator(".ask-said")).to_contain_text("“it” and “tired” to “animal” and “street”")
    find_token(page, "tired").click()
    expect_ranking(page, fetch_ranking(server, [IT], [ANIMAL, STREET]))
    shown = read_ranking(page)
    expect(page).to_have_url(re.compile(f"ask={IT}/{ANIMAL},{STREET}"))
    copied = page.evaluate("location.href")
    other_page.goto(copied)
    expect_done(other_page)
    expect_ranking(other_page, fetch_ranking(server, [IT], [ANIMAL, STREET]))
    assert read_ranking(other_page) == shown


def test_a_pinned_head_shows_the_link_it_was_pinned_for(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, tab="ask", ask=f"{IT}/{ANIMAL}")
    pin = page.locator("#tab-ask .ranking tbody button").first
    pin.click()
    expect(pin).to_have_text("Pinned")
    layer, head, weight = read_ranking(page)[0]
    find_tab(page, "Pinned (1)").click()
    expect(find_readout(page, layer, head)).to_contain_text(f"{weight:.4f}")
    find_tab(page, "Ask").click()
    page.locator("#tab-ask .ranking tbody button").first.click()
    expect(find_tab(page, "Pinned")).to_have_text("Pinned")


def test_a_direction_that_a_causal_model_cannot_see_is_explained_and_turned_round(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, model="smollm2", tab="ask")
    find_token(page, "animal").click()
    find_token(page, "it").click()
    expect(page.locator(".ask-problem")).to_contain_text("looks only back")
    page.get_by_role("button", name="Swap From and To").click()
    expect(page.locator(".ask-said")).to_contain_text("from “it” to “animal”")
    expect(page.locator(".ask-problem")).to_be_hidden()
    expect(page.locator("#tab-ask .ranking tbody tr")).to_have_count(12)


def test_a_late_answer_never_replaces_a_newer_one(page: Page, server: str) -> None:
    hold_requests(page, "edges", lambda question: question["keys"] == [ANIMAL])
    open_page(page, server, text=SENTENCE, tab="ask")
    find_token(page, "it").click()
    with page.expect_request("**/api/v1/edges"):
        find_token(page, "animal").click()
    expect(page.locator(".ask-said")).to_contain_text("Asking all heads")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/edges")):
        find_token(page, "street").click()
    newer = fetch_ranking(server, [IT], [ANIMAL, STREET])
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
    wait_for_frame(page)
    assert [it.evaluate("it => it.isConnected") for it in pressed] == [True, True, True]


def test_another_text_forgets_the_question(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, tab="ask", ask=f"{IT}/{ANIMAL}")
    expect(page.locator("#tab-ask .ranking")).to_be_visible()
    page.locator("#examples").get_by_text("Agreement").click()
    expect(page.locator("#tab-ask .ranking")).to_be_hidden()
    expect(page.locator(".ask-empty")).to_contain_text("“are”")
    page.get_by_role("button", name="“are” → “keys”").click()
    expect(page.locator(".ask-said")).to_contain_text("from “are” to “keys”")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#tab-ask .ranking")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".ask-said")).to_contain_text("from “are” to “keys”")


def test_all_of_it_is_reached_by_keyboard(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    find_tab(page, "Pinned").focus()
    page.keyboard.press("ArrowRight")
    expect(find_tab(page, "Ask")).to_be_focused()
    expect(find_tab(page, "Ask")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(page.locator("#tab-corpus")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-pinned")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(find_tab(page, "Ask")).to_have_attribute("aria-selected", "true")
    for text, key in (("it", "Enter"), ("animal", " ")):
        find_token(page, text).focus()
        page.keyboard.press(key)
        expect(find_token(page, text)).to_have_attribute("aria-pressed", "true")
    expect_ranking(page, fetch_ranking(server, [IT], [ANIMAL]))
    page.locator("#tab-ask .ranking tbody button").first.focus()
    page.keyboard.press("Enter")
    expect(find_tab(page, "Pinned (1)")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_answer_fits_the_window_and_follows_the_tokens(
    page: Page, server: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_page(page, server, text=SENTENCE)
    open_ask(page)
    find_token(page, "it").click()
    find_token(page, "animal").click()
    expect(page.locator("#tab-ask .ranking tbody tr")).to_have_count(12)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for part in page.locator("#tab-ask .ranking tr:nth-child(2) > *").all():
        box = part.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width
    expect(find_token(page, "it")).to_be_in_viewport()
    expect(page.locator("#tab-ask .ranking tbody tr").first).to_be_in_viewport()
