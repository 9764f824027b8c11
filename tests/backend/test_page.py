"""What browsers are sent: pages that need no other host, files as written, and no others."""

import re
from collections.abc import MutableMapping
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from starlette.testclient import TestClient

from backend import page
from backend.page import FOR_GOOD, PAGE, version
from tests.backend.conftest import ClientFor

OWN_FILES = (".css", ".js", ".svg")


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
    types = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    served = [path for path in PAGE.rglob("*") if path.suffix in types]
    assert len(served) > 10
    for path in served:
        answer = client.get("/" + path.relative_to(PAGE).as_posix())
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(types[path.suffix])
        assert answer.content == path.read_bytes()


def test_a_page_names_all_its_files_where_they_are_kept(client: TestClient) -> None:
    links = [link for link in links_of(client.get("/").text) if link.endswith(OWN_FILES)]
    assert len(links) > 10
    for link in links:
        answer = client.get(link)
        assert answer.headers["cache-control"] == FOR_GOOD, link
        assert answer.content == (PAGE / link.split("/", 3)[3]).read_bytes()


def test_what_is_not_kept_is_asked_for_again(client: TestClient) -> None:
    old = client.get("/kept/000000000000/main.js")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    for path in ("/", "/main.js", "/api/v1/health"):
        assert client.get(path).headers["cache-control"] == "no-cache"
    missing = client.get(f"/kept/{version()}/nothing.js")
    assert (missing.status_code, missing.headers["cache-control"]) == (404, "no-cache")


def test_a_changed_file_changes_the_name_of_all(
    tmp_path: Path, client_for: ClientFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copytree(PAGE, tmp_path / "frontend")
    monkeypatch.setattr(page, "PAGE", folder)
    first = version()
    assert first == version()
    with client_for() as client:
        assert f"/kept/{first}/main.js" in client.get("/").text
        module = folder / "page/pace.js"
        module.write_text(module.read_text().replace("Pace", "Race"))
        second = version()
        assert second != first
        assert f"/kept/{second}/main.js" in client.get("/").text
        assert client.get(f"/kept/{first}/page/pace.js").headers["cache-control"] == "no-cache"
        kept = client.get(f"/kept/{second}/page/pace.js")
        assert (kept.headers["cache-control"], kept.content) == (FOR_GOOD, module.read_bytes())
    module.rename(folder / "page/race.js")
    assert version() not in (first, second)


def test_the_page_can_be_asked_for_without_its_body(client: TestClient) -> None:
    answer = client.head("/")
    assert (answer.status_code, answer.content) == (200, b"")


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
    "/kept/now/../../pyproject.toml",
    "/kept/now/%2e%2e/pyproject.toml",
    "/kept/now/..%2fpyproject.toml",
    "/kept/now//etc/passwd",
    "/kept/now/%2fetc%2fpasswd",
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
