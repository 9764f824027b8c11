"""Which heads link a pronoun to its noun? Asked of the shipped atlas and of one's own sentence."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LOADING_MS, Watched
from tests.browser.programs import SENTENCE, edges_of
from tests.browser.test_ask import ANIMAL, IT, expect_ranking, open_ask, ranked, tab, token
from tests.browser.test_page import open_page
from tests.browser.test_roles import cells

PRONOUN_HEAD = (3, 1)


def test_three_clicks_find_the_head_on_the_sentence(
    page: Page, server: str, watched: Watched
) -> None:
    open_page(page, server, text=SENTENCE)
    hint = page.locator("#tokens-hint")
    expect(hint).to_contain_text("Open Ask, click “it”, then “animal”")
    open_ask(page)
    token(page, "it").click()
    token(page, "animal").click()
    heads = edges_of(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    assert ranked(page)[0][:2] == PRONOUN_HEAD
    first = page.locator(".ranking tbody tr").first
    expect(first.locator(".badge[title^=Coreference]")).to_be_visible()
    assert watched.complaints == []


def test_the_hint_itself_opens_ask(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.get_by_role("button", name="Open Ask").click()
    expect(tab(page, "Ask")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#tokens-hint")).to_contain_text("Click the token that looks.")


def test_the_question_shows_the_heads_a_corpus_proved(
    page: Page, server: str, watched: Watched
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
    assert watched.complaints == []
    places = [(layer, head) for layer in range(6) for head in range(12)]
    undimmed = {
        place for place, cell in zip(places, cells(page, *places), strict=True) if not cell["veil"]
    }
    assert undimmed == proven


@pytest.mark.parametrize("kind", ["Scatter", "Similarity", "Layers"])
def test_the_shipped_atlas_draws_every_chart_without_complaint(
    page: Page, server: str, watched: Watched, kind: str
) -> None:
    open_page(page, server, text=SENTENCE, tab="heads")
    expect(page.locator(".chart .main-svg").first).to_be_visible(timeout=LOADING_MS)
    page.get_by_role("button", name=kind).click()
    page.locator("#chart-color").select_option("role")
    expect(page.locator(".chart")).not_to_have_class("chart stale")
    expect(page.locator(".chart .main-svg").first).to_be_visible()
    page.locator("#theme").click()
    page.locator("#theme").click()
    expect(page.locator(".chart .legendtext").first).to_have_text("Syntax")
    assert watched.complaints == []
