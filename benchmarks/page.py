"""The page of a real server in a real Chromium, with the largest grid."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from playwright.sync_api import Page, sync_playwright

from benchmarks.models import model_directory, text_of
from tests.browser.chromium import FLAGS, find
from tests.server_process import serving

N_TOKENS = 128
LOADING_MS = 120_000


@contextmanager
def open_page(ready: str, **link: str) -> Iterator[Page]:
    """The page with a text of 128 tokens, once the JavaScript function `ready` returns true."""
    path = find()
    assert path is not None, "benchmarks check for Chromium first"
    with (
        model_directory("bert") as directory,
        serving(extra_models=str(directory), default_model=directory.name) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
        view = {"model": directory.name, "text": text_of(N_TOKENS), **link}
        page.goto(f"{address}/#" + "&".join(f"{name}={quote(it)}" for name, it in view.items()))
        page.wait_for_function(ready, timeout=LOADING_MS)
        yield page
        browser.close()
