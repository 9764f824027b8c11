"""A model that writes on: tokens, probabilities and rows are the server's, branches come back."""

import json
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.api_client import ask_server, fetch_map
from tests.browser.page_actions import LOADING_MS, expect_done, find_panel, open_page, resize
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
    open_page(page, server, v="2", **question, tab="generate", **state)
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
    expect(page.locator("#tab-generate")).to_contain_text("After “is ·4”")
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
    expect(page.locator("#against-unswapped")).to_contain_text("rewind them first")
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
        place = 1 + int(row[1:].argmax())  # the first token is a sink
        expect(readout).to_contain_text(f"L{layer} H{head} → {TEXT.split()[place]} ·{place} about ")
        found = re.search(r"about (\d?\.\d\d) · sinks (\d?\.\d\d)$", readout.inner_text())
        assert found is not None
        assert [float(weight) for weight in found.groups()] == pytest.approx(
            [row[place], row[0]], abs=0.011
        )
    bar = page.locator(".step-heads .color-bar")
    expect(bar).to_have_text(re.compile(r"^weight, sinks left out00\.050\.250\.51$"))
    page.locator(f".shares [data-key='{FRANCE}']").click()
    expect(bar.locator("figcaption")).to_have_text("weight on “France ·3”")
    assert f"focus={IS}.{FRANCE}" in page.evaluate("location.hash")
    point_at(page, 16, 3)
    weight = fetch_map(server, (16, 3), **SMOLLM2).weights[IS, FRANCE]
    said = re.compile(r"^L16 H3 → France ·3 about (\d?\.\d\d)")
    expect(readout).to_have_text(said)
    found = said.match(readout.inner_text())
    assert found is not None
    assert float(found[1]) == pytest.approx(weight, abs=0.011)


def test_a_click_pins_the_head_at_the_token_that_predicts(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2)
    point_at(page, 10, 1)
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_role("tab", name="Focus (1)")).to_be_visible()
    link = page.evaluate("location.hash")
    assert "pins=10.1h" in link
    assert f"focus={IS}." in link
    page.get_by_role("tab", name="Focus (1)").click()
    expect(find_panel(page, 10, 1)).to_contain_text("is →")


def test_keys_move_over_the_heads_and_pin(page: Page, server: str) -> None:
    generating(page, server, TINY)
    page.locator(".step-grid").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator(".step-readout")).to_contain_text("L1 H2 →")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Focus (1)")).to_be_visible()


def test_rows_of_a_step_are_exact_also_where_maps_are_pooled(page: Page, server: str) -> None:
    generating(page, server, LONG)
    expect(page.locator("#tab-generate")).to_contain_text("single rows come with the next step")
    page.get_by_role("button", name="Step", exact=True).click()
    # The rows go while the text is read with its new token, and come again.
    expect(page.locator(".written-tokens button:not(.fresh)")).to_have_count(1, timeout=LOADING_MS)
    expect(page.locator(".step-grid")).to_be_visible(timeout=LOADING_MS)
    page.locator(".step-foot summary").click()
    rows = page.locator(".step-foot tbody tr")
    expect(rows).to_have_count(16)
    expect(rows.first).to_be_visible()
    shown = [row.split("\t") for row in rows.all_inner_texts()]
    tokens = ask_server(server, "tokenize", **LONG)["tokens"]
    for at, (name, token, weight, first) in enumerate(shown):
        layer, head = divmod(at, 8)
        row = fetch_map(server, (layer, head), **LONG).weights[N_LONG - 1]
        place = 1 + int(np.argmax(row[1:]))
        assert name.strip() == f"L{layer} H{head}"
        assert token.strip() == f"{tokens[place]['text']} ·{place}"
        assert float(weight) == pytest.approx(row[place], abs=0.0006)
        assert float(first) == pytest.approx(row[0], abs=0.0006)


