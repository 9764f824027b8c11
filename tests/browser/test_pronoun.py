"""Which heads link a pronoun to its noun? Asked of the shipped atlas and of one's own sentence."""

from playwright.sync_api import Page, expect

from tests.browser.api_client import fetch_ranking
from tests.browser.grid_reader import read_cells
from tests.browser.link_actions import choose_link, expect_ranking, read_ranking
from tests.browser.page_actions import LOADING_MS, find_panel, open_page
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import ANIMAL, IT, SENTENCE

PRONOUN_HEAD = (3, 1)


def test_two_clicks_find_the_head_on_the_sentence(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    choose_link(page, "it", "animal")
    heads = fetch_ranking(server, [IT], [ANIMAL])
    expect_ranking(page, heads)
    assert read_ranking(page)[0][:2] == PRONOUN_HEAD
    assert page_log.complaints == []


def test_the_hint_offers_the_link_of_the_example(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator(".link-hint").get_by_role("button", name="“it” → “animal”").click()
    expect(page.locator("#tokens [aria-pressed=true]")).to_have_text(["animal", "it"])
    expect_ranking(page, fetch_ranking(server, [IT], [ANIMAL]))


def test_the_question_says_that_no_head_beats_a_rule_and_the_best_one_says_so_too(
    page: Page, server: str, page_log: PageLog
) -> None:
    atlas = page.request.get(f"{server}/api/v1/models/minilm/atlas").json()
    asked = next(
        one
        for one in atlas["specialisations"]
        if one["question"].startswith("Which heads link a pronoun")
    )
    (fallen,) = (
        one
        for one in atlas["not_above"]
        if one["id"] == "gap" and (one["layer"], one["head"]) == PRONOUN_HEAD
    )
    assert not asked["holds"]
    open_page(page, server, text=SENTENCE, pins="3.1h")
    page.locator("#grid-show").select_option(label=f"{asked['question']} (no head passed the test)")
    matches = page.locator("#grid-matches")
    expect(matches).to_contain_text("does this well enough for a role: the best, L3 H1, pronouns")
    expect(matches).to_contain_text(asked["best"]["evidence"])
    panel = find_panel(page, *PRONOUN_HEAD)
    expect(panel.locator(".head-claim")).to_contain_text("so this proves no role")
    panel.get_by_text("Evidence and numbers").click()
    claims = panel.locator(".not-above")
    claims.locator("summary").click()
    head, rule = (
        f"{100 * fallen['leads'][1][name]:.0f} %" for name in ("accuracy", "rule_accuracy")
    )
    expect(claims).to_contain_text(f"{fallen['claim']}: head {head}, rule {rule}")
    expect(claims).to_contain_text(f"Rule: {fallen['rule']}.")
    assert page_log.complaints == []
    assert all(cell["veil"] > 0 for cell in read_cells(page, PRONOUN_HEAD, (0, 0)))


def test_the_shipped_atlas_draws_every_chart_without_complaint(
    page: Page, server: str, page_log: PageLog
) -> None:
    atlas = page.request.get(f"{server}/api/v1/models/minilm/atlas").json()
    first = next(it["label"] for it in atlas["groups"] if it["id"] in atlas["counts"]["groups"])
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
        expect(chart.locator(".legendtext").first).to_have_text(first)
    assert page_log.complaints == []
