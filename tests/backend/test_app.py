"""The application as a whole: its description, its pages, its error shape, its borders."""

import re
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from starlette.testclient import TestClient

import frontend
from backend import __version__
from backend.app import create_app
from backend.engine import LocalEngine
from backend.schemas import Health
from backend.settings import Settings

PATHS = {
    "/api/v1/health": {"get"},
    "/api/v1/models": {"get"},
    "/api/v1/config": {"get"},
    "/api/v1/tokenize": {"post"},
    "/api/v1/attention": {"post"},
    "/api/v1/analyses/{id}/heads/{layer}/{head}": {"get"},
    "/api/v1/metrics": {"get"},
    "/api/v1/heads": {"post"},
    "/api/v1/edges": {"post"},
    "/api/v1/maps": {"post"},
    "/api/v1/query-key": {"post"},
    "/api/v1/compare": {"post"},
    "/api/v1/next": {"post"},
    "/api/v1/snapshot": {"post"},
    "/api/v1/models/{id}/atlas": {"get"},
    "/api/v1/models/{id}/atlas/similarity": {"get"},
    "/api/v1/figures": {"post"},
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
            assert expected in operation["responses"]["200"]["content"]


def test_every_body_has_an_example_that_works(openapi: dict[str, Any], client: TestClient) -> None:
    bodies = 0
    for path, methods in openapi["paths"].items():
        for operation in methods.values():
            if "requestBody" not in operation:
                continue
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            name = schema["$ref"].rpartition("/")[2]
            for example in openapi["components"]["schemas"][name]["examples"]:
                assert client.post(path, json=example).status_code == 200
                bodies += 1
    assert bodies >= 2


def test_errors_are_described_in_the_one_shape(openapi: dict[str, Any]) -> None:
    for path in ("/api/v1/tokenize", "/api/v1/attention"):
        responses = openapi["paths"][path]["post"]["responses"]
        for status in ("404", "406", "413", "422", "503"):
            schema = responses[status]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/ErrorResponse"}


@pytest.mark.parametrize("path", ["heads", "edges", "figures"])
def test_errors_about_heads_are_described_too(openapi: dict[str, Any], path: str) -> None:
    responses = openapi["paths"][f"/api/v1/{path}"]["post"]["responses"]
    assert {"404", "413", "422", "503"} <= responses.keys()


def test_binary_formats_and_the_stream_are_described(openapi: dict[str, Any]) -> None:
    content = openapi["paths"]["/api/v1/attention"]["post"]["responses"]["200"]["content"]
    assert {"application/x-npz", "application/vnd.safetensors"} <= set(content)
    head = openapi["paths"]["/api/v1/analyses/{id}/heads/{layer}/{head}"]["get"]
    assert "application/vnd.headscope.frame" in head["responses"]["200"]["content"]
    assert "WS /api/v1/stream" in openapi["info"]["description"]


def links_of(html: str) -> list[str]:
    return re.findall(r"""(?:src|href)\s*=\s*["']([^"']+)["']""", html)


@pytest.mark.parametrize("page", ["/docs", "/"])
def test_a_page_takes_everything_from_this_server(page: str, client: TestClient) -> None:
    answer = client.get(page)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    found = links_of(answer.text)
    assert found
    for link in found:
        if link.startswith(("#", "data:")):
            continue
        assert urlsplit(link).netloc == "", f"{link} leads to another host"
        assert client.get(link).status_code == 200, link


def test_the_documentation_reads_this_servers_own_description(client: TestClient) -> None:
    script = client.get("/docs.js")
    assert "/api/v1/openapi.json" in script.text
    assert "://" not in script.text
    bundle = client.get("/docs/assets/swagger-ui-bundle.js")
    assert bundle.status_code == 200
    assert "SwaggerUIBundle" in bundle.text


def test_the_charts_library_comes_from_its_package_and_only_once(client: TestClient) -> None:
    script = client.get("/vendor/plotly.min.js")
    assert script.status_code == 200
    assert script.headers["content-type"].startswith("text/javascript")
    assert "plotly.js v" in script.text[:200]
    assert "script-src 'self'" in script.headers["content-security-policy"]
    again = client.get("/vendor/plotly.min.js", headers={"If-None-Match": script.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["", "templates/plotly.json", "widgetbundle.js", "../graph_objs"])
def test_nothing_else_of_that_package_is_served(path: str, client: TestClient) -> None:
    assert client.get(f"/vendor/{path}").status_code == 404


def test_every_file_of_the_page_is_served_with_its_type(client: TestClient) -> None:
    folder = Path(str(frontend.__file__)).parent
    types = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    served = [path for path in folder.rglob("*") if path.suffix in types]
    assert len(served) > 10
    for path in served:
        answer = client.get("/" + path.relative_to(folder).as_posix())
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(types[path.suffix])
        assert answer.content == path.read_bytes()


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
        def health(self) -> Health:
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


TRAVERSALS = [
    "/../pyproject.toml",
    "/../../pyproject.toml",
    "/%2e%2e/pyproject.toml",
    "/%2e%2e%2fpyproject.toml",
    "/..%2fpyproject.toml",
    "/..%5cpyproject.toml",
    "/%252e%252e/pyproject.toml",
    "/views/../../pyproject.toml",
    "/views/%2e%2e/%2e%2e/pyproject.toml",
    "//etc/passwd",
    "/%2fetc%2fpasswd",
    "/docs/assets/../../pyproject.toml",
    "/docs/assets/%2e%2e/%2e%2e/pyproject.toml",
    "/docs/assets/..%2f__init__.py",
    "/styles/style.css%00.js",
    "/api/v1/../../pyproject.toml",
]


def raw_get(client: TestClient, path: str) -> tuple[int, bytes]:
    """An answer to a path exactly as written: a client would tidy it first."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    scope = {
        **{"type": "http", "http_version": "1.1", "method": "GET", "scheme": "http"},
        **{"path": unquote(path), "raw_path": path.encode(), "query_string": b"", "root_path": ""},
        **{"headers": [(b"host", b"127.0.0.1")], "server": ("127.0.0.1", 80), "client": None},
    }
    assert client.portal is not None
    client.portal.call(client.app, scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def test_a_raw_path_of_the_page_is_served(client: TestClient) -> None:
    """So that the next test proves something."""
    assert raw_get(client, "/styles/style.css")[0] == 200


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out_of_the_page(path: str, client: TestClient) -> None:
    status, body = raw_get(client, path)
    assert status in (400, 404)
    assert b"[project]" not in body
    assert b"root:" not in body
