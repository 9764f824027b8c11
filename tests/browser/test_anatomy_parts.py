"""The other parts of the tab Anatomy: head calculator, exercises, loop against batch."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.anatomy_actions import KING
from tests.browser.api_client import post
from tests.browser.page_actions import LOADING_MS, open_page

LINK = {"model": "language", "text": KING, "tab": "anatomy"}


def test_a_preset_fills_the_calculator(page: Page, server: str) -> None:
    open_page(page, server, **LINK, anatomy="calculator")
    page.get_by_role("button", name="Llama 2 70B").click()
    expect(page.locator("#calculator-n_kv_heads")).to_have_value("8")
    sizes = {"d_model": 8192, "n_heads": 64, "n_kv_heads": 8, "n_layers": 80, "n_tokens": 4096}
    counts = post(server, "learn/calculator", **sizes, bias=False)["counts"]
    expect(page.locator(".d-head output")).to_have_text(str(counts["d_head"]))
    total = f"{counts['parameters']['fused']:,}"
    expect(page.locator(".parameters .sum")).to_contain_text(total)
    expect(page.locator(".cache")).to_contain_text("8 times smaller")
    assert "sizes=8192.64.80.4096.2.8.plain" in page.url
    page.locator("#undo").click()
    expect(page.locator("#calculator-n_heads")).to_have_value("12")


def test_heads_that_do_not_divide_are_put_right_by_a_button(page: Page, server: str) -> None:
    open_page(page, server, **LINK, anatomy="calculator")
    page.locator("#calculator-n_heads").fill("10")
    problem = page.locator(".calculator .problem")
    expect(problem).to_contain_text("cannot be split into 10 heads")
    expect(page.locator(".d-head")).to_have_count(0)
    problem.get_by_role("button", name="n_heads 12").click()
    expect(page.locator(".d-head output")).to_have_text("64")


def test_an_exercise_answered_wrongly_then_rightly_is_kept(page: Page, server: str) -> None:
    open_page(page, server, **LINK, anatomy="exercises")
    expect(page.locator(".exercise-progress")).to_have_text(re.compile("^0 of "))
    card = page.locator(".exercises .exercise").filter(has_text="d_model is 768 and there are 12")
    id = card.get_attribute("data-exercise") or ""
    card.get_by_label("Your answer").fill("7")
    card.get_by_label("Your answer").press("Enter")
    expect(card).to_have_attribute("data-state", "wrong")
    right = post(server, f"learn/exercises/{id}", answer="7")["answer"]
    card.get_by_label("Your answer").fill(str(right))
    card.get_by_role("button", name="Check").click()
    expect(card).to_have_attribute("data-state", "right")
    expect(page.locator(".exercise-progress")).to_have_text(re.compile("^1 of "))
    page.reload()
    expect(page.locator(".exercise-progress")).to_have_text(re.compile("^1 of "))
    expect(page.locator(f"[data-exercise='{id}']").last).to_have_attribute("data-state", "done")


def test_an_answer_that_cannot_be_read_is_said_to_be(page: Page, server: str) -> None:
    open_page(page, server, **LINK, anatomy="exercises")
    card = page.locator(".exercises .exercise:has(input)").first
    card.get_by_label("Your answer").fill("many")
    card.get_by_role("button", name="Check").click()
    expect(card.locator(".exercise-said")).to_contain_text("cannot be read as a number")


def test_the_loop_is_timed_and_stopped(page: Page, server: str) -> None:
    open_page(page, server, **LINK, anatomy="loop", loop="256.8.256.4.200")
    start, stop = (page.get_by_role("button", name=name, exact=True) for name in ("Start", "Stop"))
    expect(stop).to_be_disabled()
    start.click()
    plot = page.locator(".loop-times")
    expect(plot).to_have_attribute("data-rounds", re.compile("^[1-9]"), timeout=LOADING_MS)
    expect(start).to_be_disabled()
    stop.click()
    expect(page.locator(".loop-said")).to_have_text(re.compile(r"^Stopped after \d+ of 200 rounds"))
    expect(start).to_be_enabled()
    expect(page.locator(".loop-equal")).to_contain_text("The results are the same")


def test_a_loop_that_ends_says_what_was_measured_here(page: Page, server: str) -> None:
    open_page(page, server, **LINK, anatomy="loop", loop="64.4.32.1.3")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".loop-said")).to_contain_text("of 3 rounds here", timeout=LOADING_MS)
    expect(page.locator(".loop-table tbody tr")).to_have_count(3)


@pytest.mark.parametrize(
    ("loop", "words"), [("64.5.32.1.3", "5 heads"), ("4096.32.65536.8.3", "limit")]
)
def test_sizes_that_cannot_be_timed_are_refused_in_words(
    page: Page, server: str, loop: str, words: str
) -> None:
    open_page(page, server, **LINK, anatomy="loop", loop=loop)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".loop .problem")).to_contain_text(words, timeout=LOADING_MS)
