"""Each bad case in the page: it says what is wrong and what to do, and gets well again."""

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
    expect(page.locator("#tokens")).to_have_text("")
    page.locator("#text").fill("Better.")
    expect(page.locator("#problem")).to_be_hidden()
    expect_done(page)


def test_a_text_over_the_limit_is_refused_with_both_counts(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#text").fill("word " * 600)
    problem = page.locator("#problem[data-code=text_too_long]")
    expect(problem).to_contain_text("602 tokens")
    expect(problem).to_contain_text("512")


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
    page.goto(f"{server}/#model=gpt2&text=Hello")
    expect(page.locator("#problem[data-code=model_unavailable]")).to_contain_text("hub")
    expect(page.locator("#grid-roles code")).to_contain_text("headscope atlas build gpt2")
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
