"""What browsers are sent: pages that need no other host, files as written, and no others."""

import os
import re
from collections.abc import MutableMapping
from itertools import product
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from starlette.testclient import TestClient

from backend.page import files as page
from backend.page.files import ALL_MODULES, ALL_STYLES, FOR_GOOD, PAGE, SENT_AS_WRITTEN, Edition
from tests.backend.conftest import ClientFor


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's files in a folder of their own, to be worked on."""
    folder = copytree(PAGE, tmp_path / "frontend")
    monkeypatch.setattr(page, "PAGE", folder)
    return folder


def links_of(html: str) -> list[str]:
    return re.findall(r"""(?:src|href)\s*=\s*["']([^"']+)["']""", html)


def where_kept(client: TestClient) -> str:
    """The place at which the page names its files now."""
    found = re.search(r'"(/kept/\w+)/', client.get("/").text)
    assert found is not None
    return found[1]


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
    for place, path in product(("", where_kept(client)), served):
        answer = client.get(f"{place}/{path.relative_to(PAGE).as_posix()}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(types[path.suffix])
        assert answer.content == path.read_bytes()


def test_a_page_names_all_its_files_where_they_are_kept(client: TestClient) -> None:
    links = [
        link for link in links_of(client.get("/").text) if link.endswith(tuple(SENT_AS_WRITTEN))
    ]
    together = [f"/{ALL_STYLES}", f"/{ALL_MODULES}"]
    assert all(any(link.endswith(it) for link in links) for it in together)
    for link in links:
        answer = client.get(link)
        assert answer.headers["cache-control"] == FOR_GOOD, link
        if not link.endswith(tuple(together)):
            assert answer.content == (PAGE / link.split("/", 3)[3]).read_bytes()


def test_style_sheets_come_in_one_piece_in_the_order_of_the_page(client: TestClient) -> None:
    [together] = [it for it in links_of(client.get("/").text) if it.endswith(f"/{ALL_STYLES}")]
    sheets = re.findall(r'href="(styles/\w+\.css)">', (PAGE / "index.html").read_text("utf-8"))
    assert len(sheets) > 20
    written = b"\n".join((PAGE / sheet).read_bytes() for sheet in sheets)
    for path in (together, f"/kept/000000000000/{ALL_STYLES}"):
        assert client.get(path).content == written
    assert client.head(together).headers["content-length"] == str(len(written))


def test_modules_come_in_one_piece_with_a_map_to_the_files(client: TestClient) -> None:
    [together] = [it for it in links_of(client.get("/").text) if it.endswith(f"/{ALL_MODULES}")]
    script = client.get(together)
    assert script.headers["content-type"].startswith("text/javascript")
    [named] = re.findall(r"^//# sourceMappingURL=(.*)$", script.text, re.MULTILINE)
    place = together.removesuffix(ALL_MODULES)
    mapped = client.get(place + named).json()
    assert len(mapped["sections"]) > 100
    for section in mapped["sections"]:
        [source] = section["map"]["sources"]
        assert client.get(place + source).content == (PAGE / source).read_bytes()
    old = client.get(f"/kept/000000000000/{ALL_MODULES}")
    assert (old.text, old.headers["cache-control"]) == (script.text, "no-cache")


def test_modules_that_do_not_fit_together_are_sent_one_by_one(
    workshop: Path, client_for: ClientFor
) -> None:
    (workshop / "page/memo.js").write_text("export default 1;\n")
    with client_for() as client:
        links = links_of(client.get("/").text)
        assert any(link.endswith("/main.js") for link in links)
        assert not any(link.endswith(f"/{ALL_MODULES}") for link in links)


def test_what_is_not_kept_is_asked_for_again(client: TestClient) -> None:
    old = client.get("/kept/000000000000/main.js")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    for path in ("/", "/main.js", "/api/v1/health"):
        assert client.get(path).headers["cache-control"] == "no-cache"
    place = where_kept(client)
    missing = client.get(f"{place}/nothing.js")
    assert (missing.status_code, missing.headers["cache-control"]) == (404, "no-cache")
    for path in ("index.html", "docs.html"):  # the name does not speak of these
        other = client.get(f"{place}/{path}")
        assert (other.status_code, other.headers["cache-control"]) == (200, "no-cache")


def test_a_changed_file_changes_the_name_of_all(workshop: Path, client_for: ClientFor) -> None:
    module = workshop / "page/memo.js"
    with client_for() as client:
        first = where_kept(client)
        assert where_kept(client) == first
        module.write_text(module.read_text().replace("Memo", "Note"))
        second = where_kept(client)
        assert second != first
        for place, cached in ((first, "no-cache"), (second, FOR_GOOD)):
            answer = client.get(f"{place}/page/memo.js")
            assert answer.headers["cache-control"] == cached
            assert answer.content == module.read_bytes()
        module.rename(workshop / "page/note.js")
        assert where_kept(client) not in (first, second)


def test_what_changes_after_the_page_was_sent_is_not_kept_under_its_name(
    workshop: Path, client_for: ClientFor
) -> None:
    module = workshop / "page/memo.js"
    before = module.read_bytes()
    with client_for() as client:
        place = where_kept(client)
        module.write_bytes(before.swapcase())
        (workshop / "page/added.js").write_text("export {};")
        answer = client.get(f"{place}/page/memo.js")
        assert (answer.headers["cache-control"], answer.content) == (FOR_GOOD, before)
        added = client.get(f"{place}/page/added.js")
        assert (added.status_code, added.headers["cache-control"]) == (200, "no-cache")


def test_what_an_editor_leaves_beside_the_files_disturbs_nobody(
    workshop: Path, client_for: ClientFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, saved, read = Edition.now().name, workshop / "page/saving.js", Path.read_bytes
    (workshop / ".#main.js").symlink_to("somebody@somewhere.1:2")
    (workshop / "folder.js").mkdir()
    os.mkfifo(workshop / "pipe.js")

    def read_late(path: Path) -> bytes:
        if path == saved:
            saved.unlink()
        return read(path)

    saved.write_text("there when the files are listed")
    monkeypatch.setattr(Path, "read_bytes", read_late)
    assert Edition.now().name == name
    with client_for() as client:
        assert where_kept(client) == f"/kept/{name}"


def test_a_file_can_be_asked_for_without_its_body(client: TestClient) -> None:
    for path in ("/", "/main.js", f"{where_kept(client)}/main.js"):
        answer, whole = client.head(path), client.get(path)
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers == whole.headers


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
    "/styles/page.css%00.js",
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
    assert raw_get(client, "/styles/page.css")[0] == 200


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out_of_the_page(path: str, client: TestClient) -> None:
    status, body = raw_get(client, path)
    assert status in (400, 404)
    assert b"[project]" not in body
    assert b"root:" not in body
