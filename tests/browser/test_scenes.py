"""Every view and state at every width people have, as axe-core judges it and as eyes would: each is
brought on screen once, then looked at wide and narrow, light and dark, moving and still.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.browser_pages import open_tab
from tests.browser.page_actions import expect_exact_maps, resize
from tests.browser.sample_texts import ARABIC, CHINESE, FEW_LONG_WORDS, HEBREW, SENTENCE
from tests.browser.scenes import (
    N_TOUR_STEPS,
    PAIR,
    PINNED,
    SCENES,
    Scene,
    aligned,
    both_sides,
    tour_at,
)

AXE = Path(__file__).parents[1] / "frontend/node_modules/axe-core/axe.min.js"
HOW_TO = "axe-core is not here: `make page` installs it, then run this test again."
WIDTHS = (390, 768, 1000, 1280, 1920, 2560)
JUDGED_WIDTHS = (1280, 390)

# A theme changes colours and nothing else that axe-core looks at.
RULES: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": {},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}

# The page draws once a frame: after two of them it has answered a new width and theme.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

JUDGE = """async (rules) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...rules });
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`),
  }));
}"""

# Controls that stand where people cannot use them: beyond the window or a box that cuts them off,
# with a text wider than they are, or one upon the other.
MISPLACED = """() => {
  const names = "a[href], button, input, select, textarea, summary";
  const dialog = document.querySelector("dialog[open]");
  const controls = [...(dialog ?? document).querySelectorAll(names)].filter((part) =>
    part.checkVisibility() && part.id !== "skip" && !part.closest(".tour-card"));
  const called = (part) => part.id || part.getAttribute("aria-label") || part.textContent.trim();
  const faults = [];
  const seen = [];
  for (const part of controls) {
    const box = part.getBoundingClientRect();
    let { left, right, top, bottom } = box;
    for (let up = part.parentElement; up && up !== document.body; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const around = up.getBoundingClientRect();
      const cut = left < around.left - 1 || right > around.right + 1;
      if (cut && !["auto", "scroll"].includes(overflowX)) faults.push(`${called(part)} is cut off`);
      [left, right] = [Math.max(left, around.left), Math.min(right, around.right)];
      [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
    }
    if (right - left <= 1 || bottom - top <= 1) continue; // scrolled out of its box
    if (left < -1 || right > innerWidth + 1) faults.push(`${called(part)} is beyond the window`);
    const { textOverflow } = getComputedStyle(part);
    const isCut = part.scrollWidth > part.clientWidth + 1 && textOverflow !== "ellipsis";
    if (isCut && part.matches("button, a")) faults.push(`${called(part)} has no room for its text`);
    seen.push({ part, left, right, top, bottom });
  }
  seen.forEach((one, at) => {
    for (const other of seen.slice(at + 1)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const tall = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const isInside = one.part.contains(other.part) || other.part.contains(one.part);
      if (wide <= 1 || tall <= 1 || isInside) continue;
      faults.push(`${called(one.part)} lies on ${called(other.part)}`);
    }
  });
  return faults;
}"""

# Whatever moves or fades, and where; a page that scrolls by itself moves too.
MOVING = """() => [...document.querySelectorAll("*")].flatMap((part) =>
  ["", "::before", "::after"].flatMap((pseudo) => {
    const style = getComputedStyle(part, pseudo || null);
    const fades = style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
    const moves = style.animationName !== "none" || style.scrollBehavior === "smooth";
    return moves || fades ? [`${part.tagName} ${part.id || part.className}${pseudo}`] : [];
  }))"""

EIGHT = ",".join(f"{n % 6}.{n}{'hl'[n % 2]}" for n in range(8))
STATES = [
    # In a wide window the View bar is open from the start: that is "pinned, all three ways".
    *(it for it in SCENES if not it.name.startswith("tour") and it.name != "view bar open"),
    Scene("eight pinned", {"text": SENTENCE, "pins": EIGHT, "values": "both"}, expect_exact_maps),
    Scene("long words", {"text": FEW_LONG_WORDS, "pins": PINNED}, expect_exact_maps),
    Scene(
        "long words, compared",
        {"text": FEW_LONG_WORDS, "against": "", "against_text": SENTENCE},
        aligned,
    ),
    Scene("Hebrew", {"text": HEBREW, "pins": PINNED}, expect_exact_maps),
    Scene("Arabic, compared", {"text": ARABIC, "against": "", "against_text": HEBREW}, aligned),
    Scene("Chinese", {"text": CHINESE, "pins": PINNED, "model": "smollm2"}, expect_exact_maps),
    Scene("both sides", {**PAIR, "pins": "3.1h,b:3.1l,diff(3.1;b:3.1)t"}, both_sides),
]


@pytest.fixture(scope="module")
def axe() -> str:
    """The program that judges; given to the page as a script of the browser, not of the page."""
    assert AXE.is_file(), HOW_TO
    return AXE.read_text()


@pytest.fixture(scope="module", params=STATES, ids=lambda scene: scene.name)
def shown(request: pytest.FixtureRequest, context: BrowserContext, server: str) -> Iterator[Page]:
    """A page with one of the states on it; all tests that want it look at the same one."""
    with open_tab(context) as page:
        request.param.show(page, server)
        yield page


def test_no_control_is_cut_off_or_covered_at_any_width(shown: Page) -> None:
    for width in WIDTHS:
        resize(shown, width, 900)
        shown.evaluate("scrollTo(0, 0)")  # further down the strip of tokens covers some of them
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate(MISPLACED) == [], f"{width} pixels"


def test_nobody_is_shut_out(shown: Page, axe: str) -> None:
    expect_no_violations(shown, axe)


def test_nothing_moves_for_people_who_want_stillness(shown: Page) -> None:
    expect_stillness(shown)


def test_nobody_is_shut_out_of_the_tour_and_it_stands_still_if_wanted(
    page: Page, server: str, axe: str
) -> None:
    Scene("tour", {}, tour_at(0)).show(page, server)
    for step in range(1, N_TOUR_STEPS + 1):
        expect(page.locator(".tour-card")).to_contain_text(f"{step} of {N_TOUR_STEPS}")
        expect_no_violations(page, axe)
        expect_stillness(page)
        page.locator(".tour-foot .primary").click()
    expect(page.locator(".tour-card")).to_be_hidden()


def test_nobody_is_shut_out_of_a_model_with_three_attentions(
    page: Page, extra_models_server: str, bart: str, axe: str
) -> None:
    link = {"model": bart, "text": SENTENCE, "text_pair": "A dog.", "pins": "0.1h,x1.0h"}
    Scene("three grids", link, expect_exact_maps).show(page, extra_models_server)
    expect_no_violations(page, axe)


def expect_stillness(page: Page) -> None:
    """Nothing moves or fades where the system asks for that; elsewhere something does."""
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(MOVING) != [], "what is looked for is found where it is wanted"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(MOVING) == []
    page.emulate_media(reduced_motion="no-preference")


def expect_no_violations(page: Page, axe: str) -> None:
    """Nothing axe-core finds, wide and narrow, light and dark."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe)
    for width in JUDGED_WIDTHS:
        resize(page, width, 900)
        for scheme, rules in RULES.items():
            page.emulate_media(color_scheme=scheme)
            page.evaluate(DRAWN)
            assert page.evaluate(JUDGE, rules) == [], f"{scheme}, {width} pixels"
