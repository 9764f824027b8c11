"""A page of another site must not reach this server, and browsers are told to be careful."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from backend.settings import Settings

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
ClientFor = Callable[..., AbstractContextManager[TestClient]]
STREAM = "ws://127.0.0.1:8000/api/v1/stream"
QUESTION = {"model": "minilm", "text": "one"}
FOREIGN_HOSTS = [
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "localhost.evil",
    "",
]
FOREIGN_ORIGINS = [
    "http://evil.example",
    "http://evil.example:8000",
    "http://127.0.0.1:8001",
    "http://127.0.0.1",
    "http://127.0.0.1:8000.evil.example",
    "http://evil@127.0.0.1:8000",
    "http://[::1",
    "null",
    "",
]

MAX_BODY_BYTES = Settings().max_request_bytes


def code_of(body: dict[str, dict[str, str]]) -> str:
    assert body["error"].keys() == {"code", "message", "details"}
    return body["error"]["code"]


@pytest.fixture(scope="module")
def opened(client_for: ClientFor) -> Iterator[TestClient]:
    """A client of a server that answers to a name and an origin of its owner's choice."""
    origins = ("https://Lab.example/", "https://b.example")
    with client_for(allowed_hosts=("Box.lan",), allowed_origins=origins) as client:
        yield client


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
@pytest.mark.parametrize("path", ["/", "/api/v1/health", "/docs", "/nothing"])
def test_a_foreign_host_is_refused(host: str, path: str, client: TestClient) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 403
    assert code_of(answer.json()) == "forbidden_host"
    assert "HEADSCOPE_ALLOWED_HOSTS" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000", "[::1]", "127.0.0.1"]
)
def test_loopback_is_always_ours(host: str, client: TestClient) -> None:
    assert client.get("/api/v1/health", headers={"Host": host}).status_code == 200


def test_an_allowed_host_is_ours_in_any_case_and_on_any_port(opened: TestClient) -> None:
    for host in ("box.lan", "BOX.LAN:8000"):
        assert opened.get("/api/v1/health", headers={"Host": host}).status_code == 200
    assert opened.get("/api/v1/health", headers={"Host": "a.box.lan"}).status_code == 403


def test_the_address_listened_on_is_ours_unless_it_stands_for_all(client_for: ClientFor) -> None:
    for host, name, status in [
        ("192.168.7.7", "192.168.7.7:8000", 200),
        ("fd00::7", "[fd00::7]:8000", 200),
        ("0.0.0.0", "0.0.0.0:8000", 403),
        ("::", "[::]:8000", 403),
    ]:
        with client_for(host=host) as client:
            assert client.get("/api/v1/health", headers={"Host": name}).status_code == status


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_foreign_origin_may_not_ask(origin: str, client: TestClient) -> None:
    answer = client.post("/api/v1/tokenize", json=QUESTION, headers={"Origin": origin})
    assert answer.status_code == 403
    assert code_of(answer.json()) == "forbidden_origin"


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_foreign_origin_may_not_open_a_socket(origin: str, client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(STREAM, headers={"Origin": origin}),
    ):
        pass
    assert (refused.value.code, refused.value.reason) == (1008, "forbidden_origin")


def test_a_foreign_host_may_not_open_a_socket(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(STREAM, headers={"Host": "evil.example"}),
    ):
        pass
    assert refused.value.reason == "forbidden_host"


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://127.0.0.1:8000"}])
def test_our_own_page_and_programs_may_ask(headers: dict[str, str], client: TestClient) -> None:
    assert client.post("/api/v1/tokenize", json=QUESTION, headers=headers).status_code == 200
    with client.websocket_connect(STREAM, headers=headers) as socket:
        socket.send_json({"cancel": True})


def test_the_pages_of_an_allowed_origin_may_ask_and_read_the_answer(opened: TestClient) -> None:
    headers = {"Origin": "https://lab.example"}
    asked = {"Access-Control-Request-Method": "POST"}
    asked["Access-Control-Request-Headers"] = "content-type"
    before = opened.options("/api/v1/tokenize", headers=headers | asked)
    assert before.status_code == 200
    answer = opened.post("/api/v1/tokenize", json=QUESTION, headers=headers)
    assert answer.status_code == 200
    for response in (before, answer):
        assert response.headers["access-control-allow-origin"] == "https://lab.example"
    with opened.websocket_connect(STREAM, headers=headers) as socket:
        socket.send_json({"cancel": True})


def test_no_other_page_may_read_an_answer(client: TestClient, opened: TestClient) -> None:
    for reader in (client, opened):
        answer = reader.get("/api/v1/health", headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers


RESPONSES = [
    ("GET", "/", {}),
    ("GET", "/styles/page.css", {}),
    ("GET", "/api/v1/health", {}),
    ("GET", "/api/v1/openapi.json", {}),
    ("GET", "/nothing", {}),
    ("GET", "/api/v1/attention", {}),
    ("POST", "/api/v1/attention", {"json": {}}),
    ("POST", "/api/v1/tokenize", {"json": {"model": "none", "text": "a"}}),
    ("POST", "/api/v1/tokenize", {"content": b"x" * (MAX_BODY_BYTES + 1)}),
    ("GET", "/", {"headers": {"Host": "evil.example"}}),
    ("GET", "/", {"headers": {"Origin": "http://evil.example"}}),
]


@pytest.mark.parametrize(("method", "path", "options"), RESPONSES)
def test_every_response_tells_browsers_to_be_careful(
    method: str, path: str, options: dict[str, object], client: TestClient
) -> None:
    headers = client.request(method, path, **options).headers  # type: ignore[arg-type]
    assert headers["content-security-policy"] == CONTENT_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_only_the_documentation_may_write_styles_and_none_may_run_inline_scripts(
    client: TestClient,
) -> None:
    policy = client.get("/docs").headers["content-security-policy"]
    assert policy == CONTENT_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_too_large_is_refused_in_the_one_shape(announced: bool, client: TestClient) -> None:
    body = b'{"model": "minilm", "text": "' + b"a" * MAX_BODY_BYTES + b'"}'
    chunks = (body[start : start + 65536] for start in range(0, len(body), 65536))
    answer = client.post(
        "/api/v1/tokenize",
        content=body if announced else chunks,
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 413
    assert code_of(answer.json()) == "body_too_large"
    assert f"{MAX_BODY_BYTES:,}" in answer.json()["error"]["message"]


def test_a_length_that_is_no_number_does_no_harm(client: TestClient) -> None:
    body = b'{"model": "minilm", "text": "one"}'
    headers = {"Content-Type": "application/json", "Content-Length": "²".encode("latin-1")}
    assert client.post("/api/v1/tokenize", content=body, headers=headers).status_code == 200  # type: ignore[arg-type]
