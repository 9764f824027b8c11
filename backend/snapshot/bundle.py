"""The page as one file: all modules, styles and pictures it needs, and what it is to show.

The page's modules become one classic script, because browsers load no modules from a disk. The
script travels deflated and is put in place by `snapshot/boot.js`. The file's own content policy
names the hashes of these two scripts and of the style sheet and allows nothing else, so no text in
it can run and nothing can be fetched.
"""

import base64
import hashlib
import html
import json
import re
import zlib
from importlib.resources import files
from typing import Any

from backend.page.modules import collect_modules, join_modules

ENTRY = "snapshot/main.js"
BOOT = "snapshot/boot.js"
STYLES_LEFT_OUT = ("styles/plotly.css",)
OWN_STYLE = "styles/snapshot.css"

NO_SCRIPT = "This snapshot draws its maps with JavaScript: switch it on for this page."

# Lines of words and types for people: a third of the script, packed.
_COMMENT = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*\n", re.MULTILINE | re.DOTALL
)

# Parts of index.html that are replaced.
_STYLE = re.compile(r' *<link rel="stylesheet" href="([^"]+)"[^>]*>\n')
_MAIN = re.compile(r' *<script type="module" [^>]*></script>\n')
_NOSCRIPT = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
_SERVER_LINK = re.compile(r' *<a href="/[^>]*>.*?</a>\n')
_TITLE = re.compile(r"<title>.*?</title>")
_PICTURE = re.compile(r'(src|href)="(\w+\.svg)"')


def bundle_page(recorded: dict[str, Any], title: str) -> str:
    """The HTML of a page that shows what is recorded, for any browser, without a server."""
    shell = _read("index.html")
    styles = [name for name in _STYLE.findall(shell) if name not in STYLES_LEFT_OUT]
    style = "\n".join(map(_read, [*styles, OWN_STYLE]))
    boot, code = _read(BOOT), bundle_modules(ENTRY)
    head = (
        f'    <meta http-equiv="Content-Security-Policy" content="{_policy(style, boot, code)}">\n'
        f"    <style>{style}</style>\n"
    )
    foot = (
        f'    <script type="application/json" id="recorded">{_inert(recorded)}</script>\n'
        f'    <script type="text/plain" id="code">{pack(code.encode())}</script>\n'
        f"    <script>{boot}</script>\n"
    )
    for left_out in (_STYLE, _MAIN, _SERVER_LINK):
        shell = left_out.sub("", shell)
    shell = _TITLE.sub(lambda _: f"<title>{html.escape(title)}</title>", shell)
    shell = _PICTURE.sub(lambda found: f'{found[1]}="{_picture(found[2])}"', shell)
    shell = _NOSCRIPT.sub(f'<noscript><p class="banner">{NO_SCRIPT}</p></noscript>', shell)
    shell = shell.replace("<body>", '<body class="snapshot">')
    # The policy holds from where it stands: only the charset may come before it.
    above, charset, below = shell.partition('<meta charset="utf-8">\n')
    body, end, rest = below.partition("  </body>")
    return above + charset + head + body + foot + end + rest


def pack(data: bytes) -> str:
    """Bytes deflated, in letters that HTML and JSON leave alone."""
    return base64.b64encode(zlib.compress(data, 9)).decode()


def bundle_modules(entry: str) -> str:
    """A module and all it imports as one classic script."""
    sources = collect_modules(entry, _read)
    return join_modules({name: _without_comments(source) for name, source in sources.items()})


def _without_comments(source: str) -> str:
    # A text over several lines may hold what only looks like a comment.
    if any(line.count("`") % 2 for line in source.splitlines()):
        return source
    return _COMMENT.sub("", source)


def _read(name: str) -> str:
    """A file of the page, as data: the page is no code of this package."""
    return files("frontend").joinpath(name).read_text(encoding="utf-8")


def _picture(name: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(_read(name).encode()).decode()}"


def _inert(recorded: dict[str, Any]) -> str:
    """JSON in which nothing can end the element it stands in."""
    return json.dumps(recorded, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _policy(style: str, *scripts: str) -> str:
    return (
        f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; "
        f"style-src {_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
