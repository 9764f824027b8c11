"""Maps in the formats people and programs want, chosen by Accept. This file must not run models."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import orjson
from safetensors.numpy import save as save_safetensors

from backend.attention.jobs import Attention
from backend.wire import frames
from backend.wire.errors import NotAcceptable

JSON = "application/json"
NPZ = "application/x-npz"
SAFETENSORS = "application/vnd.safetensors"

Result = TypeVar("Result")


@dataclass(frozen=True)
class Format(Generic[Result]):
    """A media type and how a result is written in it."""

    media_type: str
    extension: str
    write: Callable[[Result], bytes]


def write_npz(attention: Attention) -> bytes:
    """Arrays `attention`, `layers`, `heads`, `tokens` and `meta` (JSON), compressed."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        attention=attention.values,
        layers=np.array(attention.layers),
        heads=np.array(attention.heads),
        tokens=np.array([token.text for token in attention.provenance.tokens]),
        meta=np.array(_meta(attention)),
    )
    return buffer.getvalue()


def write_safetensors(attention: Attention) -> bytes:
    """Tensors `attention`, `layers`, `heads`, `token_ids`; the tokens' texts in the metadata."""
    tokens = [token.text for token in attention.provenance.tokens]
    tensors = {
        "attention": attention.values,
        "layers": np.array(attention.layers),
        "heads": np.array(attention.heads),
        "token_ids": np.array([token.id for token in attention.provenance.tokens]),
    }
    metadata = {"tokens": json.dumps(tokens), "meta": _meta(attention)}
    return save_safetensors(tensors, metadata)


def write_attention_json(attention: Attention) -> bytes:
    """The shape of AttentionResponse; numbers in the fewest digits that give the float32 back."""
    maps = [
        {"layer": layer, "head": head, "pattern": attention.values[row, column]}
        for row, layer in enumerate(attention.layers)
        for column, head in enumerate(attention.heads)
    ]
    body = _about(attention) | {"attention": maps}
    return orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)


def write_head_json(attention: Attention) -> bytes:
    """The shape of HeadResponse."""
    body = _about(attention) | {
        "layer": attention.layers[0],
        "head": attention.heads[0],
        "pattern": attention.values[0, 0],
    }
    return orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)


def write_frame(attention: Attention) -> bytes:
    """One exact frame: the single head asked for."""
    stack = attention.stack
    frame = frames.Frame(
        kind=frames.FrameKind.PATTERN,
        layer=attention.layers[0],
        first_head=attention.heads[0],
        values=attention.values[0],
        n_queries=stack.n_queries,
        n_keys=stack.n_keys,
        stack=frames.FrameStack[stack.name.upper()],
        flags=frames.Flags.CAUSAL if stack.causal else frames.Flags.NONE,
    )
    return frames.encode(frame)


ATTENTION_FORMATS = (
    Format(JSON, "json", write_attention_json),
    Format(NPZ, "npz", write_npz),
    Format(SAFETENSORS, "safetensors", write_safetensors),
)
HEAD_FORMATS = (
    Format(JSON, "json", write_head_json),
    Format(frames.MEDIA_TYPE, "frame", write_frame),
    Format(NPZ, "npz", write_npz),
    Format(SAFETENSORS, "safetensors", write_safetensors),
)


def choose(accept: str, formats: tuple[Format[Result], ...]) -> Format[Result]:
    """The first format the Accept header names, in the caller's order of preference."""
    wanted = sorted(map(_preference, accept.split(",")), key=lambda pair: -pair[1])
    refused = {media_type for media_type, quality in wanted if quality <= 0}
    offered = [candidate for candidate in formats if candidate.media_type not in refused]
    for media_type, quality in wanted:
        for candidate in offered:
            any_such = f"{candidate.media_type.partition('/')[0]}/*"
            if quality > 0 and media_type in ("*/*", "", any_such, candidate.media_type):
                return candidate
    known = ", ".join(candidate.media_type for candidate in formats)
    raise NotAcceptable(f"No answer in {accept!r}: ask for one of {known}.", accept=accept)


def _preference(part: str) -> tuple[str, float]:
    media_type, *parameters = (piece.strip() for piece in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return media_type.lower(), float(value)
            except ValueError:
                return media_type.lower(), 0.0
    return media_type.lower(), 1.0


def _about(attention: Attention) -> dict[str, Any]:
    """Everything but the arrays."""
    stack = attention.stack
    return attention.provenance.model_dump() | {
        "stack": stack.name,
        "values": attention.shows,
        "queries": stack.queries,
        "keys": stack.keys,
        "timing": attention.timing.model_dump(),
    }


def _meta(attention: Attention) -> str:
    return json.dumps(_about(attention))
