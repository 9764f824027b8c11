"""What the page says of a pinned map: its readout, its table, the colours under a point.

No expectations in here: tests compare what it reads.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, Position, expect

SPOTS = ((0.4, 0.8), (0.55, 0.5), (0.9, 0.35), (0.7, 0.9))
"""Places on a heatmap, as parts of its canvas, beyond its labels; the first looks back."""

PIXEL = """(canvas, [x, y]) => {
  const [left, top] = [x, y].map((at) => Math.floor(at * devicePixelRatio));
  const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, left, top, 1, 1, 0, 0, 1, 1);
  const { data } = copy.getImageData(0, 0, 1, 1);
  return new Uint32Array(data.buffer)[0];
}"""


REMEMBER = """(() => {
  const { clearRect, drawImage, fillText } = CanvasRenderingContext2D.prototype;
  const boxOn = (context, from, to) => {
    const corners = [from, to].map(([x, y]) => context.getTransform().transformPoint({ x, y }));
    const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    return { left, top: Math.min(...ys), right, bottom: Math.max(...ys) };
  };
  for (const side of ["width", "height"]) {
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, side);
    const resize = function (length) {
      this.written = [];
      set.call(this, length);
    };
    Object.defineProperty(HTMLCanvasElement.prototype, side, { get, set: resize });
  }
  Object.assign(CanvasRenderingContext2D.prototype, {
    clearRect(x, y, width, height) {
      const gone = boxOn(this, [x, y], [x + width, y + height]);
      const stays = (it) =>
        it.left < gone.left - 1 || it.right > gone.right + 1 ||
        it.top < gone.top - 1 || it.bottom > gone.bottom + 1;
      this.canvas.written = (this.canvas.written ?? []).filter(stays);
      clearRect.call(this, x, y, width, height);
    },
    drawImage(picture, ...place) {
      if (place.length === 2) (this.canvas.written ??= []).push(...(picture.written ?? []));
      drawImage.call(this, picture, ...place);
    },
    fillText(text, x, y) {
      const ink = this.measureText(text);
      const from = [x - ink.actualBoundingBoxLeft, y - ink.actualBoundingBoxAscent];
      const to = [x + ink.actualBoundingBoxRight, y + ink.actualBoundingBoxDescent];
      const turned = Math.abs(this.getTransform().b) > 0.5;
      (this.canvas.written ??= []).push({ text, turned, ...boxOn(this, from, to) });
      fillText.call(this, text, x, y);
    },
  });
})()"""


def read_value(said: Locator) -> float:
    """The number that a readout shows."""
    expect(said).to_have_attribute("data-value", re.compile("."))
    return float(said.get_attribute("data-value") or "nan")


def read_ends(said: Locator) -> tuple[list[int], list[int]]:
    """The queries and the keys that a readout speaks of."""
    expect(said).to_have_attribute("data-query", re.compile(r"\d|^$"))
    named = [said.get_attribute(f"data-{end}") or "" for end in ("query", "key")]
    queries, keys = ([int(token) for token in text.split(",") if token] for text in named)
    return queries, keys


def find_points(canvas: Locator, spots: Sequence[tuple[float, float]] = SPOTS) -> list[Position]:
    box = canvas.bounding_box()
    assert box is not None
    return [{"x": box["width"] * x, "y": box["height"] * y} for x, y in spots]


def point_at(canvas: Locator, said: Locator, point: Position) -> None:
    """Point at a place on a map from outside it, so that what is said then is of this place."""
    canvas.page.mouse.move(5, 5)
    expect(said).not_to_have_attribute("data-key", re.compile(".*"))
    canvas.hover(position=point)
    expect(said).to_have_attribute("data-key", re.compile(r"\d"))


def read_cells_at(page: Page, canvas: Locator, said: Locator) -> list[tuple[int, int]]:
    """Which query and key lie at each of the places."""
    found = []
    for point in find_points(canvas):
        point_at(canvas, said, point)
        queries, keys = read_ends(said)
        found.append((queries[0], keys[0]))
    page.mouse.move(5, 5)
    expect(said).not_to_have_attribute("data-key", re.compile(".*"))
    return found


def find_table_rows(view: Locator) -> Locator:
    return view.locator(".panel-table tbody tr")


def read_links(view: Locator, query: str) -> list[tuple[str, float]]:
    """All keys of one query with their weights, from the table; the query is released again."""
    caption = view.locator("caption")
    find_table_rows(view).locator("th").get_by_text(query, exact=True).first.click()
    expect(caption).to_contain_text(f"all links from {query}")
    lines = find_table_rows(view).evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))"
    )
    view.page.keyboard.press("Escape")
    expect(caption).to_contain_text("strongest keys of each query")
    return [(key, float(weight.removeprefix("<"))) for key, weight in lines]


@dataclass(frozen=True)
class Label:
    """Words on a canvas, and the box their ink lies in."""

    text: str
    turned: bool
    left: float
    top: float
    right: float
    bottom: float


def record_labels(page: Page) -> None:
    """Have every canvas of the pages opened from now on remember what is written on it."""
    page.add_init_script(REMEMBER)


def read_labels(canvas: Locator) -> list[Label]:
    """What is written on a canvas, without the words that say which side is which."""
    written = [Label(**label) for label in canvas.evaluate("canvas => canvas.written")]
    return [label for label in written if label.text not in ("QUERY", "KEY")]
