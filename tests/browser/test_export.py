"""What is exported is what is on screen: figures, numbers, commands, one file with all of it."""

import csv
import json
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from tests.browser.api_client import ask_server, fetch_map
from tests.browser.exported_files import (
    download,
    open_export,
    read_heatmaps,
    read_pixels,
    read_size,
    read_texts,
    render,
)
from tests.browser.page_actions import expect_exact_maps, open_export_dialog, open_page
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE
from tests.recorded_page import recorded

N_TOKENS = 16

# The colours of all cells of each heatmap on the page, row after row.
SHOWN = """async () => {
  const { heatmapGeometry } = await import("/drawing/heatmap.js");
  const tokens = [...document.querySelectorAll("#tokens [data-token]")];
  const labels = tokens.map((token) => token.textContent);
  return [...document.querySelectorAll(".panel .map-view:not([hidden])")].map((view) => {
    const canvas = view.querySelector("canvas");
    const context = canvas.getContext("2d");
    const sheet = { queries: { labels }, keys: { labels } };
    const palette = { font: getComputedStyle(document.body).fontFamily };
    const drawing = { sheet, width: view.clientWidth, palette };
    const { left, top, cell } = heatmapGeometry(context, drawing);
    const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
    return labels.flatMap((_, row) => labels.map((_, col) => {
      const centre = [left + (col + 0.5) * cell, top + (row + 0.5) * cell];
      const [x, y] = centre.map((place) => Math.floor(place * devicePixelRatio));
      return [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)];
    }));
  });
}"""

# The colours of every pair of tokens of every head: in the grid on the page, and in a figure.
GRIDS = """async ([png, n, layers, heads]) => {
  const { cellBox, gridGeometry } = await import("/drawing/grid_geometry.js");
  const read = (canvas, geometry, scale) => {
    const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({ length: layers * heads * n * n }, (_, at) => {
      const place = Math.floor(at / n / n);
      const cell = { layer: Math.floor(place / heads), head: place % heads };
      const { x, y, size } = cellBox(geometry, cell);
      const [row, col] = [Math.floor(at / n) % n, at % n].map((line) => ((line + 0.5) * size) / n);
      const [px, py] = [x + col, y + row].map((point) => Math.floor(point * scale));
      const from = 4 * (py * image.width + px);
      return image.data.slice(from, from + 3).join();
    });
  };
  const { gridRoom } = await import("/views/grid/grid_room.js");
  const room = { layers, heads, ...gridRoom(), ratio: devicePixelRatio };
  const here = read(document.querySelector("#grid"), gridGeometry(room), devicePixelRatio);
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  const figure = { cell: 56, gap: 4, left: 34, top: 20, blocks: 1, rows: layers, order: null };
  const geometry = { layers, heads, ...figure };
  return { here, exported: read(canvas, geometry, 3) };
}"""


def fetch_weights(server: str, layer: int, head: int, **more: str) -> NDArray[np.float32]:
    return fetch_map(server, (layer, head), **more).weights.astype(np.float32)


def test_the_svg_has_the_tokens_as_text_and_the_colours_of_the_screen_in_any_program(
    page: Page, server: str, other_page: Page, page_log: PageLog, tmp_path: Path
) -> None:
    open_export(page, server, pins="3.1h,5.11h")
    shown = page.evaluate(SHOWN)
    svg = download(page, "svg", tmp_path)
    tokens = page.locator("#tokens [data-token]").all_inner_texts()
    texts = read_texts(svg)
    assert len(tokens) == N_TOKENS
    for token in tokens:
        assert texts.count(token) >= 4, f"{token} on both axes of both maps"
    for text in ("L3 H1 · raw", "L5 H11 · raw", "KEY", "QUERY"):
        assert text in texts
    assert any(SENTENCE in text for text in texts), "the caption"

    maps = read_heatmaps(svg, N_TOKENS)
    assert [len(cells) for cells in maps] == [N_TOKENS**2] * 2
    picture = render(svg, other_page)
    for cells, on_screen in zip(maps, shown, strict=True):
        assert len({tuple(colour) for colour in on_screen}) > 20
        boxes = [cells[row, col] for row in range(N_TOKENS) for col in range(N_TOKENS)]
        assert [colour for colour, _ in boxes] == [tuple(colour) for colour in on_screen]
        centres = [(x + width / 2, y + height / 2) for _, (x, y, width, height) in boxes]
        assert read_pixels(picture, centres, other_page) == [colour for colour, _ in boxes]
    assert page_log.complaints == []


