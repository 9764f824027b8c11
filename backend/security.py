"""Checks on every request: Host, Origin, body size; and the security headers of responses.

A page on another site can make a browser send requests to a server on this machine, and by DNS
rebinding even read the responses. So the Host of every request must be ours, and so must the Origin
if a browser sends one.
"""

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.settings import Settings
from backend.wire.errors import respond_error
from backend.wire.schemas import ErrorBody

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
# The API's documentation page is Swagger UI, which adds inline styles.
DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class Refused(Exception):
    """A request that goes no further, with a code and a message."""


class Guard:
    """ASGI middleware around the whole application, sockets included."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._max_bytes = settings.max_request_bytes
        self._hosts = {*LOOPBACK_NAMES, *map(str.lower, settings.allowed_hosts)}
        if not _is_any_address(settings.host):
            self._hosts.add(f"[{settings.host}]" if ":" in settings.host else settings.host.lower())
        self._origins = {origin.rstrip("/").lower() for origin in settings.allowed_origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_http = scope["type"] == "http"
        send = _with_headers(send, scope["path"]) if is_http else send
        try:
            self._check(headers)
            receive = _limit_body(receive, headers, self._max_bytes) if is_http else receive
            await self._app(scope, receive, send)
        except Refused as refused:
            code, message = refused.args
            if is_http:
                await respond_error(ErrorBody(code=code, message=message))(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": code})

    def _check(self, headers: Headers) -> None:
        host = headers.get("host", "").lower()
        if _without_port(host) not in self._hosts:
            raise Refused(
                "forbidden_host",
                f"This server does not accept requests for the host {host!r}: use its own "
                f"address, or add the name to HEADSCOPE_ALLOWED_HOSTS.",
            )
        origin = headers.get("origin")
        # Programs send no Origin; browsers send one with every request from another site.
        if origin is not None and not self._is_ours(origin.lower(), host):
            raise Refused(
                "forbidden_origin",
                f"Pages from {origin!r} may not call this server: to allow them, add the origin "
                f"to HEADSCOPE_ALLOWED_ORIGINS.",
            )

    def _is_ours(self, origin: str, host: str) -> bool:
        try:
            return urlsplit(origin).netloc == host or origin in self._origins
        except ValueError:  # not an origin at all
            return False


def _limit_body(receive: Receive, headers: Headers, max_bytes: int) -> Receive:
    """A receive that refuses a body over `max_bytes`, announced or actual."""
    too_large = f"A request may have at most {max_bytes:,} bytes: send less text."
    announced = headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > max_bytes:
        raise Refused("body_too_large", too_large)
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > max_bytes:
            raise HTTPException(413, too_large)
        return message

    return limited


def _with_headers(send: Send, path: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            add_headers(MutableHeaders(scope=message), path)
        await send(message)

    return sending


def add_headers(headers: MutableHeaders, path: str) -> None:
    """Add the security headers to the response for `path`."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers["Content-Security-Policy"] = DOCS_POLICY if path == "/docs" else PAGE_POLICY


def _without_port(host: str) -> str:
    """`localhost:8000` -> `localhost`, `[::1]:8000` -> `[::1]`."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _is_any_address(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
