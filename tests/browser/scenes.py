"""Every view and state of the page, one entry each: what everybody must be able to use, and what
pictures are taken of.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.anatomy_actions import KING
from tests.browser.page_actions import (
    LOADING_MS,
    STALE,
    expect_done,
    expect_exact_maps,
    open_export_dialog,
)
from tests.browser.sample_texts import LONG_TEXT, SENTENCE, STORY, THIRTY_TOKENS, WIDE_SENTENCE
from tests.browser.training_actions import choose_lesson, expect_run, give_sweeps

PINNED = "3.1h,5.11l,2.4t"
N_TOUR_STEPS = 8


def nothing(_: Page) -> None:
    """A link alone leads there."""


@dataclass(frozen=True)
class Scene:
    """One state: a link, and what is done by hand after it."""

    name: str
    link: dict[str, str] = field(default_factory=dict)
    steps: Callable[[Page], None] = nothing
    ends_well: bool = True
    """Whether the run of its link gets done."""

    def show(self, page: Page, server: str) -> None:
        """Bring a fresh page there."""
        fragment = "&".join(f"{name}={quote(value)}" for name, value in self.link.items())
        page.goto(f"{server}/#{fragment}" if fragment else f"{server}/")
        if self.ends_well:
            expect_done(page)
        self.steps(page)


def compared(page: Page) -> None:
    """Both sides have come, and what the comparison says of them."""
    row = page.locator(".compared-card:not(.stale) .compared-row").first
    expect(row).to_be_visible(timeout=LOADING_MS)


def aligned(page: Page) -> None:
    """Two sides whose tokens stand opposite each other."""
    expect(page.locator("#tokens-b [data-token]").first).to_be_visible(timeout=LOADING_MS)
    expect(page.locator("#tokens-b :is(.changed, .alone)").first).to_be_visible()


def both_sides(page: Page) -> None:
    """Two sides whose pinned maps are drawn."""
    aligned(page)
    expect_exact_maps(page)


def view_bar_open(page: Page) -> None:
    page.locator("#view-bar").evaluate("bar => { bar.open = true; }")
    expect(page.locator("#view-scale")).to_be_visible()


def view_bar_closed(page: Page) -> None:
    page.locator("#view-bar").evaluate("bar => { bar.open = false; }")


def combine_open(page: Page) -> None:
    expect_exact_maps(page)
    page.locator("#combine summary").click()
    expect(page.locator("#combine-kind")).to_be_visible()


def ranked(page: Page) -> None:
    """All heads are ranked by the chosen link."""
    expect(page.locator(".link-ranking .ranking tbody tr")).to_have_count(12)


def corpus_filled(page: Page) -> None:
    """The example of the Corpus tab is in its boxes."""
    page.locator("#tab-corpus .empty .chip").click()
    expect(page.locator("#corpus-from_word")).to_have_value("it")


def corpus_measured(page: Page) -> None:
    """Means over the example, one line of which is repeated and one of which lacks the link."""
    corpus_filled(page)
    box = page.locator("#corpus-text")
    first = box.input_value().partition("\n")[0]
    box.fill(f"{box.input_value()}\n{first}\nThe dog barked.")
    page.locator("#tab-corpus .primary").click()
    expect(page.locator(".corpus-ranking tbody tr")).to_have_count(12, timeout=LOADING_MS)
    page.locator(".corpus-head").first.click()


def corpus_refused(page: Page) -> None:
    """A line whose marks cannot be read."""
    page.locator("#tab-corpus [data-link=marked]").click()
    page.locator("#corpus-text").fill("The {to:cat} saw {from:it}.\nThe {cat} saw it.")
    page.locator("#tab-corpus .primary").click()
    expect(page.locator("#tab-corpus .problem")).to_contain_text("Line 2, column 5")


def charted(page: Page) -> None:
    expect(page.locator(".chart[data-points]")).to_be_visible(timeout=LOADING_MS)
    expect(page.locator(".heads-table tbody tr").first).to_be_visible()


def nulls_open(page: Page) -> None:
    """What was found where there is nothing to find."""
    charted(page)
    page.locator(".evidence-card summary").click()
    expect(page.locator(".null-table")).to_be_visible()


def sections_open(page: Page) -> None:
    """What was measured of a model's heads, and what was not."""
    charted(page)
    page.locator(".evidence-card .measure-open").click()
    expect(page.locator("#build[open] li").first).to_be_visible()


