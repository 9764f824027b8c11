"""The last analyses come back as they were looked at, in whatever browser."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.page_actions import (
    choose_example,
    expect_done,
    expect_exact_maps,
    find_panel,
    open_page,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE, SENTENCE_PAIR

OTHER = "The keys are on the table."

FORBIDDEN = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("denied", "SecurityError"); },
});"""
FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError");
};"""

# A slider is dragged for longer than the history is written without a pause, then more is asked or
# the page is left.
BUSY = """(next) => {
  const say = (box, value) => {
    box.value = value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const slider = document.querySelector("#view-mass");
  for (let mass = 50; mass <= 80; mass += 1) say(slider, mass);
  if (next === "about:blank") location.href = next;
  else say(document.querySelector("#against-text"), next);
}"""


def entries(page: Page) -> Locator:
    """The lines of the open list."""
    return page.locator("#history .history-list li")


def open_history(page: Page) -> None:
    page.locator("#history-open").click()
    expect(page.locator("#history")).to_be_visible()


def test_a_click_restores_the_whole_view(page: Page, server: str, page_log: PageLog) -> None:
    state = {"pins": "3.1h,5.11l", "focus": "5.2", "scale": "log", "filter": "ab", "words": "true"}
    open_page(page, server, text=SENTENCE_PAIR[0], text_pair=SENTENCE_PAIR[1], **state)
    find_panel(page, 3, 1).get_by_text("Table").click()
    looked = page.evaluate("location.hash")
    assert "3.1t" in looked
    choose_example(page, "Pronoun")
    expect(page.locator("#tokens")).to_contain_text("animal")
    expect_done(page)
    page.locator("#unpin-all").click()

    open_history(page)
    expect(entries(page)).to_have_count(2)
    expect(entries(page).first).to_contain_text("animal")
    second = entries(page).nth(1)
    expect(second).to_contain_text(f"{SENTENCE_PAIR[0]} / {SENTENCE_PAIR[1]}")
    expect(second).to_contain_text("MiniLM")
    expect(second).to_contain_text("2 maps")
    expect(second.locator("time")).to_have_text(re.compile(r"\d"))
    second.locator(".history-entry").click()
    expect(page.locator("#history")).to_be_hidden()
    expect(page.locator("#tokens")).to_contain_text("kitten")
    expect_done(page)
    expect(page.locator(".panel[data-exact='true']")).to_have_count(2)
    page.wait_for_function("looked => location.hash === looked", arg=looked)
    assert page.locator("#text-pair").input_value() == SENTENCE_PAIR[1]
    open_history(page)
    expect(entries(page).first).to_contain_text("kitten")
    expect(entries(page)).to_have_count(2)
    assert page_log.complaints == []


def test_it_outlives_the_page_and_stays_out_of_other_browsers(
    page: Page, other_page: Page, server: str
) -> None:
    open_page(page, server, text=OTHER)
    page.goto("about:blank")
    open_page(page, server, text=SENTENCE)
    open_history(page)
    expect(entries(page)).to_have_count(2)
    expect(entries(page).locator(".history-entry[aria-current]")).to_contain_text("animal")
    other_page.goto(server)
    open_history(other_page)
    expect(other_page.locator("#history")).to_contain_text("in this browser only")


def test_one_can_be_forgotten_and_then_all(page: Page, server: str) -> None:
    open_page(page, server, text=OTHER)
    for text in (SENTENCE, SENTENCE_PAIR[0]):
        page.locator("#text").fill(text)
        expect(page.locator("#tokens")).to_contain_text(text.split()[1])
        expect_done(page)
        # What was only passed while typing is no analysis: this one was looked at.
        page.locator("#grid").focus()
        page.reload()
        expect_done(page)
    open_history(page)
    expect(entries(page)).to_have_count(3)
    page.get_by_role("button", name=f"Forget “{SENTENCE}”").click()
    expect(entries(page)).to_have_count(2)
    expect(page.locator("#history .icon:focus")).to_have_count(1)
    clear = page.locator("#history").get_by_text(re.compile("^Clear all|^Forget all"))
    clear.click()
    expect(entries(page)).to_have_count(2)
    expect(clear).to_have_text("Forget all 2? Click again")
    clear.click()
    expect(entries(page)).to_have_count(0)
    expect(page.locator("#history")).to_contain_text("No history yet")
    assert page.evaluate("localStorage.getItem('headscope.history')") is None


def test_each_comparison_of_a_sentence_is_there(page: Page, server: str) -> None:
    wide, narrow = (SENTENCE.replace("tired", word) for word in ("wide", "narrow"))
    open_page(page, server, text=SENTENCE, against="", against_text=wide)
    expect(page.locator("#tokens-b")).to_contain_text("wide")
    expect(page.locator("#against-said")).to_contain_text("tokens")
    page.evaluate(BUSY, narrow)
    open_history(page)
    # The second run ends behind the window.
    expect(entries(page)).to_have_count(2)
    expect(entries(page).first).to_contain_text(f"compared with “{narrow[:60]}")
    expect(entries(page).first.locator(".history-entry")).to_have_attribute("aria-current", "true")
    second = entries(page).nth(1)
    expect(second).to_contain_text(f"compared with “{wide[:60]}")
    second.locator(".history-entry").click()
    expect(page.locator("#against-text")).to_have_value(wide)
    expect(page.locator("#view-mass")).to_have_value("80")


def test_what_was_done_last_is_there_after_the_page_is_left(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.evaluate(BUSY, "about:blank")
    page.wait_for_url("about:blank")
    open_page(page, server, text=OTHER)
    open_history(page)
    entries(page).nth(1).locator(".history-entry").click()
    expect(page.locator("#tokens")).to_contain_text("animal")
    expect(page.locator("#view-mass")).to_have_value("80")


def test_what_is_broken_in_the_storage_does_no_harm(
    page: Page, server: str, page_log: PageLog
) -> None:
    good = {"question": {"model": "minilm", "text": OTHER}, "view": "pins=0.0h", "time": 1}
    broken = json.dumps([None, 3, {"view": "x"}, good])
    page.add_init_script(f"""
      if (!sessionStorage.getItem("begun")) {{
        sessionStorage.setItem("begun", "yes");
        localStorage.setItem("headscope.history", {json.dumps(broken)});
        localStorage.setItem("headscope.notes", "{{");
      }}""")
    open_page(page, server, text=SENTENCE)
    open_history(page)
    expect(entries(page)).to_have_count(2)
    entries(page).nth(1).locator(".history-entry").click()
    expect(page.locator("#tokens")).to_contain_text("keys")
    expect(find_panel(page, 0, 0)).to_be_visible()
    assert page_log.complaints == []


@pytest.mark.parametrize("storage", [FORBIDDEN, FULL], ids=["forbidden", "full"])
def test_a_browser_that_keeps_nothing_gets_no_complaint(
    page: Page, server: str, page_log: PageLog, storage: str
) -> None:
    page.add_init_script(storage)
    open_page(page, server, text=SENTENCE, pins="3.1h")
    choose_example(page, "Agreement")
    expect(page.locator("#tokens")).to_contain_text("cabinet")
    expect_done(page)
    note = page.get_by_label("Note on L3 H1")
    note.fill("looks back")
    expect(page.locator(".head-note")).to_contain_text("this browser keeps nothing")
    expect(note).to_have_value("looks back")
    open_history(page)
    expect(entries(page)).to_have_count(2)
    page.keyboard.press("Escape")
    assert page_log.complaints == []


def test_what_was_just_done_is_in_the_list_however_much_was_done_before(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    # Faster than the browser's storage is written, and no pause before the list is opened.
    page.evaluate("""() => {
      const words = document.querySelector("#view-words");
      for (let click = 0; click < 40; click += 1) words.click();
      const scale = document.querySelector("#view-scale");
      scale.value = "log";
      scale.dispatchEvent(new Event("change", { bubbles: true }));
      document.querySelector("#history-open").click();
    }""")
    page.locator("#history .history-entry").first.click()
    expect_exact_maps(page)
    expect(page.locator("#view-scale")).to_have_value("log")


def test_a_run_that_ends_behind_the_window_comes_into_it(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#text").fill(OTHER)
    page.locator("#history-open").click()
    expect(entries(page).first).to_contain_text(OTHER)
    expect(entries(page)).to_have_count(2)
