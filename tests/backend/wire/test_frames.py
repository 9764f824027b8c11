"""The binary frame: what is written is read back, and nothing else is read at all."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from backend.wire.frames import (
    HEADER,
    Flags,
    Frame,
    FrameKind,
    FrameStack,
    decode,
    encode,
    frame_of_rows,
)
from mha_core.runs.overview import SIDE

GOLDEN = Path(__file__).parents[2] / "frontend" / "golden_frame"
BUDGET = 2_500_000

shapes = st.tuples(st.integers(1, 5), st.integers(1, 9), st.integers(1, 9))
u16, u32 = st.integers(0, 2**16 - 1), st.integers(0, 2**32 - 1)
overviews = npst.arrays(np.uint8, shapes)
patterns = npst.arrays(np.float32, shapes, elements=st.floats(0, 1, width=32))


def same(one: Frame, other: Frame) -> bool:
    parts = [{**vars(frame), "values": None} for frame in (one, other)]
    return parts[0] == parts[1] and np.array_equal(one.values, other.values)


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    kind = draw(st.sampled_from(FrameKind))
    return Frame(
        kind=kind,
        layer=draw(u16),
        values=draw(overviews if kind == FrameKind.OVERVIEW else patterns),
        n_queries=draw(u32),
        n_keys=draw(u32),
        first_head=draw(u16),
        stack=draw(st.sampled_from(FrameStack)),
        flags=draw(st.sampled_from([Flags(bits) for bits in range(4)])),
    )


EXAMPLE = Frame(FrameKind.OVERVIEW, 3, np.arange(12, dtype=np.uint8).reshape(2, 2, 3), 2, 3)


@given(frames())
def test_a_frame_comes_back_as_it_was(frame: Frame) -> None:
    data = encode(frame)
    assert len(data) == 32 + frame.values.size * frame.values.itemsize
    assert same(decode(data), frame)


def test_the_header_is_laid_out_as_documented() -> None:
    frame = Frame(
        kind=FrameKind.PATTERN,
        layer=0x0102,
        values=np.full((1, 2, 3), 0.25, np.float32),
        n_queries=0x0A0B0C0D,
        n_keys=5,
        first_head=7,
        stack=FrameStack.CROSS,
        flags=Flags.MAX_POOLED | Flags.CAUSAL,
    )
    expected = b"HSCP" + bytes([1, 2, 2, 2])
    expected += bytes([2, 1, 7, 0, 1, 0, 3, 0])
    expected += bytes([2, 0, 0, 0, 3, 0, 0, 0])
    expected += bytes([0x0D, 0x0C, 0x0B, 0x0A, 5, 0, 0, 0])
    assert encode(frame) == expected + struct.pack("<6f", *[0.25] * 6)


def test_rows_of_all_heads_lie_layer_after_layer() -> None:
    rows = np.random.default_rng(0).random((3, 2, 5), np.float32)  # [L, H, K]
    frame = decode(encode(frame_of_rows(rows, FrameStack.DECODER, Flags.CAUSAL)))
    assert (frame.kind, frame.layer, frame.stack) == (3, 3, FrameStack.DECODER)
    assert (frame.values.shape, frame.n_queries, frame.n_keys) == ((6, 1, 5), 1, 5)
    for layer in range(3):
        for head in range(2):
            assert np.array_equal(frame.values[layer * 2 + head, 0], rows[layer, head])


def test_values_that_are_not_contiguous_are_written_row_by_row() -> None:
    values = np.arange(6, dtype=np.float32).reshape(1, 2, 3).transpose(0, 2, 1)
    frame = Frame(FrameKind.PATTERN, 0, values, 3, 2)
    assert np.array_equal(decode(encode(frame)).values, values)


def test_the_golden_frame_is_read_as_written_down() -> None:
    """The page's tests read the same two files."""
    frame = decode(GOLDEN.with_suffix(".bin").read_bytes())
    expected = json.loads(GOLDEN.with_suffix(".json").read_text())
    told = {name: value for name, value in expected.items() if name in vars(frame)}
    assert {"kind", "layer", "first_head", "n_queries", "n_keys", "stack"} <= set(told)
    for name, value in told.items():
        if name != "values":
            assert int(getattr(frame, name)) == int(value), name
    assert np.array_equal(frame.values.ravel(), np.ravel(expected["values"]))
    assert encode(frame) == GOLDEN.with_suffix(".bin").read_bytes()


def test_every_byte_too_few_or_too_many_is_an_error() -> None:
    data = encode(EXAMPLE)
    for cut in range(len(data)):
        with pytest.raises(ValueError, match="bytes"):
            decode(data[:cut])
    with pytest.raises(ValueError, match="promises 44 bytes, there are 45"):
        decode(data + b"\0")


@pytest.mark.parametrize(
    ("offset", "byte", "words"),
    [
        (0, b"X", "Not a frame"),
        (4, b"\2", "Frame version 2; this reads version 1"),
        (5, b"\7", "7 is not a valid FrameKind"),
        (6, b"\2", "overview frame has dtype 1, this says 2"),
        (7, b"\7", "7 is not a valid FrameStack"),
    ],
)
def test_a_header_that_makes_no_sense_is_an_error(offset: int, byte: bytes, words: str) -> None:
    data = encode(EXAMPLE)
    with pytest.raises(ValueError, match=words):
        decode(data[:offset] + byte + data[offset + 1 :])


def test_sizes_beyond_64_bits_do_not_wrap_around_to_a_short_frame() -> None:
    header = HEADER.pack(b"HSCP", 1, 1, 1, 0, 0, 0, 4, 0, 2**31, 2**31, 1, 1)
    with pytest.raises(ValueError, match="promises 18446744073709551648 bytes, there are 32"):
        decode(header)


@given(st.binary(max_size=80))
def test_no_bytes_at_all_raise_anything_but_a_value_error(data: bytes) -> None:
    try:
        frame = decode(b"HSCP" + data)
    except ValueError:
        return
    assert frame.values.ndim == 3


def test_all_heads_of_a_12_by_12_model_at_128_tokens_fit_the_byte_budget() -> None:
    maps = np.zeros((12, SIDE, SIDE), np.uint8)
    frames = [encode(Frame(FrameKind.OVERVIEW, layer, maps, 128, 128)) for layer in range(12)]
    assert sum(map(len, frames)) <= BUDGET
