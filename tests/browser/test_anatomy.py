"""The walk through attention: back and forth, numbers under the pointer, where they come from."""

import math
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.anatomy_actions import (
    KING,
    STEPS,
    click_number,
    expect_step,
    fetch_layer,
    find_matrix,
    open_walk,
    point_at,
    read_head_bars,
    read_number,
)
from tests.browser.page_actions import LOADING_MS, resize, wait_for_frame
from tests.browser.sample_texts import SENTENCE

OVERFLOW = """() => {
  const main = document.querySelector(".walk-main");
  return [main.scrollHeight - main.clientHeight,
    document.documentElement.scrollHeight - innerHeight];
}"""

STILL = "() => !document.querySelector('.stage').getAnimations({ subtree: true }).length"


def test_the_walk_goes_forth_and_back_by_buttons(page: Page, server: str) -> None:
    open_walk(page, server, STEPS[0])
    for number, step in enumerate(STEPS[1:], 2):
        page.get_by_role("button", name="Next").click()
        expect_step(page, step)
        expect(page.locator(".step-count")).to_have_text(f"{number} of 12")
        assert f"walk={step}.0.1" in page.url
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.get_by_role("button", name="Back").click()
    expect_step(page, "block")
    page.locator("#undo").click()
    expect_step(page, "stack")


def test_the_walk_goes_forth_and_back_by_keys_but_not_while_somebody_types(
    page: Page, server: str
) -> None:
    open_walk(page, server, "scores")
    page.keyboard.press("ArrowRight")
    expect_step(page, "scale")
    page.keyboard.press("ArrowLeft")
    expect_step(page, "scores")
    page.locator("#text").press("ArrowLeft")
    page.locator("#anatomy-layer").press("ArrowLeft")
    wait_for_frame(page)
    expect(page.locator(".step-count")).to_have_text("4 of 12")


@pytest.mark.parametrize(("step", "figure"), [("scores", "scores_raw"), ("values", "z")])
def test_a_number_under_the_pointer_is_that_of_the_server(
    page: Page, server: str, step: str, figure: str
) -> None:
    open_walk(page, server, step)
    told = fetch_layer(server, step)["values"][figure]
    for row, column in ((2, 1), (10, 7), (0, 0)):
        point_at(page, figure, row, column)
        expect(page.locator(".number-readout b")).to_contain_text("[")
        assert read_number(page) == pytest.approx(told[row][column], rel=1e-5, abs=1e-7)


def test_a_matrix_drawn_turned_says_the_number_that_is_drawn_there(page: Page, server: str) -> None:
    open_walk(page, server, "scores")
    told = fetch_layer(server, "scores")["values"]["k"]
    point_at(page, "k", 5, 2)  # the fifth number of the key of the second token
    expect(page.locator(".number-readout b")).to_have_text("K[king, 5]")
    assert read_number(page) == pytest.approx(told[2][5], rel=1e-5)


def test_what_a_number_was_computed_from_lights_up(page: Page, server: str) -> None:
    open_walk(page, server, "scores")
    point_at(page, "scores_raw", 4, 3)
    for figure in ("q", "k"):
        expect(find_matrix(page, figure)).to_have_attribute("data-lit", "16")
    expect(page.locator(".number-formula")).to_contain_text("16 terms")


def test_numbers_are_reached_and_pinned_by_keys(page: Page, server: str) -> None:
    open_walk(page, server, "softmax")
    cells = find_matrix(page, "pattern").locator(".matrix-cells")
    cells.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        cells.press(key)
    expect(page.locator(".number-readout b")).to_have_text("A[king, the]")
    cells.press("Enter")
    expect(page.locator(".trace-path")).to_have_text("A[king, the]")
    cells.press("Escape")
    expect(page.locator(".trace-card")).to_be_hidden()
    expect(page.locator(".step-count")).to_have_text("7 of 12")


def test_a_number_is_traced_back_to_the_sentence(page: Page, server: str) -> None:
    open_walk(page, server, "scores")
    click_number(page, "scores_raw", 4, 3)
    card = page.locator(".trace-card")
    expect(card.locator(".trace-terms li")).to_have_count(8, timeout=LOADING_MS)
    expect(page.locator(".trace-rest")).to_contain_text("8 more")
    terms = card.locator(".trace-terms li").evaluate_all("rows => rows.map(r => +r.dataset.value)")
    assert [abs(term) for term in terms] == sorted((abs(term) for term in terms), reverse=True)
    path = ["(Q|K)", r"norm\(x\)", "x", "x₀", "E"]
    for crumb, symbol in enumerate(path, 2):
        card.locator(".factor").first.click()
        expect(card.locator("[aria-current]")).to_have_text(re.compile(rf"^{symbol}\["))
        expect(card.locator(".trace-path > *")).to_have_count(crumb)
        expect(card).not_to_have_class(re.compile("stale"), timeout=LOADING_MS)
    expect(card.locator(".trace-leaf")).to_contain_text("embedding table")
    token = card.locator(".trace-leaf .chip")
    index = (token.text_content() or "").split("·")[1]
    token.click()
    in_strip = page.locator(f"#tokens [data-token='{index}']")
    expect(in_strip).to_have_attribute("aria-pressed", "true")
    card.locator(".trace-path .inline").first.click()
    expect(card.locator("[aria-current]")).to_have_text("Q Kᵀ[the, near]")


