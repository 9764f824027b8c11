"""Keys that act anywhere: windows they open and leave, steps they take back, and their switch."""

from playwright.sync_api import Page, expect

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
        expect(find_readout(page, 3, 1)).to_contain_text("locked")
        page.locator(f"#{name}-open").focus()
        page.keyboard.press("Enter")
        expect(dialog).to_be_visible()
        dialog.get_by_role("button", name="Close").focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"#{name}-open")).to_be_focused()
    assert page_log.complaints == []


def test_a_window_opened_from_nowhere_gives_the_keyboard_to_its_button(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE)
    assert focused(page) == "BODY"
    page.keyboard.press("?")
    expect(page.locator("dialog#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys-open")).to_be_focused()


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
    expect(find_readout(page, 3, 1)).to_contain_text("locked")
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
