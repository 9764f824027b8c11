"""A snapshot over the wire: the file, its name, and every refusal."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.recorded_page import recorded


def asked(**changes: object) -> dict[str, Any]:
    return {"model": "headscope-tiny", "text": "abcabc", **changes}


def test_a_snapshot_is_a_file_to_keep(client: TestClient) -> None:
    answer = client.post("/api/v1/snapshot", json=asked(notes={"1.3": "copies"}, view="pins=1.3h"))
    assert answer.status_code == 200, answer.text[:300]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    plain = recorded(answer.text).plain
    assert plain["notes"] == {"1.3": "copies"}
    assert plain["view"] == "pins=1.3h"
    named = recorded(answer.text).rest["start"]["id"]
    assert answer.headers["content-disposition"] == f'attachment; filename="headscope-{named}.html"'


def test_notes_and_view_may_be_left_out(client: TestClient) -> None:
    plain = recorded(client.post("/api/v1/snapshot", json=asked()).text).plain
    assert (plain["notes"], plain["view"]) == ({}, "")


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"model": "bort"}, 404, "unknown_model"),
        ({"text": " "}, 422, "empty_text"),
        ({"text": "a" * 3000}, 413, "text_too_long"),
        ({"notes": {"2.0": "a"}}, 404, "no_such_head"),
        ({"notes": {"L2": "a"}}, 422, "bad_request"),
        ({"notes": {"0.0": "a" * 2001}}, 422, "bad_request"),
        ({"notes": {"0.0": 3}}, 422, "bad_request"),
        ({"notes": {f"0.{at}": "a" for at in range(1001)}}, 422, "bad_request"),
        ({"view": "a" * 200_001}, 422, "bad_request"),
        ({"pins": []}, 422, "bad_request"),
        ({"maps": [{"combine": "head"}]}, 422, "bad_request"),
        ({"maps": [{"combine": "mean", "text": "b"}]}, 422, "bad_request"),
        ({"maps": [{"combine": "rollout", "up_to": 9}]}, 404, "no_such_head"),
        ({"maps": [{"combine": "mean", "stack": "cross"}]}, 422, "no_such_stack"),
        ({"text": "a" * 200, "maps": [{"combine": "mean"}] * 500}, 413, "too_many_cells"),
    ],
)
def test_what_cannot_be_recorded_is_refused(
    client: TestClient, changes: dict[str, Any], status: int, code: str
) -> None:
    answer = client.post("/api/v1/snapshot", json=asked(**changes))
    assert answer.status_code == status, answer.text[:300]
    assert answer.json()["error"]["code"] == code
