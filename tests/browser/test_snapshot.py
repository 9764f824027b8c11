"""A snapshot opened from disk and in a notebook's frame: it works alone, and no text in it runs."""

from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser, FrameLocator, Page, Position, expect
from transformers import BertConfig, BertForMaskedLM

from backend.snapshot.recording import PRECISION, Remarks, record, write_snapshot
from mha_core.atlas.storage import read_atlas
from mha_core.metrics.meter import Meter
from mha_core.models.loading import LoadedModel
from mha_core.notebook import Shown, show
from mha_core.runs.aggregate import mean_map, rollout_map
from mha_core.runs.analysis import Analysis, analyse
from mha_core.runs.value_weights import weight_by_value
from tests.browser.exported_files import download, open_export
from tests.browser.page_actions import open_view_bar
from tests.browser.page_log import PageLog
from tests.browser.sample_texts import SENTENCE
from tests.recorded_page import recorded

LIMIT = 1_000_000
FIRST_HEAD: Position = {"x": 40, "y": 30}  # on the grid, however large its cells are
HOSTILE = (
    "</script><script>document.title='run'</script><img src=x onerror=\"document.title='run'\">"
)
NOTES = {"3.1": f"Ties “it” to “animal”. {HOSTILE}"}
LONG = (
    "The animal didn't cross the street because it was too tired, and the driver who had been "
    "waiting at the crossing for almost ten minutes decided to turn round and look for another way "
    "to the old harbour, where his sister was expecting him with the keys to the boat they had "
    "bought last spring in town."
)


