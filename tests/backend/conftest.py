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
def settings_for(models_dir: Path, device: torch.device) -> Callable[..., Settings]:
    """Settings for a test: the shared models, no hub, no browser."""

    def build(**changes: object) -> Settings:
        usual = {"models_dir": models_dir, "hub": False, "open": False, "device": str(device)}
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
def environment(models_dir: Path) -> dict[str, str]:
    """The environment of a `headscope` command in a process of its own."""
    changes = {"HEADSCOPE_MODELS_DIR": str(models_dir), "HEADSCOPE_HUB": "false"}
    return {**os.environ, **changes, "COLUMNS": "200", "NO_COLOR": "1"}


@pytest.fixture(scope="session")
def server(models_dir: Path) -> Iterator[str]:
    """The address of a real server in a process of its own."""
    with serving(models_dir=str(models_dir)) as address:
        yield address


TINY_LAYERS, TINY_HEADS = 2, 8


@pytest.fixture(scope="session")
def made_up_atlas() -> dict[str, Any]:
    """An atlas of HeadScope's own model, whose numbers nobody measured."""
    numbers = {"value": 0.8, "n": 200, "low": 0.7, "high": 0.9, "baseline": 0.3, "lift": 0.5}
    words = {"split": "the test set", "evidence": "objects → their verb: 80 % of 200."}
    roles = [("obj:dependent", "syntax", (1, 3)), ("previous", "local", (0, 2))]
    row = {"id": "obj:dependent", "relation": "obj", "direction": "dependent", "claim": "objects"}
    row |= {"layer": 1, "head": 3, "accuracy": 0.8, "n": 200, "low": 0.7, "high": 0.9, "lift": 0.5}
    row |= {"dev": {"accuracy": 0.8, "n": 200, "baseline": 0.3}, "runner_up": None}
    split = {"sentences": 9, "used": 9, "dropped": {}, "words": 90, "words_without_token": 0}
    source = {"source": "made up", "version": {"dev": "1", "test": "2"}}
    n = TINY_LAYERS * TINY_HEADS
    entropy = [place / n for place in range(n)]
    measures: dict[str, Any] = {
        name: {
            **{"label": name.capitalize(), "meaning": "Made up.", "unit": "share", "n": 99},
            **{"baseline": None, "values": values, "low": None, "high": None},
        }
        for name, values in (("entropy", entropy), ("gap", [None, *entropy[1:]]))
    }
    measures["entropy"]["weighted"] = entropy[::-1]
    return {
        "format": 1,
        "model": {
            **{"id": "headscope-tiny", "name": "HeadScope tiny", "revision": "17117d259df5"},
            **{"family": "headscope", "kind": "decoder", "dtype": "float32"},
            **{"n_layers": TINY_LAYERS, "n_heads": TINY_HEADS},
        },
        "made": {
            **{"date": "2026-01-01", "command": "headscope atlas build", "seed": 0},
            **{"seconds": 1.5, "versions": {"torch": "2"}},
        },
        "data": {
            "treebank": source | {"dev": split, "test": split},
            **{"gap": None, "synthetic": None},
        },
        "measures": measures,
        "relations": [
            row
            | {"offset": -1, "against": "best fixed offset (-1)", "baseline": 0.3, "holds": True}
        ],
        "groups": [
            {"id": id, "label": id.capitalize(), "letter": id[0].upper(), "meaning": "Made up."}
            for id in ("syntax", "local", "sink")
        ],
        "roles": [
            {
                **{"id": id, "group": group, "label": f"{id} heads", "claim": id},
                "heads": [{"layer": layer, "head": head, **numbers, **words}],
            }
            for id, group, (layer, head) in roles
        ],
        "specialisations": [
            {
                **{"name": "verb-object", "question": "Which?", "rows": ["obj:dependent"]},
                **{"best": {"layer": 1, "head": 3, **numbers, **words}, "holds": True},
                "measured": ["obj"],
            }
        ],
        "control": {
            **{"what": "random weights", "seed": 0, "best_accuracy": 0.1},
            **{"roles": [], "relations": []},
        },
        "examples": {"1.3": []},
        "examples_source": "made up",
        "similar": {"1.3": [[0, 2, 0.1]]},
        "distances": [[abs(a - b) / n for a in range(n)] for b in range(n)],
        "layout": [[float(place), -float(place)] for place in range(n)],
        "stress": 0.25,
        "best_accuracy": None,
        "check": {"sentences": 1, "relation": "all:dependent", "n": 5, "hits": [0] * n},
    }


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
