"""Texts in other scripts: right to left in the strip, and characters the vocabulary lacks."""

from playwright.sync_api import Page, expect

from tests.browser.page_actions import open_page

HEBREW = "החתול ישב על השטיח כי הוא היה עייף מאוד והכלב רץ ברחוב עם הילדים של השכנים"
LEFT_OF_CHIPS = "chips => chips.map(chip => chip.getBoundingClientRect().left)"
INK = """canvas => {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const ratio = width / canvas.clientWidth;
  const columns = [];
  for (let x = 0; x < width; x += 1) {
    for (let y = 0; y < height; y += 1) {
      if (data[4 * (y * width + x) + 3] > 60) { columns.push(x / ratio); break; }
    }
  }
  const left = canvas.getBoundingClientRect().left;
  return [left + Math.min(...columns), left + Math.max(...columns)];
}"""


def middle(page: Page, token: int) -> float:
    chip = page.locator(f"#tokens [data-token='{token}']")
    rect = chip.evaluate("chip => chip.getBoundingClientRect()")
    return float(rect["left"] + rect["right"]) / 2


def test_right_to_left_text_runs_right_to_left_in_the_strip(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, text=HEBREW)
    expect(page.locator("#tokens")).to_have_attribute("dir", "rtl")
    lefts = page.locator("#tokens button").evaluate_all(LEFT_OF_CHIPS)
    assert lefts == sorted(lefts, reverse=True)


def test_left_arrow_is_the_next_token_of_a_text_that_runs_left(page: Page, server: str) -> None:
    open_page(page, server, text=HEBREW)
    page.locator("#tokens [data-token='2']").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#tokens [data-token='3']")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tokens [data-token='1']")).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator("#tokens button").last).to_be_focused()
    expect(page.locator("#tokens [tabindex='0']")).to_have_count(1)


def test_the_wheel_scrolls_on_in_reading_direction_and_arcs_follow(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 700, "height": 800})
    open_page(page, server, text=HEBREW, focus="12.11")
    before = middle(page, 0)
    page.locator("#tokens").hover(position={"x": 300, "y": 45})
    page.mouse.wheel(0, 120)
    expect(page.locator("#tokens [data-token='0']")).not_to_be_in_viewport()
    assert middle(page, 0) > before + 50, "the beginning leaves at the right"
    page.mouse.move(5, 5)
    expect(page.locator("#arcs")).to_have_attribute("data-links", "1")
    ink = page.locator("#arcs").evaluate(INK)
    ends = sorted([middle(page, 12), middle(page, 11)])
    assert abs(ink[0] - ends[0]) < 4
    assert abs(ink[1] - ends[1]) < 4


def test_characters_the_vocabulary_lacks_look_unknown_in_strip_and_table(
    page: Page, server: str
) -> None:
    open_page(page, server, text="I love 🍕 much", pins="0.2t")
    chip = page.locator("#tokens .token.unknown")
    expect(chip).to_have_count(1)
    expect(chip).to_have_text("🍕")
    expect(chip).to_have_css("border-top-style", "dashed")
    assert "Not in this model's vocabulary: the model sees only [UNK]" in (
        chip.get_attribute("title") or ""
    )
    assert chip.evaluate("it => getComputedStyle(it, '::after').content") == '"[UNK]"'
    expect(page.locator(".panel .panel-table").first).to_contain_text("🍕 [UNK]")


def test_q_k_opens_on_the_pair_in_focus(page: Page, server: str) -> None:
    open_page(page, server, text="The cat sat on the mat", focus="3.2")
    page.locator("#focus-head").get_by_role("button", name="q·k").click()
    expect(page.locator("#detail-title")).to_contain_text("“sat” → “cat”")
    page.keyboard.press("Escape")
    open_page(page, server, text="The cat sat on the mat", focus="6.")
    page.locator("#focus-head").get_by_role("button", name="q·k").click()
    expect(page.locator("#detail-query")).to_have_value("6")
