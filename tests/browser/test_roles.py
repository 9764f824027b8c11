"""Roles and metrics in the page: the grid coloured, ordered and filtered, the card of a head."""

import csv
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.api_client import fetch_heads
from tests.browser.grid_reader import read_cells
from tests.browser.held_requests import HeldStream
from tests.browser.page_actions import (
    expect_done,
    expect_exact_maps,
    find_panel,
    hover_cell,
    open_page,
    wait_for_frame,
)
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE


@pytest.fixture(scope="module")
def server(atlas_server: str) -> str:
    """A model with a made-up atlas, whose roles these tests know."""
    return atlas_server


def test_every_metric_of_the_server_colours_the_grid(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE)
    metrics = page.request.get(f"{server}/api/v1/metrics").json()["metrics"]
    assert len(metrics) > 15
    for metric in metrics:
        page.locator("#grid-colour").select_option(metric["name"])
        expect(page.locator("#grid")).to_have_attribute("data-colour", metric["name"])
        expect(page.locator("#legend-title")).to_contain_text(
            f"{metric['label']}", ignore_case=True
        )
    assert page_log.complaints == []


def test_a_metric_is_shown_as_the_server_measures_it(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, color="previous")
    values = {
        (head["layer"], head["head"]): head["raw"]["previous"] for head in fetch_heads(server)
    }
    for layer, head in ((0, 2), (3, 1), (5, 11)):
        hover_cell(page, layer, head)
        expect(page.locator("#focus-head")).to_contain_text(f"{values[layer, head]:.3f}")
        expect(page.locator("#focus-head")).to_contain_text("n = 13")
    strong, weak = read_cells(page, (0, 2), min(values, key=lambda place: values[place]))
    assert sum(strong["fill"][:3]) < sum(weak["fill"][:3]), "strong is dark on a light page"


def test_what_the_sentence_has_no_case_of_is_hatched_and_never_zero(
    page: Page, server: str
) -> None:
    open_page(page, server, text="Cats sleep.", color="duplicate")
    expect(page.locator("#legend-title")).to_contain_text("no case in this sentence")
    hover_cell(page, 2, 2)
    expect(page.locator("#focus-head")).to_contain_text("no case in this sentence")
    expect(page.locator("#focus-head")).to_contain_text("n = 0")


def test_strongest_first_orders_cells_and_arrow_keys_follow(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, color="entropy", sort="value")
    measured = fetch_heads(server)
    measured.sort(key=lambda head: -float(head["raw"]["entropy"]))
    names = [f"L{head['layer']} H{head['head']}" for head in measured]
    page.locator("#grid").focus()
    for step, place in (("ArrowRight", 0), ("ArrowRight", 1), ("ArrowDown", 13), ("ArrowUp", 1)):
        page.keyboard.press(step)
        expect(page.locator("#focus-head .panel-head h3")).to_have_text(names[place])
    page.keyboard.press("Enter")
    layer, head = measured[1]["layer"], measured[1]["head"]
    expect(find_panel(page, layer, head)).to_be_visible()
    page.locator("#grid-sort").select_option("model")
    page.locator("#grid").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#focus-head .panel-head h3")).to_have_text("L0 H0")


