"""Each bad case in the page: it says what is wrong and what to do, and gets well again."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.page_actions import LOADING_MS, expect_done, open_page
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE
from tests.server_process import serving


def test_empty_text_is_asked_for_and_typing_mends_it(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#text").fill("   ")
    expect(page.locator("#problem[data-code=empty_text]")).to_contain_text("Type a sentence")
    expect(page.locator("#tokens")).to_have_class(re.compile("stale"))
    page.locator("#text").fill("Better.")
    expect(page.locator("#problem")).to_be_hidden()
    expect_done(page)


def test_a_text_over_the_limit_is_refused_with_both_counts(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#text").fill("word " * 600)
    problem = page.locator("#problem[data-code=text_too_long]")
    expect(problem).to_contain_text("602 tokens")
    expect(problem).to_contain_text("512")


STORY = "Nobody knows who left the keys there. "


def test_the_last_result_stays_in_sight_below_a_text_over_the_limit(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, text=SENTENCE)
    tokens = page.locator("#tokens").inner_text()
    page.locator("#text").fill(STORY * 80)
    problem = page.locator("#problem[data-code=text_too_long]")
    expect(problem).to_be_visible()
    assert page.locator("#tokens").inner_text() == tokens
    expect(page.locator("#tokens.stale")).to_be_visible()
    expect(page.locator("#focus-head.stale")).to_be_visible()
    places = (problem, page.locator("#grids canvas").first, page.locator("#sentence .sentence-box"))
    panel, grid, box = (place.evaluate("it => it.getBoundingClientRect()") for place in places)
    assert panel["height"] < 100
    assert grid["top"] < 400
    assert box["bottom"] <= panel["top"], "the open box does not cover the panel"


def test_a_text_over_the_limit_is_cut_after_its_last_sentence_and_undo_brings_it_back(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#text").fill(STORY * 80)
    problem = page.locator("#problem[data-code=text_too_long]")
    expect(problem).to_contain_text(f"of {len(STORY) * 80:,} characters")
    problem.get_by_role("button", name="Cut after the last sentence that fits").click()
    expect(problem).to_be_hidden()
    expect_done(page)
    cut = page.locator("#text").input_value()
    assert cut == (STORY * (len(cut) // len(STORY) + 1)).strip()
    expect(page.locator("#count")).to_contain_text(re.compile(r"^(50\d|51[012]) / 512"))
    page.locator("#undo").click()
    expect(page.locator("#text")).to_have_value(STORY * 80)


def test_a_text_over_the_limit_opens_in_a_model_that_takes_it(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#text").fill(STORY * 80)
    offer = page.locator("#problem").get_by_role("button", name="Open in")
    expect(offer).to_have_text("Open in SmolLM2 135M Instruct (1,024 tokens)")
    offer.click()
    expect(page.locator("#model")).to_have_value("smollm2")
    expect(page.locator("#problem")).to_be_hidden(timeout=LOADING_MS)
    expect_done(page)


def test_a_text_over_the_limit_of_characters_is_cut_too(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#text").fill(STORY * 3000)
    problem = page.locator("#problem[data-code=text_too_long]")
    expect(problem).to_contain_text("the limit is 100,000")
    button = problem.get_by_role("button", name="Cut after the last sentence that fits")
    button.click()
    expect(problem).to_contain_text("tokens and the limit is 512")
    button.click()
    expect(problem).to_be_hidden()


def test_side_b_is_helped_in_the_same_way(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#add-against").click()
    page.locator("#against-text").fill(STORY * 80)
    problem = page.locator(".against-problem[data-code=text_too_long]")
    expect(problem).to_contain_text("the limit is 512")
    problem.get_by_role("button", name="Cut after the last sentence that fits").click()
    expect(problem).to_be_hidden()
    expect(page.locator("#against-said")).to_contain_text("/ 512 tokens")
    assert page.locator("#text").input_value() == SENTENCE


def test_an_unknown_model_in_a_link_offers_those_there_are(page: Page, server: str) -> None:
    page.goto(f"{server}/#model=gone&text=Hello")
    problem = page.locator("#problem[data-code=unknown_model]")
    expect(problem).to_contain_text("gone")
    for nothing in ("#view-bar", "#side-tabs"):
        expect(page.locator(nothing)).to_be_hidden()
    problem.get_by_role("button", name="MiniLM").click()
    expect(problem).to_be_hidden()
    expect_done(page)
    for there in ("#view-bar", "#side-tabs"):
        expect(page.locator(there)).to_be_visible()


def test_an_unavailable_model_is_listed_with_its_reason(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    option = page.locator("#model option[value='gpt2']")
    expect(option).to_be_disabled()
    expect(option).to_have_text("GPT-2 small: not installed here")
    page.goto(f"{server}/#model=gpt2&text=Hello")
    problem = page.locator("#problem[data-code=model_unavailable]")
    expect(problem).to_contain_text("GPT-2 small: not installed here")
    expect(problem.locator("details p")).to_be_hidden()
    problem.get_by_text("Details").click()
    expect(problem.locator("details p")).to_contain_text("hub")
    # What cannot be run cannot be measured either.
    expect(page.locator("#grid-roles")).to_be_hidden()
    assert page_log.complaints == []


def test_a_model_that_fails_to_load_says_so(page: Page, extra_models_server: str) -> None:
    page.goto(f"{extra_models_server}/#model=broken&text=Hello")
    problem = page.locator("#problem")
    expect(problem).to_contain_text("broken", timeout=LOADING_MS)
    expect(problem).to_have_attribute("data-code", "model_failed")
    problem.get_by_role("button", name="MiniLM").click()
    expect_done(page)


def test_a_lost_server_is_announced_and_found_again(page: Page, models_dir: Path) -> None:
    with serving(models_dir=str(models_dir)) as first:
        open_page(page, first, text=SENTENCE, pins="3.1h")
        expect(page.locator("#banner")).to_be_hidden()
        port = first.rpartition(":")[2]
    expect(page.locator("#banner")).to_be_visible()
    page.locator("#text").fill("Typed while it was away.")
    with serving(models_dir=str(models_dir), port=port):
        expect(page.locator("#banner")).to_be_hidden(timeout=LOADING_MS)
        expect(page.locator("#tokens")).to_contain_text("away", timeout=LOADING_MS)
        expect_done(page)
        expect(page.locator(".panel[data-exact='true']")).to_have_count(1)
