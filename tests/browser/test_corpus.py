"""Texts of one's own: typed, from a file or by example; measured, ranked, refused, cancelled."""

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.held_requests import hold_requests
from tests.browser.page_actions import (
    LOADING_MS,
    STALE,
    expect_done,
    find_panel,
    find_tab,
    open_page,
    wait_for_frame,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE
from tests.browser.scenes import corpus_filled

TEXTS = ["The cat slept because it was old.", "The cat ran when it saw them.", "A dog barked."]
LINK = {"from_word": "it", "to_word": "cat"}


def fetch_corpus(server: str, texts: list[str], **more: object) -> dict[str, Any]:
    body = json.dumps({"model": "minilm", "texts": texts, **more}).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{server}/api/v1/corpus", body, headers)
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def open_corpus(page: Page, server: str, texts: list[str], link: str = "none") -> None:
    """The tab with these texts typed and a kind of link chosen."""
    open_page(page, server, text=SENTENCE)
    find_tab(page, "Corpus").click()
    page.locator("#corpus-text").fill("\n".join(texts))
    page.locator(f"#tab-corpus [data-link={link}]").click()


def run(page: Page) -> None:
    page.locator("#tab-corpus").get_by_role("button", name="Run").click()


def read_rows(page: Page) -> list[tuple[int, int, float]]:
    """Layer, head and mean of each row."""
    rows = page.locator(".corpus-ranking tbody tr").evaluate_all(
        "rows => rows.map((row) => "
        "[row.dataset.layer, row.dataset.head, row.dataset.mean].map(Number))"
    )
    return [tuple(row) for row in rows]


def as_rows(heads: list[dict[str, Any]]) -> list[tuple[int, int, float]]:
    return [(it["layer"], it["head"], it["mean"]) for it in heads]


def test_the_example_fills_in_by_one_click_and_is_ranked_by_its_link(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE, tab="corpus")
    corpus_filled(page)
    expect(page.locator("#tab-corpus .empty")).to_be_hidden()
    run(page)
    expect(page.locator(".corpus-ranking tbody tr")).to_have_count(12, timeout=LOADING_MS)
    texts = page.locator("#corpus-text").input_value().split("\n")
    link = fetch_corpus(server, texts, link={"from_word": "it", "to_word": "animal"})["link"]
    assert read_rows(page) == as_rows(link["heads"][:12])
    expect(page.locator("#tab-corpus")).to_contain_text("from “it” to “animal” in 8 texts")
    page.get_by_role("button", name="Show all 72 heads").click()
    expect(page.locator(".corpus-ranking tbody tr")).to_have_count(72)
    assert page_log.complaints == []


def test_heads_are_ranked_by_any_metric_in_either_order(page: Page, server: str) -> None:
    open_corpus(page, server, TEXTS)
    page.locator("#corpus-text").press("Control+Enter")
    rows = page.locator(".corpus-ranking tbody tr")
    expect(rows).to_have_count(12, timeout=LOADING_MS)
    metrics = fetch_corpus(server, TEXTS)["metrics"]
    for name in ("previous", "similarity", "distance"):
        page.locator("#corpus-by").select_option(name)
        heads = sorted(metrics[name]["heads"], key=lambda it: -it["mean"])
        expect(rows.first).to_have_attribute("data-mean", str(heads[0]["mean"]))
        assert [row[2] for row in read_rows(page)] == [it["mean"] for it in heads[:12]]
    first = rows.first
    expect(first).to_contain_text(f"{heads[0]['low']:.3f} to {heads[0]['high']:.3f}")
    expect(first).to_contain_text(str(heads[0]["n"]))
    page.get_by_role("button", name="Mean").click()
    expect(rows.first).to_have_attribute("data-mean", str(heads[-1]["mean"]))
    expect(page.locator("th[aria-sort=ascending]")).to_be_visible()
    page.locator("#corpus-by").select_option("segment")
    expect(page.locator("#tab-corpus")).to_contain_text("These texts have no case of it.")


def test_the_bar_is_the_mean_the_whisker_its_interval_and_the_tick_the_baseline(
    page: Page, server: str
) -> None:
    open_corpus(page, server, TEXTS, "words")
    page.locator("#corpus-from_word").fill("it")
    page.locator("#corpus-to_word").fill("cat")
    run(page)
    expect(page.locator(".corpus-ranking tbody tr")).to_have_count(12, timeout=LOADING_MS)
    head = fetch_corpus(server, TEXTS, link=LINK)["link"]["heads"][0]
    scale = float(page.locator(".corpus-ranking thead .quiet").inner_text().removeprefix("0 to "))
    row = page.locator(".corpus-ranking tbody tr").first
    box, fill, whisker, tick = (
        row.locator(f".edge-{part}").bounding_box() for part in ("bar", "fill", "whisker", "tick")
    )
    assert box is not None
    assert fill is not None
    assert whisker is not None
    assert tick is not None

    def place(x: float) -> float:
        return (x - box["x"]) / box["width"] * scale

    assert place(fill["x"] + fill["width"]) == pytest.approx(head["mean"], abs=0.01)
    assert place(whisker["x"]) == pytest.approx(head["low"], abs=0.01)
    assert place(whisker["x"] + whisker["width"]) == pytest.approx(head["high"], abs=0.01)
    assert place(tick["x"] + tick["width"] / 2) == pytest.approx(head["by_position"], abs=0.015)
    expect(page.locator(".corpus-left")).to_contain_text("1 line without the link")


def test_a_heads_name_pins_it_by_mouse_and_keyboard(page: Page, server: str) -> None:
    open_corpus(page, server, TEXTS)
    run(page)
    expect(page.locator(".corpus-ranking tbody tr")).to_have_count(12, timeout=LOADING_MS)
    (layer, head, _), (second, other, _) = read_rows(page)[:2]
    name = page.locator(".corpus-head").first
    name.click()
    expect(name).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".corpus-head").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".corpus-head").nth(1)).to_be_focused()
    find_tab(page, "Focus (2)").click()
    expect(find_panel(page, layer, head)).to_be_visible()
    expect(find_panel(page, second, other)).to_be_visible()


