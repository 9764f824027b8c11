"""A real server process and a real Chromium for the tests of the page."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tests.browser.chromium import FLAGS, HOW_TO, find

START_SECONDS = 120
Serve = Callable[..., "Iterator[Server]"]


class Server:
    """A running `headscope serve`; `address` ends without a slash."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address

    @property
    def port(self) -> str:
        return self.address.rpartition(":")[2]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def serving(models_dir: Path, *options: str, port: str = "0") -> Iterator[Server]:
    """Start the command people start, and wait for the address it tells."""
    command = [sys.executable, "-m", "backend", "serve", "--no-open", "--port", port, *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HEADSCOPE_MODELS_DIR": str(models_dir), "HEADSCOPE_HUB": "false"},
    )
    assert process.stdout is not None
    lines = []
    address = None
    for line in process.stdout:
        lines.append(line)
        if found := re.search(r"http://[\w.:\[\]]+", line):
            address = found[0].rstrip("/")
            break
    assert address is not None, f"the server did not start: {''.join(lines)}"
    server = Server(process, address)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def server(models_dir: Path) -> Iterator[Server]:
    with serving(models_dir) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find()
    assert path is not None, HOW_TO
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


class Watched:
    """What a page asked for and complained about."""

    def __init__(self, page: Page) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", self._request)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a browser that knows nothing; wide enough for two columns."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(30_000)
    yield page
    context.close()


@pytest.fixture
def watched(page: Page) -> Watched:
    return Watched(page)
