"""The atlas of a model as a file: what a corpus run found out about every head, with its source.

Atlases of the models HeadScope ships lie beside this file; those people build themselves lie in
the models directory. This file must not know how the numbers were made.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from mha_core.errors import UnreadableAtlas

FORMAT = 1
PARTS = (
    *("model", "made", "data", "groups", "roles", "specialisations", "relations", "control"),
    *("measures", "examples", "examples_source", "similar", "layout", "stress", "distances"),
)
SHIPPED = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Atlas:
    """Roles and scores of every head of one model."""

    document: dict[str, Any]

    @property
    def revision(self) -> str:
        """The weights that were measured."""
        return str(self.document["model"]["revision"])

    @property
    def heads(self) -> list[tuple[int, int]]:
        """Layer and head of each place in the lists of numbers."""
        model = self.document["model"]
        return [(at, head) for at in range(model["n_layers"]) for head in range(model["n_heads"])]


def atlas_name(model_id: str) -> str:
    """File name for a model, whatever characters its id has."""
    return re.sub(r"[^\w.-]", "--", model_id) + ".json"


def built_path(model_id: str, models_dir: Path) -> Path:
    """Where an atlas somebody builds is put."""
    return models_dir / "atlases" / atlas_name(model_id)


def find_atlas(model_id: str, models_dir: Path) -> Path | None:
    """The file of a model's atlas: one built here goes before the one that was shipped."""
    paths = (built_path(model_id, models_dir), SHIPPED / atlas_name(model_id))
    return next(filter(Path.is_file, paths), None)


def read_atlas(model_id: str, models_dir: Path) -> Atlas | None:
    """The atlas of a model; None without."""
    path = find_atlas(model_id, models_dir)
    return None if path is None else _read(path, model_id)


def write_atlas(atlas: Atlas, path: Path) -> None:
    """Put an atlas into a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(_lines(atlas.document))
    partial.replace(path)


def _read(path: Path, model_id: str) -> Atlas:
    again = "delete it, or build it again with `headscope atlas build`."
    try:
        atlas = Atlas(orjson.loads(path.read_bytes()))
        problem = _problem(atlas, model_id)
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError) as error:
        message = f"{path.name} is not a whole atlas: {again}"
        raise UnreadableAtlas(message, path=str(path)) from error
    if problem is not None:
        raise UnreadableAtlas(f"{path.name} {problem}: {again}", path=str(path))
    return atlas


def _problem(atlas: Atlas, model_id: str) -> str | None:
    """What is wrong with an atlas; LookupError and the like where parts are missing."""
    document = atlas.document
    if document["format"] != FORMAT:
        return f"has format {document['format']} and this version reads {FORMAT}"
    if document["model"]["id"] != model_id:
        return f"is of the model {document['model']['id']}"
    missing = [part for part in PARTS if part not in document]
    if missing:
        return f"lacks {missing[0]}"
    n_heads = len(atlas.heads)
    lists = [document["layout"], document["distances"]]
    lists += [measure["values"] for measure in document["measures"].values()]
    return None if {len(values) for values in lists} == {n_heads} else "lacks numbers of some heads"


def _lines(value: Any, depth: int = 0) -> str:  # noqa: ANN401 (any JSON)
    """JSON a person can read and compare: a line for each entry, lists of numbers on one line."""
    indent, inner = " " * depth, " " * (depth + 1)
    if isinstance(value, dict) and value:
        entries = [f"{inner}{_flat(key)}: {_lines(item, depth + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(entries) + f"\n{indent}}}" + ("" if depth else "\n")
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        entries = [f"{inner}{_flat(item)}" for item in value]
        return "[\n" + ",\n".join(entries) + f"\n{indent}]"
    return _flat(value)


def _flat(value: Any) -> str:  # noqa: ANN401 (any JSON)
    return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY).decode()