def card_open(page: Page) -> None:
    expect_exact_maps(page)
    page.locator(".head-card:not([open]) > summary").first.click()
    page.locator(".head-depth > summary").first.click()
    expect(page.locator(".head-card[open] table").last).to_be_visible()


def exporting(page: Page) -> None:
    expect_exact_maps(page)
    open_export_dialog(page)
    expect(page.locator("#export canvas")).to_be_visible()


def remembering(page: Page) -> None:
    """The history, after a second sentence."""
    page.locator("#text").fill("Another sentence.")
    expect(page.locator("#tokens")).to_contain_text("Another")
    expect_done(page)
    dialog_open("history")(page)
    expect(page.locator(".history-entry").first).to_be_visible()


def explained(page: Page) -> None:
    """The steps behind one weight are there."""
    expect(page.locator("#detail[open] [data-step=weight]")).to_have_text(
        re.compile(r"\d"), timeout=LOADING_MS
    )


def in_numbers(page: Page) -> None:
    """The same steps as tables."""
    explained(page)
    page.locator("#detail details > summary").first.click()
    expect(page.locator("#detail table").first).to_be_visible()


def predicted(page: Page) -> None:
    """What may come next, and what each head looks at for it."""
    expect(page.locator("#tab-generate [data-entropy]")).to_have_attribute(
        "data-entropy", re.compile(r"\d"), timeout=LOADING_MS
    )
    expect(page.locator(".step-grid")).to_be_visible(timeout=LOADING_MS)


def written(page: Page) -> None:
    """Some tokens written on."""
    predicted(page)
    page.locator("#tab-generate").get_by_role("button", name="Step", exact=True).click()
    expect(page.locator(".written-tokens button")).to_have_count(1, timeout=LOADING_MS)
    predicted(page)
    expect_done(page)


def lesson_shown(title: str, part: str) -> Callable[[Page], None]:
    """A lesson about many trainings, whose record is made up."""

    def steps(page: Page) -> None:
        give_sweeps(page)
        choose_lesson(page, title)
        expect(page.locator(part).first).to_be_visible(timeout=LOADING_MS)

    return steps


def run_form_refused(page: Page) -> None:
    """The form for a new run, with something wrong in it."""
    expect_run(page)
    page.locator("#train-open-form").click()
    page.locator("#train-n_heads").fill("3")
    page.get_by_role("button", name="Start training").click()
    expect(page.locator("#train-n_heads-problem")).to_be_visible()


def word_refused(page: Page) -> None:
    """A text with a word that the small model does not know."""
    expect_run(page)
    page.locator("#training-text").fill("the zebra runs .")
    page.locator("#training-text").press("Enter")
    expect(page.locator("#training-text-problem")).to_contain_text("zebra")


def dialog_open(name: str) -> Callable[[Page], None]:
    """The window that a button of the page's head opens."""

    def steps(page: Page) -> None:
        page.locator(f"#{name}-open").click()
        expect(page.locator(f"dialog#{name}[open]")).to_be_visible()

    return steps


def tour_at(step: int) -> Callable[[Page], None]:
    """The tour, some steps on."""

    def steps(page: Page) -> None:
        page.locator(".invitation .chip").click()
        card = page.locator(".tour-card")
        expect(card).to_contain_text(f"1 of {N_TOUR_STEPS}")
        for at in range(step):
            # Not clicked: the card may move meanwhile.
            page.locator(".tour-foot .primary").press("ArrowRight")
            expect(card).to_contain_text(f"{at + 2} of {N_TOUR_STEPS}")

    return steps


