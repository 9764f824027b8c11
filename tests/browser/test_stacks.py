"""An encoder-decoder: three kinds of attention, each with its grid and its own two texts."""

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api_client import Map, ask_server, fetch_map
from tests.browser.map_reader import (
    find_points,
    point_at,
    read_ends,
    read_labels,
    read_value,
    record_labels,
)
from tests.browser.page_actions import (
    expect_done,
    expect_exact_maps,
    find_map,
    find_panel,
    open_page,
)
from tests.browser.page_log import PageLog
from tests.browser.scenes import combine_open

SOURCE = "The cat sat on the mat."
TARGET = "Le chat noir."
SHAPES = [(2, 4), (3, 2), (3, 2)]
"""Layers and heads of the encoder, the decoder, and what joins them."""
INSIDE = ((0.3, 0.5), (0.5, 0.7), (0.25, 0.9))
"""Places on the map of so few columns that it does not fill its canvas."""
NAMES = [
    "Encoder: the source attends to itself",
    "Decoder: the output attends to its earlier tokens",
    "Cross: the output attends to the source",
]
PREFIXES = ["", "decoder ", "cross "]

CENTRE = """async ([layer, head, layers, heads]) => {
  const { gridGeometry, cellBox } = await import("/drawing/grid_geometry.js");
  const { gridRoom } = await import("/views/grid/grid_room.js");
  const { width, height } = gridRoom();
  const room = { layers, heads, width, height: height / 3, ratio: devicePixelRatio };
  const box = cellBox(gridGeometry(room), { layer, head });
  return [box.x + box.size / 2, box.y + box.size / 2];
}"""


@pytest.fixture
def translating(page: Page, extra_models_server: str, bart: str) -> Callable[..., None]:
    """Opens the page on both texts, in a state."""

    def show(**state: str) -> None:
        open_page(page, extra_models_server, model=bart, text=SOURCE, text_pair=TARGET, **state)

    return show


@pytest.fixture
def cross_map(extra_models_server: str, bart: str) -> Map:
    """What the server says of cross L1 H1."""
    question = {"model": bart, "text": SOURCE, "text_pair": TARGET}
    return fetch_map(extra_models_server, (1, 1), stack="cross", **question)


def complaints(page_log: PageLog) -> list[str]:
    """All but the one of the browser that the model has no atlas."""
    missing = [it for it in page_log.complaints if "404 (Not Found)" in it]
    return (
        [it for it in page_log.complaints if it not in missing[:1]] if len(missing) < 2 else missing
    )


def grid(page: Page, stack: int) -> Locator:
    return page.locator("#grid" if stack == 0 else f"#grid-{stack}")


def test_each_attention_has_its_grid_and_its_name(
    page: Page, translating: Callable[..., None], page_log: PageLog
) -> None:
    translating()
    expect(page.locator("#grids .grid-name")).to_have_text(NAMES)
    for stack, (layers, heads) in enumerate(SHAPES):
        canvas = grid(page, stack)
        expect(canvas).to_have_attribute("data-painted", str(layers))
        expect(canvas).to_have_attribute("aria-label", re.compile(f"^{re.escape(NAMES[stack])}"))
        x, y = page.evaluate(CENTRE, [layers - 1, heads - 1, layers, heads])
        canvas.hover(position={"x": x, "y": y})
        expect(page.locator("#focus-head .panel-head h3")).to_have_text(
            f"{PREFIXES[stack]}L{layers - 1} H{heads - 1}"
        )
        canvas.click(position={"x": x, "y": y})
        expect(find_panel(page, layers - 1, heads - 1, stack=stack)).to_be_visible()
    names = ["L1 H3", "decoder L2 H1", "cross L2 H1"]
    expect(page.locator(".panel h3")).to_have_text(names)
    expect_exact_maps(page)
    expect(page).to_have_url(re.compile(quote("1.3h,d2.1h,x2.1h", safe=",")))
    assert complaints(page_log) == []


def test_a_cross_map_has_target_rows_source_columns_and_the_servers_numbers(
    page: Page, translating: Callable[..., None], cross_map: Map
) -> None:
    record_labels(page)
    translating(pins="x1.1h")
    expect_exact_maps(page)
    rows, columns = (
        [token["text"] for token in end] for end in (cross_map.queries, cross_map.keys)
    )
    assert len(rows) != len(columns)
    assert cross_map.weights.shape == (len(rows), len(columns))
    view = find_map(find_panel(page, 1, 1, stack=2))
    labels = read_labels(view.locator("canvas"))
    assert [it.text for it in labels if not it.turned] == rows
    assert [it.text for it in labels if it.turned] == columns
    first = cross_map.queries[0]["index"]
    assert first == len(columns), "one running index: the source first"
    said = view.locator(".readout")
    seen = set()
    for point in find_points(view.locator("canvas"), INSIDE):
        point_at(view.locator("canvas"), said, point)
        queries, keys = read_ends(said)
        seen.add((*queries, *keys))
        weight = cross_map.weights[queries[0] - first, keys[0]]
        assert read_value(said) == pytest.approx(weight, abs=1e-6)
    assert len(seen) == len(INSIDE)