def test_the_png_has_the_chosen_size_and_the_same_picture(
    page: Page, server: str, other_page: Page, tmp_path: Path
) -> None:
    open_export(page, server, pins="3.1h")
    (cells,) = read_heatmaps(download(page, "svg", tmp_path), N_TOKENS)
    sizes = []
    for scale in (1, 2, 3, 4):
        page.locator(f"#export [data-choice='{scale}']").click()
        path = download(page, "png", tmp_path)
        assert path.name.endswith(f"-{scale}x.png")
        png = path.read_bytes()
        sizes.append(read_size(png))
        told = re.compile(r"{:,} . {:,} pixels".format(*sizes[-1]))
        expect(page.locator("#export")).to_contain_text(told)
        centres = [
            ((x + width / 2) * scale, (y + height / 2) * scale)
            for _, (x, y, width, height) in cells.values()
        ]
        assert read_pixels(png, centres, other_page) == [colour for colour, _ in cells.values()]
    assert sizes == [(scale * sizes[0][0], scale * sizes[0][1]) for scale in (1, 2, 3, 4)]


def test_lines_focus_and_layout_go_along_and_a_table_becomes_a_heatmap(
    page: Page, server: str, tmp_path: Path
) -> None:
    open_export(page, server, pins="3.1l,5.11t", focus="10.2", values="both", layout="horizontal")
    svg = download(page, "svg", tmp_path)
    text = svg.read_text()
    assert len(read_heatmaps(svg, N_TOKENS)) == 2, "raw and weighted of the table"
    titles = [
        f"{name} · {kind}" for name in ("L3 H1", "L5 H11") for kind in ("raw", "value-weighted")
    ]
    assert [it for it in read_texts(svg) if " · " in it] == titles
    assert re.search(r'd="M[^"]*C', text), "curves"
    accent = page.evaluate(
        "async () => (await import('/page/theme_switch.js')).readPalette().accent"
    )
    red, green, blue = map(int, re.findall(r"\d+", accent))
    assert f"#{red:02x}{green:02x}{blue:02x}" in text, "the chosen link is marked"


def test_the_numbers_are_those_of_the_server(page: Page, server: str, tmp_path: Path) -> None:
    open_export(page, server, pins="3.1h,5.11l", values="both")
    weighted = {"values": "weighted"}
    expected = [
        fetch_weights(server, layer, head, **more)
        for layer, head in ((3, 1), (5, 11))
        for more in ({}, weighted)
    ]

    with download(page, "csv", tmp_path).open(newline="") as file:
        text = file.read().splitlines(keepends=True)
    about = [line for line in text if line.startswith("# ")]
    assert "# A model: minilm\n" in about
    assert f"# A text: {SENTENCE}\n" in about
    lines = list(csv.DictReader(text[len(about) :]))
    assert len(lines) == 4 * N_TOKENS**2
    assert (lines[0]["panel"], lines[0]["values"], lines[-1]["panel"]) == ("L3 H1", "raw", "L5 H11")
    assert lines[10 * N_TOKENS + 2] | {"weight": ""} == {
        **{"panel": "L3 H1", "values": "raw", "query": "10", "key": "2"},
        **{"query_text": "it", "key_text": "animal", "weight": "", "treatment": "none"},
    }
    table = np.array([line["weight"] for line in lines], np.float32)
    np.testing.assert_array_equal(table.reshape(4, N_TOKENS, N_TOKENS), expected)

    told = json.loads(download(page, "json", tmp_path).read_text())
    for panel, weights in zip(told["panels"], expected, strict=True):
        np.testing.assert_array_equal(np.array(panel["weights"], np.float32), weights)
    (side,) = told["sides"]
    answer = ask_server(server, "attention", layers=[0])
    assert {name: side[name] for name in ("id", "revision", "device", "dtype", "tokens")} == {
        name: answer[name] for name in ("id", "revision", "device", "dtype", "tokens")
    }
    assert told["view"] == page.url.split("#")[1]

    with np.load(download(page, "npz", tmp_path)) as arrays:
        for at, weights in enumerate(expected, 1):
            assert arrays[f"map_{at}"].dtype == np.float32
            np.testing.assert_array_equal(arrays[f"map_{at}"], weights)
            assert list(arrays[f"keys_{at}"]) == [token["text"] for token in side["tokens"]]
        assert json.loads(str(arrays["about"]))["panels"][3]["title"] == "L5 H11 · value-weighted"


def test_the_numbers_are_treated_as_the_page_shows_them(
    page: Page, server: str, tmp_path: Path
) -> None:
    open_export(page, server, pins="3.1h", hide="special", renormalise="true")
    kept = fetch_weights(server, 3, 1)[1:-1, 1:-1].astype(np.float64)
    expected = kept / kept.sum(axis=1, keepdims=True)
    with np.load(download(page, "npz", tmp_path)) as arrays:
        np.testing.assert_allclose(arrays["map_1"], expected, rtol=1e-6)
        assert "[CLS]" not in arrays["queries_1"]
    with download(page, "csv", tmp_path).open(newline="") as file:
        line = next(csv.DictReader(row for row in file if not row.startswith("# ")))
    assert (line["query"], line["treatment"]) == ("1", "special tokens hidden, rows renormalised")


