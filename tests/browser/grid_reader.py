"""Reads the colours of cells from the grid of all heads."""

from typing import Any

from playwright.sync_api import Page

CELL_COLOURS = """async (cells) => {
  const { gridGeometry, cellBox } = await import("/drawing/grid_geometry.js");
  const width = document.querySelector("#explore").clientWidth;
  const room = { layers: 6, heads: 12, width, height: innerHeight, ratio: devicePixelRatio };
  const [below, above] = ["#grid", "#grid-marks"].map((id) => document.querySelector(id));
  return cells.map(([row, column]) => {
    const box = cellBox(gridGeometry(room), { layer: row, head: column });
    const at = [box.x + 2, box.y + 2].map((place) => Math.round(place * devicePixelRatio));
    const badge = [box.x + box.size - 3, box.y + box.size - 3];
    const corner = badge.map((place) => Math.round(place * devicePixelRatio));
    const read = (canvas, x, y) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
    return { fill: read(below, ...at), veil: read(above, ...at)[3], badge: read(above, ...corner) };
  });
}"""


def read_cells(page: Page, *places: tuple[int, int]) -> list[dict[str, Any]]:
    """Read fill, veil and badge at rows and columns of the grid."""
    found: list[dict[str, Any]] = page.evaluate(CELL_COLOURS, [list(place) for place in places])
    return found
