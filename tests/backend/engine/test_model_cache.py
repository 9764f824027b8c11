"""Models are loaded once, evicted when too many, and only ever the ones that may be named."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event

import pytest
from starlette.testclient import TestClient
from transformers import AutoModelForCausalLM

from backend.engine.model_cache import ModelCache
from backend.settings import Settings
from mha_core.errors import Cancelled, ModelFailed, ModelUnavailable, UnknownModel
from mha_core.models import loading
from mha_core.models.catalogue import CatalogueEntry
from mha_core.models.loading import LoadedModel

ClientFor = Callable[..., AbstractContextManager[TestClient]]
SettingsFor = Callable[..., Settings]


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids of the models loaded, in order."""
    ids: list[str] = []

    def load(entry: CatalogueEntry, **options: object) -> LoadedModel:
        ids.append(entry.id)
        return loading.load(entry, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("backend.engine.model_cache.load", load)
    return ids


@pytest.fixture
def folders(model_directory: Callable[[str], Path], tmp_path: Path) -> list[Path]:
    """Three small models of one's own."""
    return [
        Path(shutil.copytree(model_directory(family), tmp_path / f"my-{family}"))
        for family in ("bert", "gpt2", "llama")
    ]


def test_a_model_is_loaded_once_however_many_ask(
    settings_for: SettingsFor, folders: list[Path], loads: list[str]
) -> None:
    cache = ModelCache(settings_for(extra_models=(str(folders[0]),)))
    with ThreadPoolExecutor(16) as threads:
        models = list(threads.map(cache.get, ["my-bert"] * 48))
    assert loads == ["my-bert"]
    assert all(model is models[0] for model in models)


def test_the_least_recently_used_model_is_put_away(
    settings_for: SettingsFor, folders: list[Path], loads: list[str]
) -> None:
    cache = ModelCache(settings_for(extra_models=tuple(map(str, folders)), max_models=2))
    for name in ("my-bert", "my-gpt2", "my-bert", "my-llama"):
        cache.get(name)
    assert set(cache.loaded_ids()) == {"my-bert", "my-llama"}
    cache.get("my-bert")
    assert loads == ["my-bert", "my-gpt2", "my-llama"]
    cache.get("my-gpt2")
    assert loads[-1] == "my-gpt2"
    assert set(cache.loaded_ids()) == {"my-bert", "my-gpt2"}


@pytest.mark.parametrize("trouble", ["gone", "config.json", "tokenizer.json"])
def test_a_model_that_cannot_be_had_costs_no_other_its_place(
    trouble: str, settings_for: SettingsFor, folders: list[Path]
) -> None:
    cache = ModelCache(settings_for(extra_models=tuple(map(str, folders)), max_models=1))
    kept = cache.get("my-bert")
    if trouble == "gone":
        shutil.rmtree(folders[1])
    else:
        (folders[1] / trouble).write_text("{}")
    for name in ("my-gpt2", "gpt2-medium"):
        with pytest.raises((ModelFailed, ModelUnavailable)):
            cache.get(name)
    assert cache.loaded_model("my-bert") is kept


def test_room_is_made_before_weights_come_into_memory(
    settings_for: SettingsFor, folders: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ModelCache(settings_for(extra_models=tuple(map(str, folders)), max_models=1))
    cache.get("my-bert")
    meanwhile: list[list[str]] = []
    read = AutoModelForCausalLM.from_pretrained

    def watched(*args: object, **options: object) -> object:
        meanwhile.append(cache.loaded_ids())
        return read(*args, **options)

    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", watched)
    cache.get("my-gpt2")
    assert meanwhile == [[]]
    assert cache.loaded_ids() == ["my-gpt2"]


def test_a_directory_of_ones_own_is_listed_and_runs(
    client_for: ClientFor, folders: list[Path]
) -> None:
    with client_for(extra_models=tuple(map(str, folders))) as client:
        models = {model["id"]: model for model in client.get("/api/v1/models").json()}
        assert {"minilm", "my-bert", "my-gpt2", "my-llama"} <= set(models)
        assert models["my-llama"]["n_kv_heads"] == 2
        assert models["my-gpt2"]["source"] == "directory"
        for folder in folders:
            question = {"model": folder.name, "text": "one two"}
            body = client.post("/api/v1/attention", json=question).json()
            assert len(body["attention"]) == 2 * 4
            assert body["revision"].startswith("local-")


def test_a_hub_id_may_be_named_only_where_the_settings_say_so(settings_for: SettingsFor) -> None:
    with pytest.raises(UnknownModel):
        ModelCache(settings_for()).get("org/name")
    # Known now, and not to be had: the hub is switched off.
    with pytest.raises(ModelUnavailable, match="org/name"):
        ModelCache(settings_for(any_model=True)).get("org/name")


NO_HUB_IDS = [
    *("/etc", "/etc/passwd", "..", "../x", "./x", "~/x", "a/b/c", "org/..", "../org", "org/.x"),
    *("org/", "/name", "C:/x", "org\\name", "file:///etc", "", "none", "org/name\n", "-x/y"),
]


@pytest.mark.parametrize("name", NO_HUB_IDS)
def test_a_path_is_never_a_model_that_may_be_named(name: str, settings_for: SettingsFor) -> None:
    with pytest.raises(UnknownModel):
        ModelCache(settings_for(any_model=True)).get(name)


def test_a_directory_that_looks_like_a_hub_id_is_not_opened_for_a_caller(
    settings_for: SettingsFor,
    folders: list[Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree(folders[0], tmp_path / "org" / "name")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelUnavailable, match="do not allow the hub"):
        ModelCache(settings_for(any_model=True)).get("org/name")


def test_a_hub_id_of_the_settings_goes_by_its_own_entry(settings_for: SettingsFor) -> None:
    cache = ModelCache(settings_for(any_model=True, extra_models=("org/name",)))
    assert "org/name" in {mark.entry.id for mark in cache.list_models()}
    with pytest.raises(ModelUnavailable):
        cache.get("org/name")


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("model.safetensors", b"not safetensors at all"),
        ("config.json", b"{"),
        ("tokenizer.json", b"{}"),
    ],
)
def test_a_model_that_cannot_be_loaded_is_a_clear_error(
    name: str, contents: bytes, client_for: ClientFor, folders: list[Path]
) -> None:
    whole = (folders[0] / name).read_bytes()
    (folders[0] / name).write_bytes(contents)
    question = {"model": "my-bert", "text": "one"}
    with client_for(extra_models=(str(folders[0]),)) as client:
        answer = client.post("/api/v1/attention", json=question)
        assert answer.status_code == 500
        error = answer.json()["error"]
        assert error["code"] == "model_failed"
        assert "my-bert could not be loaded" in error["message"]
        with client.websocket_connect("ws://127.0.0.1:8000/api/v1/stream") as socket:
            socket.send_json({"request": 1, **question})
            while (told := socket.receive_json())["type"] == "progress":
                pass
            assert told["error"]["code"] == "model_failed"
        (folders[0] / name).write_bytes(whole)
        assert client.post("/api/v1/attention", json=question).status_code == 200


def test_a_file_cut_short_is_a_clear_error(settings_for: SettingsFor, folders: list[Path]) -> None:
    weights = folders[0] / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(ModelFailed, match="my-bert could not be loaded"):
        ModelCache(settings_for(extra_models=(str(folders[0]),))).get("my-bert")


def test_a_directory_that_is_gone_is_listed_as_such(
    client_for: ClientFor, folders: list[Path]
) -> None:
    with client_for(extra_models=(str(folders[0]),)) as client:
        shutil.rmtree(folders[0])
        models = {model["id"]: model for model in client.get("/api/v1/models").json()}
        assert models["my-bert"]["available"] is False
        assert "There is no directory" in models["my-bert"]["reason"]
        answer = client.post("/api/v1/tokenize", json={"model": "my-bert", "text": "one"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "model_unavailable")


def test_a_model_is_loaded_to_the_end_though_who_asked_has_gone(
    settings_for: SettingsFor, folders: list[Path], loads: list[str]
) -> None:
    cache = ModelCache(settings_for(extra_models=(str(folders[0]),)))

    def gone(message: str, done: int, total: int) -> None:
        raise Cancelled("typed on")

    assert cache.get("my-bert", gone) is cache.get("my-bert")
    assert loads == ["my-bert"]


def test_who_waits_for_a_model_that_loads_hears_of_it_and_may_leave(
    settings_for: SettingsFor, folders: list[Path], loads: list[str]
) -> None:
    cache = ModelCache(settings_for(extra_models=(str(folders[0]),)))
    waiting, heard = Event(), Event()
    news: list[str] = []

    def hold(message: str, done: int, total: int) -> None:
        waiting.set()
        assert heard.wait(60)

    def leave(message: str, done: int, total: int) -> None:
        news.append(message)
        heard.set()
        raise Cancelled("typed on")

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(cache.get, "my-bert", hold)
        assert waiting.wait(60)
        with pytest.raises(Cancelled):
            cache.get("my-bert", leave)
        assert first.result().entry.id == "my-bert"
    assert news == ["Loading my-bert"]
    assert loads == ["my-bert"]


def test_a_model_that_is_there_keeps_nobody_waiting(
    settings_for: SettingsFor, folders: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ModelCache(settings_for(extra_models=(str(folders[0]),)))
    model, loaded_model = cache.get("my-bert"), cache.loaded_model
    held, released = Event(), Event()

    def held_once(model_id: str) -> LoadedModel | None:
        if not held.is_set():
            held.set()
            assert released.wait(60)
        return loaded_model(model_id)

    def waiting(message: str, done: int, total: int) -> None:
        raise AssertionError(message)

    monkeypatch.setattr(cache, "loaded_model", held_once)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(cache.get, "my-bert")
        assert held.wait(60)
        try:
            assert cache.get("my-bert", waiting) is model
        finally:
            released.set()
        assert first.result() is model


def test_closing_the_cache_stops_a_model_that_loads(
    settings_for: SettingsFor, folders: list[Path]
) -> None:
    cache = ModelCache(settings_for(extra_models=(str(folders[0]),)))
    with pytest.raises(Cancelled):
        cache.get("my-bert", lambda *_: cache.close())
    assert cache.loaded_ids() == []
