"""Arrows point one way, files stay short, and nothing served leads to another host."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("mha_core", "backend", "frontend", "benchmarks")
MAX_LINES = 320
SVG = "http://www.w3.org/2000/svg"


def sources(folder: str, *suffixes: str) -> list[Path]:
    found = [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    return sorted(path for path in found if "node_modules" not in path.parts)


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, also inside its functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name their package"
            yield node.module or ""


def imported_roots(path: Path) -> set[str]:
    return {module.split(".")[0] for module in imports(path)}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sources("mha_core", ".py"), ids=name)
def test_the_core_knows_no_server(path: Path) -> None:
    servers = {"backend", "frontend", "fastapi", "starlette", "uvicorn", "websockets"}
    # The one exception: `show` imports the bundler when it is called.
    allowed = {"backend"} if path.name == "notebook.py" else set()
    assert imported_roots(path) & servers <= allowed


@pytest.mark.parametrize(
    "path", [path for path in sources("backend", ".py") if path.name == "routes.py"], ids=name
)
def test_handlers_translate_and_do_not_compute(path: Path) -> None:
    assert not imported_roots(path) & {"torch", "numpy", "transformers", "threading"}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef) and node.decorator_list:
            statements = node.body[1:] if ast.get_docstring(node) else node.body
            lines = (statements[-1].end_lineno or 0) - statements[0].lineno + 1
            assert lines <= 15, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", sources("frontend", ".js", ".html", ".css", ".svg"), ids=name)
def test_the_page_names_no_other_host(path: Path) -> None:
    text = path.read_text().replace(SVG, "")
    assert not re.search(r"(?:https?|wss?)://[\w.]", text)
    assert not re.search(r"""(?:src|href)\s*=\s*["']//""", text)


WRITES_MARKUP = (
    *("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "setHTML"),
    *("createContextualFragment", "DOMParser", "srcdoc", "new Function", "javascript:"),
)


@pytest.mark.parametrize("path", sources("frontend", ".js", ".html"), ids=name)
def test_text_never_becomes_markup_or_code(path: Path) -> None:
    text = path.read_text()
    for word in WRITES_MARKUP:
        assert word not in text
    assert not re.search(r"\beval\s*\(", text)
    assert not re.search(r"\bset(?:Timeout|Interval)\s*\(\s*[\"'`]", text)


@pytest.mark.parametrize("path", sources("frontend", ".html"), ids=name)
def test_pages_have_no_inline_script_or_handler(path: Path) -> None:
    """The content policy would block them without a word."""
    text = path.read_text()
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL):
        assert "src=" in attributes
        assert not body.strip()
    assert not re.search(r"<[^>]+\son\w+\s*=", text)
    assert not re.search(r"<style|\sstyle\s*=", text)


@pytest.mark.parametrize(
    "path",
    [path for package in PACKAGES for path in sources(package, ".py", ".js", ".css")],
    ids=name,
)
def test_files_stay_short_and_say_what_they_are_for(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= MAX_LINES
    assert text.startswith(('"""', "//", "/*")), "the first lines say what the file is for"


@pytest.mark.parametrize("package", ["backend", "mha_core"])
def test_tests_mirror_the_source(package: str) -> None:
    modules = {path.relative_to(ROOT / package) for path in sources(package, ".py")}
    for test in sources(f"tests/{package}", ".py"):
        if test.name in ("conftest.py", "test_contract.py"):  # the latter is of all endpoints
            continue
        subject = test.relative_to(ROOT / "tests" / package)
        stem = subject.stem.removeprefix("test_")
        names = {subject.with_name(f"{stem}.py"), subject.with_name(f"__{stem}__.py")}
        assert names & modules, f"{name(test)} tests no file of {package}"


def test_no_test_folder_is_a_package() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


# The folders of the page: each imports only from itself and from those before it.
PAGE_FOLDERS = (
    *("page", "state", "requests", "compare", "maps", "heads", "corpus", "generate"),
    *("anatomy", "training", "drawing"),
    *("storage", "actions", "export", "views", "tabs", "snapshot"),
)
# Beyond that order: drawing knows no state and asks no server.
DRAWING_IMPORTS = {"page", "maps", "heads", "drawing"}


def page_imports(path: Path) -> Iterator[Path]:
    for found in re.findall(r'^import [^;]*from "(\.[^"]+)";$', path.read_text(), re.MULTILINE):
        yield (path.parent / found).resolve().relative_to(ROOT / "frontend")


@pytest.mark.parametrize("folder", PAGE_FOLDERS)
def test_the_page_imports_only_downwards(folder: str) -> None:
    below = set(PAGE_FOLDERS[: PAGE_FOLDERS.index(folder) + 1])
    allowed = DRAWING_IMPORTS if folder == "drawing" else below
    for path in sources(f"frontend/{folder}", ".js"):
        for imported in page_imports(path):
            assert imported.parts[0] in allowed, f"{name(path)} imports {imported}"


def test_every_folder_of_the_page_has_its_place() -> None:
    folders = {path.name for path in (ROOT / "frontend").iterdir() if path.is_dir()}
    assert folders - {"styles", "__pycache__"} == set(PAGE_FOLDERS)


def test_only_requests_call_the_server() -> None:
    for path in sources("frontend", ".js"):
        if "requests" not in path.parts and path.parent != ROOT / "frontend":
            assert not re.search(r"\bfetch\(|new WebSocket", path.read_text()), name(path)


def test_no_view_lists_keys_of_the_state() -> None:
    for path in [*sources("frontend/views", ".js"), *sources("frontend/tabs", ".js")]:
        assert not re.search(r"OF_INTEREST|\bchanged\.has\(", path.read_text()), name(path)


def test_tests_of_the_page_mirror_it() -> None:
    for test in (ROOT / "tests/frontend").glob("[!n]*/**/*.test.js"):
        subject = test.relative_to(ROOT / "tests")
        assert (ROOT / subject).with_name(subject.name.replace(".test.js", ".js")).is_file()
