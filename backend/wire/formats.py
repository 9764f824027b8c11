"""Answers in the formats people and programs want; maps as JSON, NPZ, safetensors, frames, CSV."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import orjson
from numpy.typing import NDArray
from safetensors.numpy import save as save_safetensors

from backend.wire.errors import NotAcceptable
from backend.wire.frames import MEDIA_TYPE as FRAME_TYPE
from backend.wire.frames import Flags, Frame, FrameKind, FrameStack, encode, frame_of_rows
from backend.wire.schemas import MapsAbout, Provenance

JSON = "application/json"
NPZ = "application/x-npz"
SAFETENSORS = "application/vnd.safetensors"
CSV = "text/csv"
CSV_COLUMNS = ("layer", "head", "query", "key", "query_text", "key_text", "weight")


@dataclass(frozen=True)
class OneMap:
    """Weights [queries, keys] of a head; no layer and head where the map is made of many."""

    layer: int | None
    head: int | None
    pattern: NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class ArraysAnswer:
    """Arrays and all that is said of them, before a format is chosen."""

    about: Provenance  # everything but the arrays
    arrays: Mapping[str, NDArray[Any]]  # as NPZ and safetensors hold them
    body: Mapping[str, Any]  # as JSON holds them, beside `about`

    @property
    def texts(self) -> list[str]:
        """Of all tokens; rows and columns are some of them."""
        return [token.text for token in self.about.tokens]


@dataclass(frozen=True, kw_only=True)
class MapsAnswer(ArraysAnswer):
    """Maps of heads."""

    about: MapsAbout
    causal: bool  # queries see no later key
    maps: Sequence[OneMap]

    @property
    def flags(self) -> Flags:
        return Flags.CAUSAL if self.causal else Flags.NONE

    @property
    def frame_stack(self) -> FrameStack:
        return FrameStack[self.about.stack.upper()]

    @property
    def queries(self) -> range:
        return range(*self.about.queries)

    @property
    def keys(self) -> range:
        return range(*self.about.keys)


Answer = TypeVar("Answer", contravariant=True)


@dataclass(frozen=True)
class Format(Generic[Answer]):
    """A media type and how an answer is written in it."""

    media_type: str
    extension: str
    write: Callable[[Answer], bytes]


def write_json(answer: ArraysAnswer) -> bytes:
    """Numbers in the fewest digits that give the float32 back."""
    body = answer.about.model_dump() | dict(answer.body)
    return orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)


def write_npz(answer: ArraysAnswer) -> bytes:
    """The arrays, `tokens` and `meta` (JSON), not compressed: maps would shrink by 8 % only."""
    buffer = io.BytesIO()
    meta = answer.about.model_dump_json()
    arrays = {**answer.arrays, "tokens": np.array(answer.texts), "meta": np.array(meta)}
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def write_safetensors(answer: ArraysAnswer) -> bytes:
    """The arrays and `token_ids`; the tokens' texts in the metadata."""
    ids = np.array([token.id for token in answer.about.tokens])
    metadata = {"tokens": json.dumps(answer.texts), "meta": answer.about.model_dump_json()}
    return save_safetensors({**answer.arrays, "token_ids": ids}, metadata)


def write_frame(answer: MapsAnswer) -> bytes:
    """One exact frame of a single map; one made of many heads says layer 0, head 0."""
    [one] = answer.maps
    frame = Frame(
        kind=FrameKind.PATTERN,
        layer=one.layer or 0,
        first_head=one.head or 0,
        values=one.pattern[None],
        n_queries=len(answer.queries),
        n_keys=len(answer.keys),
        stack=answer.frame_stack,
        flags=answer.flags,
    )
    return encode(frame)


def write_rows_frame(answer: MapsAnswer) -> bytes:
    """One exact frame of the same row of every head."""
    return encode(frame_of_rows(answer.arrays["rows"], answer.frame_stack, answer.flags))


def write_csv(answer: MapsAnswer) -> bytes:
    """One line a weight."""
    buffer, texts = io.StringIO(), answer.texts
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for one in answer.maps:
        for query, weights in zip(answer.queries, one.pattern, strict=True):
            # str of a float32 has the fewest digits that give the same number back.
            writer.writerows(
                (one.layer, one.head, query, key, texts[query], texts[key], str(weight))
                for key, weight in zip(answer.keys, weights, strict=True)
            )
    return buffer.getvalue().encode()


AS_JSON = Format(JSON, "json", write_json)
AS_NPZ = Format(NPZ, "npz", write_npz)
AS_SAFETENSORS = Format(SAFETENSORS, "safetensors", write_safetensors)
AS_FRAME = Format(FRAME_TYPE, "frame", write_frame)
AS_ROWS_FRAME = Format(FRAME_TYPE, "frame", write_rows_frame)
AS_CSV = Format(CSV, "csv", write_csv)


def choose_format(accept: str, formats: Sequence[Format[Answer]]) -> Format[Answer]:
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
