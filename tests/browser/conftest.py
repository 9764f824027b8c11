"""A real server process and a real Chromium for the tests of the page."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.browser.chromium import FLAGS, HOW_TO, find
from tests.browser.made_up_atlas import made_up_atlas
from tests.browser.programs import heads_of
from tests.server_process import serving

PATIENCE_MS = 10_000
LOADING_MS = 60_000
"""A machine that does much else may need as long to load a model."""


@pytest.fixture(scope="session")
def server(models_dir: Path) -> Iterator[str]:
    """The address of a real server."""
    with serving(models_dir=str(models_dir)) as address:
        yield address


@pytest.fixture(scope="session")
def atlas_server(models_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose MiniLM has a made-up atlas; the same weights as `plain` have none at all."""
    folder = tmp_path_factory.mktemp("models")
    for model in ("minilm", "smollm2"):
        (folder / model).symlink_to(models_dir / model)
    plain = tmp_path_factory.mktemp("plain", numbered=False)
    for file in (models_dir / "minilm").iterdir():
        (plain / file.name).symlink_to(file)
    (folder / "atlases").mkdir()
    (folder / "atlases" / "minilm.json").write_text(json.dumps(made_up_atlas()))
    with serving(models_dir=str(folder), extra_models=str(plain)) as address:
        heads_of(address)  # the model is loaded once, before any test has a clock running
        yield address


# Not for the whole session: while it runs, Playwright holds the thread's event loop, and tests
# that start one of their own could not.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find()
    assert path is not None, HOW_TO
    expect.set_options(timeout=PATIENCE_MS)
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


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What all visits of a file share: the page's files, which a browser keeps."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context


@contextmanager
def visit(context: BrowserContext) -> Iterator[Page]:
    """A page in a browser that remembers nothing but the page's files, and allows nothing."""
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


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A first visit; wide enough for two columns."""
    with visit(context) as page:
        yield page


@pytest.fixture
def watched(page: Page) -> Watched:
    return Watched(page)
