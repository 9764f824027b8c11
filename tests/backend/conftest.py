"""What the server's tests may ask for: clients, a server process, a model to hold, an atlas."""

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from starlette.testclient import TestClient
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel

from backend.app import create_app
from backend.engine.session import Resources, Session
from backend.settings import Settings
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.models.reading import quiet
from tests.leaving_client import LeavingClient, scope_of
from tests.made_up_atlas import make_up_atlas
from tests.server_process import serving

ADDRESS = "http://127.0.0.1:8000"
PATIENCE = 60  # seconds: for a busy machine; nothing waits this long when all is well

ClientFor = Callable[..., AbstractContextManager[TestClient]]


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("HEADSCOPE_")]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def settings_for(models_dir: Path, runs_dir: Path, device: torch.device) -> Callable[..., Settings]:
    """Settings for a test: the shared models, no hub, no browser."""

    def build(**changes: object) -> Settings:
        usual = {"models_dir": models_dir, "hub": False, "open": False, "device": str(device)}
        usual["runs_dir"] = runs_dir
        return Settings(**{**usual, **changes})

    return build


@pytest.fixture(scope="session")
def session_for(settings_for: Callable[..., Settings]) -> Callable[..., Session]:
    """A session of its own resources, with changed settings, to call jobs with."""
    return lambda **changes: Session(Resources(settings_for(**changes)))


@pytest.fixture(scope="session")
def client_for(settings_for: Callable[..., Settings]) -> ClientFor:
    """A client of an application with changed settings, whose lifespan the caller ends."""

    @contextmanager
    def connect(**changes: object) -> Iterator[TestClient]:
        app = create_app(settings_for(**changes))
        with TestClient(app, ADDRESS, raise_server_exceptions=False) as client:
            yield client

    return connect


@pytest.fixture(scope="session")
def client(client_for: ClientFor) -> Iterator[TestClient]:
    """A client of one application that all tests share."""
    with client_for() as client:
        yield client


@dataclass
class Run:
    """One forward pass through a `GatedNetwork`."""

    layers: list[int] = field(default_factory=list)
    waiting: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)


class GatedNetwork(nn.Module):
    """A real BERT that notes which layers each run reached, and lets a test act before a layer."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network
        self.runs: list[Run] = []
        self.before: Callable[[int, int], None] = lambda run, layer: None
        self._mine = threading.local()
        self._hooks = [
            layer.register_forward_pre_hook(lambda *_, number=number: self._enter(number))
            for number, layer in enumerate(network.encoder.layer)  # type: ignore[union-attr,arg-type]
        ]

    def forward(self, **inputs: object) -> Tensor:
        run = self._mine.run = Run()
        self.runs.append(run)
        try:
            output: Tensor = self.network(**inputs).last_hidden_state
            return output
        finally:
            run.ended.set()

    def get_submodule(self, target: str) -> nn.Module:
        return self.network.get_submodule(target)

    def get_input_embeddings(self) -> nn.Module:
        embeddings: nn.Module = self.network.get_input_embeddings()  # type: ignore[operator]
        return embeddings

    def hold(self, *, run: int, layer: int) -> None:
        """Make a run wait before a layer until it is released."""

        def wait(this_run: int, this_layer: int) -> None:
            if (this_run, this_layer) == (run, layer):
                self.runs[run].waiting.set()
                assert self.runs[run].released.wait(PATIENCE)

        self.before = wait

    def let_go(self) -> None:
        """Leave the real network as it was."""
        for hook in self._hooks:
            hook.remove()

    def _enter(self, layer: int) -> None:
        self._mine.run.layers.append(layer)
        self.before(self.runs.index(self._mine.run), layer)


@dataclass(frozen=True)
class Gated:
    """A client whose only quick model, `deep`, can be held."""

    client: TestClient
    network: GatedNetwork
    n_layers: int = 6

    def leave_during(self, path: str, question: dict[str, Any], run: int = 0) -> LeavingClient:
        """Ask, leave while the run of this number is held at layer 2, and wait until it ends."""

        async def ask() -> LeavingClient:
            client = LeavingClient(question)
            asking = asyncio.ensure_future(
                self.client.app(scope_of(f"/api/v1/{path}"), client.receive, client.send)
            )
            while len(self.network.runs) <= run:
                await asyncio.sleep(0.001)
            held = self.network.runs[run]
            assert await asyncio.to_thread(held.waiting.wait, PATIENCE)
            client.left.set()
            await asyncio.wait_for(asking, PATIENCE)
            held.released.set()
            assert await asyncio.to_thread(held.ended.wait, PATIENCE)
            return client

        self.network.hold(run=run, layer=2)
        assert self.client.portal is not None
        return self.client.portal.call(ask)


@pytest.fixture(scope="session")
def deep_model(
    minilm: LoadedModel, device: torch.device, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    """A small random BERT of six layers, four heads each."""
    quiet()
    folder = tmp_path_factory.mktemp("models") / "deep"
    minilm.tokenizer.save_pretrained(folder)
    sizes = {"num_hidden_layers": 6, "num_attention_heads": 4, "hidden_size": 32}
    torch.manual_seed(0)
    config = AutoConfig.for_model("bert", vocab_size=30522, intermediate_size=48, **sizes)
    AutoModel.from_config(config).save_pretrained(folder)
    return load(entry_for(str(folder)), models_dir=folder, device=str(device), hub=False)


@pytest.fixture
def gated_for(
    deep_model: LoadedModel, client_for: ClientFor, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., AbstractContextManager[Gated]]:
    """A `Gated` with changed settings."""

    @contextmanager
    def connect(**changes: object) -> Iterator[Gated]:
        network = GatedNetwork(deep_model.network)
        held = replace(deep_model, network=network)
        monkeypatch.setattr("backend.engine.model_cache.load", lambda entry, **_: held)
        with client_for(extra_models=(str(deep_model.entry.directory),), **changes) as client:
            yield Gated(client, network)
        network.let_go()

    return connect


@pytest.fixture
def gated(gated_for: Callable[..., AbstractContextManager[Gated]]) -> Iterator[Gated]:
    """A `Gated` with the usual settings."""
    with gated_for() as gated:
        yield gated


@pytest.fixture(scope="session")
def environment(models_dir: Path, runs_dir: Path) -> dict[str, str]:
    """The environment of a `headscope` command in a process of its own."""
    changes = {"HEADSCOPE_MODELS_DIR": str(models_dir), "HEADSCOPE_HUB": "false"}
    changes["HEADSCOPE_RUNS_DIR"] = str(runs_dir)
    return {**os.environ, **changes, "COLUMNS": "200", "NO_COLOR": "1"}


@pytest.fixture(scope="session")
def server(models_dir: Path) -> Iterator[str]:
    """The address of a real server in a process of its own."""
    with serving(models_dir=str(models_dir)) as address:
        yield address


@pytest.fixture(scope="session")
def made_up_atlas() -> dict[str, Any]:
    """The file of an atlas of HeadScope's own model, whose numbers nobody measured."""
    return make_up_atlas()


@pytest.fixture(scope="session")
def atlas_client(
    made_up_atlas: dict[str, Any],
    client_for: ClientFor,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[TestClient]:
    """A client of an application that finds the made-up atlas."""
    folder = tmp_path_factory.mktemp("with-atlas")
    (folder / "atlases").mkdir()
    (folder / "atlases" / "headscope-tiny.json").write_text(json.dumps(made_up_atlas))
    with client_for(models_dir=folder) as client:
        yield client
