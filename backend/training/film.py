"""The maps of a run at every step, as JSON, NPZ or safetensors."""

import io
from dataclasses import dataclass

import numpy as np
import orjson
from numpy.typing import NDArray
from safetensors.numpy import save as save_safetensors

from backend.training.schemas import FilmAbout
from backend.wire.formats import JSON, NPZ, SAFETENSORS, Format


@dataclass(frozen=True)
class FilmAnswer:
    """What the maps are of, and the maps."""

    about: FilmAbout
    patterns: NDArray[np.float32]  # [steps, layers, heads, queries, keys]


def _write_json(answer: FilmAnswer) -> bytes:
    body = answer.about.model_dump() | {"patterns": answer.patterns}
    return orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)


def _write_npz(answer: FilmAnswer) -> bytes:
    buffer = io.BytesIO()
    meta = np.array(answer.about.model_dump_json())
    np.savez(buffer, patterns=answer.patterns, steps=np.array(answer.about.steps), meta=meta)
    return buffer.getvalue()


def _write_safetensors(answer: FilmAnswer) -> bytes:
    arrays = {"patterns": answer.patterns, "steps": np.array(answer.about.steps)}
    return save_safetensors(arrays, {"meta": answer.about.model_dump_json()})


FILM_FORMATS = (
    Format(JSON, "json", _write_json),
    Format(NPZ, "npz", _write_npz),
    Format(SAFETENSORS, "safetensors", _write_safetensors),
)
