"""Keeps requests and streamed answers back, to test what the page shows while it waits."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute


def hold_requests(page: Page, path: str, is_held: Callable[[dict[str, Any]], bool]) -> None:
    """Never answer the requests of an API path whose JSON body is one to hold.

    Call it before the page is opened: Chromium may miss the first request after this.
    """

    def route_request(route: Route) -> None:
        if not is_held(route.request.post_data_json):
            route.continue_()

    page.route(f"**/api/v1/{path}", route_request)


def delay_requests(page: Page, path: str) -> list[Route]:
    """Keep back the requests of an API path until each one's `continue_`."""
    delayed: list[Route] = []
    # Playwright writes an attribute on the function, which a built-in method refuses.
    page.route(f"**/api/v1/{path}", lambda route: delayed.append(route))
    return delayed


class HeldStream:
    """Keeps back what the server streams to a page while `is_holding`."""

    def __init__(self, page: Page) -> None:
        self.is_holding = False
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket(re.compile("/stream"), self._route)

    def _route(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if self.is_holding:
                self._held.append((socket, message))
            else:
                socket.send(message)

        server.on_message(pass_on)

    def release(self) -> None:
        self.is_holding = False
        for socket, message in self._held:
            socket.send(message)
        self._held.clear()
