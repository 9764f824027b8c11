"""The page at the sizes and in the themes people use it in."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.programs import SENTENCE
from tests.browser.scenes import (
    ARABIC,
    CHINESE,
    HEBREW,
    LONG,
    MODELS,
    PAIR,
    PINNED,
    SCENES,
    Scene,
    aligned,
    both_sides,
    compared,
    exact,
)
from tests.browser.test_page import open_page

WIDTHS = (390, 768, 1280, 1920, 2560)

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

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

EIGHT = ",".join(f"{n % 6}.{n}{'hl'[n % 2]}" for n in range(8))
STATES = [
    *(scene for scene in SCENES if not scene.name.startswith("tour")),
    Scene("eight pinned", {"text": SENTENCE, "pins": EIGHT, "values": "both"}, exact),
    Scene("long words", {"text": LONG, "pins": PINNED}, exact),
    Scene("long words, compared", {"text": LONG, "against": "", "against_text": SENTENCE}, aligned),
    Scene("Hebrew", {"text": HEBREW, "pins": PINNED}, exact),
    Scene("Arabic, compared", {"text": ARABIC, "against": "", "against_text": HEBREW}, aligned),
    Scene("Chinese", {"text": CHINESE, "pins": PINNED, "model": "smollm2"}, exact),
    Scene("two models", {**MODELS, "tab": "compare"}, compared),
    Scene("both sides", {**PAIR, "pins": "3.1h,b:3.1l,diff(3.1;b:3.1)t"}, both_sides),
]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "pins"), [(SENTENCE, 0), (SENTENCE, 8), (LONG, 4)])
def test_nothing_is_wider_than_the_window(
    browser: Browser, server: str, width: int, scheme: str, text: str, pins: int
) -> None:
    with browser.new_context(
        viewport={"width": width, "height": 844},
        color_scheme="dark" if scheme == "dark" else "light",
    ) as context:
        page = context.new_page()
        heads = ",".join(f"{n % 6}.{n}{'hl'[n % 2]}" for n in range(pins))
        open_page(page, server, text=text, pins=heads)
        expect(page.locator(".panel")).to_have_count(pins)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red = int(background.removeprefix("rgb(").split(",")[0])
        assert (red < 60) == (scheme == "dark")


@pytest.mark.parametrize("scene", STATES, ids=lambda scene: scene.name)
def test_no_control_is_cut_off_or_covered_at_any_width(
    page: Page, server: str, scene: Scene
) -> None:
    scene.show(page, server)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(DRAWN)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(MISPLACED) == [], f"{width} pixels"


@pytest.mark.parametrize("pins", [2, 4, 8])
def test_panels_stand_in_even_columns(browser: Browser, server: str, pins: int) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        heads = ",".join(f"{n % 6}.{n}h" for n in range(pins))
        open_page(page, server, text=SENTENCE, pins=heads)
        boxes = [panel.bounding_box() for panel in page.locator(".panel").all()]
        assert len(boxes) == pins
        widths = {round(box["width"]) for box in boxes if box}
        lefts = sorted({round(box["x"]) for box in boxes if box})
        assert len(widths) == 1
        assert len(lefts) >= 2, "panels are not side by side"


def test_a_long_text_in_eight_panels_needs_few_elements(browser: Browser, server: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        heads = ",".join(f"{n % 6}.{n}{'hl'[n % 2]}" for n in range(8))
        open_page(page, server, text=LONG, pins=heads)
        n_tokens = page.locator("#tokens [data-index]").count()
        assert n_tokens > 200
        # A chip for each token, menus and one open card: nothing for a cell or a line of a map.
        assert page.evaluate("document.querySelectorAll('*').length") < n_tokens + 1500
