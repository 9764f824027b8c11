"""Records what a page requests, and what the browser reports as wrong with it."""

from playwright.sync_api import ConsoleMessage, Page, Request


class PageLog:
    """The requests of a page and its errors and warnings, from now on."""

    def __init__(self, page: Page) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", self._add_request)
        page.on("console", self._add_message)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _add_request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _add_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)