def test_value_weighted_metrics_are_awaited_and_then_those_of_the_server(
    page: Page, server: str, page_log: PageLog
) -> None:
    heads = fetch_heads(server, values="weighted")
    (found,) = (it for it in heads if (it["layer"], it["head"]) == (3, 1))
    (other,) = (it for it in heads if (it["layer"], it["head"]) == (2, 1))
    raw, weighted = (f"{found[values]['special']:.3f}" for values in ("raw", "weighted"))
    raw_other, weighted_other = (f"{other[it]['special']:.3f}" for it in ("raw", "weighted"))
    assert raw != weighted
    stream = HeldStream(page)
    open_page(page, server, text=SENTENCE, color="special", pins="3.1h")
    fact = page.locator(".focus-facts p").first
    number = find_panel(page, 3, 1).locator(".numbers tr", has_text="special tokens").first
    hover_cell(page, 2, 1)
    expect(fact).to_contain_text(raw_other)
    expect(number).to_contain_text(raw)
    stream.is_holding = True
    page.locator("#grid-weighted").check()
    hover_cell(page, 2, 1)
    expect(fact).to_contain_text("value-weighted")
    expect(fact).to_contain_text("…")
    expect(number).to_contain_text("…")
    expect(fact).not_to_contain_text(raw_other)
    expect(number).not_to_contain_text(raw)
    stream.release()
    expect_done(page)
    hover_cell(page, 2, 1)
    expect(fact).to_contain_text(weighted_other)
    expect(number).to_contain_text(weighted)
    expect(find_panel(page, 3, 1).locator(".numbers")).to_contain_text("value-weighted")
    labels = find_panel(page, 3, 1).locator(".head-card-body")
    expect(labels).to_contain_text("On this sentence, raw attention: sink")
    assert page_log.complaints == []


def test_the_switch_to_value_weighted_metrics_hides_with_maps(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, color="special")
    page.locator("#grid-weighted").check()
    expect(page.locator("#legend-title")).to_contain_text("value-weighted")
    expect(page.locator("#legend-title")).to_have_attribute("title", re.compile("special"))
    page.locator("#grid-colour").select_option("map")
    expect(page.locator("#grid-weighted")).to_be_hidden()
    expect(page.locator("#legend-title")).to_have_attribute("title", "")


