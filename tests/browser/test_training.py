"""The Training tab: lessons, a run over its steps, training a model, records of many trainings."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from mha_core.learn.film import Film, make_film
from mha_core.learn.runs import SHIPPED, find_run
from tests.browser.page_actions import LOADING_MS, expect_done, resize
from tests.browser.page_log import PageLog
from tests.browser.training_actions import (
    choose_lesson,
    expect_run,
    find_head,
    give_sweeps,
    open_training,
    point_at,
)
from tests.server_process import serving

TRAINING_MS = 180_000
"""A machine that does much else may need as long for a small run."""
WEBM = b"\x1a\x45\xdf\xa3"


@pytest.fixture(scope="module")
def server(models_dir: Path) -> Iterator[str]:
    """A server of its own: models that are trained here are in no list of other tests."""
    with serving(models_dir=str(models_dir)) as address:
        yield address


@pytest.fixture(scope="module")
def film() -> Film:
    """What Python says of the first example of the small language."""
    run = find_run("language", SHIPPED)
    text = "the king near the girls says that he sleeps ."
    return make_film(run, text, lambda: None)


def shown_step(page: Page) -> int:
    found = re.search(r"Step ([\d,]+) of", page.locator(".step-said").inner_text())
    assert found
    return int(found[1].replace(",", ""))


def test_maps_at_each_step_have_the_numbers_that_python_computes(
    page: Page, server: str, film: Film, page_log: PageLog
) -> None:
    open_training(page, server, lesson="words")
    slider = page.get_by_role("slider", name="Checkpoint")
    n = len(film.tokenized.tokens)
    expect(page.locator(".head-maps figure")).to_have_count(8)
    seen = []
    for keys, frame in (("End", -1), ("Home", 0), ("ArrowRight", 1)):
        slider.press(keys)
        step = film.steps[frame]
        expect(page.locator(".training-maps")).to_have_attribute("data-step", str(step))
        expect(page.locator(".step-said")).to_contain_text(f"Step {step:,} of 1,500")
        for plot in page.locator(".training-run .training-plot").all():
            expect(plot).to_have_attribute("data-step", str(step))
        point_at(page, 1, 0, 9, 2, n)
        expect(page.locator(".map-readout")).to_contain_text("L1 H0: sleeps ·9 → king ·2")
        for head in range(4):
            weight = find_head(page, 1, head).locator("canvas").get_attribute("data-weight")
            expected = float(film.patterns[frame, 1, head, 9, 2])
            assert float(weight or "nan") == pytest.approx(expected, abs=1e-6)
        seen.append(float(film.patterns[frame, 1, 0, 9, 2]))
        expect(page.locator(".map-readout")).to_contain_text(f"{seen[-1]:.4f}")
    assert len(set(seen)) == 3
    predicted = page.locator(".predictions b").all_inner_texts()
    assert [it.removeprefix("✓") for it in predicted] == film.predictions[1]
    assert page_log.complaints == []


def test_the_film_plays_and_pauses_and_the_link_holds_where_it_is(page: Page, server: str) -> None:
    open_training(page, server, lesson="pairs")
    play = page.locator(".play")
    play.click()  # from the last step it begins anew
    page.wait_for_function("() => /Step (18|51|94|145) of/.test(document.body.innerText)")
    expect(play).to_have_text("⏸ Pause")
    play.click()
    expect(play).to_have_text("▶ Play")
    step = shown_step(page)
    assert step < 2000
    expect(page.locator(".training-maps")).to_have_attribute("data-step", str(step))
    page.wait_for_function(f"() => location.hash.includes('train_step={step}')")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    expect_run(page)
    assert shown_step(page) == step
    expect(play).to_have_text("Next checkpoint")
    play.click()
    expect(page.locator(".step-said")).not_to_contain_text(f"Step {step} of")
    expect(play).to_have_attribute("aria-pressed", "false")


def test_roles_of_heads_are_those_of_the_step(page: Page, server: str) -> None:
    open_training(page, server, lesson="words")
    record = page.request.get(f"{server}/api/v1/learn/runs/language").json()
    for keys, point in (("End", record["points"][-1]), ("Home", record["points"][0])):
        page.get_by_role("slider", name="Checkpoint").press(keys)
        expect(page.locator(".map-role")).to_have_count(len(point["roles"]))
        for role in point["roles"]:
            chip = find_head(page, role["layer"], role["head"]).locator(".map-role")
            expect(chip.filter(has_text=role["label"])).to_contain_text(f"{role['value']:.2f}")


def test_a_lesson_brings_its_runs_and_undo_leads_back(page: Page, server: str) -> None:
    open_training(page, server)
    expect_done(page)  # undo begins when the page is complete
    choose_lesson(page, "Why two heads must work together")
    expect(page.locator(".run-title")).to_have_text("Repeats, 2 layers")
    expect(page.locator(".training-loss .plot-legend li")).to_have_count(4)
    happened = page.locator(".training-main > .run-head .run-happened")
    expect(happened).to_contain_text("“Induction” of L1 H")
    expect(page.locator(".lesson-source")).to_contain_text("Olsson and others 2022")
    page.wait_for_function("() => location.hash.includes('lesson=together')")
    page.locator(".overlay summary", has_text="Compare with").click()
    page.get_by_label("Repeats, 1 layer", exact=True).uncheck()
    expect(page.locator(".training-loss .plot-legend li")).to_have_count(3)
    page.locator("#training-score").select_option("previous")
    page.wait_for_function("() => location.hash.includes('score=previous')")
    page.locator("#undo").click()
    expect(page.locator("#training-score")).to_have_value("induction")
    page.locator("#undo").click()
    expect(page.locator(".training-loss .plot-legend li")).to_have_count(4)
    page.locator("#undo").click()
    expect(page.locator(".run-title")).to_have_text("Markov chains, 2 symbols")


def test_words_that_the_model_does_not_know_are_named_in_place(page: Page, server: str) -> None:
    open_training(page, server, lesson="words")
    box, problem = page.locator("#training-text"), page.locator("#training-text-problem")
    box.fill("the zebra runs .")
    box.press("Enter")
    expect(problem).to_contain_text("does not know “zebra”")
    expect(problem).to_contain_text("horses")
    expect(box).to_have_attribute("aria-invalid", "true")
    box.fill("the horse runs .")
    box.press("Enter")
    expect(problem).to_be_hidden()
    expect(page.locator(".predictions li")).to_have_count(5)
    box.fill("the " * 60)
    box.press("Enter")
    expect(problem).to_contain_text("32")
    page.get_by_role("button", name="Example 2").click()
    expect(problem).to_be_hidden()
    expect(box).to_have_value("the dogs that the queen sees run .")


def test_a_model_is_trained_stopped_resumed_and_opened(
    page: Page, server: str, page_log: PageLog
) -> None:
    open_training(page, server)
    page.get_by_role("button", name="Train a model…").click()
    form = page.locator("#train[open]")
    for name, value in (("steps", "200"), ("points", "4"), ("d_model", "16"), ("name", "Mine")):
        form.locator(f"#train-{name}").fill(value)
    expect(form.locator(".train-width")).to_have_text("8")
    form.get_by_role("button", name="Start training").click()
    expect(form).to_have_count(0)
    expect(page.locator(".run-title")).to_have_text("Mine")
    stands = page.locator(".run-stands")
    expect(stands).to_contain_text("training: step", timeout=TRAINING_MS)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(stands).to_contain_text("stopped at step", timeout=TRAINING_MS)
    stopped_at = int(re.findall(r"step ([\d,]+) of", stands.inner_text())[0])
    assert stopped_at < 200
    page.get_by_role("button", name="Resume").click()
    expect(stands).to_have_text("done", timeout=TRAINING_MS)
    expect(page.locator(".step-said")).to_contain_text("Step 200 of 200")
    expect(page.locator(".training-maps")).to_have_attribute("data-step", "200", timeout=LOADING_MS)
    expect(page.locator(".training-loss .training-plot")).to_have_attribute("data-points", "4")
    run = page.locator(".run-item[aria-current=true]")
    expect(run).to_contain_text("200 steps")
    run_id = run.get_attribute("data-run")
    page.get_by_role("button", name="Open as a model").click()
    expect(page.locator("#tab-button-pinned")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#model")).to_have_value(run_id or "")
    expect_done(page)
    assert page_log.complaints == []
    page.get_by_role("tab", name="Training").click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.locator(f"[data-run='{run_id}']")).to_have_count(0)
    expect(page.locator(".run-title")).to_have_text("Markov chains, 2 symbols")


def test_bad_settings_are_refused_beside_their_fields(page: Page, server: str) -> None:
    open_training(page, server)
    page.get_by_role("button", name="Train a model…").click()
    form = page.locator("#train[open]")
    form.locator("#train-n_heads").fill("3")
    expect(form.locator(".train-width")).to_have_text("not even")
    start = form.get_by_role("button", name="Start training")
    start.click()
    problem = form.locator("#train-n_heads-problem")
    expect(problem).to_contain_text("cannot be split evenly into 3 heads")
    form.locator("#train-n_heads").fill("2")
    expect(problem).to_be_hidden()
    form.locator("#train-steps").fill("many")
    start.click()
    expect(form.locator("#train-steps-problem")).to_be_visible()
    expect(form.locator("#train-steps")).to_be_focused()
    form.get_by_role("button", name="Small language").click()
    expect(form.locator("#train-d_mlp")).to_have_value("128")
    form.get_by_role("button", name="Cancel").click()
    expect(form).to_have_count(0)


def test_a_run_is_saved_as_numbers_and_as_a_film(page: Page, server: str, tmp_path: Path) -> None:
    open_training(page, server, run="repeats-one-layer", lesson="none")
    save = page.locator(".overlay summary", has_text="Save")
    with page.expect_download() as record:
        save.click()
        page.get_by_role("button", name="Record (JSON)").click()
    record.value.save_as(tmp_path / "record.json")
    saved = json.loads((tmp_path / "record.json").read_text())
    assert saved["id"] == "repeats-one-layer"
    page.get_by_role("button", name="Scores at checkpoints (CSV)").wait_for()
    with page.expect_download() as points:
        page.get_by_role("button", name="Scores at checkpoints (CSV)").click()
    points.value.save_as(tmp_path / "points.csv")
    lines = (tmp_path / "points.csv").read_text().splitlines()
    last = saved["points"][-1]
    assert f"{last['step']},loss,,,{last['loss']},,,," in lines
    with page.expect_download(timeout=LOADING_MS) as film:
        page.get_by_role("button", name="Film (WebM video, 8 s)").click()
    film.value.save_as(tmp_path / "film.webm")
    video = (tmp_path / "film.webm").read_bytes()
    assert video.startswith(WEBM)
    assert len(video) > 20_000


def test_records_of_many_trainings_are_drawn_and_said(
    page: Page, server: str, page_log: PageLog
) -> None:
    give_sweeps(page)
    open_training(page, server)
    choose_lesson(page, "How many heads?")
    expect(page.locator(".sweep-chart .training-plot[data-step]")).to_have_count(6)
    expect(page.locator(".sweep .run-happened")).to_contain_text("lowest with 64 heads")
    choose_lesson(page, "Who does it?")
    row = page.locator(".roles-table [data-role=subject]")
    expect(row.locator("td").nth(2)).to_have_text("L1 H1, L1 H3")
    expect(row).to_contain_text("90 % ✓")
    expect(page.locator(".sweep .run-happened")).to_contain_text("one role appears in every seed")
    assert page_log.complaints == []


def test_a_run_that_is_gone_and_no_run_at_all_are_said(page: Page, server: str) -> None:
    page.goto(f"{server}/#v=2&tab=training&lesson=none&run=gone-for-good")
    empty = page.locator(".training-empty")
    expect(empty).to_have_text("This run is not here any more. Choose another one.")
    page.goto(f"{server}/#v=2&tab=training&lesson=none")
    expect(empty).to_contain_text("Choose a lesson or a run on the left")
    page.locator("[data-run=language]").click()
    expect_run(page)
    expect(empty).to_be_hidden()


def test_nothing_is_wider_than_a_narrow_window(page: Page, server: str) -> None:
    give_sweeps(page)
    resize(page, 390, 844)
    open_training(page, server, lesson="together")
    width = "document.documentElement.scrollWidth"
    for lesson in ("together", "words", "how-many", "who"):
        page.locator("#training-lesson").select_option(lesson)
        shown = {"how-many": ".sweep-chart", "who": ".roles-table"}.get(lesson, ".head-maps")
        expect(page.locator(shown).first).to_be_visible(timeout=LOADING_MS)
        assert page.evaluate(width) <= 390, lesson
    page.locator("#training-run").select_option("markov-2-slow")
    expect_run(page)
    assert page.evaluate(width) <= 390
    page.get_by_role("button", name="Train a model…").click()
    assert page.locator("#train[open]").evaluate("box => box.scrollWidth <= box.clientWidth")
