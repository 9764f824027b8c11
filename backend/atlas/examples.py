"""Excerpts of MiniLM's atlas, as OpenAPI shows them: the start of each list, some of each table."""

from typing import Any

import orjson

from backend.atlas.jobs import DISTANCE_MEANING, DISTANCE_UNIT
from mha_core.atlas.storage import SHIPPED

Json = dict[str, Any]

_SHOWN = {"measures": "previous", "examples": "0.0", "similar": "0.0"}
"""The one entry that is shown of each table."""


def _shorten(value: Any) -> Any:  # noqa: ANN401 (any JSON)
    if isinstance(value, dict):
        return {
            name: _shorten({_SHOWN[name]: part[_SHOWN[name]]} if name in _SHOWN else part)
            for name, part in value.items()
        }
    if isinstance(value, list):
        size = 1 if value and isinstance(value[0], dict) else 3
        return [_shorten(item) for item in value[:size]]
    return value


_RECORD: Json = orjson.loads((SHIPPED / "minilm.json").read_bytes())
_DISTANCES = _RECORD.pop("distances")

ATLAS: Json = {**_shorten(_RECORD), "revision_matches": True}
SIMILARITY: Json = {
    "heads": [[0, 0], [0, 1], [0, 2]],
    "distances": _shorten(_DISTANCES),
    "layout": ATLAS["layout"],
    "stress": ATLAS["stress"],
    "unit": DISTANCE_UNIT,
    "meaning": DISTANCE_MEANING,
}