def test_a_text_file_is_read_and_one_that_is_too_large_is_refused(
    page: Page, server: str, tmp_path: Path
) -> None:
    open_corpus(page, server, [])
    file = tmp_path / "texts.txt"
    file.write_bytes("\ufeffone\r\n\r\ntwo\r\n".encode())
    page.locator("#tab-corpus input[type=file]").set_input_files(file)
    expect(page.locator("#corpus-text")).to_have_value("one\n\ntwo\n")
    expect(page.locator("#tab-corpus .count")).to_have_text("2 texts")
    file.write_bytes(b"a" * 800_001)
    page.locator("#tab-corpus input[type=file]").set_input_files(file)
    expect(page.locator("#tab-corpus .problem")).to_contain_text("texts.txt is too large")
    expect(page.locator("#corpus-text")).to_have_value("one\n\ntwo\n")


def test_an_error_names_the_line_and_goes_when_it_is_mended(page: Page, server: str) -> None:
    open_corpus(page, server, ["{from:it} saw {to:us}", "it saw {us}"], "marked")
    run(page)
    problem = page.locator("#tab-corpus .problem")
    expect(problem).to_contain_text("Line 2, column 8: this { belongs to no mark.")
    page.locator("#corpus-text").fill("{from:it} saw {to:us}")
    expect(problem).to_be_hidden()
    run(page)
    expect(page.locator("#tab-corpus")).to_contain_text(
        "One text has no interval", timeout=LOADING_MS
    )
    expect(page.locator(".edge-whisker")).to_have_count(0)


def test_a_run_can_be_cancelled_and_what_is_missing_cannot_be_run(page: Page, server: str) -> None:
    hold_requests(page, "corpus", lambda body: len(body["texts"]) == 3)
    open_corpus(page, server, TEXTS, "words")
    button = page.locator("#tab-corpus").get_by_role("button", name="Run")
    expect(button).to_be_disabled()
    page.locator("#tab-corpus [data-link=none]").click()
    button.click()
    expect(page.locator(".corpus-said")).to_have_text("Measuring 3 lines in every head…")
    expect(page.locator(".corpus-waiting progress")).to_be_visible()
    expect(button).to_be_disabled()
    page.locator("#tab-corpus").get_by_role("button", name="Cancel").click()
    expect(page.locator(".corpus-waiting")).to_be_hidden()
    expect(page.locator(".corpus-said")).to_have_text("")
    page.locator("#corpus-text").fill("\n".join(TEXTS[:2]))
    button.click()
    expect(page.locator(".corpus-said")).to_contain_text("2 texts", timeout=LOADING_MS)
    page.locator("#corpus-text").fill("\n".join(TEXTS))
    expect(page.locator("#tab-corpus")).to_contain_text("have changed since: run again")
    button.click()
    expect(page.locator(".corpus-answer")).to_have_class(STALE)
    page.locator("#tab-corpus").get_by_role("button", name="Cancel").click()
    expect(page.locator(".corpus-said")).to_contain_text("2 texts")


def test_heads_of_another_model_are_said_to_be_that_and_cannot_be_pinned(
    page: Page, server: str
) -> None:
    open_corpus(page, server, TEXTS)
    run(page)
    expect(page.locator(".corpus-ranking tbody tr")).to_have_count(12, timeout=LOADING_MS)
    page.locator("#model").select_option("headscope-tiny")
    expect(page.locator("#tab-corpus")).to_contain_text("heads of another model")
    expect(page.locator(".corpus-head").first).to_be_disabled()
    expect_done(page)
    run(page)
    expect(page.locator(".corpus-said")).to_contain_text(re.compile("HeadScope"))
    expect(page.locator(".corpus-head").first).to_be_enabled()


def test_what_is_typed_stays_when_another_tab_is_open(page: Page, server: str) -> None:
    open_corpus(page, server, TEXTS)
    find_tab(page, "Heads").click()
    find_tab(page, "Corpus").click()
    wait_for_frame(page)
    expect(page.locator("#corpus-text")).to_have_value("\n".join(TEXTS))
