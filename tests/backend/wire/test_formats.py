"""Which format an Accept header asks for, and a map of different rows and columns in each."""

import csv
import io
import json

import numpy as np
import pytest
from safetensors.numpy import load as load_safetensors

from backend.attention.routes import FORMATS as ATTENTION_FORMATS
from backend.maps.routes import FORMATS as MAP_FORMATS
from backend.maps.schemas import Cell, MapAbout
from backend.wire.errors import NotAcceptable
from backend.wire.examples import read_examples
from backend.wire.formats import (
    CSV,
    CSV_COLUMNS,
    JSON,
    NPZ,
    SAFETENSORS,
    MapsAnswer,
    OneMap,
    choose_format,
    write_csv,
)
from backend.wire.frames import MEDIA_TYPE as FRAME
from backend.wire.frames import FrameStack, decode

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (JSON, JSON),
        (NPZ, NPZ),
        (SAFETENSORS, SAFETENSORS),
        ("Application/X-NPZ", NPZ),
        (f" {NPZ} ; q=0.5 ", NPZ),
        (f"{NPZ}, {JSON}", NPZ),
        (f"{JSON}, {NPZ}", JSON),
        (f"{JSON};q=0.5, {NPZ}", NPZ),
        (f"{JSON};q=0.5, {NPZ};q=0.4", JSON),
        (f"{NPZ};q=0.1, {SAFETENSORS};q=0.9, */*;q=0.01", SAFETENSORS),
        (f"text/csv, {NPZ};q=0.2", NPZ),
        (f"{NPZ};q=0, */*", JSON),
        (f"{JSON};q=0, */*", NPZ),
        (f"{JSON};q=nonsense, {NPZ};q=0.1", NPZ),
        (f"{NPZ};version=1", NPZ),
        (BROWSER, JSON),
    ],
)
def test_the_callers_order_of_preference_decides(accept: str, expected: str) -> None:
    assert choose_format(accept, ATTENTION_FORMATS).media_type == expected


@pytest.mark.parametrize("accept", ["text/html", "image/*", f"{JSON};q=0", "*/*;q=0", "nonsense"])
def test_nothing_we_write_is_refused_with_what_we_do_write(accept: str) -> None:
    with pytest.raises(NotAcceptable) as refused:
        choose_format(accept, ATTENTION_FORMATS)
    for media_type in (JSON, NPZ, SAFETENSORS):
        assert media_type in refused.value.message
    assert refused.value.details == {"accept": accept}


def test_only_one_map_comes_as_a_frame() -> None:
    assert choose_format(FRAME, MAP_FORMATS).media_type == FRAME
    with pytest.raises(NotAcceptable):
        choose_format(FRAME, ATTENTION_FORMATS)


@pytest.mark.parametrize(
    ("accept", "expected"),
    [("*/*", JSON), ("application/*", JSON), ("text/*", CSV), (f"{CSV};q=0.4, {NPZ};q=0.3", CSV)],
)
def test_a_table_is_text_and_comes_when_text_is_wanted(accept: str, expected: str) -> None:
    assert choose_format(accept, MAP_FORMATS).media_type == expected


PATTERN = np.array([[0.25, 0.75]], np.float32)


@pytest.fixture
def cross() -> MapsAnswer:
    """The third token looks at the first two: one row, two columns."""
    changes = {
        **{"stack": "cross", "combine": "head", "cells": [Cell(layer=4, head=7)]},
        **{"queries": (2, 3), "keys": (0, 2)},
    }
    arrays = {"pattern": PATTERN, "queries": np.array([2]), "keys": np.array([0, 1])}
    return MapsAnswer(
        about=MapAbout(**read_examples()["maps"] | changes),
        causal=False,
        maps=[OneMap(4, 7, PATTERN)],
        arrays=arrays,
        body={"pattern": PATTERN},
    )


def written(answer: MapsAnswer, accept: str) -> bytes:
    return choose_format(accept, MAP_FORMATS).write(answer)


def test_json_says_which_tokens_the_rows_and_columns_are(cross: MapsAnswer) -> None:
    body = json.loads(written(cross, JSON))
    assert np.array_equal(np.array(body["pattern"], np.float32), PATTERN)
    assert (body["queries"], body["keys"], body["stack"]) == ([2, 3], [0, 2], "cross")


def test_a_frame_is_of_its_stack_and_as_wide_as_its_keys(cross: MapsAnswer) -> None:
    frame = decode(written(cross, FRAME))
    assert np.array_equal(frame.values, PATTERN[None])
    assert (frame.stack, frame.layer, frame.first_head) == (FrameStack.CROSS, 4, 7)
    assert (frame.n_queries, frame.n_keys) == (1, 2)


def test_arrays_carry_the_running_numbers_of_their_tokens(cross: MapsAnswer) -> None:
    with np.load(io.BytesIO(written(cross, NPZ))) as packed:
        arrays = dict(packed)
    for found in (arrays, load_safetensors(written(cross, SAFETENSORS))):
        assert np.array_equal(found["pattern"], PATTERN)
        assert (found["queries"].tolist(), found["keys"].tolist()) == ([2], [0, 1])
    assert arrays["tokens"].tolist() == ["[CLS]", "Hi", "[SEP]"]


def test_a_table_has_a_line_for_every_weight_with_numbers_and_texts_of_both_tokens(
    cross: MapsAnswer,
) -> None:
    rows = list(csv.DictReader(io.StringIO(written(cross, CSV).decode(), newline="")))
    assert [tuple(row.values()) for row in rows] == [
        ("4", "7", "2", "0", "[SEP]", "[CLS]", "0.25"),
        ("4", "7", "2", "1", "[SEP]", "Hi", "0.75"),
    ]


def test_a_table_gives_back_texts_and_weights_to_the_last_bit(cross: MapsAnswer) -> None:
    texts = ["the", 'a "b",', "line\nbreak", "猫"]
    tokens = [cross.about.tokens[0].model_copy(update={"text": text}) for text in texts]
    about = cross.about.model_copy(update={"tokens": tokens, "queries": (1, 4), "keys": (0, 1)})
    pattern = np.random.default_rng(0).random((3, 1)).astype(np.float32)
    maps = [OneMap(1, 0, pattern), OneMap(None, None, pattern[::-1])]
    table = write_csv(MapsAnswer(about=about, causal=False, maps=maps, arrays={}, body={}))
    header, *rows = csv.reader(io.StringIO(table.decode(), newline=""))
    assert tuple(header) == CSV_COLUMNS
    assert [row[:6] for row in rows[:3]] == [
        ["1", "0", str(query), "0", texts[query], "the"] for query in (1, 2, 3)
    ]
    assert [row[:2] for row in rows[3:]] == [["", ""]] * 3
    weights = np.array([row[6] for row in rows], np.float32)
    assert np.array_equal(weights, np.concatenate([pattern[:, 0], pattern[::-1, 0]]))
