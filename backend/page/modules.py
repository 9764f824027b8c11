"""The page's modules in one piece: each becomes a function of one script, in the order they run.

Nothing else is changed in them, and line after line stays where it is, so a source map of one line
a module leads a debugger back to the files as they are written.
"""

import json
import re
from collections.abc import Callable, Mapping
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|class (\w+)|const (\w+))", re.MULTILINE)
# Not the lines of Python in a text of the page: they name no file in quotes.
_LEFT_OVER = re.compile(r"""^(?:import\b(?: \{|[^\n]*["'])|export\b).*""", re.MULTILINE)

_HEAD = '"use strict";\n{\nconst modules = {};\n'


class UnjoinableModule(Exception):
    """A module that cannot be a part of one script: it says which one, and why."""


def collect_modules(entry: str, read: Callable[[str], str]) -> dict[str, str]:
    """The sources of a module and all it imports, by path: what is imported comes first."""
    found: dict[str, str] = {}

    def collect(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise UnjoinableModule(f"Modules import each other: {' -> '.join((*above, name))}.")
        if name in found:
            return
        source = read(name)
        for _, path in _IMPORT.findall(source):
            collect(_beside(name, path), (*above, name))
        found[name] = source

    collect(entry, ())
    return found


def join_modules(sources: Mapping[str, str]) -> str:
    """Modules as one script, in the order in which they are given."""
    return _HEAD + "".join(_as_function(name, source) for name, source in sources.items()) + "}\n"


def map_modules(sources: Mapping[str, str]) -> str:
    """The source map of what `join_modules` makes of these modules."""
    sections, line = list[object](), _HEAD.count("\n")
    for name, source in sources.items():
        line += 1  # that of the function's head
        mappings = "AAAA" + ";AACA" * source.count("\n")
        mapped = {"version": 3, "sources": [name], "names": [], "mappings": mappings}
        sections.append({"offset": {"line": line, "column": 0}, "map": mapped})
        line += source.count("\n") + 3
    return json.dumps({"version": 3, "sections": sections}, separators=(",", ":"))


def _as_function(name: str, source: str) -> str:
    """A module as a function that is run once and returns what the module exports."""

    def constant(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ")
        return f"const {{{names}}} = modules[{json.dumps(_beside(name, found[2]))}];"

    exported = ["".join(names) for names in _EXPORT.findall(source)]
    body = _EXPORT.sub("", _IMPORT.sub(constant, source))
    if left_over := _LEFT_OVER.search(body):
        raise UnjoinableModule(f"{name} imports or exports in another way: {left_over[0]}")
    returned = f"return {{ {', '.join(exported)} }};"
    return f"modules[{json.dumps(name)}] = (() => {{\n{body}\n{returned}\n}})();\n"


def _beside(name: str, path: str) -> str:
    """The file that a module means by a path."""
    return normpath(join(dirname(name), path))
