"""The application: routes, error handlers, security and the page.

`create_app(settings)` owns all state through the lifespan; nothing happens at import.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from backend import __version__
from backend.engine.interface import Engine
from backend.engine.local import LocalEngine
from backend.page.files import KeptFiles, PageFiles, serve_docs, serve_page, serve_plotly
from backend.security import Guard, add_headers
from backend.settings import Settings
from backend.wire.disconnect import CancelOnDisconnect
from backend.wire.errors import describe_error, respond_error
from backend.wire.openapi import keep_nulls_in_examples
from backend.wire.schemas import ErrorBody
from backend.wire.validation import describe_invalid, describe_not_json
from mha_core.errors import HeadScopeError

API = "/api/v1"
SUBJECTS = (
    "models",
    "page",
    "attention",
    "maps",
    "heads",
    "anatomy",
    "compare",
    "corpus",
    "atlas",
    "figures",
    "generate",
    "lessons",
    "snapshot",
    "training",
    "stream",
)
"""Folders of `backend` with a `routes.py`, in the order of OpenAPI."""

ROUTERS: tuple[APIRouter, ...] = tuple(
    import_module(f"backend.{subject}.routes").router for subject in SUBJECTS
)

ABOUT = """
What every attention head of a transformer does with a text.

`layer` and `head` count from 0. In `pattern[query][key]` the query is the row and the key is the
column; each row sums to 1. What a head does on one text is evidence; a role needs a corpus, and is
in the model's atlas. A metric with no case in the text is null, never 0. Errors have one shape:
`{"error": {"code", "message", "details"}}`. A request is cancelled when its client closes the
connection.

**The stream**, `WS /api/v1/stream`: send `{"request": 1, "model": "minilm", "text": "..."}` and
receive `progress` (while a model loads), `start` (tokens, sizes, the analysis id), for each layer
one binary frame and its `metrics` while the model runs, and `done` (timing); or `error`. A newer
request or `{"cancel": true}` cancels the running one. A reader that takes nothing for ten seconds
gets the error `slow_reader`; after fifteen seconds the socket is closed with code 1008. A frame is
a 32-byte little-endian header (magic `HSCP`, version, kind, dtype, stack, layer, first head, heads,
flags, rows, cols, queries, keys) and the values, heads x rows x cols.

**Generation**, `WS /api/v1/generate`, for causal models: send `{"request": 1, "model": "smollm2",
"text": "...", "n": 20}` (and `temperature`, `top_k`, `seed`, `continuation`) and receive
`progress`, `start`, for each step a `token` (its index, text and probability, ten candidates) and
one binary frame of kind 3, then `done` with the `reason` and the `continuation`; or `error`. The
frame has one float32 row for every head of the model, layer by layer (heads = layers x heads, rows
1): its attention while the token was predicted, which is the row of the position before the token.
The keys are all tokens up to that position.

**Loop against batch**, `WS /api/v1/learn/loops`: send `{"request": 1, "d_model": 512, "n_heads": 8,
"n_tokens": 128, "batch": 1, "causal": true, "rounds": 20}` and receive `start` (the largest
differences between the results), a `round` with the times of the three ways for each round, and
`done` (medians and ratios); or `error`.

**Training**, `WS /api/v1/learn/events`: send `{"request": 1, "run": "...", "skip": 0}` and receive
every `event` of a training run that is not known yet, as it happens (its loss, its heads measured
at a checkpoint, its state), `restart` if it goes on from an earlier step, and `done` when it ends.
"""


def create_app(
    settings: Settings, make_engine: Callable[[Settings], Engine] = LocalEngine
) -> FastAPI:
    """The application for these settings."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.engine = make_engine(settings)
        try:
            yield
        finally:
            app.state.engine.close()

    app = FastAPI(
        title="HeadScope",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
    )
    app.state.settings = settings
    if settings.allowed_origins:
        origins = [origin.rstrip("/").lower() for origin in settings.allowed_origins]
        methods, headers = ("GET", "POST", "DELETE"), ("Accept", "Content-Type")
        app.add_middleware(
            CORSMiddleware, allow_origins=origins, allow_methods=methods, allow_headers=headers
        )
    page_files = PageFiles()
    app.add_middleware(CancelOnDisconnect)
    app.add_middleware(KeptFiles, page_files=page_files)
    app.add_middleware(Guard, settings=settings)  # the last one added is the outermost
    _answer_errors(app)
    for router in ROUTERS:
        app.include_router(router, prefix=API)
    serve_docs(app)
    serve_plotly(app)
    serve_page(app, page_files)
    keep_nulls_in_examples(app, API, ROUTERS)
    return app


def _answer_errors(app: FastAPI) -> None:
    """Return every error in the one shape."""

    @app.exception_handler(HeadScopeError)
    def ours(_: Request, error: HeadScopeError) -> Response:
        return respond_error(describe_error(error))

    @app.exception_handler(Exception)
    def unforeseen(request: Request, error: Exception) -> Response:
        # Starlette sends this response outside all middleware, so Guard does not add its headers.
        response = respond_error(describe_error(error))
        add_headers(response.headers, request.url.path)
        return response

    @app.exception_handler(RequestValidationError)
    def unreadable(_: Request, error: RequestValidationError) -> Response:
        if isinstance(error.__cause__, ValueError):  # the body is not JSON
            return respond_error(describe_not_json(error.__cause__))
        return respond_error(describe_invalid(error.errors()))

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        # FastAPI raises this for any other error of `json.loads` than a JSONDecodeError.
        if error.status_code == 400 and isinstance(error.__cause__, (ValueError, RecursionError)):
            return respond_error(describe_not_json(error.__cause__))
        codes = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}
        code = codes.get(error.status_code, "http_error")
        message = (
            f"{error.detail} ({request.method} {request.url.path}); /docs lists all endpoints."
        )
        return respond_error(
            ErrorBody(code=code, message=message), error.status_code, error.headers
        )
