"""What there is: health, models, and what the page is built from."""

from typing import Any

import pytest
import torch
from starlette.testclient import TestClient

from backend import __version__

FIELDS = {
    *("id", "name", "about", "family", "kind", "n_layers", "n_heads", "n_kv_heads", "d_model"),
    *("d_head", "max_tokens", "pairs", "licence", "source", "available", "loaded", "reason"),
    *("no_atlas", "state", "chat_template", "examples"),
}


@pytest.fixture(scope="module")
def models(client: TestClient) -> dict[str, dict[str, Any]]:
    client.post("/api/v1/tokenize", json={"model": "minilm", "text": "one"})
    return {model["id"]: model for model in client.get("/api/v1/models").json()}


def test_health_says_on_what_models_run(client: TestClient, device: torch.device) -> None:
    client.post("/api/v1/tokenize", json={"model": "minilm", "text": "one"})
    body = client.get("/api/v1/health").json()
    assert body.keys() == {"status", "version", "device", "dtype", "loaded"}
    assert body["status"] == "ok"
    assert (body["version"], body["device"]) == (__version__, str(device))
    assert body["dtype"] == "float32"
    assert "minilm" in body["loaded"]


def test_every_model_of_the_catalogue_is_listed_with_every_field(
    models: dict[str, dict[str, Any]],
) -> None:
    hub = {"bert-base-uncased", "gpt2", "distilgpt2", "distilbert-base-uncased", "roberta-base"}
    assert {"minilm", "smollm2", "headscope-tiny", "gpt2-medium"} | hub <= set(models)
    assert all(model.keys() == FIELDS for model in models.values())


def test_the_numbers_of_the_default_models_are_true(models: dict[str, dict[str, Any]]) -> None:
    numbers = ("family", "kind", "n_layers", "n_heads", "n_kv_heads", "d_model", "d_head")
    minilm, smollm2 = models["minilm"], models["smollm2"]
    assert [minilm[name] for name in numbers] == ["bert", "encoder", 6, 12, 12, 384, 32]
    assert [smollm2[name] for name in numbers] == ["llama", "decoder", 30, 9, 3, 576, 64]
    assert (minilm["pairs"], smollm2["pairs"]) == (True, False)
    assert (minilm["chat_template"], smollm2["chat_template"]) == (False, True)
    assert minilm["licence"] == smollm2["licence"] == "Apache-2.0"
    for model in (minilm, smollm2):
        assert (model["available"], model["reason"], model["source"]) == (True, None, "package")


def test_the_longest_text_is_the_shorter_of_model_and_settings(
    models: dict[str, dict[str, Any]],
) -> None:
    assert models["minilm"]["max_tokens"] == 512
    assert models["smollm2"]["max_tokens"] == 1024


def test_a_loaded_model_says_so(models: dict[str, dict[str, Any]]) -> None:
    assert models["minilm"]["loaded"] is True
    assert models["gpt2-medium"]["loaded"] is False


def test_a_model_that_is_not_here_says_why(models: dict[str, dict[str, Any]]) -> None:
    missing = models["gpt2-medium"]
    assert missing["available"] is False
    assert "the settings do not allow the hub" in missing["reason"]


def test_a_model_says_whether_it_has_an_atlas_and_how_to_build_one(
    models: dict[str, dict[str, Any]], client: TestClient
) -> None:
    assert models["minilm"]["no_atlas"] is None
    asked = client.get("/api/v1/models/gpt2-medium/atlas")
    assert models["gpt2-medium"]["no_atlas"] == asked.json()["error"]["message"]


def test_headscopes_own_model_is_always_here(models: dict[str, dict[str, Any]]) -> None:
    own = models["headscope-tiny"]
    assert (own["available"], own["source"], own["kind"]) == (True, "built-in", "decoder")


def test_headscopes_own_model_runs_like_any_other(client: TestClient) -> None:
    question = {"model": "headscope-tiny", "text": "abcabc", "layers": [0], "heads": [0]}
    body = client.post("/api/v1/attention", json=question).json()
    assert body["n_tokens"] == 7
    assert all(abs(sum(row) - 1) < 1e-5 for row in body["attention"][0]["pattern"])


def test_the_page_gets_its_menus_from_the_server(client: TestClient) -> None:
    body = client.get("/api/v1/config").json()
    assert body["default_model"] == "minilm"
    assert body["version"] == __version__
    assert body["limits"] == {
        **{"max_tokens": 1024, "max_characters": 100_000, "max_json_cells": 2_000_000},
        **{"max_corpus_characters": 200_000, "overview_side": 128, "max_snapshot_cells": 8_000_000},
    }
    segments = [(f["id"], f["query_segment"], f["key_segment"]) for f in body["filters"]]
    assert segments == [
        *[("all", None, None), ("aa", 0, 0)],
        *[("ab", 0, 1), ("ba", 1, 0), ("bb", 1, 1)],
    ]


def test_every_example_can_be_asked(client: TestClient) -> None:
    examples = client.get("/api/v1/config").json()["examples"]
    assert any(example["text_pair"] for example in examples)
    for example in examples:
        question = {"model": "minilm", "text": example["text"], "text_pair": example["text_pair"]}
        assert client.post("/api/v1/tokenize", json=question).status_code == 200
        assert example["title"]
        assert example["hint"]
