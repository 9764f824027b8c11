"""Side B: how it is chosen, what is wrong with it, and that typing in it leaves A alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.api_client import fetch_comparison
from tests.browser.compare_actions import CHANGED, expected_rows, open_pair, read_rows
from tests.browser.held_requests import HeldStream
from tests.browser.page_actions import (
    LOADING_MS,
    SCHEMES,
    STALE,
    find_map,
    find_panel,
    find_token,
    open_page,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE, TIRED, WIDE_SENTENCE


def test_b_follows_a_until_it_has_a_sentence_of_its_own(page: Page, server: str) -> None:
    pins = "5.1h,b:1.2h"
    open_page(page, server, text=SENTENCE, against="", against_model="headscope-tiny", pins=pins)
    box = page.locator("#against-text")
    page.locator("#text").fill("Another one.")
    expect(box).to_have_value("Another one.")
    box.fill("Its own one.")
    expect(find_token(page, "Another")).to_be_visible()
    page.locator("#text").fill("A third one.")
    expect(find_token(page, "third")).to_be_visible()
    expect(box).to_have_value("Its own one.")
    box.focus()
    page.get_by_role("button", name="Reset to A's sentence").click()
    expect(box).to_have_value("A third one.")
    page.get_by_role("button", name="Swap A and B").click()
    expect(page.locator("#model")).to_have_value("headscope-tiny")
    expect(page.locator("#against-model")).to_have_value("minilm")
    # What is pinned goes with its model: the small one has no layer 5.
    expect(find_panel(page, 5, 1, "b")).to_have_attribute("data-exact", "true")
    expect(find_panel(page, 1, 2)).to_have_attribute("data-exact", "true")
    expect(page.locator(".panel")).to_have_count(2)


def test_swapping_turns_the_difference_round(page: Page, server: str) -> None:
    open_pair(page, server, pins="diff(5.8;b:5.8)h", focus=f"{TIRED}.{TIRED}")
    said = find_map(page.locator(".panel[data-kind='difference']")).locator(".readout")
    expect(page.locator(".panel[data-exact='true']")).to_have_count(1)
    before = float(said.get_attribute("data-value") or "nan")
    page.get_by_role("button", name="Swap A and B").click()
    expect(page.locator("#text")).to_have_value(WIDE_SENTENCE)
    expect(page.locator("#against-text")).to_have_value(SENTENCE)
    expect(page.locator("#against-model option:checked")).to_have_text("Same model")
    expect(find_token(page, "wide")).to_have_class(CHANGED)
    expect(page.locator(".panel[data-exact='true']")).to_have_count(1)
    find_token(page, "wide").hover()
    expect(said).to_have_attribute("data-query", str(TIRED))
    after = float(said.get_attribute("data-value") or "nan")
    assert before != 0
    assert after == pytest.approx(-before, abs=1e-6)


def test_a_suggested_minimal_pair_fills_both_sides_in_one_step(
    page: Page, server: str, page_log: PageLog
) -> None:
    broken = {"error": {"code": "internal", "message": "Broken.", "details": {}}}
    page.route(re.compile("/atlas$"), lambda route: route.fulfill(status=500, json=broken))
    open_page(page, server, text="Something else.")
    page.locator("#add-against").click()
    example = page.request.get(f"{server}/api/v1/config").json()["examples"][0]
    page.get_by_role("group", name="Minimal pairs").get_by_text("tired → wide").click()
    expect(page.locator("#text")).to_have_value(example["text"])
    expect(page.locator("#against-text")).to_have_value(example["against"])
    expect(find_token(page, "wide", "b")).to_have_class(CHANGED)
    back = page.get_by_role("button", name="Undo")
    back.click()
    expect(page.locator("#text")).to_have_value("Something else.")
    expect(page.locator("#against-text")).to_have_value("Something else.")
    back.click()
    expect(page.locator("#against")).to_be_hidden()
    expect(back).to_be_disabled()
    # What fails each time is not asked for each time anything changes.
    assert sum(url.endswith("/atlas") for url in page_log.requests) < 12


@pytest.mark.parametrize(
    ("model", "code", "word"),
    [("gone", "unknown_model", "gone"), ("gpt2", "model_unavailable", "hub")],
)
def test_a_missing_model_of_b_is_told_beside_it_and_a_goes_on(
    page: Page, server: str, model: str, code: str, word: str
) -> None:
    open_page(page, server, text=SENTENCE, against="", against_model=model, tab="compare")
    problem = page.locator(f".against-problem[data-code={code}]")
    expect(problem).to_contain_text(word, timeout=LOADING_MS)
    expect(page.locator("#tab-compare")).to_contain_text("B has no answer")
    expect(page.locator("#problem")).to_be_hidden()
    expect(find_token(page, "tired")).to_be_visible()
    page.locator("#against-model").select_option("headscope-tiny")
    expect(problem).to_be_hidden()
    assert len(read_rows(page)) == 12


def test_a_text_of_b_over_the_limit_or_empty_is_told_beside_it(page: Page, server: str) -> None:
    open_pair(page, server)
    page.locator("#against-text").fill("word " * 600)
    expect(page.locator(".against-problem[data-code=text_too_long]")).to_contain_text("602 tokens")
    page.locator("#against-text").fill("  ")
    expect(page.locator(".against-problem[data-code=empty_text]")).to_be_visible()
    expect(page.locator("#problem")).to_be_hidden()
    page.locator("#against-text").fill(WIDE_SENTENCE)
    expect(find_token(page, "wide", "b")).to_have_class(CHANGED)
    expect(page.locator(".against-problem")).to_be_hidden()


@pytest.mark.parametrize("state", [{"grid": "difference"}, {"color": "change"}, {"grid": "b"}])
def test_while_b_is_typed_its_old_answer_is_dimmed_and_a_is_left_alone(
    page: Page, server: str, state: dict[str, str]
) -> None:
    stream = HeldStream(page)
    open_pair(page, server, tab="compare", pins="3.1h,b:3.1h,diff(3.1;b:3.1)h", **state)
    read_rows(page)
    expect(page.locator("#grid-roles .badge").first).to_be_visible()  # the atlas is drawn
    before = page.locator("#grid").evaluate("grid => grid.toDataURL()")
    place = page.locator("#tokens").bounding_box()
    stream.is_holding = True
    page.locator("#against-text").fill(WIDE_SENTENCE.replace("wide", "narrow"))
    expect(page.locator("#tokens-b")).to_have_class(STALE)
    expect(page.locator("#tokens")).not_to_have_class(STALE)
    expect(page.locator(".compared-card")).to_have_class(STALE)
    expect(page.locator(".grid-scroll")).to_have_class(STALE)
    expect(find_panel(page, 3, 1, "b")).to_have_class(STALE)
    expect(page.locator(".panel[data-kind='difference']")).to_have_class(STALE)
    expect(find_panel(page, 3, 1)).not_to_have_class(STALE)
    expect(find_panel(page, 3, 1)).to_have_attribute("data-exact", "true")
    expect(page.locator("#against-waiting")).to_have_text("B: Asking the model…")
    assert page.locator("#tokens").bounding_box() == place, "nothing moves while B is waited for"
    page.locator("#grid").focus()  # while the box is edited it covers the tokens
    find_token(page, "wide", "b").click()
    expect(page.locator("#tokens-b [aria-pressed=true]")).to_have_count(0)
    find_token(page, "it").hover()
    expect(page.locator("#tokens .is-query")).to_have_text(["it"])
    expect(page.locator("#tokens-b .is-query")).to_have_count(0)
    expect(page.locator("#tab-compare [role=status]")).to_have_text(
        re.compile("^(B:|Waiting for B)")
    )
    assert page.locator("#text").input_value() == SENTENCE
    assert page.locator("#grid").evaluate("grid => grid.toDataURL()") == before
    stream.release()
    expect(find_token(page, "narrow", "b")).to_have_class(CHANGED)
    expect(page.locator(".stale")).to_have_count(0)
    assert (
        read_rows(page)
        == expected_rows(
            fetch_comparison(
                server, ("minilm", SENTENCE), ("minilm", WIDE_SENTENCE.replace("wide", "narrow"))
            ),
            "change",
        )[:12]
    )
    assert page.locator("#grid").evaluate("grid => grid.toDataURL()") != before


@pytest.mark.parametrize("model", [None, "headscope-tiny"])
def test_two_sides_fit_a_narrow_window(page: Page, server: str, model: str | None) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    state = (
        {"against_model": model} if model else {"against_text": WIDE_SENTENCE, "grid": "difference"}
    )
    open_page(page, server, text=SENTENCE, against="", tab="compare", **state)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        read_rows(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        small = page.locator(".small-map").first.bounding_box()
        assert small is not None
        assert min(small["width"], small["height"]) >= 40
