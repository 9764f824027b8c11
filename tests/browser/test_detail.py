"""The query-key detail: every number is the server's, for the pair that is meant."""

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api_client import ask_server, fetch_map
from tests.browser.held_requests import hold_requests
from tests.browser.page_actions import (
    LOADING_MS,
    expect_done,
    find_panel,
    find_readout,
    open_page,
    resize,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE, WAS, WIDE_SENTENCE

MINUS, TIMES = "\u2212", "\u00d7"
CELLS = "rows => rows.map((row) => [...row.querySelectorAll('td')].map((td) => td.textContent))"
Json = dict[str, Any]


def step(page: Page, name: str) -> Locator:
    return page.locator(f"#detail output[data-step={name}]")


def numbers(page: Page) -> dict[str, float | None]:
    """What the chain says, to the last digit."""
    said = {
        name: step(page, name).get_attribute("data-value") for name in ("dot", "score", "weight")
    }
    return {
        name: None if value in (None, "null") else float(value or "nan")
        for name, value in said.items()
    }


def expect_steps(page: Page, told: Json) -> None:
    """The dialog shows these steps, once they are there."""
    weight = re.compile(f"^{re.escape(str(told['weight']))}")
    expect(step(page, "dot")).to_have_attribute("data-value", str(told["dot"]), timeout=LOADING_MS)
    if told["weight"] not in (0.0, 1.0):
        expect(step(page, "weight")).to_have_attribute("data-value", weight)
    assert numbers(page) == {name: told[name] for name in ("dot", "score", "weight")}
    assert page.locator("#detail-query").input_value() == str(told["query"])
    assert page.locator("#detail-key").input_value() == str(told["key"])
    for key in page.locator(".detail-keys button").all():
        token, shown = (key.get_attribute(f"data-{name}") for name in ("key", "weight"))
        assert float(shown or "nan") == told["weights"][int(token or -1) - told["keys"][0]]
    chosen = page.locator(".detail-keys [aria-pressed=true]")
    expect(chosen).to_have_attribute("data-key", str(told["key"]))


def strongest(server: str, layer: int, head: int, causal: bool, **question: object) -> Json:
    """The steps behind a head's largest weight; the first query of a causal head has no choice."""
    found = fetch_map(server, (layer, head), **question)
    first = 1 if causal else 0
    row, col = np.unravel_index(found.weights[first:].argmax(), found.weights[first:].shape)
    pair = {"query": int(row) + first, "key": int(col)}
    return ask_server(server, "query-key", layer=layer, head=head, **pair, **question)


def test_the_chain_shows_the_servers_numbers(page: Page, server: str, page_log: PageLog) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h", focus=f"{IT}.{ANIMAL}")
    find_panel(page, 3, 1).get_by_role("button", name="Query-key detail").click()
    told = ask_server(server, "query-key", layer=3, head=1, query=IT, key=ANIMAL)
    expect_steps(page, told)
    expect(page.locator("#detail-title")).to_have_text("L3 H1: “it” → “animal”")
    chain = page.locator(".detail-chain h3")
    dot, score, weight = (f"{told[name]:.4f}" for name in ("dot", "score", "weight"))
    expect(chain.nth(0)).to_have_text(f"q · k = {dot}".replace("-", MINUS))
    expect(chain.nth(1)).to_have_text(f"{TIMES} 0.1768 = {score}".replace("-", MINUS))
    expect(chain.nth(2)).to_have_text(f"softmax = {weight}")
    assert told["dot"] * told["scale"] == pytest.approx(told["score"], rel=1e-6)
    expect(page.locator("#detail")).to_contain_text("1 / √32, for 32 dimensions")
    assert page_log.complaints == []


def test_the_largest_products_the_pointed_dimension_and_all_numbers_are_told(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, focus=f"{IT}.{ANIMAL}", detail="3.1")
    told = ask_server(server, "query-key", layer=3, head=1, query=IT, key=ANIMAL)
    expect_steps(page, told)
    order = sorted(range(32), key=lambda at: -abs(told["product"][at]))[:5]
    words = ", ".join(f"{at} ({told['product'][at]:+.4f})" for at in order).replace("-", MINUS)
    expect(page.locator("#detail")).to_contain_text(words)

    page.locator("#detail canvas").first.hover(position={"x": 85, "y": 20})
    q, k, product = (f"{told[name][0]:.4f}" for name in ("q", "k", "product"))
    words = f"Dimension 0: {q} {TIMES} {k} = {product}, the sum so far {product}."
    expect(page.locator(".detail-said")).to_have_text(words.replace("-", MINUS))

    page.get_by_text("All numbers as tables").click()
    rows = [page.locator("#detail .detail-table").nth(at).locator("tbody tr") for at in (0, 1)]
    expect(rows[0]).to_have_count(32)
    dimensions, keys = (
        [[float(cell.replace(MINUS, "-")) for cell in row] for row in found.evaluate_all(CELLS)]
        for found in rows
    )
    columns = np.array(dimensions).T
    for column, name in zip(columns, ("q", "k", "product"), strict=False):
        assert column.tolist() == told[name]
    assert columns[3] == pytest.approx(np.cumsum(told["product"]), abs=1e-5)
    assert keys == [list(both) for both in zip(told["scores"], told["weights"], strict=True)]


@pytest.mark.parametrize(
    ("model", "text", "head", "causal"),
    [
        ("minilm", SENTENCE, (3, 1), False),
        ("smollm2", SENTENCE, (10, 4), True),
        ("headscope-tiny", "abcd efgh abcd ef", (1, 3), True),
    ],
)
def test_without_a_focus_the_strongest_link_is_shown(
    page: Page, server: str, model: str, text: str, head: tuple[int, int], causal: bool
) -> None:
    layer, number = head
    open_page(page, server, model=model, text=text, detail=f"{layer}.{number}")
    expect_steps(page, strongest(server, layer, number, causal, model=model, text=text))


def test_a_lone_locked_query_gets_its_strongest_key(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, focus=f"{IT}.", detail="3.1")
    row = fetch_map(server, (3, 1)).weights[IT]
    told = ask_server(server, "query-key", layer=3, head=1, query=IT, key=int(row.argmax()))
    expect_steps(page, told)


def test_keys_shared_by_heads_are_named(page: Page, server: str) -> None:
    open_page(page, server, model="smollm2", text=SENTENCE, focus="8.1", detail="10.4")
    told = ask_server(server, "query-key", model="smollm2", layer=10, head=4, query=8, key=1)
    expect_steps(page, told)
    assert told["key_head"] == 1
    expect(page.locator("#detail .dialog-head")).to_contain_text("64 dimensions · key head 1")
    expect(page.locator("#detail .note")).to_contain_text("Heads 3 to 5 of this layer")
    expect(page.locator("#detail .note")).to_contain_text("rotary positions")


def test_a_key_that_a_causal_query_cannot_see_is_told_so(page: Page, server: str) -> None:
    open_page(page, server, model="smollm2", text=SENTENCE, focus="2.8", detail="10.4")
    told = ask_server(server, "query-key", model="smollm2", layer=10, head=4, query=2, key=8)
    expect_steps(page, told)
    assert told["score"] is None
    expect(page.locator(".detail-chain h3").nth(1)).to_have_text(f"{TIMES} 0.125 + mask = {MINUS}∞")
    expect(step(page, "weight")).to_have_text("0.0000")
    expect(page.locator("#detail .note")).to_contain_text("reaches only earlier tokens")
    expect(page.locator(".detail-softmax")).to_contain_text("not visible to this query")


def test_menus_and_arrow_keys_change_the_pair_everywhere(
    page: Page, other_page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h", focus=f"{IT}.{ANIMAL}", detail="3.1")
    ask = {"layer": 3, "head": 1}
    expect_steps(page, ask_server(server, "query-key", query=IT, key=ANIMAL, **ask))
    page.keyboard.press("ArrowDown")
    expect_steps(page, ask_server(server, "query-key", query=WAS, key=ANIMAL, **ask))
    for _ in range(3):  # quicker than it is drawn
        page.keyboard.press("ArrowRight")
    expect_steps(page, ask_server(server, "query-key", query=WAS, key=ANIMAL + 3, **ask))
    page.locator("#detail-query").select_option(str(IT))
    page.locator("#detail-key").select_option("0")
    expect_steps(page, ask_server(server, "query-key", query=IT, key=0, **ask))
    page.locator("#detail .icon").focus()
    page.keyboard.press("ArrowLeft")
    told = ask_server(server, "query-key", query=IT, key=0, **ask)
    expect_steps(page, told)
    expect(find_readout(page, 3, 1)).to_contain_text("it → [CLS]")
    page.locator(".detail-keys button", has_text="animal").click()
    told = ask_server(server, "query-key", query=IT, key=ANIMAL, **ask)
    expect_steps(page, told)
    other_page.goto(page.url)
    expect_done(other_page)
    expect_steps(other_page, told)
    page.get_by_role("button", name="Strongest link").click()
    expect_steps(page, strongest(server, 3, 1, causal=False))


def test_keys_open_walk_and_close_the_dialog_alone_and_focus_returns(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h", focus=f"{IT}.{ANIMAL}")
    button = find_panel(page, 3, 1).get_by_role("button", name="Query-key detail")
    dialog = page.locator("#detail")
    for close in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.get_by_role("button", name="Close").click(),
    ):
        button.focus()
        page.keyboard.press("Enter")
        expect(dialog).to_be_visible()
        expect(step(page, "weight")).to_have_text(re.compile(r"\d"), timeout=LOADING_MS)
        assert dialog.evaluate("dialog => dialog.contains(document.activeElement)")
        assert "detail=3.1" in page.evaluate("location.hash")
        close()
        expect(dialog).to_be_hidden()
        expect(button).to_be_focused()
        expect(find_readout(page, 3, 1)).to_contain_text("it → animal")
    assert "detail" not in page.evaluate("location.hash")
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()  # the closed dialog still holds the last answer's text
    expect(step(page, "weight")).to_have_text(re.compile(r"\d"), timeout=LOADING_MS)
    page.locator("#detail-key").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#detail-key")).to_have_value(str(ANIMAL + 1))
    page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_side_b_is_told_of_its_own_text(page: Page, server: str) -> None:
    link = {
        "against": "",
        "against_text": WIDE_SENTENCE,
        "detail": "b:3.1",
        "focus": f"b:{IT}.{ANIMAL}",
    }
    open_page(page, server, text=SENTENCE, **link)
    told = ask_server(
        server, "query-key", text=WIDE_SENTENCE, layer=3, head=1, query=IT, key=ANIMAL
    )
    expect_steps(page, told)
    expect(page.locator("#detail-title")).to_have_text("B L3 H1: “it” → “animal”")
    assert (
        told["dot"] != ask_server(server, "query-key", layer=3, head=1, query=IT, key=ANIMAL)["dot"]
    )


@pytest.mark.parametrize(
    ("letter", "stack", "query", "key"), [("d", "decoder", 8, 7), ("x", "cross", 8, 2)]
)
def test_every_attention_of_an_encoder_decoder_has_its_detail(
    page: Page, extra_models_server: str, t5: str, letter: str, stack: str, query: int, key: int
) -> None:
    server, model = extra_models_server, t5
    texts = {"text": "The cat sat.", "text_pair": "Die Katze"}
    pair = {"query": query, "key": key}
    open_page(page, server, model=model, **texts, detail=f"{letter}1.1", focus=f"{query}.{key}")
    asked = {"model": model, **texts, "stack": stack, "layer": 1, "head": 1}
    told = ask_server(server, "query-key", **asked, **pair)
    expect_steps(page, told)
    expect(page.locator("#detail")).to_contain_text("does not scale its scores")
    expect(page.locator("#detail .note")).to_have_text(told["note"] or "")
    if stack == "decoder":
        assert "The position bias is what" in told["note"]
        bias = page.locator(".detail-score [data-term='position bias']")
        expect(bias).to_have_attribute("data-value", str(told["added"]))


def test_a_late_answer_never_replaces_a_newer_one(page: Page, server: str) -> None:
    hold_requests(page, "query-key", lambda question: question["query"] == IT + 1)
    open_page(page, server, text=SENTENCE, focus=f"{IT}.{ANIMAL}", detail="3.1")
    ask = {"layer": 3, "head": 1}
    older = ask_server(server, "query-key", query=IT, key=ANIMAL, **ask)
    expect_steps(page, older)
    with page.expect_request("**/api/v1/query-key"):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".detail-answer")).to_be_hidden()
    with page.expect_event("requestfailed", lambda request: "query-key" in request.url):
        page.keyboard.press("ArrowDown")
    newer = ask_server(server, "query-key", query=IT + 2, key=ANIMAL, **ask)
    expect_steps(page, newer)


