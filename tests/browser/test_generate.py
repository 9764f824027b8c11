"""A model that writes on: tokens, probabilities and rows are the server's, branches come back."""

import json
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.api_client import ask_server, fetch_map
from tests.browser.page_actions import LOADING_MS, expect_done, find_panel, open_page
from tests.browser.page_log import PageLog

TEXT = "The capital of France is"
FRANCE, IS = 3, 4
TINY = {"model": "headscope-tiny", "text": "abcd efgh abcd ef"}
LONG = {"model": "headscope-tiny", "text": "abcdefghij klmnopqrst " * 7}
N_LONG = 1 + len(LONG["text"])
CENTRE = """([layer, head, layers, heads]) => {
  const { clientWidth, clientHeight } = document.querySelector(".step-grid");
  const [left, top] = [28, 18]; // room for the names
  const [wide, tall] = [(clientWidth - left) / heads, (clientHeight - top) / layers];
  return [left + (head + 0.4) * wide, top + (layer + 0.4) * tall];
}"""
Question = dict[str, str]
SMOLLM2 = {"model": "smollm2", "text": TEXT}


def generating(page: Page, server: str, question: Question, **state: str) -> None:
    """The tab with its candidates there."""
    open_page(page, server, **question, tab="generate", **state)
    expect_candidates(page, next_of(server, question, continuation(page)))


def continuation(page: Page) -> list[int]:
    """The ids after the text, as the address has them."""
    found = re.search(r"[#&]continue=([\d,]+)", page.evaluate("location.hash"))
    return [int(id) for id in found[1].split(",")] if found else []


def next_of(server: str, question: Question, ids: list[int]) -> dict[str, Any]:
    more = {"continuation": ids} if ids else {}
    return ask_server(server, "next", **question, **more)


def greedy(server: str, question: Question, n: int) -> list[int]:
    """The most probable tokens one after the other, each asked for by itself."""
    ids: list[int] = []
    for _ in range(n):
        ids.append(next_of(server, question, ids)["candidates"][0]["id"])
    return ids


def candidates(page: Page) -> Locator:
    return page.locator(".candidates button")


def chips(page: Page) -> Locator:
    return page.locator(".written-tokens button")


def written(page: Page) -> list[int]:
    """The ids behind the chips."""
    return [
        int(id) for id in chips(page).evaluate_all("all => all.map(({ dataset }) => dataset.id)")
    ]


def expect_candidates(page: Page, told: dict[str, Any]) -> None:
    """The list shows what the server says of the next token."""
    card = page.locator("#tab-generate [data-entropy]")
    entropy = str(told["entropy"])
    expect(card).to_have_attribute("data-entropy", entropy, timeout=LOADING_MS)
    shown = candidates(page).evaluate_all(
        "list => list.map(({ dataset }) => [dataset.id, dataset.probability].map(Number))"
    )
    named = told["candidates"][: len(shown)]
    assert shown == [[one["id"], one["probability"]] for one in named]
    others = page.locator(".candidates .others").get_attribute("data-probability")
    assert sum(one[1] for one in shown) + float(others or "nan") == pytest.approx(1, abs=1e-9)


def expect_written(page: Page, ids: list[int]) -> None:
    """These tokens, nothing running, and an analysis of the text with them."""
    expect(page.get_by_role("button", name=re.compile("^Stream"))).to_be_enabled(timeout=LOADING_MS)
    expect(chips(page)).to_have_count(len(ids))
    # The last token is drawn before its writing is over.
    expect(page.locator(".written-tokens .fresh")).to_have_count(0)
    assert written(page) == ids
    assert continuation(page) == ids


