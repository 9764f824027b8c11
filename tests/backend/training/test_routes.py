"""Training over HTTP: what there is, settings that do not fit, starting, stopping, resuming."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load as load_safetensors
from starlette.testclient import TestClient

from mha_core.learn.runs import find_run
from mha_core.learn.shipped_runs import RUNS
from tests.answers import error_of
from tests.backend.training.conftest import LONG, SHORT, start, state_of, wait_until

TEXT = "the kings near the girl sleep ."
JSON, NPZ, SAFETENSORS = (
    "application/json",
    "application/x-npz",
    "application/vnd.safetensors",
)


def test_every_task_says_what_it_is_and_how_it_is_usually_trained(client: TestClient) -> None:
    tasks = {task["id"]: task for task in client.get("/api/v1/learn/tasks").json()}
    assert set(tasks) == {"markov", "repeats", "language"}
    for task in tasks.values():
        assert task["about"].endswith(".")
        assert task["source"]
        assert task["settings"]["task"] == task["id"]
        assert all(set(text.split()) <= set(task["vocabulary"]) for text in task["examples"])
    assert {it["id"] for it in tasks["language"]["relations"]} >= {"subject", "pronoun"}


def test_the_shipped_runs_are_listed_and_are_models(client: TestClient) -> None:
    runs = {run["id"]: run for run in client.get("/api/v1/learn/runs").json()}
    models = {model["id"]: model for model in client.get("/api/v1/models").json()}
    for id, (name, _) in RUNS.items():
        assert (runs[id]["state"], runs[id]["shipped"], runs[id]["ahead"]) == ("done", True, None)
        assert models[id]["name"] == name
        assert models[id]["available"]
        assert models[id]["examples"]
    text = models["language"]["examples"][0]
    body = {"model": "language", "text": text}
    assert client.post("/api/v1/attention", json=body).status_code == 200
    assert models["minilm"]["examples"] == []


def test_a_record_has_heads_measured_at_every_checkpoint(client: TestClient) -> None:
    record = client.get("/api/v1/learn/runs/repeats").json()
    steps = [point["step"] for point in record["points"]]
    assert steps == record["kept_steps"]
    assert steps[-1] == record["settings"]["steps"] == record["step"]
    last = record["points"][-1]
    assert max(last["metrics"]["induction"]["value"][1]) > 0.7
    assert {"induction", "previous"} <= {role["role"] for role in last["roles"]}
    assert record["losses"][-1]["step"] == steps[-1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"task": "language", "n_heads": 5}, "choose one of 1, 2, 4, 8, 16, 32, 64 heads"),
        ({"task": "chess"}, "'markov', 'repeats' or 'language'"),
        ({}, "task: Field required"),
        ({"task": "markov", "steps": 3}, "steps: Input should be greater than or equal to 10"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_words(
    settings: dict[str, Any], words: str, client: TestClient, own_runs: Path
) -> None:
    error = error_of(client.post("/api/v1/learn/runs", json=settings), 422, "bad_request")
    assert words in error["message"]
    assert ".." not in error["message"]
    assert not own_runs.exists(), "nothing was written"


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("DELETE", ""), ("POST", "/resume"), ("POST", "/stop"), ("POST", "/maps")],
)
def test_an_unknown_run_is_an_error_that_names_those_there_are(
    method: str, path: str, client: TestClient
) -> None:
    body = {"text": "a"} if path == "/maps" else None
    answer = client.request(method, f"/api/v1/learn/runs/gone{path}", json=body)
    assert "repeats" in error_of(answer, 404, "unknown_run")["details"]["available"]


def test_what_is_shipped_cannot_be_changed(client: TestClient) -> None:
    error_of(client.delete("/api/v1/learn/runs/repeats"), 409, "run_busy")
    error_of(client.post("/api/v1/learn/runs/repeats/resume"), 409, "run_busy")


# The maps at every step -------------------------------------------------------------------------


@pytest.mark.parametrize("accept", [JSON, NPZ, SAFETENSORS])
def test_maps_come_in_every_format_and_are_those_of_the_models(
    accept: str, client: TestClient
) -> None:
    url = "/api/v1/learn/runs/language/maps"
    answer = client.post(url, json={"text": TEXT}, headers={"accept": accept})
    assert answer.headers["content-type"] == accept
    if accept == JSON:
        patterns, about = np.array(answer.json()["patterns"]), answer.json()
    elif accept == NPZ:
        arrays = np.load(io.BytesIO(answer.content))
        patterns, about = arrays["patterns"], json.loads(str(arrays["meta"]))
    else:
        patterns = load_safetensors(answer.content)["patterns"]
        length = int.from_bytes(answer.content[:8], "little")
        about = json.loads(json.loads(answer.content[8 : 8 + length])["__metadata__"]["meta"])
    tokens = [token["text"] for token in about["tokens"]]
    assert tokens == ["<bos>", *TEXT.split()]
    assert patterns.shape == (len(about["steps"]), 2, 4, len(tokens), len(tokens))
    for place in (0, 10, -1):
        body = {"model": f"language@{about['steps'][place]}", "text": TEXT}
        heads = client.post("/api/v1/attention", json=body).json()["attention"]
        expected = np.array([head["pattern"] for head in heads]).reshape(patterns.shape[1:])
        assert np.allclose(patterns[place], expected, atol=1e-6)
    assert len(about["predictions"]) == len(about["steps"])


def test_a_text_that_the_words_cannot_write_is_refused(client: TestClient) -> None:
    url = "/api/v1/learn/runs/language/maps"
    error = error_of(client.post(url, json={"text": "the zebra"}), 422, "unknown_word")
    assert error["details"]["unknown"] == ["zebra"]
    error_of(client.post(url, json={"text": " "}), 422, "empty_text")
    error_of(client.post(url, json={"text": "old " * 50}), 413, "text_too_long")
    error_of(client.post("/api/v1/attention", json={"model": "language", "text": "zebra"}), 422,
             "unknown_word")  # fmt: skip


# Runs in processes of their own -----------------------------------------------------------------


@pytest.mark.processes
def test_a_run_is_trained_stopped_resumed_and_then_a_model(
    client: TestClient, own_runs: Path
) -> None:
    id = start(client, LONG | {"name": "Mine"})["id"]
    wait_until(lambda: state_of(client, id)["step"] >= 5)
    assert client.get("/api/v1/health").status_code == 200
    error_of(client.delete(f"/api/v1/learn/runs/{id}"), 409, "run_busy")
    error_of(client.post(f"/api/v1/learn/runs/{id}/resume"), 409, "run_busy")
    assert client.post(f"/api/v1/learn/runs/{id}/stop").status_code == 202
    stopped = wait_until(lambda: (it := state_of(client, id))["state"] == "stopped" and it)
    assert stopped["name"] == "Mine"
    error_of(client.post("/api/v1/tokenize", json={"model": id, "text": "the king"}), 404,
             "unknown_model")  # fmt: skip
    first = find_run(id, own_runs).kept_steps()[0]
    body = {"model": f"{id}@{first}", "text": "the king"}
    assert client.post("/api/v1/tokenize", json=body).status_code == 200

    assert client.post(f"/api/v1/learn/runs/{id}/resume").json()["ahead"] == 0
    wait_until(lambda: state_of(client, id)["step"] > stopped["step"])
    client.post(f"/api/v1/learn/runs/{id}/stop")
    wait_until(lambda: state_of(client, id)["state"] == "stopped")
    assert id not in [run["id"] for run in client.delete(f"/api/v1/learn/runs/{id}").json()]
    assert not (own_runs / id).exists()


@pytest.mark.processes
def test_one_run_is_trained_at_a_time_and_the_next_waits(client: TestClient) -> None:
    first, second, third = (start(client, it)["id"] for it in (LONG, SHORT, SHORT))
    assert [state_of(client, id)["ahead"] for id in (first, second, third)] == [0, 1, 2]
    assert state_of(client, second)["state"] == "queued"
    client.post(f"/api/v1/learn/runs/{third}/stop")
    assert (state_of(client, third)["state"], state_of(client, third)["ahead"]) == ("stopped", None)
    wait_until(lambda: state_of(client, first)["state"] == "running")
    client.post(f"/api/v1/learn/runs/{first}/stop")
    wait_until(lambda: state_of(client, second)["state"] == "done")
    assert state_of(client, first)["state"] == "stopped"
    body = {"model": second, "text": "the king runs ."}
    assert client.post("/api/v1/attention", json=body).status_code == 200


@pytest.mark.processes
def test_a_process_that_cannot_begin_is_a_failed_run_with_a_reason(
    client: TestClient, own_runs: Path
) -> None:
    blocking = start(client, LONG)["id"]
    id = start(client, SHORT)["id"]
    (own_runs / id / "state.safetensors").write_text("nonsense")
    client.post(f"/api/v1/learn/runs/{blocking}/stop")
    failed = wait_until(lambda: (it := state_of(client, id))["state"] == "failed" and it)
    assert failed["message"]
    assert failed["ahead"] is None
