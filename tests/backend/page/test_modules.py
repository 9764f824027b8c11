"""The page's modules as one script: in order, with their names, and a way back to the files."""

import json
import re
from pathlib import Path

import pytest

from backend.page.files import PAGE
from backend.page.modules import UnjoinableModule, collect_modules, join_modules, map_modules

MODULE = re.compile(r'^modules\["([^"]+)"\] = ', re.MULTILINE)
ENTRIES = ["main.js", "snapshot/main.js"]


def sources_of(entry: str, folder: Path = PAGE) -> dict[str, str]:
    return collect_modules(entry, lambda name: (folder / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_is_imported_runs_before_who_imports_it(entry: str) -> None:
    script = join_modules(sources_of(entry))
    order = MODULE.findall(script)
    assert order[-1] == entry
    assert len(set(order)) == len(order) > 10
    bodies = dict(zip(order, MODULE.split(script)[2::2], strict=True))
    for at, name in enumerate(order):
        used = re.findall(r'= modules\["([^"]+)"\];', bodies[name])
        assert set(used) <= set(order[:at])
    assert not re.search(r'^(import \{|import .*"|export\b)', script, re.MULTILINE)


def test_a_module_returns_what_it_exports_under_the_names_it_has(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text(
        "// One.\nexport const a = 1;\nexport class B {}\nexport async function c() {}\n"
        "export function d() {}\nconst e = 1;\n"
    )
    (tmp_path / "two.js").write_text(
        'import {\n  a as first,\n  B,\n} from "./one.js";\nconsole.log(first, B);\n'
    )
    script = join_modules(sources_of("two.js", tmp_path))
    assert "return { a, B, c, d };" in script
    assert 'const {\n  a: first,\n  B,\n} = modules["one.js"];' in script


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text('import { b } from "./two.js";\nexport const a = 1;\n')
    (tmp_path / "two.js").write_text('import { a } from "./one.js";\nexport const b = 1;\n')
    with pytest.raises(UnjoinableModule, match=r"one\.js -> two\.js -> one\.js"):
        sources_of("one.js", tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        'import "./two.js";',
        'import * as two from "./two.js";',
        "import {\n  a,\n} from './two.js';",
        "export default 1;",
        "export let a;",
    ],
)
def test_a_form_of_import_or_export_that_would_be_lost_is_refused(line: str) -> None:
    with pytest.raises(UnjoinableModule, match=r"one\.js"):
        join_modules({"one.js": f"{line}\n"})


def test_python_in_a_text_of_the_page_is_left_alone() -> None:
    source = "const snippet = `import json\nimport urllib.request\n`;\n"
    assert source in join_modules({"one.js": source})


def test_the_source_map_leads_from_every_line_to_the_line_it_came_from() -> None:
    sources = sources_of("main.js")
    script = join_modules(sources).split("\n")
    mapped = json.loads(map_modules(sources))
    assert [section["map"]["sources"] for section in mapped["sections"]] == [[it] for it in sources]
    for section, source in zip(mapped["sections"], sources.values(), strict=True):
        first = section["offset"]["line"]
        written = source.split("\n")
        lines = section["map"]["mappings"].split(";")
        # The first line is the file's first (AAAA), each other the one after (AACA).
        assert lines == ["AAAA", *["AACA"] * (len(written) - 1)]
        for joined, line in zip(script[first : first + len(lines)], written, strict=True):
            assert joined == line.removeprefix("export ") or line.startswith(("import", "} from"))
