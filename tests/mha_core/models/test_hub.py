"""The hub's cache is read, the hub is asked, and its silence is put into words.

A small server on this machine stands for the hub: it answers the four questions that downloading
a model asks.
"""

import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer
from time import monotonic

import pytest
from huggingface_hub import constants

from mha_core.errors import Cancelled, ModelUnavailable, WeightsMismatch
from mha_core.models import hub
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import load
from mha_core.models.sources import obtain

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    """Serves the files of one folder as the repository org/name."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.folder = folder
        self.fetched: list[str] = []

    def files(self) -> dict[str, bytes]:
        found = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        return {**found, "pytorch_model.bin": b"pickle", "onnx/config.json": b"{}"}


class Answers(BaseHTTPRequestHandler):
    """One question to the hub."""

    server: Hub

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        files = self.server.files()
        if path == "/api/models/org/name/revision/main":
            siblings = [{"rfilename": name} for name in files]
            self.say({"id": "org/name", "sha": COMMIT, "siblings": siblings})
        elif path == f"/api/models/org/name/tree/{COMMIT}":
            self.say(
                [
                    {"type": "file", "path": name, "size": len(data), "oid": name}
                    for name, data in files.items()
                ]
            )
        elif path.startswith(start := f"/org/name/resolve/{COMMIT}/"):
            name = path.removeprefix(start)
            if self.command == "GET":
                self.server.fetched.append(name)
            # Large files go by the hash of their contents, and so do their blobs in the cache.
            large = name.endswith(".safetensors")
            tag = (hashlib.sha256 if large else hashlib.sha1)(files[name]).hexdigest()
            self.send(200, files[name], {"ETag": f'"{tag}"', "X-Repo-Commit": COMMIT})
        else:
            self.send(404, b"", {"X-Error-Code": "RepoNotFound"})

    do_HEAD = do_GET  # noqa: N815 (the name the server looks for)

    def say(self, answer: object) -> None:
        self.send(200, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    def send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the tests ask what was fetched."""


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """More of it than people have: this machine may be busy."""
    monkeypatch.setattr(hub, "_TIMEOUT_SECONDS", 60.0)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty Hugging Face cache."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def server(
    cache: Path, model_directory: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Hub]:
    """A hub that has a small GPT-2."""
    with Hub(model_directory("gpt2")) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        endpoint = f"http://127.0.0.1:{running.server_port}"
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        addresses = endpoint + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", addresses)
        yield running
        running.shutdown()
        thread.join()


def put_in_cache(cache: Path, hub_id: str, source: Path) -> Path:
    """Lay a model out as the hub's library does."""
    repository = cache / f"models--{hub_id.replace('/', '--')}"
    snapshot = repository / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    for path in source.iterdir():
        (snapshot / path.name).symlink_to(path)
    return snapshot


def test_a_model_is_fetched_into_the_cache_with_progress(server: Hub, cache: Path) -> None:
    told: list[tuple[int, int]] = []
    folder = hub.download("org/name", "Name", lambda message, *counts: told.append(counts))
    assert folder == cache / "models--org--name" / "snapshots" / COMMIT
    assert hub.find_cached("org/name") == folder
    total = sum(len((server.folder / name).read_bytes()) for name in set(server.fetched))
    assert told[0] == (0, 0)
    assert told[-1] == (total, total)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_only_the_files_a_model_needs_are_fetched(server: Hub) -> None:
    hub.download("org/name", "Name")
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(server.fetched)
    assert "pytorch_model.bin" not in server.fetched
    assert not [name for name in server.fetched if "/" in name]


def test_a_model_is_loaded_from_the_hub_once_and_from_the_cache_ever_after(
    server: Hub, tmp_path: Path
) -> None:
    entry = entry_for("org/name")
    first = load(entry, models_dir=tmp_path, hub=True)
    assert (first.source, first.revision, first.architecture.family) == ("hub", COMMIT, "gpt2")
    server.fetched.clear()
    second = load(entry, models_dir=tmp_path, hub=True)
    assert (second.source, second.revision) == ("cache", COMMIT)
    assert server.fetched == []


