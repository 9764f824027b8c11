"""Keys that act anywhere: windows they open and leave, steps they take back, and their switch."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.keyboard import focused, press
from tests.browser.page_actions import (
    LOADING_MS,
    expect_done,
    expect_exact_maps,
    find_panel,
    find_readout,
    open_page,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import IT, SENTENCE


def find_opener(page: Page, name: str) -> Locator:
    """The button of the page's head that leads to a window."""
    return page.locator("#share-menu summary" if name == "export" else f"#{name}-open")


def test_windows_open_by_a_key_keep_it_inside_and_give_it_back(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h", focus=f"{IT}.")
    expect_exact_maps(page)
    for key, name in (("e", "export"), ("y", "history"), ("?", "keys")):
        grid, dialog = page.locator("#grid"), page.locator(f"dialog#{name}")
        grid.focus()
        page.keyboard.press(key)
        expect(dialog).to_be_visible()
        for _ in range(40):
            page.keyboard.press("Tab")
            is_inside = dialog.evaluate("dialog => dialog.contains(document.activeElement)")
            # The browser's own bar comes after the last.
            assert is_inside or focused(page) == "BODY"
        page.keyboard.press("l")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(grid).to_be_focused()
        expect(find_panel(page, 3, 1)).to_have_attribute("data-mode", "heatmap")
        expect(find_readout(page, 3, 1)).to_contain_text("chosen")
        opener = find_opener(page, name)
        opener.focus()
        page.keyboard.press("Enter")
        if name == "export":  # the opener is a menu
            page.locator("#export-open").focus()
            page.keyboard.press("Enter")
        expect(dialog).to_be_visible()
        dialog.get_by_role("button", name="Close").focus()
        page.keyboard.press("Enter")
        expect(opener).to_be_focused()
    assert page_log.complaints == []


def test_a_window_opened_from_nowhere_gives_the_keyboard_to_its_button(
    page: Page, server: str
) -> None:
    for key, name in (("?", "keys"), ("e", "export")):
        open_page(page, server, text=SENTENCE)
        page.get_by_role("heading", name="HeadScope").click()  # the mouse takes the focus away
        assert focused(page) == "BODY"
        page.keyboard.press(key)
        expect(page.locator(f"dialog#{name}")).to_be_visible()
        page.keyboard.press("Escape")
        expect(find_opener(page, name)).to_be_focused()


def test_steps_are_taken_back_and_redone_but_not_those_of_the_text_box(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE)
    back, forth = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    expect(back).to_be_disabled()
    page.locator("#grid").focus()
    for key in ("ArrowDown", "Enter", "ArrowDown", "Enter", "s"):
        page.keyboard.press(key)
    expect(page.locator(".panel")).to_have_count(2)
    expect(page.locator("#view-scale")).to_have_value("log")
    page.keyboard.press("Control+z")
    expect(page.locator("#view-scale")).to_have_value("sqrt")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.locator(".panel")).to_have_count(0)
    expect(back).to_be_disabled()
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Control+y")
    expect(page.locator(".panel")).to_have_count(2)
    press(page, forth)
    expect(page.locator("#view-scale")).to_have_value("log")
    expect(forth).to_be_disabled()
    expect(back).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.press("End")
    page.keyboard.type(" Yes")
    expect(page.locator("#text")).to_have_value(f"{SENTENCE} Yes")
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).not_to_have_value(f"{SENTENCE} Yes")
    expect(page.locator(".panel")).to_have_count(2)
    expect(page.locator("#view-scale")).to_have_value("log")


def test_another_model_is_taken_back_with_the_heads_it_has_not(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11h", focus=f"{IT}.")
    expect_exact_maps(page)
    page.locator("#model").select_option("headscope-tiny")
    expect(page.locator(".panel")).to_have_count(0, timeout=LOADING_MS)
    expect_done(page)
    page.locator("#grid").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#model")).to_have_value("minilm")
    expect(page.locator(".panel")).to_have_count(2)
    expect_done(page)
    expect(find_readout(page, 3, 1)).to_contain_text("chosen")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("#model")).to_have_value("headscope-tiny")


def test_single_keys_are_switched_off_for_good(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    page.locator("#keys-open").focus()
    page.keyboard.press("Enter")
    press(page, page.locator("#single-keys"), "Space")
    page.keyboard.press("Escape")
    page.reload()
    expect_done(page)
    page.locator("#grid").focus()
    for key in ("l", "s", "?", "e"):
        page.keyboard.press(key)
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(find_panel(page, 3, 1)).to_have_attribute("data-mode", "heatmap")
    expect(page.locator("#view-scale")).to_have_value("sqrt")
    page.keyboard.press("Control+z")
    expect(find_panel(page, 3, 1)).to_be_visible()


def test_digits_open_the_tabs_unless_somebody_types(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#grid").focus()
    offered = page.locator("#side-tabs [role=tab]:visible")
    for at in (2, 1):
        page.keyboard.press(str(at + 1))
        expect(offered.nth(at)).to_have_attribute("aria-selected", "true")
        expect(offered.nth(at)).to_be_focused()
    page.locator("#text").focus()
    page.keyboard.press("1")
    expect(offered.nth(1)).to_have_attribute("aria-selected", "true")


def test_the_glossary_opens_from_the_help_and_terms_explain_themselves(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    page.keyboard.press("?")
    page.locator("#keys").get_by_role("button", name="Glossary").click()
    glossary = page.locator("dialog#glossary")
    expect(glossary.get_by_text("Value-weighted", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(glossary).to_be_hidden()
    page.locator("#tab-button-heads").click()
    summary = page.locator(".null-details summary")
    summary.click()
    term = page.locator(".null-details").get_by_role("button", name="null models")
    tip = page.locator("#term-null_model")
    expect(term).to_have_accessible_description(re.compile("Null model"))
    expect(tip).to_be_hidden()
    term.hover()
    expect(tip).to_be_visible()
    page.mouse.move(1, 1)
    expect(tip).to_be_hidden()
    summary.focus()
    page.keyboard.press("Tab")
    expect(term).to_be_focused()
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    assert page_log.complaints == []