def test_with_nothing_pinned_the_dialog_says_so_and_gives_all_heads(
    page: Page, server: str, other_page: Page, page_log: PageLog, tmp_path: Path
) -> None:
    open_export(page, server, text="One two three.")
    expect(page.locator(".export-about")).to_contain_text("Pin a map first")
    for name in ("csv", "json", "npz"):
        expect(page.locator(f"#export [data-format={name}]")).to_be_disabled()
    svg = download(page, "svg", tmp_path)
    assert svg.name == "headscope-minilm-one-two-three-all-heads.svg"
    texts = read_texts(svg)
    names = [f"L{layer}" for layer in range(6)] + [f"H{head}" for head in range(12)]
    assert set(names) <= set(texts)
    assert svg.read_text().count("<image ") == 1
    assert read_size(render(svg, other_page))[0] > 600
    # The image behind the names has the colours of the grid on the page.
    href = re.search(r'<image [^>]*href="data:image/png;base64,([^"]+)"', svg.read_text())
    assert href is not None
    cells = page.evaluate(GRIDS, [href[1], 6, 6, 12])
    assert len(cells["here"]) == 72 * 36
    assert cells["here"] == cells["exported"]
    png = download(page, "png", tmp_path).read_bytes()
    assert read_size(png)[0] == 2 * read_size(render(svg, other_page))[0]
    # Other colours, another order: the figure has them too, and says what they mean.
    page.keyboard.press("Escape")
    page.locator("#grid-colour").select_option("entropy")
    page.locator("#grid-sort").select_option("value")
    page.locator("#grid-roles [data-group=local]").click()
    expect(page.locator("#grid")).to_have_attribute("data-colour", "entropy")
    open_export_dialog(page)
    coloured = download(page, "svg", tmp_path)
    texts = read_texts(coloured)
    assert {"Entropy (share) on this sentence", "Local context", "1.", "13."} <= set(texts)
    assert any(text.startswith("Not veiled: Local context") for text in texts)
    assert not any("attention weight" in text or text in names for text in texts)
    assert coloured.read_text().count("<image ") == 0
    assert page_log.complaints == []


def test_a_size_that_browsers_cannot_draw_is_not_offered(page: Page, server: str) -> None:
    pins = ",".join(f"0.{head}h" for head in range(6))
    open_export(page, server, text="word " * 100, pins=pins)
    expect(page.locator("#export [data-choice='4']")).to_be_disabled()
    expect(page.locator("#export [data-choice='3']")).to_be_enabled()
    expect(page.locator("#export [data-format=png]")).to_be_enabled()


def test_the_snapshot_has_the_view_and_the_notes(page: Page, server: str, tmp_path: Path) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11l")
    expect_exact_maps(page)
    page.locator(".panel[data-layer='3'] .head-card summary").click()
    page.get_by_label("Note on L3 H1").fill("Ties “it” to “animal”.")
    open_export_dialog(page)
    path = download(page, "snapshot", tmp_path)
    assert path.suffix == ".html"
    record = recorded(path.read_text(encoding="utf-8")).plain
    assert record["notes"] == {"3.1": "Ties “it” to “animal”."}
    assert record["text"] == SENTENCE
    assert "pins=3.1h,5.11l" in record["view"]


def test_a_server_that_cannot_make_a_snapshot_is_quoted(page: Page, server: str) -> None:
    problem = {"error": {"code": "busy", "message": "Try again later.", "details": None}}
    page.route("**/api/v1/snapshot", lambda route: route.fulfill(status=503, json=problem))
    open_export(page, server, pins="3.1h")
    page.locator("#export [data-format=snapshot]").click()
    expect(page.locator(".export-said")).to_have_text("That did not work: Try again later.")


def test_escape_closes_the_dialog_alone_and_focus_returns(page: Page, server: str) -> None:
    open_export(page, server, pins="3.1h", focus="10.2")
    page.keyboard.press("Escape")
    expect(page.locator("#export")).to_be_hidden()
    expect(page.locator("#share-menu summary")).to_be_focused()
    expect(page.locator(".panel .lock")).to_have_text("chosen")


def test_on_a_narrow_screen_the_dialogs_are_sheets_without_sideways_scrolling(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_export(page, server, pins="3.1h,5.11l")
    # The figure is as large as it is on paper, so that its labels can be read.
    canvas = page.locator(".export-preview canvas")
    assert canvas.evaluate("it => it.clientWidth * devicePixelRatio >= it.width - 1") is True
    preview = page.locator(".export-preview")
    assert preview.evaluate("it => it.scrollWidth - it.clientWidth") > 300
    page.locator("#export [data-format=curl]").click()
    for name in ("export", "history"):
        dialog = page.locator(f"#{name}")
        if name == "history":
            page.keyboard.press("Escape")
            page.locator("#history-open").click()
        box = dialog.bounding_box()
        assert box is not None
        assert (box["x"], box["width"]) == (0, 390)
        assert dialog.evaluate("it => it.scrollWidth - it.clientWidth") == 0
