"""The strips of tokens: follow one through the heads, lock several, see what stands opposite."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api_client import fetch_map, fetch_ranking
from tests.browser.held_requests import HeldStream
from tests.browser.link_actions import expect_ranking
from tests.browser.map_reader import read_ends, read_value
from tests.browser.page_actions import (
    STALE,
    expect_done,
    expect_exact_maps,
    find_map,
    find_panel,
    find_readout,
    open_page,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE, STREET, TIRED

OTHER = "The animal didn't cross the road because it was too wide."


def chip(page: Page, index: int, strip: str = "tokens") -> Locator:
    return page.locator(f"#{strip} [data-token='{index}']")


def chosen(page: Page, strip: str = "tokens") -> Locator:
    """The tokens that are locked."""
    return page.locator(f"#{strip} [aria-pressed=true]")


def open_both(page: Page, server: str, **state: str) -> None:
    """Two texts, compared."""
    open_page(page, server, text=SENTENCE, against="", against_text=OTHER, **state)
    expect(chip(page, IT, "tokens-b")).to_have_text("it")


def test_shift_adds_tokens_and_takes_them_out_again(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    expect_exact_maps(page)
    weights = fetch_map(server, (3, 1)).weights
    said = find_readout(page, 3, 1)
    chip(page, IT).click()
    chip(page, TIRED).click(modifiers=["Shift"])
    expect(said).to_contain_text("it + tired →")
    expect(chosen(page)).to_have_text(["it", "tired"])
    assert read_ends(said) == ([IT, TIRED], [])
    assert read_value(said) == pytest.approx(weights[[IT, TIRED]].mean(0).max(), abs=1e-6)
    chip(page, STREET).hover()
    expect(said).to_contain_text("street →")
    chip(page, IT).click(modifiers=["Shift"])
    expect(said).not_to_contain_text("it +")
    expect(said).to_contain_text("tired →")
    expect(chosen(page)).to_have_text(["tired"])
    assert read_ends(said) == ([TIRED], [])
    assert read_value(said) == pytest.approx(weights[TIRED].max(), abs=1e-6)
    chip(page, ANIMAL).click()
    expect(chosen(page)).to_have_text(["animal", "tired"])
    assert read_ends(said) == ([TIRED], [ANIMAL])
    chip(page, STREET).click()
    expect(chosen(page)).to_have_text(["street"])


def test_several_locked_tokens_are_in_the_link(page: Page, other_page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    chip(page, 0).click()
    chip(page, IT).click(modifiers=["Control"])
    page.mouse.move(5, 5)
    expect(page).to_have_url(re.compile(rf"focus=0(\+|%2B){IT}\b"))
    other_page.goto(page.evaluate("location.href"))
    expect_done(other_page)
    for at in (page, other_page):
        expect(find_panel(at, 3, 1)).to_have_attribute("data-exact", "true")
        expect(chosen(at)).to_have_text(["[CLS]", "it"])
        expect(find_readout(at, 3, 1)).to_contain_text("[CLS] + it →")
    expect(find_readout(other_page, 3, 1)).to_have_text(
        find_readout(page, 3, 1).inner_text(), use_inner_text=True
    )


def test_a_link_with_several_queries_and_keys_shows_the_mean_of_their_sums(
    page: Page, server: str
) -> None:
    focus = f"{IT}+{TIRED}.{ANIMAL}+{STREET}"
    open_page(page, server, text=SENTENCE, pins="3.1h", focus=focus)
    expect_exact_maps(page)
    weights = fetch_map(server, (3, 1)).weights
    expected = weights[np.ix_([IT, TIRED], [ANIMAL, STREET])].sum(1).mean()
    assert read_value(find_readout(page, 3, 1)) == pytest.approx(expected, abs=1e-6)


def test_arrow_keys_walk_over_the_tokens_of_a_map_and_stop_at_the_ends(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    said = find_readout(page, 3, 1)
    find_map(find_panel(page, 3, 1)).locator("canvas").focus()
    page.keyboard.press("ArrowDown")
    expect(said).to_have_attribute("data-query", "0")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    last = page.locator("#tokens [data-token]").count() - 1
    expect(said).to_have_attribute("data-key", str(last))
    expect(said).to_have_attribute("data-query", "0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("chosen")
    page.keyboard.press("ArrowDown")
    expect(said).to_have_attribute("data-query", "1")
    expect(said).to_have_attribute("data-key", str(last))
    expect(said).to_contain_text("chosen")


def test_what_is_left_of_the_text_before_takes_no_touch(page: Page, server: str) -> None:
    stream = HeldStream(page)
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11t")
    expect_exact_maps(page)
    stream.is_holding = True
    page.locator("#text").fill(f"Now {SENTENCE}")
    expect(page.locator("#tokens")).to_have_class(STALE)
    page.locator("#grid").focus()  # while the box is edited it covers the tokens
    chip(page, IT).click()
    find_map(find_panel(page, 3, 1)).locator("canvas").click()
    expect(find_readout(page, 3, 1)).to_be_empty()
    table = find_map(find_panel(page, 5, 11)).locator(".panel-table")
    table.locator("tbody tr").nth(IT).click()
    expect(table.locator("caption")).to_contain_text("the strongest keys of each query")
    find_panel(page, 3, 1).get_by_role("button", name="Query-key detail").click()
    expect(page.locator("dialog#detail")).to_be_hidden()
    stream.release()
    expect(page.locator(".stale")).to_have_count(0)
    expect_exact_maps(page)
    expect(chosen(page)).to_have_count(0)
    expect(find_readout(page, 3, 1)).to_contain_text("Point at a token")
    chip(page, IT).click()
    expect(find_readout(page, 3, 1)).to_contain_text("chosen")


def test_each_side_has_its_strip_and_a_token_is_followed_on_both(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    expect(page.locator("#tokens-b")).to_be_hidden()
    open_both(page, server, pins="3.1h,b:3.1h")
    expect(find_panel(page, 3, 1, "b")).to_have_attribute("data-exact", "true")
    chip(page, IT).hover()
    for side in ("a", "b"):
        expect(find_readout(page, 3, 1, side)).to_contain_text("it →")
    expect(page.locator("#tokens-b .is-query")).to_have_text(["it"])
    chip(page, IT, "tokens-b").click()
    page.mouse.move(5, 5)
    expect(chosen(page, "tokens-b")).to_have_text(["it"])
    expect(chosen(page)).to_have_count(0)
    expect(page.locator("#tokens .is-query")).to_have_text(["it"])
    for side in ("a", "b"):
        expect(find_readout(page, 3, 1, side)).to_contain_text("it →")
    assert page_log.complaints == []


def test_a_link_chosen_on_b_is_ranked_on_a_and_begins_anew_on_the_other_side(
    page: Page, server: str
) -> None:
    open_both(page, server)
    expect(page.locator("#tokens-b .changed")).not_to_have_count(0)  # compared
    chip(page, IT, "tokens-b").click()
    chip(page, ANIMAL, "tokens-b").click()
    expect(chosen(page, "tokens-b")).to_have_text(["animal", "it"])
    expect(chosen(page)).to_have_count(0)
    expect_ranking(page, fetch_ranking(server, [IT], [ANIMAL]))
    chip(page, STREET).click()
    expect(chosen(page)).to_have_text(["street"])
    expect(chosen(page, "tokens-b")).to_have_count(0)
    expect(page.locator(".link-ranking")).to_be_hidden()
