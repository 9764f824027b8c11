"""Every view and state, light and dark, wide and narrow, as axe-core judges it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.programs import SENTENCE
from tests.browser.scenes import SCENES, Scene, exact
from tests.server_process import serving

AXE = Path(__file__).parents[1] / "frontend/node_modules/axe-core/axe.min.js"
HOW_TO = "axe-core is not here: `make page` installs it, then run this test again."
WIDTHS = (1280, 390)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

# The page draws once a frame: after two of them it has answered the new width and theme.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

JUDGE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`),
  }));
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The program that judges; given to the page as a script of the browser, not of the page."""
    assert AXE.is_file(), HOW_TO
    return AXE.read_text()


def violations(page: Page, axe: str) -> list[Any]:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe)
    found: list[Any] = page.evaluate(JUDGE)
    return found


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_nobody_is_shut_out(page: Page, server: str, axe: str, scene: Scene) -> None:
    expect_no_violations(page, server, axe, scene)


def test_nobody_is_shut_out_of_a_model_with_three_attentions(
    page: Page, models_dir: Path, model_directory: Callable[[str], Path], axe: str
) -> None:
    folder = model_directory("bart")
    link = {"model": folder.name, "text": SENTENCE, "text_pair": "A dog.", "pins": "0.1h,x1.0h"}
    with serving(models_dir=str(models_dir), extra_models=str(folder)) as server:
        expect_no_violations(page, server, axe, Scene("three grids", link, exact))


def expect_no_violations(page: Page, server: str, axe: str, scene: Scene) -> None:
    scene.show(page, server)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.evaluate(DRAWN)
            assert violations(page, axe) == [], f"{scene.name}, {scheme}, {width} pixels"


# Whatever moves or fades, and where; a page that scrolls by itself moves too.
MOVING = """() => [...document.querySelectorAll("*")].flatMap((part) =>
  ["", "::before", "::after"].flatMap((pseudo) => {
    const style = getComputedStyle(part, pseudo || null);
    const fades = style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
    const moves = style.animationName !== "none" || style.scrollBehavior === "smooth";
    return moves || fades ? [`${part.tagName} ${part.id || part.className}${pseudo}`] : [];
  }))"""


@pytest.mark.parametrize("name", ["tour 3", "heads", "compared sentences", "export"])
def test_nothing_moves_for_people_who_want_stillness(page: Page, server: str, name: str) -> None:
    page.emulate_media(reduced_motion="no-preference")
    next(scene for scene in SCENES if scene.name == name).show(page, server)
    assert page.evaluate(MOVING) != [], "what is looked for is found where it is wanted"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(MOVING) == []


# The colours of a part as they are shown.
COLOURS = """part => {
  const { color, backgroundColor } = getComputedStyle(part);
  return [color, backgroundColor];
}"""

# Whether anything above the cells of the grid has a colour of its own.
COLOURED = """() => {
  const { width, height } = document.querySelector("#grid-marks");
  const context = document.querySelector("#grid-marks").getContext("2d");
  const { data } = context.getImageData(0, 0, width, height);
  return data.some((value, at) => at % 4 === 0 && Math.abs(value - data[at + 2]) > 60);
}"""


def test_colours_people_chose_themselves_hide_nothing(browser: Browser, server: str) -> None:
    with browser.new_context(
        viewport={"width": 1280, "height": 900}, forced_colors="active"
    ) as context:
        page = context.new_page()
        next(scene for scene in SCENES if scene.name == "ask, answered").show(page, server)
        for chosen, other in (
            ("#look [data-choice=raw]", "#look [data-choice=both]"),
            ("#tab-button-ask", "#tab-button-heads"),
            (".token[aria-pressed=true]", ".token[aria-pressed=false]"),
            (".slot-name[aria-pressed=true]", ".slot-name[aria-pressed=false]"),
            (".ranking [aria-pressed=true]", ".ranking [aria-pressed=false]"),
            (".edge-fill", ".edge-bar"),
        ):
            shown = [page.locator(at).first.evaluate(COLOURS) for at in (chosen, other)]
            assert shown[0] != shown[1], chosen
        for badge in page.locator("#grid-roles .badge").all():
            ink, ground = badge.evaluate(COLOURS)
            assert ink != ground
        assert page.evaluate(COLOURED), "the letters on the grid are seen"
