"""What people have told their system: which colours they can see."""

from playwright.sync_api import Page, expect

from tests.browser.page_actions import open_view_bar
from tests.browser.scenes import SCENES

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


def test_colours_people_chose_themselves_hide_nothing(page: Page, server: str) -> None:
    page.emulate_media(forced_colors="active")
    next(scene for scene in SCENES if scene.name == "a link ranked below pins").show(page, server)
    open_view_bar(page)
    for chosen, other in (
        ("#view-bar [data-choice=raw]", "#view-bar [data-choice=both]"),
        ("#tab-button-pinned", "#tab-button-heads"),
        (".token[aria-pressed=true]", ".token[aria-pressed=false]"),
        (".ranking [aria-pressed=true]", ".ranking [aria-pressed=false]"),
        (".edge-fill", ".edge-bar"),
    ):
        shown = [page.locator(at).first.evaluate(COLOURS) for at in (chosen, other)]
        assert shown[0] != shown[1], chosen
    expect(page.locator("#grid-roles .badge").first).to_be_visible()
    for badge in page.locator("#grid-roles .badge").all():
        ink, ground = badge.evaluate(COLOURS)
        assert ink != ground
    assert page.evaluate(COLOURED), "the letters on the grid are seen"
