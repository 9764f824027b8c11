"""A map whose rows and columns are different tokens, in every format."""

import csv
import io
import json

import numpy as np
import pytest
from safetensors.numpy import load as load_safetensors

from backend.heads.examples import MAP
from backend.maps.formats import MAP_FORMATS
from backend.maps.jobs import OneMap
from backend.maps.schemas import Cell, MapAbout
from backend.wire.formats import JSON, choose
from backend.wire.frames import MEDIA_TYPE, FrameStack, decode

NPZ, SAFETENSORS, CSV = "application/x-npz", "application/vnd.safetensors", "text/csv"
PATTERN = np.array([[0.25, 0.75]], np.float32)


@pytest.fixture
def cross() -> OneMap:
    """The third token looks at the first two: one row, two columns."""
    changes = {
        **{"stack": "cross", "combine": "head", "cells": [Cell(layer=4, head=7)]},
        **{"queries": (2, 3), "keys": (0, 2)},
    }
    return OneMap(MapAbout(**MAP | changes), PATTERN, causal=False)


def written(one: OneMap, accept: str) -> bytes:
    return choose(accept, MAP_FORMATS).write(one)


def test_json_says_which_tokens_the_rows_and_columns_are(cross: OneMap) -> None:
    body = json.loads(written(cross, JSON))
    assert np.array_equal(np.array(body["pattern"], np.float32), PATTERN)
    assert (body["queries"], body["keys"], body["stack"]) == ([2, 3], [0, 2], "cross")


def test_a_frame_is_of_its_stack_and_as_wide_as_its_keys(cross: OneMap) -> None:
    frame = decode(written(cross, MEDIA_TYPE))
    assert np.array_equal(frame.values, PATTERN[None])
    assert (frame.stack, frame.layer, frame.first_head) == (FrameStack.CROSS, 4, 7)
    assert (frame.n_queries, frame.n_keys) == (1, 2)


def test_arrays_carry_the_running_numbers_of_their_tokens(cross: OneMap) -> None:
    with np.load(io.BytesIO(written(cross, NPZ))) as packed:
        arrays = dict(packed)
    for found in (arrays, load_safetensors(written(cross, SAFETENSORS))):
        assert np.array_equal(found["pattern"], PATTERN)
        assert (found["queries"].tolist(), found["keys"].tolist()) == ([2], [0, 1])
    assert arrays["tokens"].tolist() == ["[CLS]", "Hi", "[SEP]"]


def test_a_table_names_both_tokens_by_number_and_text(cross: OneMap) -> None:
    rows = list(csv.DictReader(io.StringIO(written(cross, CSV).decode(), newline="")))
    assert [tuple(row.values()) for row in rows] == [
        ("4", "7", "2", "0", "[SEP]", "[CLS]", "0.25"),
        ("4", "7", "2", "1", "[SEP]", "Hi", "0.75"),
    ]


@pytest.mark.parametrize(
    ("accept", "expected"),
    [("*/*", JSON), ("application/*", JSON), ("text/*", CSV), (f"{CSV};q=0.4, {NPZ};q=0.3", CSV)],
)
def test_a_table_is_text_and_comes_when_text_is_wanted(accept: str, expected: str) -> None:
    assert choose(accept, MAP_FORMATS).media_type == expected
