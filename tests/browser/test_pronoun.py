"""Which heads link a pronoun to its noun? Asked of the shipped atlas and of one's own sentence."""

from playwright.sync_api import Page, expect

from tests.browser.api_client import fetch_ranking
from tests.browser.ask_actions import expect_ranking, open_ask, read_ranking
from tests.browser.grid_reader import read_cells
from tests.browser.page_actions import LOADING_MS, find_tab, find_token, open_page
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE

PRONOUN_HEAD = (3, 1)


def test_three_clicks_find_the_head_on_the_sentence(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    hint = page.locator("#tokens-hint")
    expect(hint).to_contain_text("Open Ask, click “it”, then “animal”")
    open_ask(page)
    find_token(page, "it").click()
    find_token(page, "animal").click()
    heads = fetch_ranking(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    assert read_ranking(page)[0][:2] == PRONOUN_HEAD
    first = page.locator("#tab-ask .ranking tbody tr").first
    expect(first.locator(".badge[title^=Coreference]")).to_be_visible()
    assert page_log.complaints == []


def test_the_hint_itself_opens_ask(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.get_by_role("button", name="Open Ask").click()
    expect(find_tab(page, "Ask")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#tokens-hint")).to_contain_text("Click the token that looks.")


def test_the_question_shows_the_heads_a_corpus_proved(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    atlas = page.request.get(f"{server}/api/v1/models/minilm/atlas").json()
    asked = next(
        one
        for one in atlas["specialisations"]
        if one["question"].startswith("Which heads link a pronoun")
    )
    proven = {
        (head["layer"], head["head"])
        for role in atlas["roles"]
        if role["id"] in asked["rows"]
        for head in role["heads"]
    }
    assert PRONOUN_HEAD in proven
    page.locator("#grid-show").select_option(label=asked["question"])
    matches = page.locator("#grid-matches")
    expect(matches).to_contain_text(f"{asked['question']} {len(proven)} of 72 heads. Best: L3 H1")
    expect(matches).to_contain_text(asked["best"]["evidence"])
    assert page_log.complaints == []
    places = [(layer, head) for layer in range(6) for head in range(12)]
    undimmed = {
        place
        for place, cell in zip(places, read_cells(page, *places), strict=True)
        if not cell["veil"]
    }
    assert undimmed == proven


def test_the_shipped_atlas_draws_every_chart_without_complaint(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE, tab="heads")
    chart = page.locator(".chart")
    expect(chart.locator(".main-svg").first).to_be_visible(timeout=LOADING_MS)
    page.locator("#chart-color").select_option("role")
    for kind in ("Similarity", "Layers", "Scatter"):
        page.get_by_role("button", name=kind).click()
        expect(chart).not_to_have_class("chart stale")
        expect(chart.locator(".main-svg").first).to_be_visible()
        page.locator("#theme").click()
        page.locator("#theme").click()
        expect(chart.locator(".legendtext").first).to_have_text("Syntax")
    assert page_log.complaints == []
