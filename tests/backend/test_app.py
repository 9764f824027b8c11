"""The application as a whole: its description, its pages, its error shape, its borders."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from backend import __version__
from backend.app import create_app
from backend.engine.local import LocalEngine
from backend.settings import Settings

PATHS = {
    "/api/v1/health": {"get"},
    "/api/v1/models": {"get"},
    "/api/v1/config": {"get"},
    "/api/v1/tokenize": {"post"},
    "/api/v1/attention": {"post"},
    "/api/v1/metrics": {"get"},
    "/api/v1/heads": {"post"},
    "/api/v1/edges": {"post"},
    "/api/v1/maps": {"post"},
    "/api/v1/rows": {"post"},
    "/api/v1/query-key": {"post"},
    "/api/v1/compare": {"post"},
    "/api/v1/corpus": {"post"},
    "/api/v1/next": {"post"},
    "/api/v1/learn/calculator": {"get", "post"},
    "/api/v1/learn/exercises": {"get"},
    "/api/v1/learn/exercises/{id}": {"post"},
    "/api/v1/learn/tasks": {"get"},
    "/api/v1/learn/runs": {"get", "post"},
    "/api/v1/learn/runs/{id}": {"get", "delete"},
    "/api/v1/learn/runs/{id}/resume": {"post"},
    "/api/v1/learn/runs/{id}/stop": {"post"},
    "/api/v1/learn/runs/{id}/maps": {"post"},
    "/api/v1/snapshot": {"post"},
    "/api/v1/models/{id}/atlas": {"get"},
    "/api/v1/models/{id}/atlas/similarity": {"get"},
    "/api/v1/models/{id}/atlas/build": {"get", "post", "delete"},
    "/api/v1/figures": {"post"},
    "/api/v1/learn/anatomy": {"get", "post"},
    "/api/v1/learn/anatomy/trace": {"post"},
}


@pytest.fixture(scope="module")
def openapi(client: TestClient) -> dict[str, Any]:
    description: dict[str, Any] = client.get("/api/v1/openapi.json").json()
    return description


def is_error(body: dict[str, Any], code: str) -> bool:
    return (
        body.keys() == {"error"}
        and body["error"].keys() == {"code", "message", "details"}
        and (body["error"]["code"] == code)
    )


def references(node: object) -> list[str]:
    """Every `$ref` anywhere in the description."""
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [ref for value in node.values() for ref in references(value)]
    if isinstance(node, list):
        return [ref for value in node for ref in references(value)]
    return []


def success_of(operation: dict[str, Any]) -> dict[str, Any]:
    """The answer that is no error, whether the work is done or only begun."""
    answers: dict[str, dict[str, Any]] = operation["responses"]
    return answers["200"] if "200" in answers else answers["202"]


def test_the_description_names_every_path_and_method(openapi: dict[str, Any]) -> None:
    assert openapi["openapi"].startswith("3.1")
    assert openapi["info"]["title"] == "HeadScope"
    assert openapi["info"]["version"] == __version__
    assert {path: set(methods) for path, methods in openapi["paths"].items()} == PATHS


def test_every_reference_of_the_description_leads_somewhere(openapi: dict[str, Any]) -> None:
    found = references(openapi)
    assert found
    for reference in found:
        node = openapi
        for step in reference.removeprefix("#/").split("/"):
            node = node[step]


def test_every_operation_has_a_summary_words_and_an_answer(openapi: dict[str, Any]) -> None:
    for path, methods in openapi["paths"].items():
        expected = "text/html" if path.endswith("/snapshot") else "application/json"
        for operation in methods.values():
            assert operation["summary"]
            assert operation["description"]
            assert expected in success_of(operation)["content"]


def test_every_body_has_an_example_that_works(openapi: dict[str, Any], client: TestClient) -> None:
    bodies = 0
    for path, methods in openapi["paths"].items():
        for operation in methods.values():
            if "requestBody" not in operation or "{id}" in path:  # a build takes a while
                continue
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            name = schema["$ref"].rpartition("/")[2]
            for example in openapi["components"]["schemas"][name]["examples"]:
                if path.endswith("/runs"):  # a short one: it is trained
                    example = example | {"steps": 10, "points": 2}
                assert client.post(path, json=example).status_code in (200, 202)
                bodies += 1
    assert bodies >= 2


def test_errors_are_described_in_the_one_shape(openapi: dict[str, Any]) -> None:
    for path in ("/api/v1/tokenize", "/api/v1/attention"):
        responses = openapi["paths"][path]["post"]["responses"]
        for status in ("404", "413", "422", "503"):
            schema = responses[status]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/ErrorResponse"}


@pytest.mark.parametrize("path", ["heads", "edges", "figures"])
def test_errors_about_heads_are_described_too(openapi: dict[str, Any], path: str) -> None:
    responses = openapi["paths"][f"/api/v1/{path}"]["post"]["responses"]
    assert {"404", "413", "422", "503"} <= responses.keys()


def test_binary_formats_and_the_stream_are_described(openapi: dict[str, Any]) -> None:
    content = openapi["paths"]["/api/v1/attention"]["post"]["responses"]["200"]["content"]
    assert {"application/x-npz", "application/vnd.safetensors"} <= set(content)
    maps = openapi["paths"]["/api/v1/maps"]["post"]["responses"]["200"]["content"]
    assert "application/vnd.headscope.frame" in maps
    assert "WS /api/v1/stream" in openapi["info"]["description"]


@pytest.mark.parametrize("path", ["/nothing", "/api/v1/nothing", "/views/nothing.js", "/docs/x"])
def test_an_unknown_path_is_an_error_in_the_one_shape(path: str, client: TestClient) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert is_error(answer.json(), "not_found")
    assert path in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "/api/v1/attention", "POST"), ("POST", "/api/v1/health", "GET")],
)
def test_a_wrong_method_is_an_error_that_names_the_right_one(
    method: str, path: str, allowed: str, client: TestClient
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == 405
    assert is_error(answer.json(), "method_not_allowed")
    assert answer.headers["allow"] == allowed


def test_what_nobody_foresaw_is_told_in_brief_and_with_all_headers(
    settings_for: Callable[..., Settings],
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(LocalEngine):
        async def run(self, job: object, request: object) -> Any:  # noqa: ANN401
            raise RuntimeError("the secret path /home/me")

    app = create_app(settings_for(), Broken)
    with TestClient(app, "http://127.0.0.1", raise_server_exceptions=False) as client:
        answer = client.get("/api/v1/health")
    assert answer.status_code == 500
    assert is_error(answer.json(), "internal")
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "the secret path" in caplog.text, "the log must say more"