def test_the_rows_of_a_stream_are_shown_while_it_writes(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2, sampling="0,,0,200")
    expect(page.locator(".step-tokens")).to_contain_text("From “is ·4”")
    expect(page.locator(".step-foot .hint")).to_contain_text("accurate to 0.01")
    stream(page)
    expect(page.locator(".written-tokens .fresh").nth(1)).to_be_visible(timeout=LOADING_MS)
    expect(page.locator(".step-tokens")).not_to_contain_text("“is ·4”")
    expect(page.locator(".step-foot .hint")).not_to_contain_text("accurate")
    expect(page.locator(".candidates .chosen")).to_have_count(1)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".candidates .chosen")).to_have_count(0)


def test_the_end_of_what_a_model_can_read_is_told(page: Page, server: str) -> None:
    text = "ab" * 126
    generating(page, server, {"model": "headscope-tiny", "text": text})
    stream(page)
    expect(page.locator(".generate-said")).to_contain_text(
        "has reached its maximum length", timeout=LOADING_MS
    )
    expect(chips(page)).to_have_count(256 - 253)


def test_every_token_has_its_position_and_its_share_of_attention(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2)
    placed = page.locator(".written-text .placed")
    expect(placed).to_have_text([f"{word}·{at}" for at, word in enumerate(TEXT.split())])
    rows = ask_server(server, "rows", **SMOLLM2, query=IS)["rows"]
    means = np.array(rows).mean(axis=(0, 1))
    shares = page.locator(".shares button")
    expect(shares).to_have_count(5)
    order = [0, *sorted(range(1, 5), key=lambda place: -means[place])]
    for share, place in zip(shares.all(), order, strict=True):
        assert share.get_attribute("data-key") == str(place)
        assert float(share.get_attribute("data-share") or "nan") == pytest.approx(
            means[place], abs=0.006
        )
    assert means.argmax() == 0, "a sink: it is faded, its share still there to be read"
    faded = page.locator(".shares .sink")
    expect(faded).to_have_count(1)
    expect(faded).to_contain_text("The·0")
    ink = "one => getComputedStyle(one).color"
    first, other = (shares.nth(at).evaluate(ink) for at in (0, 1))
    assert first != other
    page.get_by_role("button", name="Step", exact=True).click()
    expect(chips(page)).to_have_text(["Paris·5"], timeout=LOADING_MS)


def expect_no_scrolling(page: Page) -> None:
    inside, whole = page.locator("#tab-generate").evaluate(
        "panel => [panel.scrollHeight, panel.clientHeight]"
    )
    assert inside <= whole


