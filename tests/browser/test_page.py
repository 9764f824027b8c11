"""The page in Chromium, against the real server and the real default models."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import torch
from playwright.sync_api import Browser, Page, WebSocket, expect
from transformers import AutoModel

from backend.wire import frames
from mha_core.models.loading import LoadedModel
from mha_core.models.sources import find_here
from tests.browser.map_reader import find_points, point_at
from tests.browser.page_actions import (
    click_cell,
    expect_done,
    find_cell,
    find_map,
    find_panel,
    find_readout,
    find_tab,
    find_token,
    hover_cell,
    open_page,
    open_share_menu,
    open_view_bar,
    wait_for_frame,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE, SENTENCE_PAIR

SHADES = """async ([layers, heads]) => {
  const { gridGeometry, cellBox } = await import("/drawing/grid_geometry.js");
  const canvas = document.querySelector("#grid");
  const { gridRoom } = await import("/views/grid/grid_room.js");
  const room = { layers, heads, ...gridRoom(), ratio: devicePixelRatio };
  const geometry = gridGeometry(room);
  const ratio = devicePixelRatio;
  const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const counts = [];
  for (let layer = 0; layer < layers; layer += 1) {
    for (let head = 0; head < heads; head += 1) {
      const box = cellBox(geometry, { layer, head });
      const [x, y, size] = [box.x, box.y, box.size].map((at) => Math.round(at * ratio));
      const shades = new Set();
      for (let row = y; row < y + size; row += 1) {
        for (let column = x; column < x + size; column += 1) {
          shades.add(pixels[row * canvas.width + column]);
        }
      }
      counts.push(shades.size);
    }
  }
  return counts;
}"""

# How much of each module and style came from the server, in bytes.
FILES = """() => Object.fromEntries(
  performance.getEntriesByType("resource")
    .filter(({ name }) => /\\.(js|css)$/.test(name))
    .map(({ name, transferSize }) => [name, transferSize]))"""


@pytest.fixture(scope="module")
def eager(models_dir: Path, minilm: LoadedModel) -> torch.Tensor:
    """What transformers itself says of the sentence: [layers, heads, queries, keys]."""
    here = find_here(minilm.entry, models_dir)
    assert here is not None
    network = AutoModel.from_pretrained(here.path, attn_implementation="eager").eval()
    inputs = minilm.tokenizer(SENTENCE, return_tensors="pt")
    with torch.inference_mode():
        return torch.cat(network(**inputs, output_attentions=True).attentions)


def test_a_typed_sentence_fills_all_72_cells(page: Page, server: str, page_log: PageLog) -> None:
    open_page(page, server)
    page.locator("#text").fill("A quick brown fox jumps over the lazy dog.")
    expect(page.locator("#tokens")).to_contain_text("fox")
    expect_done(page)
    shades = page.evaluate(SHADES, [6, 12])
    assert len(shades) == 72
    assert min(shades) > 5, "a cell is blank"
    assert page_log.complaints == []


def test_the_grid_shows_every_head_of_the_default_decoder(page: Page, server: str) -> None:
    open_page(page, server, model="smollm2", text=SENTENCE)
    shades = page.evaluate(SHADES, [30, 9])
    assert len(shades) == 270
    assert min(shades) > 1


def test_two_pinned_heads_show_the_numbers_transformers_computes(
    page: Page, server: str, eager: torch.Tensor
) -> None:
    open_page(page, server, text=SENTENCE)
    for layer, head in ((3, 1), (5, 11)):
        click_cell(page, layer, head)
        expect(find_panel(page, layer, head)).to_have_attribute("data-exact", "true")
    canvas = find_map(find_panel(page, 3, 1)).locator("canvas")
    for point in find_points(canvas, ((0.5, 0.5), (0.4, 0.8), (0.9, 0.3))):
        point_at(canvas, find_readout(page, 3, 1), point)
        for layer, head in ((3, 1), (5, 11)):
            said = find_readout(page, layer, head)
            expect(said).to_have_attribute("data-key", re.compile(r"\d+"))
            query, key = (int(said.get_attribute(f"data-{end}") or "") for end in ("query", "key"))
            shown = float(said.get_attribute("data-value") or "nan")
            assert shown == pytest.approx(float(eager[layer, head, query, key]), abs=1e-5)
            assert f"{shown:.4f}" in said.inner_text()


def test_it_is_tied_to_animal(page: Page, server: str, eager: torch.Tensor) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11l", focus="10.2")
    for layer, head in ((3, 1), (5, 11)):
        said = find_readout(page, layer, head)
        expect(said).to_contain_text("it → animal")
        assert float(said.get_attribute("data-value") or 0) > 0.6
        assert eager[layer, head, 10].argmax() == 2


def test_the_stream_brings_start_then_layers_in_order_then_done(page: Page, server: str) -> None:
    received: list[object] = []

    def listen(socket: WebSocket) -> None:
        def note(payload: str | bytes) -> None:
            if isinstance(payload, bytes):
                received.append(frames.decode(payload).layer)
            else:
                received.append(json.loads(payload)["type"])

        socket.on("framereceived", note)

    page.on("websocket", listen)
    open_page(page, server, text="One two three.")
    told = [item for item in received if item != "progress"]
    # The layers of a short text are measured together.
    assert told == ["start", *range(6), *["metrics"] * 6, "done"]


def test_the_page_asks_nothing_of_the_outside(page: Page, server: str, page_log: PageLog) -> None:
    open_page(page, server, text=SENTENCE, pins="0.0h,1.1l")
    page.goto(f"{server}/docs")
    expect(page.locator("#docs")).to_contain_text("/api/v1/attention")
    assert len(page_log.requests) > 10
    assert {urlsplit(url).netloc for url in page_log.requests if not url.startswith("data:")} == {
        urlsplit(server).netloc
    }
    assert page_log.complaints == []


def test_hovering_a_token_highlights_it_in_all_panels_and_a_click_locks_it(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,5.11l,0.2h,2.0l")
    token = page.locator("#tokens").get_by_text("it", exact=True)
    token.hover()
    readouts = page.locator(".panel .map-view:not([hidden]) .readout")
    expect(readouts).to_have_count(4)
    for at in range(4):
        expect(readouts.nth(at)).to_contain_text("it →")
    token.click()
    page.locator("#tokens").get_by_text("street", exact=True).hover()
    for at in range(4):
        expect(readouts.nth(at)).to_contain_text("street →")
    page.mouse.move(5, 5)
    for at in range(4):
        expect(readouts.nth(at)).to_contain_text("it →")
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    for at in range(4):
        expect(readouts.nth(at)).not_to_contain_text("it →")


def test_keys_move_pin_and_release(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    grid = page.locator("#grid")
    grid.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator("#focus-head .panel-head h3")).to_have_text("L1 H2")
    expect(grid).to_have_attribute("aria-label", re.compile("L1 H2"))
    page.keyboard.press("Enter")
    expect(find_panel(page, 1, 2)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".panel")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#focus-head .panel-head h3")).to_have_text("L1 H2")


def test_a_resting_mouse_does_not_take_the_head_that_keys_chose(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    hover_cell(page, 5, 3)
    name = page.locator("#focus-head .panel-head h3")
    expect(name).to_have_text("L5 H3")
    page.locator("#grid").focus()
    page.keyboard.press("ArrowUp")
    expect(name).to_have_text("L4 H3")
    place = find_cell(page, 5, 3)
    # As a browser does it when the layout below the mouse has changed.
    page.locator("#grid").evaluate(
        """(grid, {x, y}) => {
          const {left, top} = grid.getBoundingClientRect();
          const at = {clientX: left + x, clientY: top + y, pointerType: "mouse"};
          for (const type of ["pointermove", "pointerleave"]) {
            grid.dispatchEvent(new PointerEvent(type, {...at, movementX: 0, movementY: 0}));
          }
        }""",
        place,
    )
    wait_for_frame(page)
    expect(name).to_have_text("L4 H3")
    hover_cell(page, 5, 4)
    expect(name).to_have_text("L5 H4")


def test_a_link_is_copied_from_the_menu_or_by_a_key_and_it_is_said(page: Page, server: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
    open_page(page, server, text=SENTENCE, pins="3.1h")
    for by_key in (False, True):
        page.evaluate("navigator.clipboard.writeText('')")
        if by_key:
            page.locator("#grid").focus()
            page.keyboard.press("c")
            expect(page.locator("#share-menu summary")).to_have_text("Copied")
            expect(page.locator("#share-menu summary")).to_have_text("Share")
        else:
            open_share_menu(page)
            page.locator("#copy-link").click()
            expect(page.locator("#copy-link")).to_have_text("Copied")
            page.keyboard.press("Escape")
        assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_copied_link_shows_the_same(page: Page, other_page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE_PAIR[0], text_pair=SENTENCE_PAIR[1], pins="0.0h,5.3l")
    page.locator("#filters").get_by_text("A → B").click()
    page.locator("#tokens").get_by_text("mat", exact=True).click()
    find_panel(page, 0, 0).get_by_text("Lines").click()
    page.mouse.move(5, 5)
    expect(page).to_have_url(re.compile("pins=0.0l,5.3l&.*filter=ab|filter=ab&.*pins=0.0l,5.3l"))
    wait_for_frame(page)
    copied = page.url
    other_page.goto(copied)
    expect_done(other_page)
    for at in (page, other_page):
        expect(at.locator(".panel[data-exact='true']")).to_have_count(2)
    expect(other_page).to_have_url(copied)
    for what in ("#tokens", "#panels", "#filters"):
        said = page.locator(what).inner_text()
        expect(other_page.locator(what)).to_have_text(said, use_inner_text=True)
    assert other_page.locator("#text").input_value() == SENTENCE_PAIR[0]
    assert other_page.locator("#text-pair").input_value() == SENTENCE_PAIR[1]
    assert find_panel(other_page, 0, 0).get_attribute("data-mode") == "lines"


def test_a_second_visit_fetches_no_file_of_the_page_again(browser: Browser, server: str) -> None:
    with browser.new_context() as context:
        for expected in (True, False):
            page = context.new_page()
            open_page(page, server, text=SENTENCE)
            sizes = page.evaluate(FILES)
            assert len(sizes) >= 3
            fetched = {name for name, size in sizes.items() if size > 0}
            assert (fetched == sizes.keys()) if expected else (fetched == set())


def test_a_filter_shows_only_links_between_the_chosen_sentences(page: Page, server: str) -> None:
    open_page(
        page, server, text=SENTENCE_PAIR[0], text_pair=SENTENCE_PAIR[1], pins="5.3h", filter="ab"
    )
    told = page.locator("#filter-note")
    expect(told).to_contain_text("not renormalised")
    open_view_bar(page)
    page.locator("#view-hide").select_option("special")
    page.locator("#view-renormalise").check()
    expect(told).to_contain_text("renormalised for hidden tokens, not for the links left out")
    page.locator("#view-hide").select_option("none")
    note = find_map(find_panel(page, 5, 3)).locator("> .note")
    expect(note).to_contain_text("% of this map's weight is shown")
    page.locator("#tokens").get_by_text("kitten", exact=True).hover()
    expect(find_readout(page, 5, 3)).to_contain_text("nothing shown")


def test_the_second_of_two_quick_sentences_wins(page: Page, server: str) -> None:
    open_page(page, server, model="smollm2", text=SENTENCE)
    box = page.locator("#text")
    box.fill("Wrong " * 200)
    page.locator("#sentence button[type=submit]").click()
    box.fill("Right answer.")
    page.locator("#sentence button[type=submit]").click()
    expect(page.locator("#tokens")).to_contain_text("Right")
    expect_done(page)
    expect(page.locator("#tokens")).not_to_contain_text("Wrong")
    expect(page.locator("#count")).to_contain_text("3 /")


def test_hostile_tokens_stay_text(page: Page, server: str, page_log: PageLog) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    hostile = "<img src=x onerror=alert(1)> <script>alert(2)</script> \"'><svg/onload=alert(3)>"
    open_page(page, server, text=hostile, pins="0.0h,1.1l")
    assert page.locator("#tokens img, #tokens script, #tokens svg, #panels img").count() == 0
    expect(page.locator("#tokens")).to_contain_text("script")
    assert page_log.complaints == []


def test_the_map_in_focus_has_its_size_again_after_another_tab(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    canvas = page.locator("#focus-head canvas").first
    before = canvas.bounding_box()
    for name in ("Heads", "Corpus", "Focus"):
        find_tab(page, name).click()
        wait_for_frame(page)
    expect(canvas).to_be_visible()
    wait_for_frame(page)
    assert before is not None
    assert canvas.bounding_box() == before


def test_only_what_is_chosen_is_called_chosen(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    said = page.locator("#focus-head .map-view:not([hidden]) .readout")
    find_token(page, "it").click()
    expect(said).to_contain_text("chosen")
    find_token(page, "cross").hover()
    expect(said).to_contain_text("cross →")
    expect(said).not_to_contain_text("chosen")
    page.mouse.move(5, 5)
    expect(said).to_contain_text("chosen")


def test_a_press_beside_the_sentence_reaches_the_button_it_began_on(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, server, text=SENTENCE)
    page.locator("#text").fill("A short one.")
    expect_done(page)
    history = page.locator("#history-open")
    history.hover()
    page.mouse.down()
    wait_for_frame(page)
    page.mouse.up()
    expect(page.locator("dialog#history[open]")).to_be_visible()


def test_sending_a_sentence_closes_its_box(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    box = page.locator("#text")
    box.fill("A short one.")
    box.press("Shift+Enter")
    expect(box).to_have_value("A short one.\n")
    expect(box).to_be_focused()
    box.press("Backspace")
    box.press("Enter")
    expect_done(page)
    expect(page.locator("#grid")).to_be_focused()
    expect(page.locator("#sentence .run")).to_be_hidden()