def test_roles_are_badges_with_letters_and_a_legend(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    expect(page.locator("#grid-roles")).to_contain_text("Syntax")
    expect(page.locator("#grid-roles .badge")).to_have_text(["S", "L", "F"])
    counts = (
        "A letter marks 4 of 72 heads; 1 more is a sink or delimiter only and has none; "
        "67 have no proven role."
    )
    expect(page.locator("#grid-roles .with-letters")).to_contain_text(counts)
    syntax, local, none = read_cells(page, (3, 1), (0, 2), (1, 1))
    assert syntax["badge"][3] == local["badge"][3] == 255
    assert syntax["badge"] != local["badge"]
    assert none["badge"][3] == 0
    (sink,) = read_cells(page, (4, 4))
    assert sink["badge"][3] == 0, "a head that only rests has no letter"
    hover_cell(page, 3, 1)
    facts = page.locator(".focus-facts p").first
    expect(facts).to_contain_text("Syntax: objects → their verb")
    expect(facts.locator(".quiet")).to_have_text("80 % of 100 on the test set, baseline 40 %")
    hover_cell(page, 1, 1)
    expect(page.locator("#focus-head")).to_contain_text("No proven role on the corpus")
    page.locator("#grid-colour").select_option("role")
    expect(page.locator("#grid-roles")).to_contain_text("hatched: no role proven (67 heads)")
    expect(page.locator("#grid-roles")).to_contain_text("the colour of its strongest role")
    page.locator("#grid-colour").select_option("map")
    page.set_viewport_size({"width": 390, "height": 844})
    dots = "A dot marks 4 of 72 heads"
    expect(page.locator("#grid-roles")).to_contain_text(dots, use_inner_text=True)
    expect(page.locator("#grid-roles .with-letters")).to_be_hidden()


def test_an_entry_of_the_legend_is_a_filter_by_mouse_and_key(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    local = page.get_by_role("button", name="Local context 2 heads")
    expect(local).to_have_attribute("aria-pressed", "false")
    local.click()
    expect(local).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#grid-matches")).to_contain_text("Local context: 2 of 72 heads")
    expect(page.locator("#grid-show")).to_have_value("group:local")
    found, other = read_cells(page, (0, 2), (2, 4))
    assert found["veil"] == 0
    assert other["veil"] > 150
    expect(local).to_be_focused()
    page.keyboard.press("Enter")
    expect(local).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#grid-matches")).to_be_hidden()
    expect(page).not_to_have_url(re.compile("show="))


def test_a_question_lets_its_heads_stand_out(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    show = page.locator("#grid-show")
    show.select_option(label="Which heads link a verb and its object?")
    expect(page.locator("#grid-matches")).to_contain_text("2 of 72 heads. Best: L3 H1, objects")
    found, other = read_cells(page, (3, 1), (0, 2))
    assert found["veil"] == 0
    assert other["veil"] > 150
    page.locator("#grid-sort").select_option("value")
    wait_for_frame(page)
    first, second, third = read_cells(page, (0, 0), (0, 1), (0, 2))
    assert first["veil"] == second["veil"] == 0
    assert third["veil"] > 150


def test_any_metric_filters_the_grid_by_its_baseline(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#grid-colour").select_option("previous")
    page.locator("#grid-show").select_option("above")
    question = {"model": "minilm", "text": SENTENCE}
    answer = page.request.post(f"{server}/api/v1/heads", data=question).json()
    baseline = answer["opportunities"]["previous"]["baseline"]
    above = {(h["layer"], h["head"]): h["raw"]["previous"] > baseline for h in answer["heads"]}
    said = expect(page.locator("#grid-matches"))
    said.to_contain_text("above uniform attention (0.06")
    said.to_contain_text(f"{sum(above.values())} of 72 heads")
    veils = [cell["veil"] > 150 for cell in read_cells(page, *above)]
    assert veils == [not stands_out for stands_out in above.values()]
    page.locator("#grid-colour").select_option("map")
    expect(page.locator("#grid-show")).to_have_value("all")


def test_a_question_no_head_answers_says_so_with_the_best(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, show="spec:pronoun resolution, coreference")
    matches = page.locator("#grid-matches")
    expect(matches).to_contain_text("does this well enough for a role: the best, L5 H11, pronouns")
    expect(matches).to_contain_text("58 % of 100 on the test set")


def test_the_card_of_a_head_tells_role_numbers_likes_and_examples(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,1.1h")
    card = find_panel(page, 3, 1).locator(".head-card")
    expect(card.locator(".head-card-short")).to_have_text(re.compile("^SL.*, previous token$"))
    card.locator("summary").click()
    expect(card.locator(".head-card-short")).to_be_empty()
    expect(card.locator(".head-claim")).to_have_text(
        "SL3 H1 connects objects to their verb: 80 % of 100 cases; the best rule that does not "
        "read gets 40 %."
    )
    bars = card.locator(".claim-bars")
    expect(bars).to_have_text("this head80 %the best rule that does not read40 %")
    widths = bars.locator(".edge-fill").evaluate_all("all => all.map((it) => it.offsetWidth)")
    assert widths[0] == pytest.approx(2 * widths[1], abs=2)
    expect(card.locator(".head-others")).to_have_text("AlsoLprevious token")
    reason = "One sentence says little: the role “objects → their verb” was measured on 100 cases"
    expect(card).to_contain_text(reason)
    expect(card.locator("table")).to_be_hidden()
    card.get_by_text("Evidence and numbers").click()
    roles = card.locator(".head-depth > div > .role-lines > .role-line")
    rest = "; the best simple rule, the next content word, 40 %."
    expect(roles).to_have_text(
        [
            f"Sobjects → their verb: 80 % of 100 on the test set95 % interval 70 to 90 %{rest}",
            f"Lprevious token: 60 % of 100 on the test set95 % interval 50 to 70 %{rest}",
        ]
    )
    expect(card.get_by_role("row", name="First token")).to_contain_text(re.compile(r"0\.\d{3}"))
    expect(card.get_by_role("row", name="Induction")).to_contain_text(re.compile(r"\d"))
    expect(card.get_by_role("row", name="pronoun to name")).to_contain_text("0.514")
    expect(card.get_by_role("row", name="Own sentence")).to_contain_text("no case in this sentence")
    example = card.locator(".link-example").first
    expect(example.locator(".is-query")).to_have_text("proposal")
    expect(example.locator(".is-key")).to_have_text("rejected")
    expect(example.locator("svg path")).to_have_count(2)
    expect(card).to_contain_text("Made-up sentences, free for all.")
    other = find_panel(page, 1, 1).locator(".head-card")
    expect(other.locator(".role-line, .head-card-short *")).to_have_count(0)
    other.locator("summary").click()
    expect(other).to_contain_text("No proven role on the corpus")
    card.get_by_role("button", name="L5 H0").click()
    expect(find_panel(page, 5, 0)).to_be_visible()
    assert page_log.complaints == []


def test_a_card_says_what_a_head_usually_does_and_which_claims_fell(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,1.2h")
    proven, fallen = (find_panel(page, *at).locator(".head-card") for at in ((3, 1), (1, 2)))
    short = "Usual choice: from function words to the next content word"
    expect(fallen.locator(".head-card-short")).to_have_text(short)
    fallen.locator("summary").first.click()
    expect(fallen.locator(".head-claim")).to_contain_text("usually attends from function words")
    unassigned = fallen.locator(".head-card-body > .role-line")
    expect(unassigned).to_have_text("No proven role beyond its usual choice")
    fallen.get_by_text("Evidence and numbers").click()
    expect(fallen.locator(".usual-choice")).to_have_text(
        "Usual choiceFrom function words to the next content word: 61 % of its 9,876 choices on "
        "the test set95 % interval 60 to 62 %, uniform attention 12 %."
    )
    claim = fallen.locator(".not-above .role-line")
    expect(claim).to_be_hidden()
    fallen.get_by_text("Not above the best simple rule: determiners → their noun").click()
    expect(claim).to_contain_text("determiners → their noun: head 72 %, rule 61 %")
    expect(claim.locator(".quiet")).to_contain_text("Head minus rule 11.0 points (3.0 to 19.0)")
    page.locator("#text").fill("Another sentence is read.")
    expect(page.locator("#tokens")).to_contain_text("Another")
    expect_done(page)
    expect(claim).to_be_visible()  # what was opened stays open
    proven.locator("summary").first.click()
    proven.get_by_text("Evidence and numbers").click()
    expect(proven.locator(".not-above summary")).to_be_visible()  # beside its roles
    page.get_by_role("button", name="Unpin all").click()
    hover_cell(page, 1, 2)
    expect(page.locator("#focus-head")).to_contain_text(f"{short} 61 % of its 9,876 choices")


def test_a_card_names_the_labels_a_sentence_is_too_short_for(page: Page, server: str) -> None:
    open_page(page, server, text="Hello", pins="3.1h")
    card = find_panel(page, 3, 1).locator(".head-card")
    expect(card).to_contain_text(
        "This sentence is too short for labels that need 3 cases: previous token (n = 0), "
        "next token (n = 0), itself (n = 1), sink (n = 2); 5 cases: special tokens (n = 3)."
    )
    expect(card).not_to_contain_text("On this sentence:")
    open_page(page, server, text=SENTENCE, pins="3.1h")
    expect(card).to_contain_text("On this sentence: sink")
    expect(card).not_to_contain_text("too short")


def test_examples_stand_under_the_role_they_show_the_rest_on_demand(
    page: Page, server: str
) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    card = find_panel(page, 3, 1).locator(".head-card")
    headings = card.locator(".corpus-examples h5:visible")
    first = ["Objects → their verb", "Previous token", "Nouns → their adjective"]
    expect(headings).to_have_text(first)
    expect(card.locator(".link-example:visible")).to_have_count(4)
    card.get_by_role("button", name="Examples of 1 more role").click()
    expect(headings).to_have_text([*first, "Determiners → their noun"])
    expect(card.locator(".link-example:visible svg").last.locator("path")).to_have_count(2)


def test_all_roles_are_seen_and_the_head_of_the_numbers_stays(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    card = find_panel(page, 3, 1).locator(".head-card")
    card.get_by_text("Evidence and numbers").click()
    lines = card.locator(".role-lines").first
    assert lines.evaluate("box => box.scrollHeight <= box.clientHeight + 1")
    card.get_by_role("row", name="pronoun to name").scroll_into_view_if_needed()
    assert card.locator(".numbers").evaluate("box => box.scrollTop") > 0
    heading = card.locator(".numbers thead").get_by_text("corpus")
    expect(heading).to_be_in_viewport()
    cell = card.get_by_role("row", name="pronoun to name").locator("td").last
    expect(cell).to_have_attribute("title", "n = 2,000, baseline 0.500")


def test_the_numbers_of_a_head_are_saved_as_csv(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h")
    card = find_panel(page, 3, 1).locator(".head-card")
    card.get_by_text("Evidence and numbers").click()
    with page.expect_download() as saved:
        card.get_by_role("button", name="CSV").click()
    assert saved.value.suggested_filename == (
        "headscope-minilm-the-animal-didn-t-cross-the-street-L3-H1-numbers.csv"
    )
    lines = saved.value.path().read_text(encoding="utf-8").splitlines()
    told = [line for line in lines if line.startswith("# ")]
    assert f"# A text: {SENTENCE}" in told
    assert any(line.startswith("# A revision: ") for line in told)
    rows = {row["metric"]: row for row in csv.DictReader(lines[len(told) :])}
    (head,) = (it for it in fetch_heads(server) if (it["layer"], it["head"]) == (3, 1))
    assert float(rows["previous"]["sentence"]) == pytest.approx(head["raw"]["previous"], abs=1e-6)
    assert rows["gap"]["corpus_baseline"] == "0.5"
    assert rows["segment"]["sentence"] == ""


def test_panels_fill_the_column_beside_an_open_card(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE, pins="3.1h,2.8h,4.4h,0.2h")
    expect_exact_maps(page)
    wait_for_frame(page)  # with what came they get their places
    find_panel(page, 3, 1).locator(".head-card summary").click()
    expect_exact_maps(page)
    tall, second, last = (find_panel(page, *at).bounding_box() for at in ((3, 1), (2, 8), (0, 2)))
    assert tall is not None
    assert second is not None
    assert last is not None
    assert second["x"] == last["x"] > tall["x"]
    assert last["y"] - (second["y"] + second["height"]) == pytest.approx(10, abs=2)
    assert last["y"] < tall["y"] + tall["height"]


def test_a_model_without_an_atlas_says_how_to_build_one(page: Page, server: str) -> None:
    open_page(page, server, model="plain", text="Hello", pins="0.0h")
    for place in (page.locator("#grid-roles"), find_panel(page, 0, 0).locator(".head-card")):
        expect(place.locator("code")).to_contain_text("headscope atlas build plain")
    expect(page.locator("#grid-show")).to_be_hidden()


def test_a_link_restores_colour_order_and_choice(page: Page, other_page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    page.locator("#grid-colour").select_option("corpus:gap")
    page.locator("#grid-sort").select_option("value")
    page.get_by_role("button", name="Syntax 3 heads").click()
    expect(page).to_have_url(re.compile(r"color=corpus:gap&show=group:syntax&sort=value"))
    other_page.goto(page.url)
    expect(other_page.locator("#grid-matches")).to_contain_text("Syntax: 3 of 72 heads")
    expect(other_page.locator("#grid-sort")).to_have_value("value")
    expect(other_page.locator("#grid")).to_have_attribute("data-colour", "corpus:gap")


def test_the_foot_of_the_page_says_what_attention_does_not_show(page: Page, server: str) -> None:
    open_page(page, server, text=SENTENCE)
    limits = page.request.get(f"{server}/api/v1/config").json()["limits_of_attention"]
    page.locator("#limits summary").click()
    expect(page.locator("#limits-list li")).to_have_count(len(limits))
    expect(page.locator("#limits-list")).to_contain_text(limits[0]["source"])
    assert len(limits) >= 3
