"""Atlases in files: where they lie, reading them with a check, writing them.

Atlases of the models HeadScope ships lie in `data/` beside this file; those people build lie in
the models directory.
"""

import re
from collections.abc import Iterator, Sized
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from mha_core.atlas.record import FORMAT, Atlas, Section
from mha_core.errors import UnreadableAtlas

SHIPPED = Path(__file__).parent / "data"


def built_path(model_id: str, models_dir: Path) -> Path:
    """Where an atlas somebody builds is put."""
    return models_dir / "atlases" / (re.sub(r"[^\w.-]", "--", model_id) + ".json")


def partial_results_path(path: Path) -> Path:
    """The directory in which the build of the atlas at `path` saves what it has so far."""
    return path.with_name(f"{path.stem}.partial-results")


def find_atlas(model_id: str, models_dir: Path) -> Path | None:
    """The file of a model's atlas: one built here goes before the one that was shipped."""
    built = built_path(model_id, models_dir)
    return next(filter(Path.is_file, (built, SHIPPED / built.name)), None)


def read_atlas(model_id: str, models_dir: Path) -> Atlas | None:
    """The atlas of a model, None without one; raises UnreadableAtlas."""
    path = find_atlas(model_id, models_dir)
    return None if path is None else read_file(path, model_id)


def read_file(path: Path, model_id: str) -> Atlas:
    """The atlas in a file, which must be of that model; raises UnreadableAtlas."""
    try:
        return _parse(path.read_bytes(), model_id)
    except ValueError as error:
        advice = "delete it, or build it again with `headscope atlas build`."
        raise UnreadableAtlas(f"{path.name} {error}: {advice}", path=str(path)) from error


def _parse(text: bytes, model_id: str) -> Atlas:
    """The atlas of a file's text; raises ValueError with what is wrong."""
    try:
        document = orjson.loads(text)
        if document["format"] != FORMAT:
            raise ValueError(f"has format {document['format']} and this version reads {FORMAT}")
        atlas = Atlas.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        missing = first["type"] == "missing" and ".".join(map(str, first["loc"]))
        raise ValueError(f"lacks {missing}" if missing else "is not a whole atlas") from error
    except (orjson.JSONDecodeError, LookupError, TypeError) as error:
        raise ValueError("is not a whole atlas") from error
    if atlas.model.id != model_id:
        raise ValueError(f"is of the model {atlas.model.id}")
    for name, section in atlas.sections.items():
        if not set(_lengths(section)) <= {len(atlas.heads)}:
            raise ValueError(f"lacks numbers of some heads in its section {name}")
    return atlas


def _lengths(section: Section) -> Iterator[int]:
    """How long each list is that should have one number, or one row, a head."""
    for measure in section.measures.values():
        every = (measure.values, measure.low, measure.high, measure.weighted)
        yield from (len(numbers) for numbers in every if numbers is not None)
    hits = [] if section.check is None else section.check.hits
    every_row: list[Sized] = [section.layout, section.distances, *section.distances, hits]
    yield from (len(rows) for rows in every_row if rows)  # empty in sections without them


def write_atlas(atlas: Atlas, path: Path) -> None:
    """Put an atlas into a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(_format(atlas.model_dump(mode="json")))
    partial.replace(path)


def _format(value: Any, depth: int = 0) -> str:  # noqa: ANN401 (any JSON)
    """JSON a person can read and compare: a line for each entry, lists of numbers on one line."""
    indent, inner = " " * depth, " " * (depth + 1)
    if isinstance(value, dict) and value:
        entries = [
            f"{inner}{_dump(key)}: {_format(item, depth + 1)}" for key, item in value.items()
        ]
        return "{\n" + ",\n".join(entries) + f"\n{indent}}}" + ("" if depth else "\n")
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        entries = [f"{inner}{_dump(item)}" for item in value]
        return "[\n" + ",\n".join(entries) + f"\n{indent}]"
    return _dump(value)


def _dump(value: Any) -> str:  # noqa: ANN401 (any JSON)
    return orjson.dumps(value).decode()
