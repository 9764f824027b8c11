"""Open the page in a state, wait until it is ready, and find its parts."""

import re
from typing import Literal
from urllib.parse import quote

from playwright.sync_api import Locator, Page, Position, expect

PATIENCE_MS = 10_000
LOADING_MS = 60_000
"""A machine that does much else may need as long to load a model."""

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

STALE = re.compile(r"\bstale\b")
"""The class of what belongs to an earlier question."""

CELL_CENTRE = """async ([layer, head, layers, heads]) => {
  const { gridGeometry, cellBox } = await import("/drawing/grid_geometry.js");
  const { gridRoom } = await import("/views/grid/grid_room.js");
  const room = { layers, heads, ...gridRoom(), ratio: devicePixelRatio };
  const box = cellBox(gridGeometry(room), { layer, head });
  return [box.x + box.size / 2, box.y + box.size / 2];
}"""


def open_page(page: Page, server: str, **state: str) -> None:
    """Open the page on a state and wait until its run is done."""
    fragment = "&".join(f"{name}={quote(value)}" for name, value in state.items())
    page.goto(f"{server}/#{fragment}" if fragment else f"{server}/")
    expect_done(page)


def expect_done(page: Page) -> None:
    """Wait until the run is over; the model may have to be loaded for it."""
    done = re.compile(r"\d+ layers in")
    expect(page.locator("#progress")).to_have_text(done, timeout=LOADING_MS)


def wait_for_frame(page: Page) -> None:
    """Wait until what was just done is on screen."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def resize(page: Page, width: int, height: int) -> None:
    """Give the window a size and wait until the page has it: a busy machine takes some frames."""
    page.set_viewport_size({"width": width, "height": height})
    has_size = "([width, height]) => innerWidth === width && innerHeight === height"
    page.wait_for_function(has_size, arg=[width, height])
    wait_for_frame(page)
    wait_for_frame(page)  # parts that were given another size answer with the next


def expect_exact_maps(page: Page) -> None:
    """Wait until all panels have their exact values."""
    wait_for_frame(page)
    expect(page.locator(".panel")).not_to_have_count(0)
    expect(page.locator(".panel[data-exact='false']")).to_have_count(0, timeout=LOADING_MS)


def find_cell(page: Page, layer: int, head: int, shape: tuple[int, int] = (6, 12)) -> Position:
    """Find the centre of a head's cell on the grid; the shape is layers and heads."""
    x, y = page.evaluate(CELL_CENTRE, [layer, head, *shape])
    return {"x": x, "y": y}


def open_view_bar(page: Page) -> None:
    """Open the box that says how maps are shown."""
    page.locator("#view-bar").evaluate("bar => { bar.open = true; }")


def choose_example(page: Page, name: str) -> None:
    """Choose one of the examples of the menu."""
    page.locator("#examples-menu summary").click()
    page.locator("#examples").get_by_role("button", name=name).click()


def open_share_menu(page: Page) -> None:
    """Open the menu with what can be taken from the page."""
    page.locator("#share-menu summary").click()


def open_export_dialog(page: Page) -> None:
    open_share_menu(page)
    page.locator("#export-open").click()
    expect(page.locator("dialog#export[open]")).to_be_visible()


def click_cell(page: Page, layer: int, head: int) -> None:
    page.locator("#grid").click(position=find_cell(page, layer, head))


def hover_cell(page: Page, layer: int, head: int) -> None:
    page.locator("#grid").hover(position=find_cell(page, layer, head))


def find_token(page: Page, text: str, side: str = "a") -> Locator:
    """Find a token in the strip of a side."""
    strip = page.locator("#tokens" if side == "a" else "#tokens-b")
    return strip.get_by_role("button", name=text, exact=True)


def find_tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name)


def find_panel(page: Page, layer: int, head: int, side: str = "a", stack: int = 0) -> Locator:
    """Find the panel of a pinned head."""
    place = f"[data-side='{side}'][data-stack='{stack}']"
    return page.locator(f".panel{place}[data-layer='{layer}'][data-head='{head}']")


def find_map(panel: Locator, values: str = "raw") -> Locator:
    """Find one of the two maps of a panel."""
    return panel.locator(f".map-view[data-values='{values}']")


def find_readout(page: Page, layer: int, head: int, side: str = "a") -> Locator:
    """Find what the raw map of a pinned head says of the tokens in focus."""
    return find_map(find_panel(page, layer, head, side)).locator(".readout")
