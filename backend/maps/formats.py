"""One map in the formats people and programs want. This file must not run models."""

import io
import json
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray
from safetensors.numpy import save as save_safetensors

from backend.maps.jobs import OneMap
from backend.wire import csv_table, frames
from backend.wire.formats import JSON, NPZ, SAFETENSORS, Format


def write_map_json(one: OneMap) -> bytes:
    """The shape of MapResponse; numbers in the fewest digits that give the float32 back."""
    body = one.about.model_dump() | {"pattern": one.pattern}
    return orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)


def write_map_frame(one: OneMap) -> bytes:
    """One exact frame; a map of many heads says layer 0, head 0."""
    n_queries, n_keys = one.pattern.shape
    layer, head = one.head or (0, 0)
    frame = frames.Frame(
        kind=frames.FrameKind.PATTERN,
        layer=layer,
        first_head=head,
        values=one.pattern[None],
        n_queries=n_queries,
        n_keys=n_keys,
        stack=frames.FrameStack[one.about.stack.upper()],
        flags=frames.Flags.CAUSAL if one.causal else frames.Flags.NONE,
    )
    return frames.encode(frame)


def write_map_npz(one: OneMap) -> bytes:
    """Arrays `pattern`, `queries`, `keys`, `tokens` and `meta` (JSON), compressed."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        pattern=one.pattern,
        queries=np.arange(*one.about.queries),
        keys=np.arange(*one.about.keys),
        tokens=np.array(_texts(one)),
        meta=np.array(one.about.model_dump_json()),
    )
    return buffer.getvalue()


def write_map_safetensors(one: OneMap) -> bytes:
    """Tensors `pattern`, `queries`, `keys`, `token_ids`; the tokens' texts in the metadata."""
    tensors: dict[str, NDArray[Any]] = {
        "pattern": one.pattern,
        "queries": np.arange(*one.about.queries),
        "keys": np.arange(*one.about.keys),
        "token_ids": np.array([token.id for token in one.about.tokens]),
    }
    metadata = {"tokens": json.dumps(_texts(one)), "meta": one.about.model_dump_json()}
    return save_safetensors(tensors, metadata)


def write_map_csv(one: OneMap) -> bytes:
    """One line a weight; no layer and head where the map is of many."""
    layer, head = one.head or (None, None)
    queries, keys = range(*one.about.queries), range(*one.about.keys)
    return csv_table.csv_table([(layer, head, one.pattern)], _texts(one), queries, keys)


MAP_FORMATS = (
    Format(JSON, "json", write_map_json),
    Format(frames.MEDIA_TYPE, "frame", write_map_frame),
    Format(NPZ, "npz", write_map_npz),
    Format(SAFETENSORS, "safetensors", write_map_safetensors),
    Format(csv_table.MEDIA_TYPE, "csv", write_map_csv),
)


def _texts(one: OneMap) -> list[str]:
    return [token.text for token in one.about.tokens]
