"""Reads the colours of cells from the grid of all heads, and the weights behind them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

CELL_COLOURS = """async (cells) => {
  const { gridGeometry, cellBox } = await import("/drawing/grid_geometry.js");
  const { gridRoom } = await import("/views/grid/grid_room.js");
  const room = { layers: 6, heads: 12, ...gridRoom(), ratio: devicePixelRatio };
  const [below, above] = ["#grid", "#grid-marks"].map((id) => document.querySelector(id));
  return cells.map(([row, column]) => {
    const box = cellBox(gridGeometry(room), { layer: row, head: column });
    const at = [box.x + 2, box.y + 2].map((place) => Math.round(place * devicePixelRatio));
    const badge = [box.x + box.size - 3, box.y + 4];
    const corner = badge.map((place) => Math.round(place * devicePixelRatio));
    const read = (canvas, x, y) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
    return { fill: read(below, ...at), veil: read(above, ...at)[3], badge: read(above, ...corner) };
  });
}"""

# Per head the steps of the colour scale at the middle of each key, in the middle of the tile and
# below its upper edge; -1 is no colour of the scale.
ROW_CODES = """async ([layers, heads, keys]) => {
  const { gridGeometry, cellBox } = await import("/drawing/grid_geometry.js");
  const { gridRoom } = await import("/views/grid/grid_room.js");
  const { scaleOf } = await import("/maps/color.js");
  const geometry = gridGeometry({ layers, heads, ...gridRoom(), ratio: devicePixelRatio });
  const steps = new Map([...scaleOf("light").table].map((colour, step) => [colour, step]));
  const canvas = document.querySelector("#grid");
  const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const codes = [];
  for (let at = 0; at < layers * heads; at += 1) {
    const box = cellBox(geometry, { layer: Math.floor(at / heads), head: at % heads });
    for (const y of [box.y + box.size / 2, box.y + 2]) {
      for (let key = 0; key < keys; key += 1) {
        const x = box.x + ((key + 0.5) / keys) * box.size;
        const [left, top] = [x, y].map((place) => Math.floor(place * devicePixelRatio));
        codes.push(steps.get(pixels[top * canvas.width + left]) ?? -1);
      }
    }
  }
  return codes;
}"""


def read_rows_of_tiles(page: Page, n_keys: int) -> NDArray[np.float64]:
    """Read the weights that tiles show of one token: layers x heads x 2 heights x keys.

    The page must be light, with the square-root scale from 0 to 1.
    """
    codes = np.array(page.evaluate(ROW_CODES, [6, 12, n_keys]), dtype=np.float64)
    assert codes.min() >= 0, "a tile has a colour that is not in the scale"
    weights: NDArray[np.float64] = (codes / 255) ** 2
    return weights.reshape(6, 12, 2, n_keys)


def read_cells(page: Page, *places: tuple[int, int]) -> list[dict[str, Any]]:
    """Read fill, veil and badge at rows and columns of the grid."""
    found: list[dict[str, Any]] = page.evaluate(CELL_COLOURS, [list(place) for place in places])
    return found
