"""What a page in one file holds, read as a program would read it."""

import base64
import json
import re
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = re.compile(r'<script type="application/json" id="recorded">(.*?)</script>', re.DOTALL)


@dataclass(frozen=True)
class Recorded:
    """The record, what is packed in it, and the codes of each layer by stack and number."""

    plain: dict[str, Any]
    rest: dict[str, Any]
    codes: dict[tuple[str, int], NDArray[np.uint8]]  # [heads, rows, cols]


def recorded(html: str) -> Recorded:
    """The record of a page."""
    (block,) = BLOCK.findall(html)
    return read(json.loads(block))


def read(plain: dict[str, Any]) -> Recorded:
    """A record with all its parts unpacked."""
    values, at, codes = np.frombuffer(inflated(plain["maps"]), np.uint8), 0, {}
    for layer in plain["layers"]:
        shape = layer["heads"], layer["rows"], layer["cols"]
        size = int(np.prod(shape))
        codes[layer["stack"], layer["layer"]] = values[at : at + size].reshape(shape)
        at += size
    assert at == len(values)
    return Recorded(plain, json.loads(inflated(plain["rest"])), codes)


def inflated(packed: str) -> bytes:
    return zlib.decompress(base64.b64decode(packed))
