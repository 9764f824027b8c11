"""Snapshots from runs: what a file says is what the stream says."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from backend.atlas.jobs import describe_atlas
from backend.engine.session import Session
from backend.maps.jobs import compute_map
from backend.maps.schemas import MapRequest
from backend.page.texts import FILTERS, LIMITS_OF_ATTENTION
from backend.snapshot.jobs import take_snapshot
from backend.snapshot.schemas import SnapshotRequest
from backend.stream.jobs import stream_run
from backend.stream.schemas import StreamEvent, StreamMetrics, StreamRequest, StreamStart
from mha_core.errors import NoSuchHead
from tests.recorded_page import Recorded, inflated, recorded

TEXT = "The animal didn't cross the street because it was too tired."


@pytest.fixture(scope="module")
def session(session_for: Callable[..., Session]) -> Session:
    return session_for()


def made(session: Session, **asked: Any) -> Recorded:  # noqa: ANN401
    _, html = take_snapshot(session, SnapshotRequest(**asked))
    return recorded(html)


def close(one: Any, other: Any) -> None:  # noqa: ANN401
    """The same JSON, numbers to four decimals."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            close(one[name], other[name])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            close(a, b)
    elif isinstance(one, float):
        assert one == pytest.approx(other, abs=6e-5)
    else:
        assert one == other


@pytest.mark.parametrize(
    "asked",
    [
        {"model": "minilm", "text": TEXT, "text_pair": "It slept."},
        {"model": "headscope-tiny", "text": "abcabc", "continuation": [97, 98]},
    ],
    ids=["pair", "continuation"],
)
def test_a_snapshot_says_what_the_stream_says(session: Session, asked: dict[str, Any]) -> None:
    events: list[StreamEvent] = []
    stream_run(session, StreamRequest(request=1, **asked), events.append)
    weighted: list[StreamEvent] = []
    stream_run(session, StreamRequest(request=1, values="weighted", **asked), weighted.append)
    (start,) = [event for event in events if isinstance(event, StreamStart)]
    found = made(session, **asked)
    said = start.model_dump(mode="json")
    close(found.rest["start"], {name: said[name] for name in found.rest["start"]})
    metrics = [event for event in weighted if isinstance(event, StreamMetrics)]
    left_out = {"type", "request"}
    close(found.rest["measures"], [it.model_dump(mode="json", exclude=left_out) for it in metrics])
    frames = [event for event in events if isinstance(event, bytes)]
    assert [codes.tobytes() for codes in found.codes.values()] == [frame[32:] for frame in frames]


def test_a_snapshot_has_the_filters_and_the_caveats_of_the_page(session: Session) -> None:
    config = made(session, model="minilm", text="Hi").rest["config"]
    assert config["filters"] == [it.model_dump() for it in FILTERS]
    assert config["limits_of_attention"] == [it.model_dump() for it in LIMITS_OF_ATTENTION]


def test_a_snapshot_has_the_roles_of_the_models_atlas(session: Session) -> None:
    atlas = made(session, model="minilm", text="Hi").rest["atlas"]
    record = describe_atlas(session, "minilm").model_dump(mode="json")
    assert atlas == {name: record[name] for name in atlas}
    assert atlas["roles"]


def test_pinned_maps_are_kept_as_the_server_gives_them_however_long_the_text(
    session: Session,
) -> None:
    text = {"model": "minilm", "text": " ".join([TEXT] * 12)}
    choices = [
        {"combine": "head", "cells": [{"layer": 3, "head": 1}], "values": "weighted"},
        {"combine": "mean", "cells": [{"layer": 0, "head": None}, {"layer": 0, "head": 1}]},
        {"combine": "rollout", "up_to": 2},
    ]
    plain = made(session, **text, maps=choices).plain
    assert plain["layers"][0]["pooled"]
    codes = np.frombuffer(inflated(plain["kept_maps"]), "<u2")
    for choice, told in zip(choices, plain["kept"], strict=True):
        size = told["rows"] * told["cols"]
        mine, codes = codes[:size].reshape(told["rows"], told["cols"]), codes[size:]
        exact = compute_map(session, MapRequest(**text, **choice)).maps[0].pattern  # type: ignore[arg-type]
        assert np.abs((mine / 65_535) ** 2 - exact).max() < 2e-5
        assert told.items() >= choice.items()
    assert not len(codes)
    assert "2 \u00d7 2 tokens" in plain["about"]
    assert "0.00002" in plain["about"]


def test_a_note_on_no_head_is_refused_before_any_run(session: Session) -> None:
    request = SnapshotRequest(model="minilm", text="Never run", notes={"9.9": "a"})
    with pytest.raises(NoSuchHead):
        take_snapshot(session, request)
    assert session.analyses.get(session.prepare(request).info.id) is None
