"""Takes the pictures of the README from the real page; no test runs it.

`python -m tests.browser.screenshots` writes docs/pictures; with `--all DIR` every view and state
goes into a folder of its own, narrow, wide and very wide, light and dark, to be looked through.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

from mha_core.models.models_dir import default_models_dir
from tests.browser.chromium import FLAGS, HOW_TO, find
from tests.browser.page_actions import LOADING_MS, expect_done, expect_exact_maps
from tests.browser.sample_texts import SENTENCE, STORY
from tests.browser.scenes import (
    IT_TO_ANIMAL,
    MODELS,
    PAIR,
    SCENES,
    TRAINING,
    WALK,
    Scene,
    both_sides,
    compared,
    explained,
    exporting,
    predicted,
    ranked,
    tour_at,
    view_bar_closed,
    walked,
    written,
)
from tests.browser.training_actions import expect_run
from tests.server_process import serving

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WIDTH, HEIGHT = 1280, 800
GALLERY_WIDTHS = (390, 768, 1280, 1920)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def writing(page: Page) -> None:
    """A few more tokens than one."""
    written(page)
    for count in (2, 3, 4, 5):
        page.locator("#tab-generate").get_by_role("button", name="Step", exact=True).click()
        expect(page.locator(".written-tokens button")).to_have_count(count, timeout=LOADING_MS)
        predicted(page)
        expect_done(page)


# By file name, in the order in which they tell what the page is for.
SHOWN = [
    Scene("first-view", {"text": SENTENCE, "focus": "10."}, view_bar_closed),
    Scene(
        "pinned-heads", {"text": SENTENCE, "pins": "3.1h,5.11l", "focus": "10."}, expect_exact_maps
    ),
    Scene("ranking", {"text": SENTENCE, "focus": "10.2"}, ranked),
    Scene("compare", {**PAIR, "tab": "compare", "grid": "difference"}, compared),
    Scene("difference", {**PAIR, "pins": "b:5.8h,diff(5.8;b:5.8)h", "focus": ".13"}, both_sides),
    Scene(
        "value-weighted", {"text": SENTENCE, "pins": "5.11h", "values": "both"}, expect_exact_maps
    ),
    Scene("query-key", IT_TO_ANIMAL, explained),
    Scene("generate", {"model": "smollm2", "text": STORY, "tab": "generate"}, writing),
    Scene("export", {"text": SENTENCE, "pins": "3.1h,5.11l"}, exporting),
    Scene("two-models", {**MODELS, "tab": "compare"}, compared),
    Scene("anatomy", {**WALK, "walk": "scale.1.0.9"}, walked),
    Scene("training", {**TRAINING, "lesson": "together"}, expect_run),
    Scene("tour", {}, tour_at(0)),
]


def in_todays_look(scene: Scene) -> Scene:
    """Links without a version open with the defaults of the first one."""
    return replace(scene, link={"v": "2", **scene.link}) if scene.link else scene


def take(browser: Browser, server: str, scene: Scene, path: Path, width: int, whole: bool) -> None:
    """One state in both themes, the dark one beside the light one; the window or the whole page."""
    with browser.new_context(viewport={"width": width, "height": HEIGHT}) as context:
        page = context.new_page()
        scene.show(page, server)
        page.mouse.move(1, 1)
        page.evaluate("document.activeElement.blur()")
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate(
                "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
            )
            file = path.with_name(f"{path.name}{'-dark' if scheme == 'dark' else ''}.png")
            page.screenshot(path=file, full_page=whole)
            print(f"{file} {file.stat().st_size // 1024} KB", flush=True)


@contextmanager
def chromium() -> Iterator[Browser]:
    path = find()
    if path is None:
        raise SystemExit(HOW_TO)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="DIR", help="every view and state, into DIR")
    parser.add_argument("--only", default="", help="those whose name contains this")
    asked = parser.parse_args()
    expect.set_options(timeout=LOADING_MS)
    folder: Path = asked.all or PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    widths = GALLERY_WIDTHS if asked.all else (WIDTH,)
    known = SCENES if asked.all else SHOWN
    scenes = [in_todays_look(scene) for scene in known if asked.only in scene.name]
    with serving(models_dir=str(default_models_dir())) as server, chromium() as browser:
        for scene in scenes:
            for width in widths:
                name = scene.name.replace(", ", "-").replace(" ", "-")
                file = f"{name}-{width}" if asked.all else name
                take(browser, server, scene, folder / file, width, whole=asked.all is not None)


if __name__ == "__main__":
    main()