def stream(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Stream")).click()


def branches(page: Page) -> Locator:
    return page.locator(".branch")


def test_the_candidates_are_the_servers_own(page: Page, server: str, page_log: PageLog) -> None:
    open_page(page, server, **SMOLLM2)
    page.get_by_role("tab", name="Generate").click()
    told = next_of(server, SMOLLM2, [])
    expect_candidates(page, told)
    first = candidates(page).first
    expect(first).to_contain_text("␣Paris")
    expect(first).to_contain_text(f"{100 * told['candidates'][0]['probability']:.2f} %")
    expect(page.locator("#tab-generate")).to_contain_text(f"entropy {told['entropy']:.3f} nats")
    expect(candidates(page)).to_have_count(10)
    page.get_by_role("button", name="Show 20").click()
    expect(candidates(page)).to_have_count(20)
    expect_candidates(page, told)
    assert page_log.complaints == []


def test_a_stream_writes_the_greedy_text_and_asks_for_its_maps_once(
    page: Page, server: str
) -> None:
    sent: list[list[int]] = []

    def listen(socket: WebSocket) -> None:
        if socket.url.endswith("/stream"):
            socket.on(
                "framesent", lambda data: sent.append(json.loads(data).get("continuation", []))
            )

    page.on("websocket", listen)
    generating(page, server, SMOLLM2, sampling="0,,0,6")
    assert sent == [[]]
    stream(page)
    expect(page.locator(".generate-said")).to_contain_text("6 tokens written", timeout=LOADING_MS)
    ids = greedy(server, SMOLLM2, 6)
    expect_written(page, ids)
    expect_done(page)
    expect(page.locator("#tokens button")).to_have_count(5 + 6)
    assert sent == [[], ids]
    expect_candidates(page, next_of(server, SMOLLM2, ids))


def test_each_step_adds_the_most_probable_token(page: Page, server: str) -> None:
    generating(page, server, TINY)
    ids = greedy(server, TINY, 3)
    for n in range(3):
        page.get_by_role("button", name="Step", exact=True).click()
        expect_written(page, ids[: n + 1])
        expect_candidates(page, next_of(server, TINY, ids[: n + 1]))
    page.locator("#history-open").click()
    expect(page.locator("#history .history-list li")).to_have_count(1)
    expect(page.locator("#history .history-list li")).to_contain_text("3 tokens written: “")
    page.keyboard.press("Escape")


def test_another_model_on_side_b_is_said_to_read_the_sentence_alone(
    page: Page, server: str
) -> None:
    ids = ",".join(map(str, greedy(server, SMOLLM2, 2)))
    open_page(page, server, **SMOLLM2, **{"continue": ids}, against="", against_model="minilm")
    unread = page.locator("#against-unread")
    expect(unread).to_contain_text("without the 2 tokens written after it")
    expect(page.get_by_role("button", name="Swap A and B")).to_be_disabled()
    expect(page.locator("#against-unswapped")).to_contain_text("Rewind it first")
    unread.get_by_role("button").click()
    expect(page.locator("#against-text")).to_have_value(f"{TEXT} Paris.")
    expect(unread).to_be_hidden()


def test_a_candidate_makes_a_branch_and_both_can_be_gone_back_to(page: Page, server: str) -> None:
    generating(page, server, TINY, sampling="0,,0,4")
    stream(page)
    main = greedy(server, TINY, 4)
    expect_written(page, main)
    expect(page.locator(".branches-box")).to_be_hidden()
    chips(page).nth(1).click()
    expect_written(page, main[:1])
    told = next_of(server, TINY, main[:1])
    expect_candidates(page, told)
    candidates(page).nth(2).click()
    other = [main[0], told["candidates"][2]["id"]]
    expect_written(page, other)
    expect(branches(page)).to_have_count(2)
    expect(branches(page).nth(1)).to_have_attribute("aria-current", "true")
    branches(page).first.click()
    expect_written(page, main)
    expect_candidates(page, next_of(server, TINY, main))
    page.get_by_role("button", name="Rewind all").click()
    expect_written(page, [])
    expect(page.locator("#tab-generate")).to_contain_text("Nothing is written yet.")
    expect(branches(page)).to_have_count(2)
    branches(page).nth(1).click()
    expect_written(page, other)


def test_a_link_carries_what_was_written_and_how(page: Page, other_page: Page, server: str) -> None:
    generating(page, server, TINY)
    for name, value in (("temperature", "0.8"), ("top_k", "5"), ("seed", "7"), ("n", "6")):
        page.locator(f"#sampling-{name}").fill(value)
        page.keyboard.press("Tab")
    stream(page)
    expect(chips(page)).to_have_count(6, timeout=LOADING_MS)
    drawn = written(page)
    expect_written(page, drawn)
    assert "sampling=0.8,5,7,6" in page.url
    other_page.goto(page.url)
    expect_done(other_page)
    expect_written(other_page, drawn)
    expect_candidates(other_page, next_of(server, TINY, drawn))
    other_page.get_by_role("button", name="Rewind all").click()
    expect_written(other_page, [])
    stream(other_page)
    expect(chips(other_page)).to_have_count(6, timeout=LOADING_MS)
    expect_written(other_page, drawn)  # the same seed draws the same tokens


def test_stopping_keeps_what_is_written(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2, sampling="0,,0,200")
    stream(page)
    expect(page.locator(".written-tokens .fresh").nth(2)).to_be_visible(timeout=LOADING_MS)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".generate-said")).to_contain_text("Stopped after")
    kept = written(page)
    assert 3 <= len(kept) < 200
    expect_written(page, kept)
    assert kept[:3] == greedy(server, SMOLLM2, 3)
    expect(page.locator("#tokens button")).to_have_count(5 + len(kept), timeout=LOADING_MS)


