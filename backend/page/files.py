"""The files a browser asks for: the page, the API's documentation, the charts' library.

Modules, styles and pictures are sent as written, and for the page the modules in one piece and the
style sheets in another: two hundred files would take half a second of a first visit. The page names
them under a path that changes whenever one of them does, so a browser keeps them for good and a
second visit asks for none of them again.
"""

import hashlib
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.page.modules import UnjoinableModule, collect_modules, join_modules, map_modules

PAGE = Path(str(files("frontend")))
SENT_AS_WRITTEN = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FOR_GOOD = "public, max-age=31536000, immutable"
KEPT = "/kept/"
ALL_STYLES = "styles.css"
ALL_MODULES = "page.js"
MEDIA_TYPES = {**SENT_AS_WRITTEN, ".map": "application/json"}
ASKED_FIRST = ("/api/v1/models", "/api/v1/config", "/api/v1/metrics")

_OWN_FILE = re.compile(r'\b(href|src)="(\w[\w/.]*\.(?:css|js|svg))"')
_ENTRY = re.compile(r' *<script type="module" src="([^"]+)"></script>\n')
_SHEET = re.compile(r' *<link rel="stylesheet" href="(styles/\w+\.css)">\n')


@dataclass(frozen=True)
class Edition:
    """The files as they were at one moment, under a name of their content.

    Held in memory, so that what is sent under the name is what was named, whatever an editor does
    to the files in between.
    """

    name: str
    contents: Mapping[str, bytes]

    @classmethod
    def now(cls) -> "Edition":
        """All files that can be read: an editor's lock or a file that vanishes is none of them."""
        digest, contents = hashlib.sha256(), dict[str, bytes]()
        found = (Path(folder, name) for folder, _, names in os.walk(PAGE) for name in names)
        for path in sorted(found):
            if path.suffix in SENT_AS_WRITTEN and path.is_file():
                with suppress(OSError):
                    content = _read(path, path.stat().st_mtime_ns)
                    inside = path.relative_to(PAGE).as_posix()
                    digest.update(f"{inside} {len(content)} ".encode() + content)
                    contents[inside] = content
        return cls(digest.hexdigest()[:12], contents)


@lru_cache(maxsize=1024)
def _read(path: Path, _changed_ns: int) -> bytes:
    """The content of a file, read again only when it has changed."""
    return path.read_bytes()


@dataclass(frozen=True)
class Visit:
    """A page as it is sent: its files, what is put together of them, and the HTML that names it."""

    edition: Edition
    shell: str
    together: Mapping[str, bytes]
    page: str


class PageFiles:
    """The page and its files as they are now; what was sent last stays in memory by its name."""

    def __init__(self) -> None:
        self._last = _put_together(Edition.now(), _read_shell())

    def page(self) -> str:
        """The page, read for each visit, so that an edited file shows."""
        edition, shell = Edition.now(), _read_shell()
        if (edition.name, shell) != (self._last.edition.name, self._last.shell):
            self._last = _put_together(edition, shell)
        return self._last.page

    def find_together(self, path: str) -> bytes | None:
        """All modules or all style sheets of the page that was sent last."""
        return self._last.together.get(path)

    def find(self, path: str) -> bytes | None:
        """A file of the page that was sent last, by its path under `/kept/`."""
        edition = self._last.edition
        name, _, inside = path.partition("/")
        if name != edition.name:
            return None
        return self.find_together(inside) or edition.contents.get(inside)


def _read_shell() -> str:
    return (PAGE / "index.html").read_text(encoding="utf-8")


def _put_together(edition: Edition, shell: str) -> Visit:
    sheets = [edition.contents.get(sheet, b"") for sheet in _SHEET.findall(shell)]
    together = {ALL_STYLES: b"\n".join(sheets)}
    link = f'    <link rel="stylesheet" href="{ALL_STYLES}">\n'
    page = _SHEET.sub("", _SHEET.sub(link, shell, count=1))
    # Files that are being edited may not fit together: the browser then says what is wrong.
    with suppress(UnjoinableModule):
        [entry] = _ENTRY.findall(page)
        together |= _join(edition, entry)
        page = page.replace(f'src="{entry}"', f'src="{ALL_MODULES}"')
    page = _ENTRY.sub(lambda it: it[0] + _preload(), page)
    named = _OWN_FILE.sub(rf'\1="{KEPT}{edition.name}/\2"', page)
    return Visit(edition, shell, together, named)


def _join(edition: Edition, entry: str) -> dict[str, bytes]:
    """A module with all it imports as one script, and the way back for debuggers."""

    def read(name: str) -> str:
        if name not in edition.contents:
            raise UnjoinableModule(f"There is no {name}.")
        return edition.contents[name].decode()

    sources = collect_modules(entry, read)
    script = f"{join_modules(sources)}//# sourceMappingURL={ALL_MODULES}.map\n"
    return {ALL_MODULES: script.encode(), f"{ALL_MODULES}.map": map_modules(sources).encode()}


def _preload() -> str:
    """Links by which a browser asks at once for what the page will ask first."""
    links = (f'<link rel="preload" as="fetch" crossorigin href="{path}">' for path in ASKED_FIRST)
    return "".join(f"    {link}\n" for link in links)


class KeptFiles:
    """ASGI middleware that sends files from memory before routes and handlers are looked at."""

    def __init__(self, app: ASGIApp, page_files: PageFiles) -> None:
        self._app = app
        self._files = page_files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        content = None
        if scope["type"] == "http" and scope["path"].startswith(KEPT):
            content = self._files.find(scope["path"].removeprefix(KEPT))
        if content is None or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        media_type = MEDIA_TYPES[Path(scope["path"]).suffix]
        headers = {
            "content-type": f"{media_type}; charset=utf-8",
            "content-length": str(len(content)),
            "cache-control": FOR_GOOD,
        }
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        body = b"" if scope["method"] == "HEAD" else content
        await send({"type": "http.response.body", "body": body})


def serve_page(app: FastAPI, page_files: PageFiles) -> None:
    """The page at `/`, and its files twice: at their own place, and where browsers keep them."""
    sources = StaticFiles(directory=PAGE)

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    def page() -> Response:
        return HTMLResponse(page_files.page())

    # For a page from before an update: what there is now, but not to keep by that name.
    @app.api_route(f"{KEPT}{{_}}/{{path:path}}", methods=["GET", "HEAD"], include_in_schema=False)
    async def kept(path: str, request: Request) -> Response:
        if (content := page_files.find_together(path)) is not None:
            return Response(content, media_type=MEDIA_TYPES[Path(path).suffix])
        return await sources.get_response(path, request.scope)

    app.frontend("/", directory=PAGE, fallback=None)


def serve_docs(app: FastAPI) -> None:
    """The API's own pages, from files on this machine: they work without internet."""
    app.mount("/docs/assets", StaticFiles(packages=[("fastapi_offline", "static")]))

    @app.get("/docs", include_in_schema=False)
    def docs() -> FileResponse:
        return FileResponse(PAGE / "docs.html")


def serve_plotly(app: FastAPI) -> None:
    """The charts' library, out of the package that also makes the figures."""
    package_data = StaticFiles(packages=[("plotly", "package_data")])

    @app.get("/vendor/plotly.min.js", include_in_schema=False)
    async def plotly(request: Request) -> Response:
        return await package_data.get_response("plotly.min.js", request.scope)