def test_another_text_shows_nothing_of_the_old_one(page: Page, server: str) -> None:
    hold_requests(page, "query-key", lambda question: question["text"] != SENTENCE)
    open_page(page, server, text=SENTENCE, focus=f"{IT}.{ANIMAL}", detail="3.1")
    expect_steps(page, ask_server(server, "query-key", layer=3, head=1, query=IT, key=ANIMAL))
    page.evaluate("location.hash = 'text=Two cats sat here.&detail=3.1&focus=2.1'")
    expect(page.locator("#detail-title")).to_have_text("L3 H1: “cats” → “Two”")
    expect(page.locator(".detail-answer")).to_be_hidden()


def test_what_went_wrong_is_said_in_words(page: Page, server: str) -> None:
    problem = {"code": "out_of_memory", "message": "The memory is full.", "details": None}
    page.route(
        "**/api/v1/query-key", lambda route: route.fulfill(status=503, json={"error": problem})
    )
    open_page(page, server, text=SENTENCE, focus=f"{IT}.{ANIMAL}", detail="3.1")
    expect(page.locator("#detail .problem")).to_have_text("The memory is full.")
    expect(page.locator(".detail-answer")).to_be_hidden()


def test_the_chain_fits_the_window(page: Page, server: str) -> None:
    open_page(page, server, model="smollm2", text=SENTENCE, focus="8.1", detail="10.4")
    expect(step(page, "weight")).to_be_visible()
    for width in (1280, 390):
        resize(page, width, 844)
        for part in ("#detail", ".detail-body", ".detail-chain", ".detail-softmax"):
            inside, whole = page.locator(part).evaluate("it => [it.scrollWidth, it.clientWidth]")
            assert inside <= whole, (part, width)
        boxes = [part.bounding_box() for part in page.locator(".detail-step").all()]
        places = [(box["x"], box["y"]) for box in boxes if box is not None]
        runs = 0 if width > 900 else 1
        assert sorted(places, key=lambda place: place[runs]) == places
        assert len({place[1 - runs] for place in places}) == 1
