"""`headscope serve`: fetches missing models, starts the server, opens a browser."""

import os
import socket
import sys
import webbrowser
from collections.abc import Callable

import uvicorn
from rich.console import Console
from rich.markup import escape

from backend.app import create_app
from backend.cli.fetch import find_model, get_model
from backend.engine.interface import Engine
from backend.engine.local import LocalEngine
from backend.settings import Settings
from backend.wire.errors import AddressInUse
from mha_core.errors import HeadScopeError


class Server(uvicorn.Server):
    """Uvicorn that prints its address once it answers, and stops the engine when it is stopped."""

    def __init__(
        self, config: uvicorn.Config, engine: Engine, address: str, *, open_browser: bool
    ) -> None:
        super().__init__(config)
        self._engine, self._address, self._open_browser = engine, address, open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        Console().print(f"[bold]HeadScope[/] is at [link]{self._address}[/]   (Ctrl+C stops it)")
        if self._open_browser and _has_screen():
            webbrowser.open(self._address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the runs first: uvicorn waits for requests that are under way."""
        self._engine.close()
        await super().shutdown(sockets)


def serve(settings: Settings, before: Callable[[Settings], None] = lambda _: None) -> None:
    """Run until interrupted; `before` does slow preparations once the port is known to be free."""
    engine = LocalEngine(settings)  # raises for settings that cannot work
    listening = _listen(settings.host, settings.port)
    before(settings)
    host, port = listening.getsockname()[:2]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104 (compared, not bound)
    address = f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"
    config = uvicorn.Config(
        create_app(settings, lambda _: engine),
        log_level=settings.log_level,
        ws_max_size=settings.max_request_bytes,
        timeout_graceful_shutdown=3,
    )
    Server(config, engine, address, open_browser=settings.open).run([listening])


def fetch_missing(settings: Settings) -> None:
    """Fetch the models the page should offer; the server starts without those that fail."""
    for name in dict.fromkeys((*settings.fetch, settings.default_model)):
        try:
            get_model(find_model(name, settings)[0], settings)
        except HeadScopeError as error:
            message = f"[yellow]{escape(error.message)}[/]\nStarting without it."
            Console(stderr=True).print(message, highlight=False)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio disables Nagle's algorithm, which would delay a frame by 40 ms, only for named TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise AddressInUse(
            f"Cannot listen on {host} port {port} ({error.strerror}): choose another port with "
            f"--port, or stop the program that uses this one."
        ) from error
    return listening


def _has_screen() -> bool:
    """Whether a browser could open a window; a text browser in the terminal is no use."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
