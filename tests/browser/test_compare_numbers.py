"""The comparison as numbers: beside the ranking of a link, and as files."""

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.api_client import fetch_comparison, fetch_ranking
from tests.browser.compare_actions import open_pair, read_rows
from tests.browser.link_actions import find_ranking_rows
from tests.browser.page_actions import LOADING_MS, open_page
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE, WIDE_SENTENCE


def test_a_link_ranked_while_comparing_gives_the_weight_of_b_and_the_difference(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_pair(page, server, focus=f"{IT}.{ANIMAL}")
    first = find_ranking_rows(page).first
    expect(first).to_contain_text("+0.396")
    rankings = [
        fetch_ranking(server, [IT], [ANIMAL], text=text) for text in (SENTENCE, WIDE_SENTENCE)
    ]
    weights = [{(it["layer"], it["head"]): it["weight"] for it in heads} for heads in rankings]
    rows = find_ranking_rows(page).evaluate_all(
        "rows => rows.map((row) => [row.dataset.layer, row.dataset.head, row.dataset.weight, "
        "row.querySelector('[data-other]').dataset.other].map(Number))"
    )
    assert len(rows) == 12
    for layer, head, one, other in rows:
        assert (one, other) == tuple(side[int(layer), int(head)] for side in weights)
    assert page_log.complaints == []


def test_the_comparison_is_saved_as_a_table_and_as_a_document(
    page: Page, server: str, tmp_path: Path
) -> None:
    open_pair(page, server, tab="compare")
    read_rows(page)
    files = {}
    for name in ("CSV", "JSON"):
        with page.expect_download(timeout=LOADING_MS) as got:
            page.get_by_role("button", name=f"Save the comparison as {name}").click()
        assert got.value.suggested_filename.startswith("headscope-minilm-the-animal")
        files[name] = tmp_path / got.value.suggested_filename
        got.value.save_as(files[name])
    lines = files["CSV"].read_text(encoding="utf-8").splitlines()
    header = [line for line in lines if line.startswith("# ")]
    assert f"# A text: {SENTENCE}" in header
    assert f"# B text: {WIDE_SENTENCE}" in header
    assert "# values: raw" in header
    rows = list(csv.DictReader(lines[len(header) :]))
    heads = fetch_comparison(server, ("minilm", SENTENCE), ("minilm", WIDE_SENTENCE))["heads"]
    assert [float(row["change"]) for row in rows] == [head["change"] for head in heads]
    told = json.loads(files["JSON"].read_text(encoding="utf-8"))
    assert [row["link_1_a"] for row in told["rows"]] == [it["links"][0]["one"] for it in heads]
    assert told["sides"][0]["revision"]


@pytest.mark.parametrize("width", [1000, 1280])
def test_a_b_and_their_difference_are_in_one_row(page: Page, server: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    open_pair(page, server, tab="compare")
    read_rows(page)
    tops = (
        page.locator(".compared-row")
        .first.locator(".small-map")
        .evaluate_all("maps => maps.map((map) => map.getBoundingClientRect().top)")
    )
    assert len(tops) == 3
    assert len(set(tops)) == 1


@pytest.mark.parametrize(
    ("state", "what", "columns"),
    [
        ({"focus": f"{IT}.{ANIMAL}"}, "the ranking", ["rank", "stack", "layer"]),
        ({"tab": "heads"}, "the table", ["layer", "head", "roles"]),
    ],
)
def test_a_ranking_and_the_table_of_heads_are_saved_with_all_heads(
    page: Page, server: str, state: dict[str, str], what: str, columns: list[str]
) -> None:
    open_page(page, server, text=SENTENCE, **state)
    with page.expect_download(timeout=LOADING_MS) as got:
        page.get_by_role("button", name=f"Save {what} as CSV").click()
    text = Path(got.value.path()).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("# ")]
    assert lines[0].split(",")[:3] == columns
    assert len(lines) == 1 + 72
    assert "# A model: minilm" in text
