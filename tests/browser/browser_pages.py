"""One Chromium for a whole test run, and pages in it that remember nothing of each other."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.chromium import FLAGS, HOW_TO, find
from tests.browser.page_actions import LOADING_MS, PATIENCE_MS


class SharedBrowser:
    """A Chromium that stays open between test files, and contexts that keep their HTTP cache.

    Playwright's sync API leaves its event loop running in this thread, and tests that start a loop
    of their own could not. So its loop is the running one only inside `use`.
    """

    def __init__(self, browser: Browser, loop: asyncio.AbstractEventLoop) -> None:
        self._browser = browser
        self._loop = loop
        self._contexts: dict[str, BrowserContext] = {}

    @contextmanager
    def use(self) -> Iterator[Browser]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self._browser
        finally:
            asyncio._set_running_loop(None)

    def open_context(self, name: str, server: str) -> BrowserContext:
        """Open the context of that name, or find it open; pages share no storage with others."""
        if name not in self._contexts:
            context = self._browser.new_context(viewport={"width": 1280, "height": 900})
            # While one page of the site is open, later ones start in its warm process.
            context.new_page().goto(f"{server}/favicon.svg")
            self._contexts[name] = context
        return self._contexts[name]


@contextmanager
def launch_browser() -> Iterator[SharedBrowser]:
    """Launch Chromium, and close it at the end."""
    path = find()
    assert path is not None, HOW_TO
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        try:
            yield SharedBrowser(chromium, loop)
        finally:
            asyncio._set_running_loop(loop)
            chromium.close()


@contextmanager
def open_tab(context: BrowserContext) -> Iterator[Page]:
    """Open a page that remembers nothing but the page's files, and allows nothing."""
    before = set(context.pages)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.set_default_navigation_timeout(LOADING_MS)
    everywhere = {"origin": "*", "storageTypes": "all"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", everywhere)
    yield page
    context.clear_permissions()
    for opened in set(context.pages) - before:
        opened.close()
