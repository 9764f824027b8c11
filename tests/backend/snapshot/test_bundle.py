"""One file that holds the page: its modules as one script, and nothing that could lead outside."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from backend.snapshot import bundle
from backend.snapshot.bundle import ENTRY, bundle_modules, bundle_page
from tests.recorded_page import inflated

HOSTILE = "</script><img src=x onerror=alert(1)><!--<script>"
MODULE = re.compile(r'^modules\["([^"]+)"\] = ', re.MULTILINE)


class Elements(HTMLParser):
    """Every element of a page with its attributes and, of scripts and styles, its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style", "title"):
            self.texts.append((self._inside, data))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def page(text: str = "Hi") -> Elements:
    return Elements(bundle_page({"text": text}, title=text))


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the page's files."""
    monkeypatch.setattr(bundle, "files", lambda _: tmp_path)
    return tmp_path


def test_a_snapshot_needs_no_module_that_talks_to_a_server() -> None:
    modules = set(MODULE.findall(bundle_modules(ENTRY)))
    without_server = {"answer_questions.js", "resource.js", "wire.js"}
    requests = {name.removeprefix("requests/") for name in modules if name.startswith("requests/")}
    assert requests == without_server
    assert not modules & {"main.js", "tabs/index.js", "export/formats.js"}
    assert {name.split("/")[1] for name in modules if name.startswith("tabs/")} == {"pinned"}


def test_comments_of_their_own_lines_stay_out_and_code_stays_in(pages: Path) -> None:
    kept = [
        'const address = "https://example.org"; // why',
        "/** @type {string} */ (address).trim();",
        "  /* plain */ call(/** @type {any} */ (1));",
        "const division = 4 /",
        "  2;",
    ]
    gone = [
        "// What it is for.",
        "/** @typedef {string} Name */",
        "/**",
        " * Many",
        " * lines.",
        " */",
    ]
    (pages / "one.js").write_text("\n".join([*gone, *kept, *gone, ""]))
    body = bundle_modules("one.js").split("{\n")[-1].split("\n\nreturn")[0].split("\n")
    assert [line for line in body if line] == kept


def test_a_text_over_several_lines_keeps_what_looks_like_comments(pages: Path) -> None:
    source = "const example = `\n// not a comment\n`;\n"
    (pages / "one.js").write_text(source)
    assert source in bundle_modules("one.js")


def test_no_text_becomes_markup() -> None:
    friendly, hostile = page(), page(HOSTILE)
    assert [tag for tag, _ in hostile.found] == [tag for tag, _ in friendly.found]
    (block,) = [text for tag, text in hostile.texts if tag == "script" and text.startswith("{")]
    assert json.loads(block) == {"text": HOSTILE}
    assert "<" not in block


def test_the_policy_allows_the_scripts_and_the_style_of_the_file_and_nothing_else() -> None:
    made = page()
    (policy,) = [it["content"] for it in made.named("meta") if "http-equiv" in it]
    assert made.found[3][1].get("http-equiv"), "the policy stands before all that it governs"
    scripts = [text for tag, text in made.texts if tag == "script"]
    ((_, style),) = [part for part in made.texts if part[0] == "style"]
    code, boot = inflated(scripts[1]).decode(), scripts[2]
    assert bundle_modules(ENTRY) == code
    hashes = " ".join(hash_of(text) for text in (boot, code))
    assert policy == (
        f"default-src 'none'; script-src {hashes}; style-src {hash_of(style)}; "
        f"img-src data:; base-uri 'none'; form-action 'none'"
    )


def hash_of(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def test_nothing_in_the_file_leads_to_another() -> None:
    made = page()
    addresses = [it.get(name) for _, it in made.found for name in ("src", "href")]
    assert all(address is None or address.startswith("data:") for address in addresses)
    (style,) = [text for tag, text in made.texts if tag == "style"]
    assert "url(" not in style
    assert "@import" not in style
    assert made.named("link")[0]["rel"] == "icon"
    assert len(made.named("link")) == 1


def test_every_place_of_the_page_is_kept_and_marked_as_a_snapshot() -> None:
    whole = Elements(files("frontend").joinpath("index.html").read_text())
    made = page()
    ids = {it.get("id") for tag, it in whole.found if tag != "link"}
    assert ids <= {it.get("id") for _, it in made.found}
    assert made.named("body") == [{"class": "snapshot"}]


def test_a_page_has_the_title_it_is_given() -> None:
    titles = [text for tag, text in page("A < B & “C”").texts if tag == "title"]
    assert "".join(titles) == "A < B & “C”"


def test_the_same_record_makes_the_same_file() -> None:
    assert bundle_page({"text": "Hi"}, "Hi") == bundle_page({"text": "Hi"}, "Hi")
