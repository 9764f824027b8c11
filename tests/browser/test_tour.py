"""The tour: taken to its end, left on the way, or declined; it is offered once."""

from playwright.sync_api import Page, expect

from tests.browser.keyboard import press
from tests.browser.page_actions import expect_done
from tests.browser.scenes import N_TOUR_STEPS

ABOUT_TABS = 7
RINGED = """(name) => {
  const box = (it) => document.querySelector(it).getBoundingClientRect();
  const [ring, target] = [box(".tour-ring"), box(name)];
  return Math.abs(ring.left + 4 - target.left) < 1 && Math.abs(ring.top + 4 - target.top) < 1;
}"""
BELOW_TOKENS = """() => {
  const [card, strips] = [".tour-card", "#strips"].map((it) => document.querySelector(it));
  return card.getBoundingClientRect().top >= strips.getBoundingClientRect().bottom;
}"""
ABOVE_CARD = """(name) => {
  const box = (it) => document.querySelector(it).getBoundingClientRect();
  const [card, target] = [box(".tour-card"), box(name)];
  return target.top >= 0 && target.top < card.top && card.bottom <= innerHeight;
}"""


def test_the_tour_is_taken_to_its_end_or_left(page: Page, server: str) -> None:
    page.goto(server)
    expect_done(page)
    card, title = page.locator(".tour-card"), page.locator("#tour-title")
    page.locator(".invitation .chip").focus()
    page.keyboard.press("Enter")
    expect(title).to_be_focused()
    expect(page.locator(".invitation")).to_be_hidden()
    for step in range(1, N_TOUR_STEPS):
        expect(card).to_contain_text(f"{step} of {N_TOUR_STEPS}")
        if step == 1:
            page.wait_for_function(BELOW_TOKENS)
        if step == ABOUT_TABS:
            page.wait_for_function(RINGED, arg="#side-tabs")
            page.evaluate("document.querySelector('#view-bar').open ^= true")
            page.wait_for_function(RINGED, arg="#side-tabs")
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(card).to_contain_text(f"{N_TOUR_STEPS - 1} of {N_TOUR_STEPS}")
    press(page, card.get_by_role("button", name="Next"))
    press(page, card.get_by_role("button", name="Done"))
    expect(card).to_be_hidden()
    expect(page.locator(".panel")).to_have_count(0)  # what the tour pinned is unpinned
    expect(page.locator(".invitation")).to_have_count(0)
    expect(page.locator("#keys-open")).to_be_focused()
    page.reload()
    expect_done(page)
    expect(page.locator(".invitation")).to_have_count(0)
    page.locator("#keys-open").focus()
    page.keyboard.press("Enter")
    page.locator("#keys").get_by_role("button", name="Take the tour").focus()
    page.keyboard.press("Enter")
    expect(title).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(page.locator("#keys-open")).to_be_focused()


def test_an_invitation_declined_leaves_the_keyboard_where_the_tour_is_found(
    page: Page, server: str
) -> None:
    page.goto(server)
    page.locator(".invitation .plain").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".invitation")).to_have_count(0)
    expect(page.locator("#keys-open")).to_be_focused()


def test_in_a_narrow_window_the_card_lies_below_what_it_explains(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server)
    expect_done(page)
    page.locator(".invitation .chip").click()
    for target in ("#sentence", "#grid-card", "#tab-pinned", "#view-bar"):
        page.wait_for_function(ABOVE_CARD, arg=target)
        page.wait_for_function(RINGED, arg=target)
        page.locator(".tour-card").get_by_role("button", name="Next").click()