def walked(page: Page) -> None:
    """A step of the walk through attention is there, with all its numbers."""
    expect(page.locator(".stage .matrix").first).to_be_visible(timeout=LOADING_MS)
    expect(page.locator(".stage")).not_to_have_class(STALE, timeout=LOADING_MS)


def traced(page: Page) -> None:
    """So is what a pinned number is made of."""
    walked(page)
    expect(page.locator(".trace-terms li").first).to_be_visible(timeout=LOADING_MS)


def demonstrated(page: Page) -> None:
    """So is what shows that people are mistaken."""
    walked(page)
    page.locator(".demonstrate").first.click()
    expect(page.locator(".mistake-shown").first).to_be_visible(timeout=LOADING_MS)
    walked(page)


def timed(page: Page) -> None:
    """The loop over heads was timed."""
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".loop-table tbody tr")).to_have_count(3, timeout=LOADING_MS)


def calculated(page: Page) -> None:
    expect(page.locator(".d-head output")).to_be_visible(timeout=LOADING_MS)


def asked(page: Page) -> None:
    """Exercises, one of them answered wrongly."""
    card = page.locator(".exercises .exercise:has(input)").first
    card.get_by_label("Your answer").fill("7")
    card.get_by_role("button", name="Check").click()
    expect(card).to_have_attribute("data-state", "wrong", timeout=LOADING_MS)


def problem(code: str) -> Callable[[Page], None]:
    """What is wrong is said."""
    return lambda page: expect(page.locator(f"#problem[data-code={code}]")).to_be_visible()


PAIR = {"text": SENTENCE, "against": "", "against_text": WIDE_SENTENCE}
MODELS = {"text": SENTENCE, "against": "", "against_model": "smollm2"}
STEP = {"model": "smollm2", "text": STORY, "tab": "generate"}
WALK = {"model": "language", "text": KING, "tab": "anatomy"}
TRAINING = {"text": SENTENCE, "tab": "training"}
IT_TO_ANIMAL = {"text": SENTENCE, "pins": "3.1h", "detail": "3.1", "focus": "10.2"}