def test_another_text_stops_the_writing_and_shows_nothing_of_it(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2, sampling="0,,0,200")
    stream(page)
    expect(page.locator(".written-tokens .fresh").first).to_be_visible(timeout=LOADING_MS)
    page.locator("#text").fill("Two cats")
    expect(chips(page)).to_have_count(0)
    question = {**SMOLLM2, "text": "Two cats"}
    expect_candidates(page, next_of(server, question, []))
    expect_written(page, [])
    expect(branches(page)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#text")).to_have_value(TEXT)
    expect(branches(page)).to_have_count(1)
    branches(page).click()
    expect(chips(page).first).to_have_attribute("data-id", str(greedy(server, SMOLLM2, 1)[0]))


def test_another_model_forgets_what_was_written(page: Page, server: str) -> None:
    generating(page, server, TINY)
    page.get_by_role("button", name="Step", exact=True).click()
    expect_written(page, greedy(server, TINY, 1))
    page.locator("#model").select_option("minilm")
    expect(page.get_by_role("tab", name="Generate")).to_be_hidden()
    expect(page.locator("#tab-pinned")).to_be_visible()
    assert continuation(page) == []
    page.locator("#model").select_option("smollm2")
    expect(page.get_by_role("tab", name="Generate")).to_be_visible()
    expect_candidates(page, next_of(server, {**TINY, "model": "smollm2"}, []))


def point_at(page: Page, layer: int, head: int) -> None:
    """The pointer on a head of SmolLM2's in the small grid."""
    x, y = page.evaluate(CENTRE, [layer, head, 30, 9])
    page.locator(".step-grid").hover(position={"x": x, "y": y})


def test_the_grid_tells_what_each_head_looks_at(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2)
    readout = page.locator(".step-readout")
    for layer, head in ((0, 0), (10, 1), (29, 8)):
        point_at(page, layer, head)
        row = fetch_map(server, (layer, head), **SMOLLM2).weights[IS]
        token = TEXT.split()[int(row.argmax())]
        expect(readout).to_contain_text(f"L{layer} H{head} → {token} about ")
        assert float(readout.inner_text().split()[-1]) == pytest.approx(row.max(), abs=0.011)
    bar = page.locator(".step-heads .color-bar")
    expect(bar).to_have_text(re.compile(r"^weight on that token00\.050\.250\.51$"))
    page.locator("#step-watch").select_option(str(FRANCE))
    expect(bar.locator("figcaption")).to_have_text("weight on “France”")
    assert f"focus={IS}.{FRANCE}" in page.evaluate("location.hash")
    point_at(page, 16, 3)
    weight = fetch_map(server, (16, 3), **SMOLLM2).weights[IS, FRANCE]
    said = re.compile(r"^L16 H3 → France about (\d?\.\d\d)")
    expect(readout).to_have_text(said)
    found = said.match(readout.inner_text())
    assert found is not None
    assert float(found[1]) == pytest.approx(weight, abs=0.011)


def test_a_click_pins_the_head_at_the_token_that_predicts(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2)
    point_at(page, 10, 1)
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_role("tab", name="Pinned (1)")).to_be_visible()
    link = page.evaluate("location.hash")
    assert "pins=10.1h" in link
    assert f"focus={IS}." in link
    page.get_by_role("tab", name="Pinned (1)").click()
    expect(find_panel(page, 10, 1)).to_contain_text("is →")


