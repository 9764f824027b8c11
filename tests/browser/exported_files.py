"""What is exported from the page, read as other programs read it."""

import base64
import re
import shutil
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from tests.browser.page_actions import LOADING_MS, open_export_dialog, open_page
from tests.browser.sample_texts import SENTENCE

SVG = "{http://www.w3.org/2000/svg}"
RECTANGLE = re.compile(r"M(\S+) (\S+?)h(\S+?)v(\S+?)h-\S+?z")

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""

RENDER = """async (svg) => {
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${svg}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/png").split(",")[1];
}"""

PIXELS = """async ([png, points]) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
  return points.map((point) => {
    const [x, y] = point.map(Math.floor);
    return [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)];
  });
}"""


def open_export(page: Page, server: str, **state: str) -> None:
    """The dialog over a page whose pinned maps are exact."""
    open_page(page, server, **{"text": SENTENCE, **state})
    pins = state.get("pins", "")
    exact = page.locator(".panel[data-exact='true']")
    expect(exact).to_have_count(len(pins.split(",")) if pins else 0, timeout=LOADING_MS)
    open_export_dialog(page)


def download(page: Page, name: str, folder: Path) -> Path:
    """What the button of that name in the open dialog gives."""
    with page.expect_download(timeout=LOADING_MS) as got:
        page.locator(f"#export [data-format={name}]").click()
    path = folder / got.value.suggested_filename
    got.value.save_as(path)
    return path


def read_texts(svg: Path) -> list[str]:
    """All texts of a document that must be well-formed."""
    return [text.text or "" for text in ElementTree.parse(svg).iter(f"{SVG}text")]


def read_heatmaps(svg: Path, n: int) -> list[dict[tuple[int, int], tuple[Colour, Box]]]:
    """Per heatmap of n tokens the colour and the place of each cell, by row and column."""
    maps: list[dict[tuple[int, int], tuple[Colour, Box]]] = []
    grounds: list[Box] = []
    for path in ElementTree.parse(svg).iter(f"{SVG}path"):
        fill = path.get("fill", "")
        if path.get("shape-rendering") != "crispEdges" or not fill.startswith("#"):
            continue
        red, green, blue = bytes.fromhex(fill[1:])
        for found in RECTANGLE.findall(path.get("d", "")):
            x, y, width, height = map(float, found)
            if width == height and width % n == 0 and width > 100:
                grounds.append((x, y, width, height))
                maps.append({})
            if not grounds or not _is_in((x, y, width, height), grounds[-1]):
                continue
            left, top, side, _ = grounds[-1]
            cell = side / n
            for row in range(round((y - top) / cell), round((y + height - top) / cell)):
                for col in range(round((x - left) / cell), round((x + width - left) / cell)):
                    box = (left + col * cell, top + row * cell, cell, cell)
                    maps[-1][row, col] = ((red, green, blue), box)
    return maps


def _is_in(inner: Box, outer: Box) -> bool:
    return all(
        outer[at] <= inner[at] and inner[at] + inner[at + 2] <= outer[at] + outer[at + 2]
        for at in (0, 1)
    )


def render(svg: Path, page: Page) -> bytes:
    """Draw the document as a PNG: by another program, or on a page where there is no other."""
    program = shutil.which("rsvg-convert")
    if program is not None:
        return subprocess.run([program, str(svg)], check=True, capture_output=True).stdout
    drawn = page.evaluate(RENDER, base64.b64encode(svg.read_bytes()).decode())
    return base64.b64decode(drawn)


def read_size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def read_pixels(png: bytes, points: list[tuple[float, float]], page: Page) -> list[Colour]:
    """Read the colours at some points of a picture, which a page decodes."""
    found: list[Colour] = page.evaluate(PIXELS, [base64.b64encode(png).decode(), points])
    return [tuple(colour) for colour in found]
