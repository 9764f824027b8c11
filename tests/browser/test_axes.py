"""The tokens along a map: put together to words, several at once, in any script, very many."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page, expect

from tests.browser.api_client import ask_server, fetch_map, fetch_ranking
from tests.browser.map_reader import (
    Label,
    find_points,
    find_table_rows,
    read_cells_at,
    read_labels,
    read_links,
    read_value,
    record_labels,
)
from tests.browser.page_actions import (
    LOADING_MS,
    expect_exact_maps,
    find_map,
    find_panel,
    find_readout,
    open_page,
    open_view_bar,
    resize,
)
from tests.browser.sample_texts import ARABIC, CHINESE, HEBREW, SENTENCE

CONTRACTION = "She didn't believe in antidisestablishmentarianism."
THAI = "สัตว์ไม่ได้ข้ามถนนเพราะมันเหนื่อยเกินไป"
EMOJI = "The 👩‍👩‍👧‍👦 from 🇫🇷 ate 🍕 and said 👍🏽 twice."
SCRIPTS = (HEBREW, ARABIC, CHINESE, THAI, EMOJI)
LONG_WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt"
LONG = f"{'the small words around it and ' * 20}{LONG_WORD} {'was seen by nobody at all ' * 12}"
THIRTY = " ".join(["The animal did not cross the wide street"] * 3 + ["because it was tired"])

CUT = "canvas => canvas.written.some(({ text }) => text.endsWith('…'))"


def grouped(tokens: Sequence[dict[str, Any]], words: Sequence[str]) -> list[list[int]]:
    """The places of the tokens that spell each word."""
    groups: list[list[int]] = []
    rest = iter(range(len(tokens)))
    for word in words:
        group, spelt = [], ""
        while len(spelt) < len(word):
            group.append(next(rest))
            spelt += tokens[group[-1]]["text"]
        assert spelt == word
        groups.append(group)
    assert next(rest, None) is None
    return groups


def merged(weights: NDArray[np.float64], groups: list[list[int]]) -> NDArray[np.float64]:
    """Keys of a word summed, queries averaged."""
    cols = np.stack([weights[:, group].sum(1) for group in groups], 1)
    return np.stack([cols[group].mean(0) for group in groups])


@pytest.mark.parametrize(
    ("model", "head", "words"),
    [
        ("minilm", (5, 11), ["[CLS]", *re.findall(r"[\w']+|\.", CONTRACTION), "[SEP]"]),
        (
            "headscope-tiny",
            (1, 0),
            ["<bos>", *re.findall(r"[\w']+|\.|␣", CONTRACTION.replace(" ", "␣"))],
        ),
    ],
)
def test_pieces_become_words_and_rows_still_sum_to_one(
    page: Page, server: str, model: str, head: tuple[int, int], words: list[str]
) -> None:
    assert "didn't" in words
    open_page(page, server, model=model, text=CONTRACTION, pins=f"{head[0]}.{head[1]}t")
    expect_exact_maps(page)
    open_view_bar(page)
    page.locator("#view-words").check()
    expect(page.locator("#view-summary")).to_contain_text("pieces merged into words")
    view = find_map(find_panel(page, *head))
    expect(find_table_rows(view).locator("th")).to_have_text(words)
    found = fetch_map(server, head, model=model, text=CONTRACTION)
    expected = merged(found.weights, grouped(found.queries, words))
    in_one_line = "all => all.every((it) => it.title === it.textContent && it.offsetHeight < 30)"
    assert find_table_rows(view).locator("bdi").evaluate_all(in_one_line)
    cells = find_table_rows(view).evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('td')].map((cell) =>"
        " [cell.querySelector('bdi')?.textContent, cell.querySelector('b')?.textContent]))"
    )
    for row, strongest in zip(expected, cells, strict=True):
        top = np.sort(row)[::-1][:3]
        for (label, weight), wanted in zip(strongest, top, strict=True):
            if weight is None or weight.startswith("<"):
                assert wanted < 6e-5
                continue
            assert float(weight) == pytest.approx(wanted, abs=6e-5)
            assert words[int(np.argmin(np.abs(row - wanted)))] == label
    for word in ("didn't", "antidisestablishmentarianism"):
        assert sum(weight for _, weight in read_links(view, word)) == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize(("model", "head"), [("minilm", (3, 1)), ("headscope-tiny", (1, 2))])
def test_shift_adds_tokens_and_the_readout_is_the_mean_of_their_sums(
    page: Page, server: str, model: str, head: tuple[int, int]
) -> None:
    text = SENTENCE if model == "minilm" else "The animal is tired."
    open_page(page, server, model=model, text=text, pins=f"{head[0]}.{head[1]}h")
    expect_exact_maps(page)
    canvas = find_map(find_panel(page, *head)).locator("canvas")
    said = find_readout(page, *head)
    seen: tuple[set[int], set[int]] = (set(), set())
    for cell, point in zip(read_cells_at(page, canvas, said), find_points(canvas), strict=True):
        canvas.click(position=point, modifiers=["Shift"])
        for end, token in zip(seen, cell, strict=True):
            end.add(token)
        queries, keys = sorted(seen[0]), sorted(seen[1])
        expect(said).to_have_attribute("data-query", ",".join(map(str, queries)))
        expect(said).to_have_attribute("data-key", ",".join(map(str, keys)))
        ranked = fetch_ranking(server, queries, keys, model=model, text=text)
        weight = next(it["weight"] for it in ranked if (it["layer"], it["head"]) == head)
        assert read_value(said) == pytest.approx(weight, abs=2e-6)
    assert len(seen[0]) + len(seen[1]) > 4
    expect(page).to_have_url(re.compile("focus="))


def touching(labels: list[Label]) -> list[tuple[str, str]]:
    """Labels whose ink lies on that of another."""
    return [
        (one.text, other.text)
        for at, one in enumerate(labels)
        for other in labels[:at]
        if one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    ]


def expect_to_scroll_inside(view: Locator) -> None:
    """A map that needs more room than there is scrolls; what is around it does not."""
    width, height = view.locator(".panel-canvas").evaluate(
        "it => [it.scrollWidth / it.clientWidth, it.scrollHeight / it.clientHeight]"
    )
    assert max(width, height) > 1.2
    # Another width of the window is answered some frames later.
    view.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    around = view.locator("xpath=ancestor::article")
    assert around.evaluate("it => it.scrollWidth <= it.clientWidth")


def expect_labels_to_stay(view: Locator) -> None:
    """However a map is scrolled, its labels stand along its place and can be pointed at."""
    place, said = view.locator(".panel-canvas"), view.locator(".readout")
    place.scroll_into_view_if_needed()
    place.evaluate("it => it.scrollTo(250, 300)")
    assert place.evaluate("it => it.scrollLeft * it.scrollTop") > 0
    outer = place.bounding_box()
    rows, cols = view.locator(".axis-band.rows"), view.locator(".axis-band.cols")
    for band in (rows, cols):
        expect(band).to_be_visible()
    assert outer is not None
    assert (rows.bounding_box() or {}).get("x") == outer["x"]
    assert (cols.bounding_box() or {}).get("y") == outer["y"]
    for band, turned in ((rows, False), (cols, True)):
        assert len([it for it in read_labels(band) if it.turned == turned]) > 60
    place.hover(position={"x": 20, "y": 300})
    expect(said).to_have_attribute("data-key", "")
    expect(said).to_have_attribute("data-query", re.compile(r"\d"))
    place.hover(position={"x": 250, "y": 20})
    expect(said).to_have_attribute("data-query", "")
    place.evaluate("it => it.scrollTo(0, 0)")


@pytest.mark.parametrize(("mode", "layout"), [("h", ""), ("l", "vertical"), ("l", "horizontal")])
def test_two_hundred_tokens_and_a_very_long_word_have_room(
    page: Page, server: str, mode: str, layout: str
) -> None:
    assert len(LONG_WORD) == 60
    record_labels(page)
    words = LONG.split()
    open_page(page, server, text=LONG, pins=f"3.1{mode},5.11{mode}", words="true", layout=layout)
    expect_exact_maps(page)
    if mode == "h":
        expect_labels_to_stay(find_map(find_panel(page, 3, 1)))
    assert page.locator("#tokens [data-token]").count() > 200
    page.locator("#tokens").get_by_text("don", exact=False).first.click()
    page.mouse.move(5, 5)
    for width in (1280, 390):
        resize(page, width, 900)
        for layer, head in ((3, 1), (5, 11)):
            view = find_map(find_panel(page, layer, head))
            expect(view.locator(".readout")).to_contain_text(LONG_WORD[:20])
            expect_to_scroll_inside(view)
            canvas = view.locator("canvas").first.element_handle()
            canvas.scroll_into_view_if_needed()  # out of sight the chosen word is not drawn
            page.wait_for_function(CUT, arg=canvas)
            labels = read_labels(view.locator("canvas").first)
            assert len(labels) > 60
            assert touching(labels) == []
            room = view.locator("canvas").first.bounding_box()
            assert room is not None
            assert all(it.left >= 0 and it.right <= room["width"] for it in labels)
            assert all(it.top >= 0 and it.bottom <= room["height"] for it in labels)
            cut = {it.text for it in labels} - {*words, "[CLS]", "[SEP]"}
            assert len(cut) == 1, "the long word alone is shortened"
            shortened = cut.pop()
            assert LONG_WORD.startswith(shortened.removesuffix("…"))
            assert shortened.endswith("…")


@pytest.mark.parametrize("model", ["minilm", "smollm2"])
def test_tokens_of_any_script_are_written_as_they_are(page: Page, server: str, model: str) -> None:
    record_labels(page)
    for text in SCRIPTS:
        open_page(page, server, model=model, text=text, pins="3.1t,5.3h")
        answer = ask_server(server, "tokenize", model=model, text=text)
        tokens = [
            f"{token['text']} {token['piece']}" if token["unknown"] else token["text"]
            for token in answer["tokens"]
        ]
        view = find_map(find_panel(page, 3, 1))
        expect(find_table_rows(view).locator("th bdi")).to_have_text(tokens, timeout=LOADING_MS)
        expect_exact_maps(page)
        assert find_table_rows(view).locator("th bdi").all_text_contents() == tokens
        canvas = find_map(find_panel(page, 5, 3)).locator("canvas")
        labels = [label.text for label in read_labels(canvas)]
        assert len(labels) >= 6
        assert {label for label in labels if not label.endswith("…")} <= set(tokens)


def test_three_narrow_maps_of_thirty_tokens_have_all_their_labels(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    record_labels(page)
    open_page(page, server, text=THIRTY, pins="3.1h,5.11h,2.4h")
    expect_exact_maps(page)
    tokens = fetch_map(server, (3, 1), text=THIRTY).queries
    assert len(tokens) == 30
    for head in ((3, 1), (5, 11), (2, 4)):
        canvas = find_map(find_panel(page, *head)).locator(".panel-canvas > canvas").first
        expect(canvas).to_have_attribute("data-labels", "30+30")
        written = canvas.evaluate("canvas => canvas.written.map(({ text }) => text)")
        assert len(written) == 60
        hidden = canvas.evaluate("({parentElement: p}) => p.scrollWidth - p.clientWidth")
        assert hidden <= 0, "all of them are in sight at once"
    page.locator("#all-lines").click()
    for head in ((3, 1), (5, 11), (2, 4)):
        canvas = find_map(find_panel(page, *head)).locator(".panel-canvas > canvas").first
        expect(canvas).to_have_attribute("data-labels", "30+30")