def test_a_link_opens_a_pinned_number(page: Page, server: str) -> None:
    open_walk(page, server, "scores", number="scores_raw.0.1.4.3,q.0.1.4.0")
    expect(page.locator(".trace-path")).to_contain_text("Q[the, 0]")
    expect(page.locator(".trace-terms li").first).to_be_visible(timeout=LOADING_MS)


def test_one_dimension_of_the_input_moves_the_scores_of_every_head(page: Page, server: str) -> None:
    open_walk(page, server, "qkv")
    mistake = page.locator("[data-mistake=slice].mistake")
    mistake.locator(".demonstrate").click()
    moved = read_head_bars(page, "slice-bars")
    edit = {"token": 9, "dimension": 32, "add": 1}
    told = fetch_layer(server, "qkv", edits={"layer": 0, "inputs": [edit]})
    assert moved == pytest.approx(told["changes"]["scores"], rel=1e-4)
    assert len(moved) == 4
    assert min(moved) > 0
    expect(mistake).to_contain_text("4 of 4 heads moved")
    page.locator("#undo").click()
    expect(page.locator(".edit-chip")).to_have_count(0)


def test_separate_and_fused_matrices_are_counted_alike(page: Page, server: str) -> None:
    open_walk(page, server, "qkv")
    page.locator("[data-mistake=fused] .demonstrate").click()
    numbers = fetch_layer(server, "qkv")["numbers"]
    count = f"{numbers['n_parameters_separate']:,}"
    shown = page.locator("[data-mistake=fused] .mistake-shown")
    expect(shown).to_contain_text(f"Separate: {count} weights")
    expect(shown).to_contain_text(f"Fused: {count}.")


def test_a_head_that_is_off_changes_the_prediction(page: Page, server: str) -> None:
    open_walk(page, server, "stack", "1.0.7")
    expect(page.locator(".step-notes .next-bars li").first).to_have_attribute("data-token", "he")
    page.locator(".heads-off [data-head='0']").click()
    told = fetch_layer(server, "stack", layer=1, token=7, edits={"heads_off": [0]})
    after = told["prediction"]["candidates"][0]
    assert after["text"] != "he"
    first = page.locator(".moved .next-bars li").first
    expect(first).to_have_attribute("data-token", after["text"], timeout=LOADING_MS)
    shown = float(first.get_attribute("data-probability") or "nan")
    assert shown == pytest.approx(after["probability"], rel=1e-4)
    expect(page.locator(".moved .next-bars figcaption")).to_contain_text("before the change “he”")
    page.locator(".edit-chip").click()
    expect(page.locator(".active-card")).to_be_hidden()


def test_a_click_on_the_mask_hides_a_key(page: Page, server: str) -> None:
    open_walk(page, server, "mask")
    click_number(page, "visible", 4, 2)
    expect(page.locator(".edit-chip")).to_contain_text("mask the → king")
    expect_step(page, "mask")
    point_at(page, "visible", 4, 2)
    expect(page.locator(".number-readout output")).to_have_text("0")
    point_at(page, "masked", 4, 2)
    assert read_number(page) == -math.inf
    click_number(page, "visible", 4, 2)
    expect(page.locator(".edit-chip")).to_have_count(0)


def test_a_pinned_weight_can_be_added_to(page: Page, server: str) -> None:
    open_walk(page, server, "qkv")
    click_number(page, "w_q", 3, 7)
    slider = page.locator("#anatomy-add")
    expect(slider).to_be_visible()
    slider.fill("60")
    expect(page.locator(".edit-chip")).to_contain_text("W_Q of L0 H1 [3, 7] +1")
    moved = read_head_bars(page, "moved-scores")
    assert moved[1] > 0
    assert [moved[head] for head in (0, 2, 3)] == [0, 0, 0]


def test_the_scale_is_slid_and_switched_off(page: Page, server: str) -> None:
    open_walk(page, server, "scale")
    page.get_by_role("button", name="No scaling").click()
    expect(page.locator(".edit-chip")).to_contain_text("no scaling")
    expect(page.locator(".step-facts div").first).to_contain_text("1.00", timeout=LOADING_MS)
    page.locator("#anatomy-scale").fill("50")
    expect(page.locator(".edit-chip")).to_have_count(0)


