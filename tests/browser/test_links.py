"""Links: what a link of another version shows, and what is said of parts that mean nothing."""

import re

from playwright.sync_api import Page, expect

from tests.browser.page_actions import expect_done, open_page
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE


def test_unknown_parts_of_a_link_are_reported_until_dismissed(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, colour="red", scale="foo", pins="3.1h,9z")
    line = page.locator("#link-report")
    expect(line).to_contain_text("does not know: colour, pins=9z, scale=foo. The rest is shown.")
    expect(page.locator(".panel")).to_have_count(1)
    expect(page).not_to_have_url(re.compile("colour|foo|9z"))
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_be_hidden()
    page.evaluate("location.hash = 'v=3&text=Hi'")
    expect(line).to_contain_text("newer version of HeadScope")
    page.evaluate("location.hash = 'v=2&text=Hi'")
    expect(line).to_be_hidden()


def test_heads_and_tokens_that_a_text_does_not_have_are_reported(page: Page, server: str) -> None:
    open_page(page, server, text="The cat sat.", pins="9.9h,3.1h", focus="99.98")
    report = page.locator("#link-report")
    expect(report).to_contain_text("do not have all that the link shows: L9 H9; tokens 99, 98.")
    expect(page.locator(".panel")).to_have_count(1)


def test_a_ranking_of_version_1_opens_as_the_focus_without_complaint(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, tab="ask", ask=f"{IT}/{ANIMAL}", weighted="true")
    expect(page).to_have_url(re.compile(rf"#v=2&.*focus={IT}\.{ANIMAL}&.*values=weighted"))
    expect(page.locator("#link-report")).to_be_hidden()
    expect(page.get_by_role("tab", selected=True)).to_have_id("tab-button-pinned")


def test_a_first_visit_writes_the_version_into_its_link(page: Page, server: str) -> None:
    page.goto(f"{server}/")
    expect_done(page)
    expect(page).to_have_url(re.compile("#v=2&model="))
    expect(page).not_to_have_url(re.compile("sinks="))
    expect(page.locator("#link-report")).to_be_hidden()