def test_keys_move_over_the_heads_and_pin(page: Page, server: str) -> None:
    generating(page, server, TINY)
    page.locator(".step-grid").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator(".step-readout")).to_contain_text("L1 H2 →")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Pinned (1)")).to_be_visible()


def test_rows_of_a_step_are_exact_also_where_maps_are_pooled(page: Page, server: str) -> None:
    generating(page, server, LONG)
    expect(page.locator("#tab-generate")).to_contain_text("single rows come with the next step")
    page.get_by_role("button", name="Step", exact=True).click()
    # The rows go while the text is read with its new token, and come again.
    expect(page.locator(".written-tokens button:not(.fresh)")).to_have_count(1, timeout=LOADING_MS)
    expect(page.locator(".step-grid")).to_be_visible(timeout=LOADING_MS)
    page.locator(".step-heads summary").click()
    rows = page.locator(".step-heads tbody tr")
    expect(rows).to_have_count(16)
    expect(rows.first).to_be_visible()
    shown = [row.split("\t") for row in rows.all_inner_texts()]
    tokens = ask_server(server, "tokenize", **LONG)["tokens"]
    for at, (name, token, weight) in enumerate(shown):
        layer, head = divmod(at, 8)
        row = fetch_map(server, (layer, head), **LONG).weights[N_LONG - 1]
        assert name.strip() == f"L{layer} H{head}"
        assert token.strip() == tokens[int(np.argmax(row))]["text"]
        assert float(weight) == pytest.approx(row.max(), abs=0.0006)


def test_the_rows_of_a_stream_are_shown_while_it_writes(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2, sampling="0,,0,200")
    expect(page.locator(".step-readout")).to_have_text("From “is”: point at a head")
    stream(page)
    expect(page.locator(".written-tokens .fresh").nth(1)).to_be_visible(timeout=LOADING_MS)
    expect(page.locator(".step-readout")).not_to_contain_text("“is”")
    expect(page.locator(".step-heads .hint")).not_to_contain_text("overview")
    expect(page.locator(".candidates .chosen")).to_have_count(1)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".candidates .chosen")).to_have_count(0)


def test_the_end_of_what_a_model_can_read_is_told(page: Page, server: str) -> None:
    text = "ab" * 126
    generating(page, server, {"model": "headscope-tiny", "text": text})
    stream(page)
    expect(page.locator(".generate-said")).to_contain_text(
        "as long as it may be", timeout=LOADING_MS
    )
    expect(chips(page)).to_have_count(256 - 253)


def test_the_tab_fits_the_window(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2, **{"continue": "7042,30"})
    expect(page.locator(".step-grid")).to_be_visible()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        # Another width of the window is answered some frames later.
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        for part in (".generate-card", ".sampling", ".sampling-tools .tool", ".step-heads"):
            for inside, whole in page.locator(part).evaluate_all(
                "parts => parts.map((part) => [part.scrollWidth, part.clientWidth])"
            ):
                assert inside <= whole, (part, width)