SCENES = [
    Scene("first visit"),
    Scene("pinned, all three ways", {"text": SENTENCE, "pins": PINNED}, expect_exact_maps),
    Scene("a token locked", {"text": SENTENCE, "pins": PINNED, "focus": "10."}, expect_exact_maps),
    Scene(
        "two sentences",
        {"text": "The cat sat.", "text_pair": "A dog ran.", "pins": "5.3h"},
        expect_exact_maps,
    ),
    Scene(
        "raw beside weighted",
        {"text": SENTENCE, "pins": "3.1h", "values": "both"},
        expect_exact_maps,
    ),
    Scene(
        "sinks hidden",
        {"text": SENTENCE, "pins": PINNED, "hide": "both", "words": "true"},
        expect_exact_maps,
    ),
    Scene("view bar open", {"text": SENTENCE, "pins": PINNED}, view_bar_open),
    Scene("view bar closed", {"text": SENTENCE, "pins": PINNED}, view_bar_closed),
    Scene("combine open", {"text": SENTENCE, "pins": PINNED}, combine_open),
    Scene(
        "combined maps",
        {"text": SENTENCE, "pins": "mean()h,rollout(5)h,diff(3.1;5.11)t"},
        expect_exact_maps,
    ),
    Scene("head card", {"text": SENTENCE, "pins": "3.1h,5.11h"}, card_open),
    Scene("coloured by role", {"text": SENTENCE, "color": "role"}),
    Scene("coloured by a metric", {"text": SENTENCE, "color": "entropy", "sort": "value"}),
    Scene("a link ranked", {"text": SENTENCE, "focus": "10.2"}, ranked),
    Scene("a link ranked below pins", {"text": SENTENCE, "focus": "10.2", "pins": "3.1h"}, ranked),
    Scene("heads", {"text": SENTENCE, "tab": "heads", "pins": "3.1h"}, charted),
    Scene("heads, nulls", {"text": SENTENCE, "tab": "heads"}, nulls_open),
    Scene("heads, measured sections", {"text": SENTENCE, "tab": "heads"}, sections_open),
    Scene("corpus, nothing typed", {"text": SENTENCE, "tab": "corpus"}),
    Scene("corpus, filled in", {"text": SENTENCE, "tab": "corpus"}, corpus_filled),
    Scene("corpus, measured", {"text": SENTENCE, "tab": "corpus"}, corpus_measured),
    Scene("corpus, refused", {"text": SENTENCE, "tab": "corpus"}, corpus_refused),
    Scene(
        "compared sentences",
        {**PAIR, "tab": "compare", "pins": "5.8h,b:5.8h,diff(5.8;b:5.8)h"},
        compared,
    ),
    Scene("compared models", {**MODELS, "tab": "compare"}, compared),
    Scene("both sides pinned", {**PAIR, "pins": "3.1h,b:3.1l,diff(3.1;b:3.1)h"}, both_sides),
    Scene("grid of differences", {**PAIR, "tab": "compare", "grid": "difference"}, compared),
    Scene("generate", STEP, predicted),
    Scene("generate, written on", STEP, written),
    *(
        Scene(f"anatomy, {step}", {**WALK, "walk": f"{step}.0.1"}, walked)
        for step in ("embeddings", "one_or_many", "scores", "output", "block", "stack")
    ),
    Scene("anatomy of BERT", {"text": SENTENCE, "tab": "anatomy", "walk": "block.3.1"}, walked),
    Scene(
        "anatomy, a traced number",
        {**WALK, "walk": "scores.0.1", "number": "pattern.0.1.4.2,scores.0.1.4.2"},
        traced,
    ),
    Scene("anatomy, a mistake", {**WALK, "walk": "qkv.0.1"}, demonstrated),
    Scene("anatomy, changed", {**WALK, "walk": "stack.1.0.7", "edits": "1/off:0/scale:1"}, walked),
    Scene("anatomy, calculator", {**WALK, "anatomy": "calculator"}, calculated),
    Scene("anatomy, exercises", {**WALK, "anatomy": "exercises"}, asked),
    Scene("anatomy, loop", {**WALK, "anatomy": "loop", "loop": "64.4.32.1.3"}, timed),
    Scene("training, which head finds which word", {**TRAINING, "lesson": "words"}, expect_run),
    Scene("training, runs compared", {**TRAINING, "lesson": "together"}, expect_run),
    Scene(
        "training, how many heads",
        TRAINING,
        lesson_shown("How many heads?", ".sweep-chart .training-plot[data-step]"),
    ),
    Scene("training, who does it", TRAINING, lesson_shown("Who does it?", ".roles-table")),
    Scene("training, a new run", TRAINING, run_form_refused),
    Scene("training, a word refused", {**TRAINING, "lesson": "words"}, word_refused),
    Scene("query-key detail", IT_TO_ANIMAL, explained),
    Scene("query-key detail in numbers", IT_TO_ANIMAL, in_numbers),
    Scene("export", {"text": SENTENCE, "pins": PINNED}, exporting),
    Scene("history", {"text": SENTENCE}, remembering),
    Scene("keys", {"text": SENTENCE}, dialog_open("keys")),
    *(Scene(f"tour {step + 1}", {}, tour_at(step)) for step in range(N_TOUR_STEPS)),
    Scene("a long text", {"text": LONG_TEXT, "pins": "3.1h"}, expect_exact_maps),
    Scene("a token of a long text", {"text": LONG_TEXT, "focus": "10."}),
    Scene("thirty tokens", {"text": THIRTY_TOKENS, "pins": "3.1h,5.11l,2.4h"}, expect_exact_maps),
    Scene("no text", {"text": ""}, problem("empty_text"), ends_well=False),
    Scene(
        "no such model", {"model": "gone", "text": "Hi"}, problem("unknown_model"), ends_well=False
    ),
    Scene(
        "a model that is not installed",
        {"model": "gpt2", "text": SENTENCE},
        problem("model_unavailable"),
        ends_well=False,
    ),
    Scene(
        "a text over the limit", {"text": LONG_TEXT * 2}, problem("text_too_long"), ends_well=False
    ),
]
