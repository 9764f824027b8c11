"""Answers about heads as OpenAPI shows them: excerpts of true ones, of MiniLM on the text "Hi".

Of a list the first entries are shown, of a table of names some; a test asks again. This file must
not know routes.
"""

from typing import Any

from backend.atlases import DISTANCE_MEANING
from backend.response_examples import PROVENANCE, TIMING

Json = dict[str, Any]

METRICS: Json = {
    "metrics": [
        {
            "name": "previous",
            "label": "Previous token",
            "unit": "share",
            "range": [0.0, 1.0],
            "meaning": "How much attention goes to the token just before.",
            "formula": "mean over rows i that are no special token of A[i, i-1]",
            "kind": "number",
            "called": {"label": "previous token", "when": "> 0.5"},
        }
    ],
    "shapes": ["vertical", "diagonal", "both", "block", "heterogeneous"],
}

HEADS: Json = {
    **PROVENANCE,
    "opportunities": {
        "previous": {"n": 1, "baseline": 0.333333, "ceiling": 1.0},
        "duplicate": {"n": 0, "baseline": None, "ceiling": None},
        "shape": {"n": 3, "baseline": None, "ceiling": None},
    },
    "heads": [
        {
            "layer": 0,
            "head": 0,
            "raw": {"previous": 0.385251, "duplicate": None, "shape": "heterogeneous"},
            "weighted": {"previous": 0.213619, "duplicate": None, "shape": "heterogeneous"},
            "labels": [
                {"label": "next token (strict)", "metric": "next_hits", "value": 1.0, "n": 1}
            ],
        }
    ],
    "timing": TIMING,
}

EDGES: Json = {
    **PROVENANCE,
    "queries": [1],
    "keys": [0],
    "uniform": 0.333333,
    "heads": [
        {"layer": 0, "head": 2, "weight": 1.0, "by_position": 0.999145, "weighted": 1.0},
        {"layer": 3, "head": 4, "weight": 0.997818, "by_position": 0.00362, "weighted": 0.891377},
    ],
    "timing": TIMING,
}

FIGURE: Json = {
    "data": [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "Layer",
            "x": [0.868877],
            "y": [0.79628],
            "customdata": [[0, 0]],
            "hoverinfo": "text",
        }
    ],
    "layout": {
        "title": {"text": "Heads by distance and entropy"},
        "xaxis": {"title": {"text": "Distance (tokens), on this text, n = 3"}},
        "yaxis": {"title": {"text": "Entropy (share), on this text, n = 3"}},
    },
}

ATLAS: Json = {
    "format": 1,
    "model": {"id": "minilm", "family": "bert", "kind": "encoder", "n_layers": 6, "n_heads": 12},
    "groups": [
        {
            "id": "syntax",
            "label": "Syntax",
            "letter": "S",
            "meaning": "links words by a grammatical relation",
        }
    ],
    "revision_matches": True,
}

SIMILARITY: Json = {
    "heads": [[0, 0], [0, 1]],
    "distances": [[0.0]],
    "unit": "nats",
    "meaning": DISTANCE_MEANING,
}