def test_a_token_of_the_picture_selects_its_word_in_the_sentence(page: Page, server: str) -> None:
    open_walk(page, server, "softmax")
    cells = find_matrix(page, "masked").locator(".matrix-cells")
    told = find_matrix(page, "masked").get_attribute("data-cells") or ""
    top, high = (float(told.split(",")[at]) for at in (1, 3))
    cells.click(position={"x": 20, "y": top + 2.5 * high})
    expect(page.locator("#text")).to_be_focused()
    assert page.evaluate("getSelection().toString()") == "king"


@pytest.fixture
def still_page(browser: Browser, server: str) -> Iterator[Page]:
    """A page of somebody who wants less motion."""
    with browser.new_context(reduced_motion="reduce") as context:
        yield context.new_page()


def test_matrices_move_unless_somebody_wants_less_motion(
    page: Page, still_page: Page, server: str
) -> None:
    for opened, moves in ((page, True), (still_page, False)):
        open_walk(opened, server, "softmax")
        opened.wait_for_function(
            "() => !document.querySelector('.stage').getAnimations({ subtree: true }).length"
        )
        kept = find_matrix(opened, "pattern").element_handle()
        # The step after is known already: its matrices are there with the next frame.
        began = opened.evaluate("""() => new Promise((done) => {
          document.querySelector(".step-next").click();
          const look = () => document.querySelector(".stage").dataset.step === "values"
            ? done(document.querySelector(".stage").getAnimations({ subtree: true }).length)
            : requestAnimationFrame(look);
          look();
        })""")
        assert (began > 0) == moves
        assert find_matrix(opened, "pattern").evaluate("(now, kept) => now === kept", kept)


def test_all_steps_of_the_small_model_fit_the_window(page: Page, server: str) -> None:
    resize(page, 1280, 800)
    for step in STEPS:
        open_walk(page, server, step)
        assert page.evaluate(OVERFLOW) == [0, 0], step


def test_on_a_phone_nothing_is_wider_than_the_window(page: Page, server: str) -> None:
    resize(page, 390, 844)
    for step in STEPS:
        open_walk(page, server, step)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width == 390, step
        wide = page.locator(".stage").evaluate(
            "stage => Math.max(...[...stage.querySelectorAll('.matrix-cells')].map((cells) => "
            "cells.getBoundingClientRect().right)) - innerWidth"
        )
        assert wide <= 0, step
    for part in ("calculator", "exercises", "loop"):
        page.locator(f"[data-part={part}]").click()
        wait_for_frame(page)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, part


def test_words_the_small_model_does_not_know_are_named_and_examples_offered(
    page: Page, server: str
) -> None:
    open_walk(page, server, "scores")
    page.locator("#text").fill("the robot sleeps .")
    problem = page.locator("#problem")
    expect(problem).to_contain_text("robot", timeout=LOADING_MS)
    problem.locator(".example-sentence").nth(1).click()
    expect_step(page, "scores")
    expect(problem).to_be_hidden()


def test_a_text_that_is_too_long_is_shortened_by_a_button(page: Page, server: str) -> None:
    text = f"{SENTENCE} " * 6
    page.goto(f"{server}/#v=2&tab=anatomy&model=minilm&text={text.replace(' ', '%20')}")
    problem = page.locator(".walk-problem")
    expect(problem).to_contain_text("64", timeout=LOADING_MS)
    problem.get_by_role("button", name=re.compile("Cut after")).click()
    expect_step(page, "embeddings")


def test_a_family_that_cannot_be_shown_is_named_and_the_small_model_offered(
    page: Page, extra_models_server: str, bart: str
) -> None:
    page.goto(f"{extra_models_server}/#v=2&tab=anatomy&model={bart}&text=Hello")
    problem = page.locator(".walk-problem")
    expect(problem).to_contain_text("gpt2", timeout=LOADING_MS)
    problem.get_by_role("button", name="Use the small model").click()
    expect_step(page, "embeddings")
    expect(page.locator("#text")).to_have_value(KING)


def test_the_small_model_is_offered_beside_another_one(page: Page, server: str) -> None:
    open_walk(page, server, "scores", "3.1", model="minilm", text=SENTENCE)
    page.get_by_role("button", name="Use the small model").click()
    expect_step(page, "scores")
    expect(page.locator(".small-model")).to_be_hidden()
    expect(find_matrix(page, "q").locator(".matrix-shape")).to_have_text(re.compile(r"^11 . 16$"))


def test_without_a_text_the_small_model_offers_its_own(page: Page, server: str) -> None:
    page.goto(f"{server}/#v=2&tab=anatomy&model=minilm&text=&walk=scores.0.1")
    expect(page.locator(".walk .empty")).to_be_visible(timeout=LOADING_MS)
    page.get_by_role("button", name="Use the small model and its sentence").click()
    expect_step(page, "scores")
    expect(page.locator(".walk .empty")).to_be_hidden()
    expect(page.locator("#text")).to_have_value(KING)
