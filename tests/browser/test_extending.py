"""One way to add anything to the page: a tab is one folder and one line, a REST question one
resource, a control or a scale one entry of a table, an export format one entry of a list.

Each is added to a copy of the page, which a real server serves and a real browser shows.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.page_actions import (
    LOADING_MS,
    expect_done,
    expect_exact_maps,
    open_export_dialog,
)
from tests.browser.sample_texts import SENTENCE
from tests.server_process import ROOT, serving

TAB = """// How long the text is, in tokens or in letters: a tab that a test adds.

import { element, setText } from "../../page/dom.js";
import { resource } from "../../requests/resource.js";
import { choice } from "../../state/choice.js";
import { question } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";

const UNITS = ["tokens", "letters"];
const unitChoice = choice("unit", {
  usual: "tokens",
  write: (unit) => unit,
  read: (word) => (UNITS.includes(word) ? word : null),
});
const tokenized = resource("/tokenize", (state) => question(onSide(state, "a")), {
  when: ({ tab }) => tab === "length",
});

export const lengthTab = {
  id: "length",
  label: "Length",
  fills: "page",
  choices: [unitChoice],
  resources: [tokenized],
  create(store, root) {
    const said = element("p", { id: "length-said" });
    const other = () => UNITS.find((unit) => unit !== unitChoice.of(store.state));
    const onclick = () => store.actions.choose(unitChoice, other());
    root.append(said, element("button", { type: "button", id: "length-unit", onclick }, "Unit"));
    return [
      {
        reads: (state) => [tokenized.of(state), unitChoice.of(state), state.invert],
        render(state) {
          const answer = tokenized.of(state)?.answer;
          const unit = unitChoice.of(state);
          const letters = onSide(state, "a").text?.length;
          const n = unit === "tokens" ? answer?.n_tokens : letters;
          setText(said, answer ? `${n} ${unit}${state.invert ? ", inverted" : ""}` : "waiting");
        },
      },
    ];
  },
};
"""
CONTROL = """    invert: {
      link: "invert",
      label: "Invert",
      usual: false,
      bar: "switch",
      shortcut: "I",
      does: "Invert it",
    },
"""
SCALE = """  cube: {
    label: "Cube root",
    name: "cube-root scale",
    curve: Math.cbrt,
    marked: [0, 0.1, 0.5, 1],
    marked_arm: [0.5, 1],
  },
"""
FORMAT = """  {
    id: "names",
    label: "Names",
    makes: "numbers",
    make: ({ maps }) => ({ name: "names.txt", content: maps.map(({ name }) => name).join() }),
  },
"""


def insert(path: Path, before: str, line: str) -> None:
    """Put one piece in front of the first occurrence of another."""
    text = path.read_text()
    assert before in text, f"{path} has no {before!r}"
    path.write_text(text.replace(before, line + before, 1))


@pytest.fixture(scope="module")
def extended_server(tmp_path_factory: pytest.TempPathFactory, models_dir: Path) -> Iterator[str]:
    """A server whose page has one more of everything."""
    tree = tmp_path_factory.mktemp("extended")
    for package in ("backend", "mha_core"):
        (tree / package).symlink_to(ROOT / package)
    page = tree / "frontend"
    shutil.copytree(ROOT / "frontend", page, ignore=shutil.ignore_patterns("__pycache__"))
    (page / "tabs/length").mkdir()
    (page / "tabs/length/tab.js").write_text(TAB)
    index = page / "tabs/index.js"
    insert(index, "\n/** @type {Tab[]} */", 'import { lengthTab } from "./length/tab.js";\n')
    index.write_text(index.read_text().replace("];", ", lengthTab];"))
    insert(page / "state/controls.js", "    mass: {", CONTROL)
    insert(page / "state/scales.js", "  log: {", SCALE)
    insert(page / "export/formats.js", '  {\n    id: "svg",', FORMAT)
    with serving(cwd=tree, models_dir=str(models_dir)) as address:
        yield address


@pytest.fixture
def extended(page: Page, extended_server: str) -> Page:
    page.goto(f"{extended_server}/#text={quote(SENTENCE)}&tab=length")
    expect_done(page)
    return page


def test_a_tab_with_a_choice_and_a_question_is_shown_linked_and_undone(extended: Page) -> None:
    said = extended.locator("#length-said")
    expect(extended.get_by_role("tab", name="Length")).to_have_attribute("aria-selected", "true")
    expect(said).to_have_text("16 tokens", timeout=LOADING_MS)
    extended.locator("#length-unit").click()
    expect(said).to_have_text(f"{len(SENTENCE)} letters")
    expect(extended).to_have_url(re.compile("unit=letters"))
    extended.get_by_role("button", name="Undo").click()
    expect(said).to_have_text("16 tokens")
    expect(extended).not_to_have_url(re.compile("unit="))


def test_a_tab_may_fill_the_whole_page(extended: Page) -> None:
    expect(extended.locator("#grid-card")).to_be_hidden()
    extended.get_by_role("tab", name="Focus").click()
    expect(extended.locator("#grid-card")).to_be_visible()
    expect(extended.locator("#length-said")).to_be_hidden()


def test_its_question_is_asked_once_and_anew_for_another_text(extended: Page) -> None:
    asked = []
    extended.on("request", lambda it: "/tokenize" in it.url and asked.append(it.post_data_json))
    expect(extended.locator("#length-said")).to_have_text("16 tokens", timeout=LOADING_MS)
    extended.locator("#text").fill("Three words here")
    expect(extended.locator("#length-said")).to_have_text("5 tokens", timeout=LOADING_MS)
    assert [it["text"] for it in asked][-1] == "Three words here"
    before = len(asked)
    extended.get_by_role("tab", name="Focus").click()
    extended.get_by_role("tab", name="Length").click()
    expect(extended.locator("#length-said")).to_have_text("5 tokens")
    assert len(asked) == before


def test_a_control_is_in_the_bar_the_link_and_on_the_keyboard(extended: Page) -> None:
    expect(extended.locator("#length-said")).to_have_text("16 tokens", timeout=LOADING_MS)
    extended.keyboard.press("i")
    expect(extended.locator("#length-said")).to_have_text("16 tokens, inverted")
    expect(extended).to_have_url(re.compile("invert=true"))
    extended.locator("#view-bar").evaluate("bar => { bar.open = true; }")
    extended.get_by_role("checkbox", name="Invert").uncheck()
    expect(extended.locator("#length-said")).to_have_text("16 tokens")
    extended.locator("#length-said").click()
    extended.keyboard.press("?")
    expect(extended.locator("#keys")).to_contain_text("Invert it")


def test_a_scale_is_offered_and_drawn(extended: Page) -> None:
    extended.get_by_role("tab", name="Focus").click()
    extended.locator("#view-bar").evaluate("bar => { bar.open = true; }")
    extended.locator("#view-scale").select_option(label="Cube root")
    expect(extended.locator("#legend-title")).to_contain_text("cube-root scale")
    expect(extended).to_have_url(re.compile("scale=cube"))


def test_an_export_format_is_offered_and_made(page: Page, extended_server: str) -> None:
    page.goto(f"{extended_server}/#text={quote(SENTENCE)}&pins=3.1h")
    expect_exact_maps(page)
    open_export_dialog(page)
    with page.expect_download() as download:
        page.locator("#export").get_by_role("button", name="Names").click()
    assert download.value.suggested_filename == "names.txt"
    assert download.value.path().read_text() == "L3 H1"