def test_a_changed_blob_is_refused_until_the_model_is_fetched_again(
    server: Hub, tmp_path: Path
) -> None:
    entry = entry_for("org/name")
    weights = hub.download("org/name", "Name") / "model.safetensors"
    changed = bytearray(weights.read_bytes())
    changed[-1] ^= 1
    weights.write_bytes(changed)
    with pytest.raises(WeightsMismatch, match=r"model\.safetensors of org/name .*get org/name"):
        load(entry, models_dir=tmp_path, hub=True)
    server.fetched.clear()
    assert obtain(entry, tmp_path, allow_hub=True, verify=True).kind == "hub"
    assert server.fetched == ["model.safetensors"]
    assert load(entry, models_dir=tmp_path, hub=True).source == "cache"


def test_a_model_the_hub_does_not_have_is_named(server: Hub) -> None:
    with pytest.raises(ModelUnavailable, match="it has no model 'org/other'"):
        hub.download("org/other", "Other")


def test_a_model_without_safetensors_is_refused(
    server: Hub, tmp_path: Path, model_directory: Callable[[str], Path]
) -> None:
    server.folder = tmp_path / "pickled"
    server.folder.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (server.folder / name).write_bytes((model_directory("gpt2") / name).read_bytes())
    with pytest.raises(ModelUnavailable, match="has no weights"):
        hub.download("org/name", "Name")
    assert "pytorch_model.bin" not in server.fetched


def test_whoever_raises_in_progress_stops_the_download(server: Hub) -> None:
    def stop(message: str, done: int, total: int) -> None:
        if done:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        hub.download("org/name", "Name", stop)
    assert hub.find_cached("org/name") is None


def test_a_model_half_in_the_cache_is_not_there(
    cache: Path, model_directory: Callable[[str], Path]
) -> None:
    assert hub.find_cached("org/name") is None
    snapshot = put_in_cache(cache, "org/name", model_directory("gpt2"))
    assert hub.find_cached("org/name") == snapshot
    (snapshot / "model.safetensors").unlink()
    assert hub.find_cached("org/name") is None


def test_a_hub_that_answers_is_no_trouble(server: Hub) -> None:
    assert hub.hub_problem() is None


def test_a_closed_door_is_put_into_words(closed_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{closed_port}")
    assert "cannot be reached: [Errno 111]" in (hub.hub_problem() or "")
    with pytest.raises(ModelUnavailable, match="Name could not be fetched from http://127"):
        hub.download("org/name", "Name")


def test_an_answer_that_is_no_http_is_put_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Babble(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(1000)
            self.request.sendall(b"220 a mail server, perhaps\r\n")

    with TCPServer(("127.0.0.1", 0), Babble) as babbling:
        thread = threading.Thread(target=babbling.handle_request)
        thread.start()
        endpoint = f"http://127.0.0.1:{babbling.server_address[1]}"
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        trouble = hub.hub_problem()
        thread.join()
    assert trouble == f"The hub ({endpoint}) cannot be reached: 220 a mail server, perhaps"


def test_an_address_that_is_none_is_put_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://localhost:none")
    assert "cannot be reached: nonnumeric port: 'none'" in (hub.hub_problem() or "")


def test_a_hub_that_says_nothing_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "_TIMEOUT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        start = monotonic()
        assert hub.hub_problem() is not None
        assert monotonic() - start < 30  # a network left to itself takes minutes


def test_the_answer_is_remembered(closed_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{closed_port}")
    before = hub.hub_problem()
    with socket.create_server(("127.0.0.1", closed_port)):
        assert hub.hub_problem() is before


def test_whoever_works_offline_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert hub.hub_problem() == "HF_HUB_OFFLINE is set, so the hub is not asked."


def test_the_users_environment_decides(
    tmp_path: Path, closed_port: int, model_directory: Callable[[str], Path]
) -> None:
    put_in_cache(tmp_path, "openai-community/gpt2", model_directory("gpt2"))
    put_in_cache(tmp_path, "bert-base-uncased", model_directory("bert"))  # its name of old
    code = (
        "import sys; from pathlib import Path; from mha_core.models.catalogue import find;"
        "from mha_core.models.loading import availability;"
        "models = ('gpt2', 'bert-base-uncased', 'roberta-base');"
        "answers = [availability(find(m), models_dir=Path(sys.argv[1]), hub=True) for m in models];"
        "[print(a.available, a.source, a.reason) for a in answers]"
    )
    endpoint = f"http://127.0.0.1:{closed_port}"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "models")],
        env={**os.environ, "HF_ENDPOINT": endpoint, "HF_HUB_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    gpt2, bert, roberta = done.stdout.splitlines()
    assert gpt2 == bert == "True cache None"
    assert roberta.startswith(f"False hub The hub ({endpoint}) cannot be reached")