def test_a_source_token_lights_its_column_and_a_target_token_its_row(
    page: Page, translating: Callable[..., None], cross_map: Map
) -> None:
    translating(pins="x1.1h,0.0h,d0.0h")
    expect_exact_maps(page)
    crossed, encoder, decoder = (
        find_map(page.locator(".panel").nth(at)).locator(".readout") for at in range(3)
    )
    page.locator("#tokens [data-token='2']").hover()
    text = cross_map.keys[2]["text"]
    expect(crossed).to_contain_text(f"→ {text} from")
    assert read_ends(crossed) == ([], [2])
    assert read_value(crossed) == pytest.approx(cross_map.weights[:, 2].max(), abs=1e-6)
    expect(encoder).to_contain_text(f"{text} →")
    expect(decoder).to_contain_text("Point at a token")
    target = cross_map.queries[1]
    page.locator(f"#tokens [data-token='{target['index']}']").hover()
    expect(crossed).to_contain_text(f"{target['text']} →")
    assert read_ends(crossed) == ([target["index"]], [])
    assert read_value(crossed) == pytest.approx(cross_map.weights[1].max(), abs=1e-6)
    expect(decoder).to_contain_text(f"{target['text']} →")
    expect(encoder).to_contain_text("Point at a token")


def test_the_box_of_the_decoders_text_says_whose_it_is(
    page: Page, extra_models_server: str, bart: str, page_log: PageLog
) -> None:
    open_page(page, extra_models_server, model=bart, text=SOURCE, pins="x0.0h")
    expect_exact_maps(page)
    n_source = len(ask_server(extra_models_server, "tokenize", model=bart, text=SOURCE)["tokens"])
    page.locator("#text").focus()
    page.get_by_role("button", name="+ Add the decoder's text").click()
    box = page.get_by_label("Text the decoder reads")
    expect(box).to_be_focused()
    box.fill(TARGET)
    expect(page.locator("#tokens")).to_contain_text("noir")
    expect_done(page)
    expect_exact_maps(page)
    found = fetch_map(
        extra_models_server, (0, 0), stack="cross", model=bart, text=SOURCE, text_pair=TARGET
    )
    expect(page.locator("#tokens [data-segment=B]")).to_have_count(len(found.queries))
    assert page.locator("#tokens [data-segment=A]").count() == len(found.keys)
    assert len(found.keys) <= n_source
    assert complaints(page_log) == []


def test_heads_of_each_attention_are_combined_among_themselves(
    page: Page, translating: Callable[..., None], extra_models_server: str, bart: str
) -> None:
    translating(pins="x1.1h,x2.0h", focus="10.2")
    combine_open(page)
    place = page.locator("#combine-place")
    expect(place.locator("option")).to_have_text(["A encoder", "A decoder", "A cross"])
    kinds = page.locator("#combine-kind option")
    expect(kinds).to_have_text(["Mean", "Max", "Rollout"])
    place.select_option(label="A cross")
    expect(kinds).to_have_text(["Mean", "Max"])
    add = page.locator(".combine-row").first.get_by_role("button", name="Add map")
    for members in ("All heads", "The 2 pinned heads"):
        page.locator("#combine-members").select_option(label=members)
        add.click()
    place.select_option(label="A decoder")
    page.locator("#combine-kind").select_option("rollout")
    add.click()
    names = ["cross Mean of all heads", "cross Mean of L1 H1, L2 H0", "decoder Rollout to L2"]
    expect(page.locator(".panel h3")).to_have_text(["cross L1 H1", "cross L2 H0", *names])
    expect_exact_maps(page)
    texts = {"model": bart, "text": SOURCE, "text_pair": TARGET}
    whole = fetch_map(extra_models_server, combine="mean", stack="cross", **texts)
    some = fetch_map(extra_models_server, (1, 1), (2, 0), combine="mean", stack="cross", **texts)
    row = 10 - whole.queries[0]["index"]
    for at, found in ((2, whole), (3, some)):
        shown = read_value(find_map(page.locator(".panel").nth(at)).locator(".readout"))
        assert shown == pytest.approx(found.weights[row, 2], abs=1e-6)


def test_maps_of_different_tokens_are_not_held_against_each_other_and_say_why(
    page: Page, translating: Callable[..., None], page_log: PageLog
) -> None:
    translating(pins="0.0h,x0.0h,diff(0.0;x0.0)h,diff(x0.0;x1.1)h")
    reason = "These two maps are of different tokens: they have no cells in common."
    apart, together = (page.locator(".panel[data-kind='difference']").nth(at) for at in range(2))
    expect(find_map(apart).locator(".panel-waiting")).to_have_text(reason)
    expect(together).to_have_attribute("data-exact", "true")
    page.locator("#combine summary").click()
    expect(page.locator(".combine-row:has(#combine-one) + .hint")).to_have_text(reason)
    add = page.locator(".combine-row").nth(1).get_by_role("button", name="Add map")
    expect(add).to_be_disabled()
    page.locator("#combine-other").select_option(index=0)
    page.locator("#combine-one").select_option(index=1)
    expect(page.locator(".combine-row:has(#combine-one) + .hint")).to_have_text(reason)
    assert complaints(page_log) == []
