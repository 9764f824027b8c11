"""A real server process and a real Chromium for the tests of the page."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from mha_core.atlas.storage import built_path, write_atlas
from tests.browser.api_client import fetch_heads
from tests.browser.browser_pages import SharedBrowser, launch_browser, open_tab
from tests.browser.made_up_atlas import made_up_atlas
from tests.browser.page_actions import PATIENCE_MS
from tests.browser.page_log import PageLog
from tests.server_process import serving


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
    write_atlas(made_up_atlas(), built_path("minilm", folder))
    with serving(models_dir=str(folder), extra_models=str(plain)) as address:
        fetch_heads(address)  # the model is loaded once, before any test has a clock running
        yield address


@pytest.fixture(scope="session")
def bart(model_directory: Callable[[str], Path]) -> str:
    """What the server with further models calls its encoder-decoder with three attentions."""
    return model_directory("bart").name


@pytest.fixture(scope="session")
def t5(model_directory: Callable[[str], Path]) -> str:
    """What the server with further models calls its encoder-decoder with a position bias."""
    return model_directory("t5").name


@pytest.fixture(scope="session")
def extra_models_server(
    models_dir: Path,
    model_directory: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """A server that also has a small random BART and T5, and `broken`, whose weights are none."""
    broken = tmp_path_factory.mktemp("broken", numbered=False)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (broken / name).write_bytes((models_dir / "minilm" / name).read_bytes())
    (broken / "model.safetensors").write_bytes(b"not weights at all")
    folders = (model_directory("bart"), model_directory("t5"), broken)
    extra = ",".join(map(str, folders))
    with serving(models_dir=str(models_dir), extra_models=extra) as address:
        yield address


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[SharedBrowser]:
    expect.set_options(timeout=PATIENCE_MS)
    with launch_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(shared_browser: SharedBrowser) -> Iterator[Browser]:
    """Chromium itself, for tests that need a context with settings of its own."""
    with shared_browser.use() as browser:
        yield browser


@pytest.fixture(scope="module")
def context(shared_browser: SharedBrowser, browser: Browser, server: str) -> BrowserContext:
    """What all pages share: the page's files, which a browser keeps."""
    return shared_browser.open_context("first", server)


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A first visit; wide enough for two columns."""
    with open_tab(context) as page:
        yield page


@pytest.fixture
def other_page(shared_browser: SharedBrowser, browser: Browser, server: str) -> Iterator[Page]:
    """A first visit in another browser, which shares no storage with that of `page`."""
    with open_tab(shared_browser.open_context("other", server)) as page:
        yield page


@pytest.fixture
def page_log(page: Page) -> PageLog:
    return PageLog(page)
