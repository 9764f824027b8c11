"""Measuring a model's heads from the page: a real small model, and a build as the page sees it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.page_actions import LOADING_MS, find_panel, open_page
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE
from tests.server_process import serving


@pytest.fixture(scope="module")
def small(model_directory: Callable[[str], Path]) -> str:
    """What the server calls a small random BERT, which has no atlas."""
    return model_directory("bert").name


@pytest.fixture(scope="module")
def server(
    model_directory: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A server with that model and a place of its own for atlases."""
    models_dir = str(tmp_path_factory.mktemp("models"))
    with serving(models_dir=models_dir, extra_models=str(model_directory("bert"))) as address:
        yield address


class StandInBuild:
    """Answers for the server how a build stands, so that a test can hold it at any point."""

    def __init__(self, page: Page, server: str, model: str) -> None:
        self.orders: list[str] = []
        path = f"{server}/api/v1/models/{model}/atlas/build"
        self._answer: dict[str, Any] = page.request.get(path).json()
        page.route(path, self._respond)

    def run(self, section: str, done: int, total: int) -> None:
        sections = ["surface", "sink", "similarity"]
        step = {"message": "metrics", "done": done, "total": total}
        self.set(state="running", section=section, sections=sections, **step)

    def set(self, **build: object) -> None:
        self._answer["build"] |= build

    def _respond(self, route: Route) -> None:
        self.orders += [route.request.method] if route.request.method != "GET" else []
        if route.request.method == "POST":
            self.run("surface", 0, 0)
        elif route.request.method == "DELETE":
            self.set(message="Stopping")
        route.fulfill(json=self._answer)


def test_a_model_is_measured_from_the_page_and_its_atlas_appears_without_a_reload(
    page: Page, server: str, small: str, page_log: PageLog
) -> None:
    open_page(page, server, model=small, text=SENTENCE, pins="0.0h")
    page.evaluate("() => { window.isSamePage = true; }")
    card = find_panel(page, 0, 0).locator(".head-card")
    for place in (page.locator("#grid-roles"), card):
        expect(place.get_by_role("button", name="Measure this model's heads…")).to_be_visible()
    page.locator("#tab-button-heads").click()
    nothing = "No head has a role: nothing was measured on a corpus yet."
    expect(page.locator(".evidence-card")).to_contain_text(nothing)
    page.locator(".evidence-card .measure-open").click()
    panel = page.get_by_role("dialog", name=f"Measure the heads of {small}")
    expect(panel.get_by_role("listitem")).to_have_count(7)
    expect(panel.locator("[data-section=syntax]")).to_contain_text("set HEADSCOPE_TREEBANK to")
    expect(panel.locator("[data-section=copy]")).to_contain_text("Needs a causal model.")
    expect(panel.locator("[data-state=open]")).to_have_count(3)
    panel.get_by_role("button", name="Start").press("Enter")
    end = "Everything that can be measured here has been measured."
    expect(panel.get_by_role("status")).to_have_text(end, timeout=LOADING_MS)
    expect(panel.locator("[data-state=measured]")).to_have_count(3)
    expect(panel.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    counts = page.request.get(f"{server}/api/v1/models/{small}/atlas").json()["counts"]
    told = page.locator(".evidence-card .role-count")
    expect(told).to_contain_text(f"{counts['with_role']} of {counts['heads']} heads")
    marked = page.locator("#grid-roles .with-letters")
    expect(marked).to_contain_text(f"{counts['beyond_idle']} of {counts['heads']} heads")
    expect(page.locator(".evidence-card summary")).to_contain_text("where there is nothing to find")
    expect(page.locator("#grid-colour option[value=role]")).to_have_count(1)
    page.locator("#tab-button-pinned").click()
    expect(card.locator(".head-claim, .role-line").first).to_be_visible()
    expect(page.locator(".measure-open:visible")).to_have_count(0)
    assert page.evaluate("window.isSamePage")
    assert page_log.complaints == []


def test_a_build_that_runs_is_found_on_return_and_can_be_followed_and_stopped(
    page: Page, server: str, small: str, page_log: PageLog
) -> None:
    # Whether the test above has measured the model does not matter: the build is a stand-in.
    build = StandInBuild(page, server, small)
    build.run("sink", 30, 120)
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, server, model=small, text=SENTENCE, tab="heads")
    opener = page.locator(".evidence-card .measure-open")
    expect(opener).to_have_text("Measuring heads: section 2 of 3…")
    opener.press("Enter")
    panel = page.locator("#build[open]")
    bar, step = panel.locator("progress"), panel.get_by_role("status")
    expect(step).to_have_text("Section 2 of 3: Sink")
    expect(bar).to_have_attribute("value", "0.25")
    expect(panel.locator(".build-foot")).to_contain_text("Metrics, 30 of 120")
    expect(panel.locator("[data-section=sink]")).to_contain_text("in progress")
    build.run("similarity", 0, 0)
    expect(step).to_have_text("Section 3 of 3: Similarity")  # it is asked for again and again
    assert bar.get_attribute("value") is None, "how much there is to do is not known"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert panel.evaluate("box => box.scrollWidth <= box.clientWidth")
    stop = panel.get_by_role("button", name="Stop")
    stop.press("Enter")
    expect(panel.locator(".build-foot")).to_contain_text("Stopping")
    expect(stop).to_be_focused()
    build.set(state="stopped", message="Stopped")
    expect(step).to_contain_text("Stopped. Finished sections are kept.")
    assert build.orders == ["DELETE"]
    error = {"code": "out_of_memory", "message": "There is not enough memory.", "details": {}}
    build.set(state="failed", error=error)
    page.reload()
    expect(opener).not_to_contain_text("Measuring")
    opener.click()
    expect(panel.get_by_role("alert")).to_have_text("There is not enough memory.")
    assert page_log.complaints == []
