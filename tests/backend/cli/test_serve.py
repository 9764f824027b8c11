"""A server says where it is once it is there, and why when it cannot be."""

import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
import uvicorn

from backend.app import create_app
from backend.cli.serve import Server, serve
from backend.engine.local import LocalEngine
from backend.engine.session import Session
from backend.settings import Settings
from backend.wire.errors import AddressInUse
from mha_core.errors import ModelFailed, UnknownModel
from tests.server_process import serving

SettingsFor = Callable[..., Settings]
JSON = {"content-type": "application/json"}


def test_a_busy_port_is_told_with_the_way_out(settings_for: SettingsFor) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with pytest.raises(AddressInUse, match=f"127.0.0.1 port {port} .* choose another port"):
            serve(settings_for(port=port))


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"device": "cuda:99"}, ModelFailed), ({"extra_models": ("no such model",)}, UnknownModel)],
)
def test_settings_that_cannot_work_are_told_before_anything_listens(
    changes: dict[str, object],
    error: type[Exception],
    settings_for: SettingsFor,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(error):
        serve(settings_for(port=0, **changes))
    assert "HeadScope is at" not in capsys.readouterr().out


def test_a_server_that_did_not_start_does_not_say_where_it_is(
    settings_for: SettingsFor, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: Settings) -> None:
        raise ZeroDivisionError

    config = uvicorn.Config(create_app(settings_for(), broken), log_level="critical", port=0)  # type: ignore[arg-type]
    with pytest.raises(SystemExit):
        Server(config, LocalEngine(settings_for()), "http://127.0.0.1/", open_browser=False).run()
    assert "HeadScope is at" not in capsys.readouterr().out


def test_stopping_the_server_stops_the_runs_that_requests_wait_for(
    settings_for: SettingsFor,
) -> None:
    engine = LocalEngine(settings_for())
    started = threading.Event()

    def run_until_cancelled(session: Session, _: None) -> None:
        started.set()
        while True:
            session.check()

    app = create_app(settings_for(), lambda _: engine)

    @app.get("/endless")
    async def endless() -> None:
        await engine.run(run_until_cancelled, None)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=60)
        server = Server(config, engine, "http://127.0.0.1/", open_browser=False)
        serving_thread = threading.Thread(target=server.run, args=([listening],))
        serving_thread.start()
        with socket.create_connection(listening.getsockname()) as client:
            client.sendall(b"GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert started.wait(30)
            server.should_exit = True
            assert client.recv(12) == b"HTTP/1.1 503"
        serving_thread.join(30)
        assert not serving_thread.is_alive()


def test_a_real_server_says_where_it_is_and_is_there(server: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_a_real_server_refuses_a_foreign_socket(server: str, origin: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    asked = [
        *("GET /api/v1/stream HTTP/1.1", f"Host: {host}:{port}", f"Origin: {origin}"),
        *("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
        *("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", ""),
    ]
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall("\r\n".join(asked).encode())
        assert connection.recv(12) == b"HTTP/1.1 403"


@pytest.mark.processes
def test_a_server_without_any_weights_starts_on_its_own_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with serving(models_dir=str(tmp_path / "models")) as address:
        with urlopen(f"{address}/api/v1/config") as config:
            model = json.load(config)["default_model"]
        question = json.dumps({"model": model, "text": "abcabc"}).encode()
        request = Request(f"{address}/api/v1/attention", question, JSON)
        with urlopen(request) as answer:
            maps = json.load(answer)
    assert model == maps["model"] == "headscope-tiny"
    assert len(maps["attention"]) == 16
