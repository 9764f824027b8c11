"""The files a browser asks for: the page, the API's documentation, the charts' library.

Modules, styles and pictures are sent as written. The page names them under a path that changes
whenever one of them does, so a browser keeps them for good and a second visit asks for none of
them again. This file must not know the API.
"""

import hashlib
import re
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

PAGE = Path(str(files("frontend")))
SENT_AS_WRITTEN = (".css", ".js", ".svg")
FOR_GOOD = "public, max-age=31536000, immutable"

_OWN_FILE = re.compile(r'\b(href|src)="(\w[\w/.]*\.(?:css|js|svg))"')


def serve_page(app: FastAPI) -> None:
    """The page at `/`, and its files twice: at their own place, and where browsers keep them."""
    sources = StaticFiles(directory=PAGE)
    current = version()

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    def page() -> Response:
        nonlocal current
        current = version()  # anew each time: somebody may be working on the files
        shell = (PAGE / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(_OWN_FILE.sub(rf'\1="/kept/{current}/\2"', shell))

    @app.get("/kept/{known}/{path:path}", include_in_schema=False)
    async def kept(known: str, path: str, request: Request) -> Response:
        response = await sources.get_response(path, request.scope)
        # A page from before an update must not keep new files under the old name.
        if known == current:
            response.headers["Cache-Control"] = FOR_GOOD
        return response

    app.frontend("/", directory=PAGE, fallback=None)


def version() -> str:
    """A name for the content of all files as they are now."""
    digest = hashlib.sha256()
    for path in sorted(PAGE.rglob("*.*")):
        if path.suffix in SENT_AS_WRITTEN:
            digest.update(f"{path.relative_to(PAGE)} {path.stat().st_size} ".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def serve_docs(app: FastAPI) -> None:
    """The API's own pages, from files on this machine: they work without internet."""
    assets = StaticFiles(packages=[("fastapi_offline", "static")])
    app.mount("/docs/assets", assets)

    @app.get("/docs", include_in_schema=False)
    def docs() -> FileResponse:
        return FileResponse(PAGE / "docs.html")


def serve_plotly(app: FastAPI) -> None:
    """The charts' library, out of the package that also makes the figures."""
    package_data = StaticFiles(packages=[("plotly", "package_data")])

    @app.get("/vendor/plotly.min.js", include_in_schema=False)
    async def plotly(request: Request) -> Response:
        return await package_data.get_response("plotly.min.js", request.scope)
