"""Two clicks on tokens choose a link, and the ranking of heads by it is the server's own."""

import re

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.api_client import fetch_ranking
from tests.browser.held_requests import hold_requests
from tests.browser.link_actions import (
    choose_link,
    expect_ranking,
    find_ranking_rows,
    read_ranking,
)
from tests.browser.page_actions import (
    choose_example,
    expect_done,
    find_readout,
    find_tab,
    find_token,
    open_page,
    resize,
    wait_for_frame,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE, STREET, TIRED

LINK = f"{IT}.{ANIMAL}"


@pytest.fixture(scope="module")
def server(atlas_server: str) -> str:
    """A model with an atlas, which these tests also want to see at work."""
    return atlas_server


def test_two_clicks_lead_to_the_servers_own_ranking(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    hint, ranking = page.locator(".link-hint"), page.locator(".link-ranking")
    expect(hint).to_contain_text("Point at a token")
    find_token(page, "it").hover()
    expect(page.locator("#grid")).to_have_attribute("data-row", str(IT))
    find_token(page, "it").click()
    expect(find_token(page, "it")).to_have_attribute("aria-pressed", "true")
    expect(hint).to_contain_text("Click a second token")
    expect(ranking).to_be_hidden()
    find_token(page, "animal").click()
    expect(find_token(page, "animal")).to_have_class(re.compile(r"\blocked-to\b"))
    expect(hint).to_be_hidden()
    expect(ranking.locator("h3")).to_have_text("“it” → “animal”")
    heads = fetch_ranking(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    assert len(read_ranking(page)) == 12
    said = page.locator(".ranking-said")
    expect(said).to_contain_text("from “it” to “animal”")
    expect(said).to_contain_text("Uniform attention would give 0.063")
    row = find_ranking_rows(page).first
    expect(row).to_contain_text(f"{heads[0]['weight']:.3f}")
    expect(row.locator(".beside")).to_have_text(f"{heads[0]['weighted']:.3f}")
    page.get_by_role("button", name="Show all 72 heads").click()
    expect(find_ranking_rows(page)).to_have_count(72)
    expect_ranking(page, heads)
    assert page_log.complaints == []


def test_ticks_are_what_position_alone_predicts_and_what_other_tokens_give(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, focus=LINK)
    heads = fetch_ranking(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    scale = float(page.locator(".link-ranking thead .quiet").inner_text().removeprefix("0 to "))
    for at in (0, 3):
        box, fill, tick, pale = (
            find_ranking_rows(page).nth(at).locator(f".edge-{part}").bounding_box()
            for part in ("bar", "fill", "tick:not(.pale)", "tick.pale")
        )
        assert box is not None
        assert fill is not None
        assert tick is not None
        assert pale is not None
        assert fill["width"] / box["width"] == pytest.approx(heads[at]["weight"] / scale, abs=0.015)
        for mark, baseline in ((tick, "by_position"), (pale, "by_others")):
            middle = (mark["x"] + mark["width"] / 2 - box["x"]) / box["width"]
            assert middle == pytest.approx(heads[at][baseline] / scale, abs=0.015)


def test_several_tokens_of_an_end_are_one_question_and_a_link_carries_it(
    page: Page, other_page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE)
    find_token(page, "tired").click()
    find_token(page, "it").click(modifiers=["Shift"])
    find_token(page, "animal").click()
    find_token(page, "street").click(modifiers=["Shift"])
    expect_ranking(page, fetch_ranking(server, [IT, TIRED], [ANIMAL, STREET]))
    expect(page.locator(".ranking-said")).to_contain_text(
        "“it” and “tired” to “animal” and “street”"
    )
    find_token(page, "tired").click(modifiers=["Shift"])
    expect_ranking(page, fetch_ranking(server, [IT], [ANIMAL, STREET]))
    shown = read_ranking(page)
    expect(page).to_have_url(re.compile(rf"focus={IT}\.{ANIMAL}(\+|%2B){STREET}"))
    other_page.goto(page.evaluate("location.href"))
    expect_done(other_page)
    expect_ranking(other_page, fetch_ranking(server, [IT], [ANIMAL, STREET]))
    assert read_ranking(other_page) == shown


def test_a_ranked_head_comes_into_focus_and_is_pinned_with_its_link(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, focus=LINK)
    expect_ranking(page, fetch_ranking(server, [IT], [ANIMAL]))
    layer, head, _ = read_ranking(page)[4]
    find_ranking_rows(page).nth(4).hover()
    expect(page.locator("#focus-head .panel-head h3")).to_have_text(f"L{layer} H{head}")
    layer, head, weight = read_ranking(page)[0]
    pin = find_ranking_rows(page).first.get_by_role("button")
    pin.click()
    expect(pin).to_have_text("Pinned")
    expect(find_tab(page, "Focus (1)")).to_be_visible()
    page.mouse.move(5, 5)
    expect(find_readout(page, layer, head)).to_contain_text(f"{weight:.4f}")
    # The maps need the whole width: the ranking is below them now.
    panel, ranking = (page.locator(it).bounding_box() for it in (".panel", ".link-ranking"))
    assert panel is not None
    assert ranking is not None
    assert ranking["y"] >= panel["y"] + panel["height"]
    find_ranking_rows(page).first.get_by_role("button").click()
    expect(find_tab(page, "Focus")).to_have_text("Focus")


def test_a_link_to_a_later_token_of_a_causal_model_is_masked_and_can_be_swapped(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, model="smollm2")
    choose_link(page, "animal", "it")
    said = page.locator(".ranking-said")
    expect(said).to_contain_text("attends only to earlier tokens")
    expect(page.locator("#focus-head .map-view:visible .readout")).to_contain_text("masked")
    page.locator(".link-ranking").get_by_role("button", name="Swap").click()
    expect(said).to_contain_text("from “it” to “animal”")
    expect(page.locator("#focus-head .map-view:visible .readout")).not_to_contain_text("masked")
    expect(find_ranking_rows(page)).to_have_count(12)


def test_heads_are_ranked_by_the_values_on_screen(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, values="weighted", focus=f"{IT}.{ANIMAL}")
    expect(find_ranking_rows(page)).to_have_count(12)
    heads = fetch_ranking(server, [IT], [ANIMAL])
    by_value = sorted(heads, key=lambda head: -head["weighted"])
    assert [head["head"] for head in by_value] != [head["head"] for head in heads]
    for row, head in zip(find_ranking_rows(page).all(), by_value, strict=False):
        expect(row.locator("th")).to_contain_text(f"L{head['layer']} H{head['head']}")
        expect(row.locator(".number")).to_have_text(
            [f"{head['weighted']:.3f}", f"{head['weight']:.3f}"]
        )


def test_a_late_answer_never_replaces_a_newer_one(page: Page, server: str) -> None:
    hold_requests(page, "edges", lambda question: question["keys"] == [ANIMAL])
    open_page(page, server, text=SENTENCE)
    find_token(page, "it").click()
    with page.expect_request("**/api/v1/edges"):
        find_token(page, "animal").click()
    expect(page.locator(".ranking-said")).to_contain_text("Ranking all heads")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/edges")):
        find_token(page, "street").click(modifiers=["Shift"])
    expect_ranking(page, fetch_ranking(server, [IT], [ANIMAL, STREET]))
    expect(page.locator(".ranking-said")).to_contain_text("“animal” and “street”")


def test_what_is_pressed_stays_in_place_while_layers_come(page: Page, server: str) -> None:
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    open_page(page, server, text=SENTENCE)
    pressed = [
        page.locator(name).first.element_handle()
        for name in (".link-hint button", "#examples button", "#tokens .token")
    ]
    with sockets[0].expect_event("framereceived", lambda told: '"done"' in str(told)):
        page.locator("#text").press("Control+Enter")
    wait_for_frame(page)
    assert [it.evaluate("it => it.isConnected") for it in pressed] == [True, True, True]


def test_a_press_counts_while_the_window_changes(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, focus=f"{IT}.")
    find_token(page, "animal").hover()
    page.mouse.down()
    resize(page, 1280, 700)
    page.mouse.up()
    expect(find_token(page, "animal")).to_have_attribute("aria-pressed", "true")
    first = find_ranking_rows(page).first.get_by_role("button")
    first.hover()
    page.mouse.down()
    page.emulate_media(color_scheme="dark")
    wait_for_frame(page)
    wait_for_frame(page)
    page.mouse.up()
    expect(page.locator(".panel")).to_have_count(1)


def test_another_text_forgets_the_link_and_suggests_its_own(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, focus=LINK)
    ranking = page.locator(".link-ranking")
    expect(ranking).to_be_visible()
    choose_example(page, "Agreement")
    expect(ranking).to_be_hidden()
    page.locator(".link-hint").get_by_role("button", name="“are” → “keys”").click()
    expect(page.locator(".ranking-said")).to_contain_text("from “are” to “keys”")
    ranking.get_by_role("button", name="Clear").click()
    expect(ranking).to_be_hidden()
    expect(page.locator("#tokens [aria-pressed=true]")).to_have_count(0)
    choose_link(page, "are", "keys")
    expect(ranking).to_be_visible()
    page.keyboard.press("Escape")
    expect(ranking).to_be_hidden()


def test_all_heads_fit_beside_the_map(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, focus=f"{IT}.{ANIMAL}")
    table = page.locator(".link-ranking .ranking")
    page.get_by_role("button", name="Show all 72 heads").click()
    expect(table.locator("tbody tr")).to_have_count(72)
    width, room = table.evaluate("it => [it.offsetWidth, it.parentElement.clientWidth]")
    assert width <= room


def test_all_of_it_is_reached_by_keyboard(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    for text, key in (("it", "Enter"), ("animal", " ")):
        find_token(page, text).focus()
        page.keyboard.press(key)
        expect(find_token(page, text)).to_have_attribute("aria-pressed", "true")
    expect_ranking(page, fetch_ranking(server, [IT], [ANIMAL]))
    page.locator(".link-ranking").get_by_role("button", name="Swap").focus()
    page.keyboard.press("Enter")
    expect_ranking(page, fetch_ranking(server, [ANIMAL], [IT]))
    find_ranking_rows(page).first.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(find_tab(page, "Focus (1)")).to_be_visible()


def test_arrow_keys_go_round_the_tabs(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    find_tab(page, "Focus").focus()
    page.keyboard.press("ArrowRight")
    expect(find_tab(page, "Heads")).to_be_focused()
    expect(find_tab(page, "Heads")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(page.locator("#tab-training")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-pinned")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("pins", ["", "3.1h"])
def test_the_ranking_fits_the_window(page: Page, server: str, width: int, pins: str) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_page(page, server, text=SENTENCE, pins=pins)
    choose_link(page, "it", "animal")
    expect(find_ranking_rows(page)).to_have_count(12)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for part in page.locator(".link-ranking tbody tr:nth-child(2) > *").all():
        box = part.bounding_box()
        if box is not None:  # a narrow table leaves a column out
            assert box["x"] + box["width"] <= width
    expect(find_ranking_rows(page).first.get_by_role("button")).to_be_visible()
    expect(find_token(page, "animal")).to_be_in_viewport()
