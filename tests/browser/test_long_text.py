"""A token and a link of a text with pooled overviews: exact weights take the place of blocks."""

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from tests.browser.api_client import ask_server
from tests.browser.grid_reader import read_rows_of_tiles
from tests.browser.held_requests import delay_requests
from tests.browser.page_actions import open_page, wait_for_frame
from tests.browser.sample_texts import IT, LONG_TEXT

LEGEND = "#legend-title"
STEP = 1.6 / 255
"""A little more than one step of the colour scale."""
NEAR = 12
"""A pixel of a tile holds fewer tokens."""


def find_strongest_near(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest value within a pixel of each token."""
    padded = np.pad(rows, ((0, 0), (0, 0), (NEAR, NEAR)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * NEAR + 1, axis=-1)
    return windows.max(axis=-1)  # type: ignore[no-any-return]


def test_the_exact_row_of_a_token_takes_the_place_of_the_pooled_one(
    page: Page, server: str
) -> None:
    page.emulate_media(color_scheme="light")
    held = delay_requests(page, "rows")
    open_page(page, server, text=LONG_TEXT, focus=f"{IT}.")
    expect(page.locator("#grid")).to_have_attribute("data-row", str(IT))
    expect(page.locator(LEGEND)).to_contain_text("for now each stripe shows")
    told = ask_server(server, "rows", text=LONG_TEXT, query=IT)
    exact = np.sqrt(np.array(told["rows"]))  # layers x heads x keys, coded as colours are
    n_keys = exact.shape[-1]
    pooled = np.sqrt(read_rows_of_tiles(page, n_keys)[:, :, 0])
    assert len(held) == 1
    held.pop().continue_()
    expect(page.locator(LEGEND)).to_contain_text("each stripe shows the largest weight")
    expect(page.locator("#grid")).to_have_attribute("data-painted", "6")
    wait_for_frame(page)
    shown = np.sqrt(read_rows_of_tiles(page, n_keys)[:, :, 0])
    # A pixel shows the strongest of about eleven tokens, whose place is rounded to whole ones.
    assert (shown < find_strongest_near(exact) + STEP).all()
    assert (exact < find_strongest_near(shown) + STEP).all()
    assert np.abs(shown - pooled).max() > 0.2, "blocks were another picture"


def test_the_weight_of_a_link_is_waited_for_and_exact(page: Page, server: str) -> None:
    held = delay_requests(page, "edges")
    open_page(page, server, text=LONG_TEXT, focus=f"{IT}.2")
    expect(page.locator(LEGEND)).to_contain_text("hatched until the exact weights are here")
    held.pop().continue_()
    expect(page.locator(LEGEND)).not_to_contain_text("hatched")
    rows = page.locator(".link-ranking tbody tr")
    expect(rows).to_have_count(12)
    first = ask_server(server, "edges", text=LONG_TEXT, queries=[IT], keys=[2])["heads"][0]
    name = f"L{first['layer']} H{first['head']}"
    expect(page.locator("#focus-head .panel-head h3")).to_have_text(name)
    assert float(rows.first.get_attribute("data-weight") or "") == first["weight"]
