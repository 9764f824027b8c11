"""Notes on heads: written on their cards, marked, counted, and there again tomorrow."""

import re

from playwright.sync_api import Page, expect

from tests.browser.page_actions import find_panel, hover_cell, open_page
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE

WORDS = "Ties “it” to “animal”.\n<b>Not bold</b>"


def test_a_note_is_marked_counted_and_there_again(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11h")
    card = find_panel(page, 3, 1).locator(".head-card")
    expect(card.locator(".note-mark")).to_be_hidden()
    card.locator("summary").click()
    page.get_by_label("Note on L3 H1").fill(WORDS)
    expect(card.locator(".note-mark")).to_be_visible()
    expect(find_panel(page, 5, 11).locator(".note-mark")).to_be_hidden()
    hover_cell(page, 3, 1)
    said = re.compile("✎ Ties “it” to “animal”.")
    expect(page.locator("#grid")).to_have_attribute("aria-label", said)
    assert page.locator(".head-note b b").count() == 0

    page.reload()
    expect(page.get_by_label("Note on L3 H1")).to_have_value(WORDS)
    page.locator("#history-open").click()
    expect(page.locator("#history .history-entry").first).to_contain_text("1 note")
    page.keyboard.press("Escape")
    card.locator("summary").click()
    page.get_by_label("Note on L3 H1").fill("")
    expect(card.locator(".note-mark")).to_be_hidden()
    page.reload()
    expect(page.get_by_label("Note on L3 H1")).to_have_value("")
    assert page_log.complaints == []


def test_a_note_belongs_to_its_model(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="1.1h")
    page.get_by_label("Note on L1 H1").fill("of MiniLM")
    open_page(page, server, model="headscope-tiny", text=SENTENCE, pins="1.1h")
    note = page.get_by_label("Note on L1 H1")
    expect(note).to_have_value("")
    note.fill("of the small one")
    open_page(page, server, model="minilm", text=SENTENCE, pins="1.1h")
    expect(page.get_by_label("Note on L1 H1")).to_have_value("of MiniLM")


def test_a_note_written_in_one_tab_appears_in_the_other(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,0.0h")
    other = page.context.new_page()
    open_page(other, server, text=SENTENCE, pins="3.1h,0.0h")
    find_panel(other, 3, 1).locator(".head-card summary").click()
    other.get_by_label("Note on L3 H1").fill("from the other tab")
    expect(page.get_by_label("Note on L3 H1")).to_have_value("from the other tab")
    page.locator(".panel[data-layer='0'] .head-card summary").click()
    page.get_by_label("Note on L0 H0").fill("from this one")
    other.reload()
    expect(other.get_by_label("Note on L3 H1")).to_have_value("from the other tab")


def test_typing_a_note_keeps_the_box_and_the_keys(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h", focus="10.2")
    note = page.get_by_label("Note on L3 H1")
    note.click()
    page.keyboard.type("  two blanks and hlt")
    expect(note).to_be_focused()
    expect(note).to_have_value("  two blanks and hlt")
    expect(find_panel(page, 3, 1)).to_have_attribute("data-mode", "heatmap")
