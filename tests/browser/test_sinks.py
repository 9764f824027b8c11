"""Attention sinks: dimmed on a first visit, as strong as others in old links, with their share."""

import re
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.api_client import ask_server
from tests.browser.exported_files import download, open_export, read_texts
from tests.browser.page_actions import (
    SCHEMES,
    expect_done,
    find_map,
    find_panel,
    find_token,
    open_page,
)
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE

COLUMN_COLOURS = """async ([layer, head, columns]) => {
  const { gridGeometry, cellBox } = await import("/drawing/grid_geometry.js");
  const { gridRoom } = await import("/views/grid/grid_room.js");
  const room = { layers: 6, heads: 12, ...gridRoom(), ratio: devicePixelRatio };
  const { x, y, size } = cellBox(gridGeometry(room), { layer, head });
  const context = document.querySelector("#grid").getContext("2d");
  const strip = (column) => {
    const middle = [x + ((column + 0.5) * size) / 16, y + size / 2];
    const at = middle.map((place) => place * devicePixelRatio);
    return [...context.getImageData(Math.floor(at[0]), Math.floor(at[1]), 1, 1).data].slice(0, 3);
  };
  return columns.map(strip);
}"""
CLS, SEP = 0, 15
L3H1 = (3, 1)


def read_columns(page: Page, *columns: int) -> list[list[int]]:
    """Read the colours of columns in the middle row of the tile of L3 H1."""
    found: list[list[int]] = page.evaluate(COLUMN_COLOURS, [*L3H1, list(columns)])
    return found


def is_grey(colour: list[int]) -> bool:
    return max(colour) - min(colour) <= 8


def share_of_sinks(server: str, query: int | None = None) -> str:
    """Ask the server how much of the attention is on special tokens and the first one."""
    answer: dict[str, Any] = ask_server(server, "attention")
    weights = np.array([head["pattern"] for head in answer["attention"]])
    kinds = [token["kind"] for token in answer["tokens"]]
    sinks = [at for at, kind in enumerate(kinds) if at == 0 or kind == "special"]
    shares = weights[..., sinks].sum(-1)
    part = shares.mean() if query is None else shares[..., query].mean()
    return f"{np.floor(100 * part + 0.5):.0f} %"


def test_a_first_visit_dims_sinks_and_the_switch_shows_them(page: Page, server: str) -> None:
    page.goto(f"{server}/")
    expect_done(page)
    switch = page.get_by_label("Dim sinks")
    expect(switch).to_be_checked()
    page.keyboard.press("Escape")
    expect(page.locator("#grid")).to_have_attribute("data-row", "")
    first, word = read_columns(page, CLS, ANIMAL)
    assert is_grey(first)
    assert not is_grey(word)
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).not_to_be_checked()
    expect(page).to_have_url(re.compile("#v=2&.*sinks=show"))
    expect(page.locator("#legend-title")).to_contain_text("fixed 0 to 1")
    plain, _ = read_columns(page, CLS, ANIMAL)
    assert not is_grey(plain)
    page.keyboard.press("Control+z")
    expect(switch).to_be_checked()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_rows_of_a_token_dim_its_sinks(
    page: Page, server: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    open_page(page, server, v="2", text=SENTENCE, focus=f"{IT}.")
    expect(page.locator("#grid")).to_have_attribute("data-row", str(IT))
    first, word, last = read_columns(page, CLS, ANIMAL, SEP)
    assert is_grey(first)
    assert is_grey(last)
    assert not is_grey(word)
    assert float(page.locator("#grid").get_attribute("data-paint-ms") or 99) < 16


def test_the_share_of_sinks_is_the_servers_number(page: Page, server: str) -> None:
    open_page(page, server, v="2", text=SENTENCE, pins="3.1h")
    share = page.locator("#sink-share")
    whole = share_of_sinks(server)
    expect(share).to_have_text(f"Sinks dimmed · over all heads they take {whole} of the attention")
    find_token(page, "it").click()
    row = share_of_sinks(server, IT)
    expect(share).to_have_text(
        f"Sinks dimmed · over all heads they take {row} of the attention of “it”"
    )
    note = find_map(find_panel(page, *L3H1)).locator("> .note")
    expect(note).to_contain_text(
        re.compile(r"Sinks take \d+ % of the attention in this map \(dimmed\): ")
    )


def test_an_old_link_opens_as_it_was_made(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    expect(page.get_by_label("Dim sinks")).not_to_be_checked()
    expect(page.locator("#legend-title")).to_contain_text("fixed 0 to 1")
    expect(page.locator("#view-summary")).to_have_text("sinks not dimmed")
    assert not is_grey(read_columns(page, CLS)[0])
    page.get_by_label("Dim sinks").check()
    expect(page.locator("#legend-title")).to_contain_text("the largest apart from sinks")
    expect(page).not_to_have_url(re.compile("sinks="))


def test_a_link_to_a_sink_that_was_asked_for_is_not_dimmed(page: Page, server: str) -> None:
    open_page(page, server, v="2", text=SENTENCE, focus=f"{IT}.{CLS}")
    expect(page.locator("#legend-title")).to_contain_text("fixed 0 to 1")
    open_page(page, server, v="2", text=SENTENCE, focus=f"{IT}.{ANIMAL}")
    expect(page.locator("#legend-title")).to_contain_text(
        "0 to 0.68 (the largest apart from sinks)"
    )


def test_exported_figures_say_that_sinks_are_dimmed(
    page: Page, server: str, tmp_path: Path
) -> None:
    open_export(page, server, v="2", pins="3.1h")
    texts = " ".join(read_texts(download(page, "svg", tmp_path)))
    assert "Sinks (special and first tokens) dimmed, weights unchanged." in texts
    assert "0 to 1 (the scale of all maps)" in texts
