"""The files a browser asks for: the page, the API's documentation, the charts' library.

Modules, styles and pictures are sent as written. The page names them under a path that changes
whenever one of them does, so a browser keeps them for good and a second visit asks for none of
them again.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from posixpath import dirname, join, normpath

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

PAGE = Path(str(files("frontend")))
SENT_AS_WRITTEN = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FOR_GOOD = "public, max-age=31536000, immutable"

_OWN_FILE = re.compile(r'\b(href|src)="(\w[\w/.]*\.(?:css|js|svg))"')
_ENTRY = re.compile(r' *<script type="module" src="([^"]+)"></script>\n')
_IMPORT = re.compile(r'^import [^;]*from "(\.[^"]+)";$', re.MULTILINE)


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
                    content = path.read_bytes()
                    inside = path.relative_to(PAGE).as_posix()
                    digest.update(f"{inside} {len(content)} ".encode() + content)
                    contents[inside] = content
        return cls(digest.hexdigest()[:12], contents)

    def modules(self, entry: str) -> list[str]:
        """All modules that one loads, itself left out: each after those that import it."""
        found, waiting = {entry: None}, [entry]
        for module in waiting:
            source = self.contents.get(module, b"").decode()
            for path in _IMPORT.findall(source):
                imported = normpath(join(dirname(module), path))
                if imported not in found:
                    found[imported] = None
                    waiting.append(imported)
        return list(found)[1:]


def serve_page(app: FastAPI) -> None:
    """The page at `/`, and its files twice: at their own place, and where browsers keep them."""
    sources = StaticFiles(directory=PAGE)
    current = Edition.now()

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    def page() -> Response:
        nonlocal current
        edition = current = Edition.now()  # read for each visit, so that an edited file shows
        shell = _ENTRY.sub(
            lambda entry: entry[0] + _preload(edition.modules(entry[1])),
            (PAGE / "index.html").read_text(encoding="utf-8"),
        )
        return HTMLResponse(_OWN_FILE.sub(rf'\1="/kept/{edition.name}/\2"', shell))

    @app.api_route("/kept/{name}/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def kept(name: str, path: str, request: Request) -> Response:
        edition = current
        if name != edition.name or path not in edition.contents:
            # For a page from before an update: what there is now, but not to keep by that name.
            return await sources.get_response(path, request.scope)
        media_type = SENT_AS_WRITTEN[Path(path).suffix]
        headers = {"Cache-Control": FOR_GOOD}
        return Response(edition.contents[path], media_type=media_type, headers=headers)

    app.frontend("/", directory=PAGE, fallback=None)


def _preload(modules: Iterable[str]) -> str:
    """Links by which a browser asks for all modules at once, not import by import."""
    return "".join(f'    <link rel="modulepreload" href="{name}">\n' for name in modules)


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
