"""Answers about heads as OpenAPI shows them: excerpts of true ones, of MiniLM on the text "Hi".

Of a list the first entries are shown, of a table of names some; a test asks again. This file must
not know routes.
"""

from typing import Any

from backend.wire.response_examples import PROVENANCE, TIMING

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
    "decoder_opportunities": None,
    "heads": [
        {
            "stack": "encoder",
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
    "elsewhere": 1,
    "heads": [
        {
            "stack": "encoder",
            "layer": 0,
            "head": 2,
            "weight": 1.0,
            "by_position": 0.999145,
            "weighted": 1.0,
        },
        {
            "stack": "encoder",
            "layer": 3,
            "head": 4,
            "weight": 0.997818,
            "by_position": 0.00362,
            "weighted": 0.891377,
        },
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

MAP: Json = {
    **PROVENANCE,
    "stack": "encoder",
    "combine": "mean",
    "cells": [{"layer": 3, "head": None}, {"layer": 4, "head": 5}],
    "values": "raw",
    "queries": [0, 3],
    "keys": [0, 3],
    "note": None,
    "timing": TIMING,
    "pattern": [
        [0.9805037, 0.011594383, 0.007902015],
        [0.81465316, 0.13466178, 0.050685085],
        [0.7091016, 0.25072855, 0.04016986],
    ],
}

QUERY_KEY: Json = {
    **PROVENANCE,
    "stack": "encoder",
    "layer": 3,
    "head": 1,
    "key_head": 1,
    "query": 1,
    "key": 0,
    "q": [0.85203314, 0.9855521, 1.5516282],
    "k": [1.1027063, 1.1255099, 0.9839926],
    "product": [0.9395423, 1.1092485, 1.5267906],
    "dot": 18.946508,
    "scale": 0.17677669,
    "scaled": 3.349301,
    "added": None,
    "score": 3.349301,
    "weight": 0.8485422,
    "scores": [3.349301, 1.59255, -1.7857314],
    "weights": [0.8485422, 0.14646241, 0.004995251],
    "keys": [0, 3],
    "note": None,
    "timing": TIMING,
}
