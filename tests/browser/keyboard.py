"""Keys pressed on the page, and where the keyboard is after them."""

from playwright.sync_api import Locator, Page


def focused(page: Page) -> str:
    """What the keyboard is on; "BODY" is nowhere."""
    name: str = page.evaluate("document.activeElement.tagName")
    return name


def expect_somewhere(page: Page) -> None:
    """Once the page has drawn what was done, the keyboard is still on something visible."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert focused(page) != "BODY", "the place of the keyboard is lost"
    assert page.evaluate("document.activeElement.checkVisibility()")


def press(page: Page, at: Locator, key: str = "Enter") -> None:
    """A key on something, after which the keyboard is somewhere."""
    at.focus()
    page.keyboard.press(key)
    expect_somewhere(page)