def test_the_whole_tab_is_in_sight_with_its_results(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    generating(page, server, SMOLLM2, sampling="0,,0,6")
    stream(page)
    ids = greedy(server, SMOLLM2, 6)
    expect_written(page, ids)
    told = next_of(server, SMOLLM2, ids)
    expect_candidates(page, told)
    plain = page.locator(".written-plain")
    expect(plain).not_to_be_empty()
    letters = "".join(chips(page).evaluate_all("all => all.map((one) => one.firstChild.data)"))
    assert re.sub(r"\s", "", plain.inner_text()) == re.sub(r"[\s␣↵]", "", letters)
    expect_no_scrolling(page)
    chips(page).nth(1).click()
    told = next_of(server, SMOLLM2, ids[:1])
    expect_candidates(page, told)
    candidates(page).nth(1).click()
    ids = [ids[0], told["candidates"][1]["id"]]
    expect_written(page, ids)
    expect_candidates(page, next_of(server, SMOLLM2, ids))
    expect(page.locator(".step-grid")).to_be_visible()
    parts = (
        *(".sampling", ".written-line", ".branches-box", ".candidates", ".shares"),
        *(".step-grid", ".step-heads .color-bar", ".step-foot", ".generate-card"),
    )
    for part in parts:
        box = page.locator(part).bounding_box()
        assert box is not None, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 800, part
        assert box["x"] + box["width"] <= 1280, part
    expect_no_scrolling(page)
    grid = page.locator(".step-grid").bounding_box()
    assert grid is not None
    assert grid["height"] > 30 * 6, "every layer of SmolLM2 has room to be pointed at"


def test_the_chat_template_wraps_the_text_in_markers_and_the_model_replies(
    page: Page, other_page: Page, server: str
) -> None:
    generating(page, server, SMOLLM2)
    plain = next_of(server, SMOLLM2, [])
    page.locator("#chat-template").check()
    wrapped = {**SMOLLM2, "chat": True}
    told = ask_server(server, "next", **wrapped)
    expect_candidates(page, told)
    assert told["candidates"][0]["id"] != plain["candidates"][0]["id"]
    tokens = ask_server(server, "tokenize", **wrapped)["tokens"]
    strip = page.locator("#tokens button")
    expect(strip).to_have_count(len(tokens))
    markers = page.locator("#tokens .token.special")
    expect(markers).to_have_text([one["text"] for one in tokens if one["kind"] == "special"])
    expect(markers.first).to_have_text("<|im_start|>")
    expect(page.locator(".written-text .special").first).to_have_text("<|im_start|>·0")
    assert "chat=true" in page.url
    page.get_by_role("button", name="Step", exact=True).click()
    expect_written(page, [told["candidates"][0]["id"]])
    other_page.goto(page.url)
    expect_done(other_page)
    expect(other_page.locator("#chat-template")).to_be_checked()
    expect_written(other_page, [told["candidates"][0]["id"]])
    page.locator("#chat-template").uncheck()
    expect_candidates(page, plain)
    expect(strip).to_have_count(5)
    assert "chat" not in page.url
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#chat-template")).to_be_checked()
    expect_written(page, [told["candidates"][0]["id"]])


def test_a_model_without_a_template_is_not_asked_for_one(page: Page, server: str) -> None:
    generating(page, server, TINY, chat="true")
    expect(page.locator("#chat-template")).to_be_hidden()
    expect(page.locator("#tokens .token")).to_have_count(len(TINY["text"]) + 1)
    page.locator("#model").select_option("smollm2")
    expect(page.locator("#chat-template")).to_be_checked()
    expect(page.locator("#tokens .token").first).to_have_text("<|im_start|>", timeout=LOADING_MS)


def test_the_text_is_compared_with_itself_in_the_chat_template(page: Page, server: str) -> None:
    open_page(page, server, **SMOLLM2, against="", tab="compare")
    page.locator("#against-text").focus()
    page.locator("#against-chat").check()
    expect(page.locator("#tokens-b .special").first).to_be_visible(timeout=LOADING_MS)
    expect(page.locator("#tokens .special")).to_have_count(0)
    assert "against_chat=true" in page.url
    expect(page.locator(".compared-row").first).to_be_visible(timeout=LOADING_MS)


def test_an_example_invites_a_continuation(page: Page, server: str) -> None:
    open_page(page, server, model="minilm", text="Hi there")
    page.locator("#examples-menu summary").click()
    page.get_by_role("button", name="Continuation").click()
    expect(page.locator("#model")).to_have_value("smollm2")
    expect(page.get_by_role("tab", name="Generate")).to_have_attribute("aria-selected", "true")
    expect_candidates(page, next_of(server, SMOLLM2, []))
    expect(page.locator(".written-empty button")).to_have_count(0)
    page.locator("#text").fill("Two cats")
    page.locator(".written-empty").get_by_role("button", name=TEXT).click()
    expect(page.locator("#text")).to_have_value(TEXT)
    expect_candidates(page, next_of(server, SMOLLM2, []))


def test_the_tab_fits_the_window(page: Page, server: str) -> None:
    generating(page, server, SMOLLM2, **{"continue": "7042,30"})
    expect(page.locator(".step-grid")).to_be_visible()
    for width in (1280, 768, 390):
        resize(page, width, 844)
        # Another width of the window is answered some frames later.
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        for part in (".generate-card", ".sampling", ".sampling-tools .tool", ".step-heads"):
            for inside, whole in page.locator(part).evaluate_all(
                "parts => parts.map((part) => [part.scrollWidth, part.clientWidth])"
            ):
                assert inside <= whole + 1, (part, width)  # rounded to whole pixels
