"""The binary frame in which maps travel: its layout, encoding and decoding.

A frame is a 32-byte little-endian header and the values, heads x rows x cols in C order. The page
reads the same layout in `frontend/requests/wire.js`; one golden frame is read by the tests of both.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from math import prod

import numpy as np
from numpy.typing import NDArray

MAGIC = b"HSCP"
VERSION = 1
MEDIA_TYPE = "application/vnd.headscope.frame"

# magic, version, kind, dtype, stack | layer, first head, heads, flags | rows, cols | queries, keys
HEADER = struct.Struct("<4sBBBBHHHHIIII")


class FrameKind(IntEnum):
    """What the values are."""

    OVERVIEW = 1
    """Pooled where long, one byte a cell: weight = (code / 255) ** 2."""
    PATTERN = 2
    """Exact weights in float32."""
    ROWS = 3
    """One exact row, in float32, of every head of the model: what each looks at from one position.

    Heads x 1 x keys, the heads of all layers one after the other: head h of layer l is l * H + h.
    The field `layer` is the number of layers.
    """


class FrameStack(IntEnum):
    """Which attention of the model."""

    ENCODER = 0
    DECODER = 1
    CROSS = 2


class Flags(IntFlag):
    """What a reader should know of the values."""

    NONE = 0
    MAX_POOLED = 1
    CAUSAL = 2


DTYPES: dict[FrameKind, tuple[int, np.dtype[np.generic]]] = {
    FrameKind.OVERVIEW: (1, np.dtype("u1")),
    FrameKind.PATTERN: (2, np.dtype("<f4")),
    FrameKind.ROWS: (2, np.dtype("<f4")),
}


@dataclass(frozen=True)
class Frame:
    """Maps of neighbouring heads of one layer; of rows, of all heads of all layers."""

    kind: FrameKind
    layer: int  # which one; of rows how many
    values: NDArray[np.generic]  # [heads, rows, cols]
    n_queries: int
    n_keys: int
    first_head: int = 0
    stack: FrameStack = FrameStack.ENCODER
    flags: Flags = Flags.NONE


def frame_of_rows(rows: NDArray[np.float32], stack: FrameStack, flags: Flags) -> Frame:
    """One row of every head, [L, H, K], as a frame."""
    n_layers, _, n_keys = rows.shape
    values = rows.reshape(-1, 1, n_keys)  # [L*H, 1, K]
    return Frame(FrameKind.ROWS, n_layers, values, 1, n_keys, stack=stack, flags=flags)


def encode(frame: Frame) -> bytes:
    """A frame as bytes."""
    code, dtype = DTYPES[frame.kind]
    heads, rows, cols = frame.values.shape
    header = HEADER.pack(
        MAGIC, VERSION, frame.kind, code, frame.stack,
        frame.layer, frame.first_head, heads, frame.flags,
        rows, cols, frame.n_queries, frame.n_keys,
    )  # fmt: skip
    return b"".join([header, np.ascontiguousarray(frame.values, dtype=dtype).data])


def decode(data: bytes) -> Frame:
    """A frame from bytes; ValueError says what is wrong with them."""
    if len(data) < HEADER.size:
        raise ValueError(f"A frame has at least {HEADER.size} bytes, this has {len(data)}.")
    (
        magic, version, kind_code, dtype_code, stack,
        layer, first_head, heads, flags,
        rows, cols, n_queries, n_keys,
    ) = HEADER.unpack_from(data)  # fmt: skip
    if magic != MAGIC:
        raise ValueError(f"Not a frame: it starts with {magic!r}, not {MAGIC!r}.")
    if version != VERSION:
        raise ValueError(f"Frame version {version}; this reads version {VERSION}.")
    kind = FrameKind(kind_code)
    code, dtype = DTYPES[kind]
    if dtype_code != code:
        raise ValueError(f"A {kind.name.lower()} frame has dtype {code}, this says {dtype_code}.")
    shape = (heads, rows, cols)
    expected = HEADER.size + prod(shape) * dtype.itemsize
    if len(data) != expected:
        raise ValueError(f"The header promises {expected} bytes, there are {len(data)}.")
    values = np.frombuffer(data, dtype, offset=HEADER.size).reshape(shape)
    return Frame(
        kind, layer, values, n_queries, n_keys, first_head, FrameStack(stack), Flags(flags)
    )  # fmt: skip