def kept(html: str, folder: Path) -> str:
    """Address of a file on disk."""
    path = folder / "snapshot.html"
    path.write_text(html, encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def analysis(minilm: LoadedModel) -> Analysis:
    return analyse(minilm, minilm.tokenize(SENTENCE))


def file_of(model: LoadedModel, analysis: Analysis, view: str = "") -> str:
    atlas = read_atlas(model.entry.id, Path("nothing is built here"))
    return write_snapshot(record(model, analysis, atlas, Remarks(view, NOTES)))


@pytest.fixture(scope="module")
def large(minilm: LoadedModel) -> Shown:
    """144 heads at 64 tokens, with maps as varied as those of trained models."""
    torch.manual_seed(0)
    sizes = {"num_hidden_layers": 12, "num_attention_heads": 12, "hidden_size": 144}
    config = BertConfig(
        vocab_size=len(minilm.tokenizer), intermediate_size=64, initializer_range=0.05, **sizes
    )
    return show(BertForMaskedLM(config), minilm.tokenizer, LONG)


def test_144_heads_at_64_tokens_stay_under_a_megabyte(large: Shown) -> None:
    found = recorded(large.html)
    assert len(found.plain["tokens"]) == 64
    assert sum(len(codes) for codes in found.codes.values()) == 144
    assert len(found.plain["maps"]) > 400_000, "maps as hard to pack as real ones"
    assert len(large.html.encode()) < LIMIT


def test_from_disk_hovering_reads_and_a_click_pins_with_no_request(
    page: Page, page_log: PageLog, large: Shown, tmp_path: Path
) -> None:
    address = kept(large.html, tmp_path)
    page.goto(address)
    tokens = page.locator("#tokens .token")
    expect(tokens).to_have_count(64)
    grid = page.locator("#grid")
    grid.click(position=FIRST_HEAD)
    panel = page.locator(".panel")
    expect(panel).to_have_count(1)
    tokens.nth(9).hover()
    readout = panel.locator(".readout").locator("visible=true")
    expect(readout).to_have_attribute("data-query", "9")
    layer, head = (int(panel.get_attribute(f"data-{name}") or "") for name in ("layer", "head"))
    codes = recorded(large.html).codes["encoder", layer][head]
    strongest = (codes[9].max() / 255) ** 2
    assert float(readout.get_attribute("data-value") or "") == pytest.approx(strongest, abs=1e-6)
    expect(readout).to_contain_text(f"≈ {strongest:.2f}")
    panel.locator("canvas").first.click(position={"x": 200, "y": 200})
    expect(readout.locator(".lock")).to_be_visible()
    page.keyboard.press("Escape")
    expect(readout.locator(".lock")).to_have_count(0)
    grid.click(position=FIRST_HEAD)
    expect(panel).to_have_count(0)
    assert page_log.requests == [address]
    assert page_log.complaints == []


def test_no_text_in_it_runs_or_becomes_markup(
    page: Page, page_log: PageLog, minilm: LoadedModel, tmp_path: Path
) -> None:
    analysis = analyse(minilm, minilm.tokenize(HOSTILE, HOSTILE))
    page.goto(kept(file_of(minilm, analysis, f"text={HOSTILE}&pins=3.1h"), tmp_path))
    expect(page.locator(".panel canvas").first).to_be_visible()
    page.locator("#tokens .token").nth(3).hover()
    expect(page.locator(".recorded-text").first).to_have_text(HOSTILE)
    expect(page.locator(".notes li")).to_contain_text(HOSTILE)
    assert page.title().startswith("</script>")
    assert page.locator("img").count() == 1, "the mark of HeadScope"
    assert page.locator("script").count() == 4
    assert page_log.complaints == []


def test_nothing_can_be_fetched_from_it(page: Page, large: Shown, tmp_path: Path) -> None:
    page.goto(kept(large.html, tmp_path))
    expect(page.locator("#tokens .token")).to_have_count(64)
    for script in (
        "fetch('http://127.0.0.1:9/').then(() => 'came', () => 'refused')",
        "new Promise((done) => { const it = new Image(); it.onload = () => done('came'); "
        "it.onerror = () => done('refused'); it.src = 'http://127.0.0.1:9/'; })",
        "new Promise((done) => { document.addEventListener('securitypolicyviolation', () => "
        "done('refused')); const it = document.createElement('script'); "
        "it.textContent = 'document.title = 1'; document.body.append(it); })",
    ):
        assert page.evaluate(script) == "refused"
    assert page.title() != "1"


def test_what_needs_a_server_is_not_offered(page: Page, large: Shown, tmp_path: Path) -> None:
    page.goto(kept(large.html, tmp_path))
    page.locator("#grid").click(position=FIRST_HEAD)
    expect(page.locator(".panel")).to_have_count(1)
    shown = page.locator("button, select, textarea, a, input").locator("visible=true")
    words = {text.strip() for text in shown.all_inner_texts()}
    assert {"All heatmaps", "Lines", "Unpin all"} <= words
    assert not words & {"Run", "Share", "Copy link", "Heads", "◷", "q·k", "?"}
    expect(page.locator("#text")).to_be_hidden()
    expect(page.locator("#model")).to_have_count(0)
    expect(page.locator(".recorded-about")).to_contain_text(PRECISION)


def values(page: Page, query: int) -> list[float]:
    """What each map on the page says of its strongest link from a token."""
    page.locator("#tokens .token").nth(query).hover()
    readouts = page.locator(".panel .readout").locator("visible=true")
    expect(readouts.first).to_have_attribute("data-query", str(query))
    return [float(it.get_attribute("data-value") or "") for it in readouts.all()]


def test_several_heads_as_one_and_rollout_need_no_server(
    page: Page, minilm: LoadedModel, analysis: Analysis, tmp_path: Path
) -> None:
    page.goto(kept(file_of(minilm, analysis, "pins=mean(2.*)h,rollout(5)h,3.1l"), tmp_path))
    expect(page.locator(".panel .readout").locator("visible=true")).to_have_count(3)
    patterns = [analysis.patterns(layer) for layer in range(6)]
    exact = [mean_map([patterns[2]]), rollout_map(patterns), patterns[3][1]]
    assert values(page, 8) == pytest.approx([float(it[8].max()) for it in exact], abs=0.01)


def test_value_weighted_maps_need_no_server(
    page: Page, minilm: LoadedModel, analysis: Analysis, tmp_path: Path
) -> None:
    page.goto(kept(file_of(minilm, analysis, "pins=3.1h&values=both"), tmp_path))
    expect(page.locator(".panel .readout").locator("visible=true")).to_have_count(2)
    capture = analysis.captures()[3]
    pattern = capture.pattern()[0]
    norms = Meter.of(minilm, analysis.tokenized).value_norms(capture)
    assert norms is not None
    expected = [float(it[1, 8].max()) for it in (pattern, weight_by_value(pattern, norms))]
    assert values(page, 8) == pytest.approx(expected, abs=0.01)
    painted = page.locator("#grid").evaluate("grid => grid.toDataURL()")
    open_view_bar(page)
    page.locator("#view-bar [data-choice='weighted']").click()
    expect(page.locator(".panel .readout").locator("visible=true")).to_have_count(1)
    assert values(page, 8) == pytest.approx(expected[1:], abs=0.01)
    repainted = page.locator("#grid").evaluate("grid => grid.toDataURL()")
    assert repainted != painted, "the grid shows the same values as the panels"


def test_metrics_are_recorded_raw_and_value_weighted(
    page: Page, minilm: LoadedModel, analysis: Analysis, tmp_path: Path
) -> None:
    html = file_of(minilm, analysis, "pins=3.1h&color=special")
    layer = recorded(html).rest["measures"][3]
    page.goto(kept(html, tmp_path))
    number = page.locator(".panel .numbers tr", has_text="special tokens").first
    expect(number).to_contain_text(f"{layer['raw']['special'][1]:.3f}")
    page.locator("#grid-weighted").check()
    expect(page.locator(".panel .numbers")).to_contain_text("value-weighted")
    expect(number).to_contain_text(f"{layer['weighted']['special'][1]:.3f}")


def test_roles_notes_and_the_view_are_as_they_were(
    page: Page, minilm: LoadedModel, analysis: Analysis, tmp_path: Path
) -> None:
    view = "model=smollm2&text=other&pins=3.1l,b:3.1h,9.9h&focus=8.&color=entropy&tab=heads"
    page.goto(kept(file_of(minilm, analysis, view), tmp_path))
    panel = page.locator(".panel")
    expect(panel).to_have_count(1)
    expect(panel).to_have_attribute("data-mode", "lines")
    readout = panel.locator(".readout").locator("visible=true")
    expect(readout).to_have_attribute("data-query", "8")
    expect(panel.locator(".not-above")).to_contain_text("pronouns")
    expect(page.locator(".notes")).to_contain_text("Ties “it” to “animal”.")
    expect(page.locator("#legend-title")).to_contain_text("ntropy")
    page.locator(".notes button").click()
    expect(panel).to_have_count(0)


def test_the_frame_of_a_notebook_works_like_the_file(page: Page, large: Shown) -> None:
    page.set_content(large._repr_html_())
    frame: FrameLocator = page.frame_locator("iframe")
    expect(frame.locator("#tokens .token")).to_have_count(64)
    frame.locator("#grid").click(position=FIRST_HEAD)
    expect(frame.locator(".panel canvas").first).to_be_visible()
    frame.locator("#tokens .token").nth(2).hover()
    readout = frame.locator(".panel .readout").locator("visible=true")
    expect(readout).to_have_attribute("data-query", "2")


def test_a_long_text_says_what_it_lacks(page: Page, minilm: LoadedModel, tmp_path: Path) -> None:
    analysis = analyse(minilm, minilm.tokenize("word " * 200))
    view = "pins=3.1h&values=both&words=true&color=entropy"
    page.goto(kept(file_of(minilm, analysis, view), tmp_path))
    expect(page.locator(".panel")).to_contain_text("one value for 2 \u00d7 2 tokens")
    expect(page.locator(".panel canvas").first).to_be_visible()
    for switch in ("#view-bar [data-choice='weighted']", "#grid-weighted"):
        expect(page.locator(switch)).to_be_hidden()
    expect(page.locator(".panel")).not_to_contain_text("pin the head")


def test_a_long_text_has_its_pinned_maps_as_they_were(
    page: Page, server: str, minilm: LoadedModel, tmp_path: Path
) -> None:
    text = " ".join([SENTENCE] * 12)
    open_export(page, server, text=text, pins="3.1l,2.4t,mean(0.*)h", values="both")
    hint = page.locator("#export .export-row", has_text="Whole page")
    expect(hint).to_contain_text("one value for 2 \u00d7 2 tokens")
    expect(hint).to_contain_text("3 pinned maps exactly")
    path = download(page, "snapshot", tmp_path)
    assert path.stat().st_size < 2_000_000
    page.goto(path.as_uri())
    panels = page.locator(".panel")
    expect(panels).to_have_count(3)
    expect(page.locator(".panel[data-exact='true']")).to_have_count(3)
    expect(panels.nth(1).locator("table")).to_have_count(2)
    analysis = analyse(minilm, minilm.tokenize(text))
    found = values(page, 8)
    capture = analysis.captures()[3]
    norms = Meter.of(minilm, analysis.tokenized).value_norms(capture)
    assert norms is not None
    weighted = weight_by_value(capture.pattern()[0], norms)
    expected = [float(analysis.patterns(3)[1, 8].max()), float(weighted[1, 8].max())]
    assert found[:2] == pytest.approx(expected, abs=2e-5)
    assert found[4] == pytest.approx(float(mean_map([analysis.patterns(0)])[8].max()), abs=2e-5)


def test_a_browser_that_cannot_open_it_says_so(
    browser: Browser, large: Shown, tmp_path: Path
) -> None:
    address = kept(large.html, tmp_path)
    old = browser.new_page()
    old.add_init_script("delete window.DecompressionStream")
    old.goto(address)
    expect(old.locator("#banner")).to_contain_text("too old for this file")
    expect(old.locator("main")).to_be_hidden()
    old.close()
    scriptless = browser.new_context(java_script_enabled=False)
    page = scriptless.new_page()
    page.goto(address)
    expect(page.locator("noscript .banner")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    scriptless.close()
