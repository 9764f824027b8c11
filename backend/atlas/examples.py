"""Excerpts of what the server tells of MiniLM's heads on a corpus, as OpenAPI shows them.

Every list is its beginning; a test asks again. This file must not know routes.
"""

from typing import Any

from backend.atlas.jobs import DISTANCE_MEANING

Json = dict[str, Any]

_PRONOUNS: Json = {
    "layer": 3,
    "head": 1,
    "n": 898,
    "value": 0.7539,
    "low": 0.7247,
    "high": 0.7809,
    "baseline": 0.5,
    "lift": 0.2539,
    "split": "the odd lines of GAP",
    "evidence": "pronouns → the name they stand for: 75 % of 898 on the odd lines of GAP "
    "(95 % interval 72 to 78 %), the nearer name 50 %.",
}

_AUXILIARIES: Json = {
    "layer": 1,
    "head": 4,
    "n": 815,
    "value": 0.7436,
    "low": 0.7125,
    "high": 0.7723,
    "baseline": 0.4712,
    "lift": 0.2724,
    "split": "the test set",
    "evidence": "auxiliaries → their verb: 74 % of 815 on the test set (95 % interval 71 to 77 %), "
    "best fixed offset (+1) 47 %.",
}

ATLAS: Json = {
    "format": 1,
    "model": {"id": "minilm", "family": "bert", "kind": "encoder", "n_layers": 6, "n_heads": 12},
    "made": {"seed": 0, "versions": {"torch": "2.13.0+cpu"}},
    "data": {
        "treebank": {"dev": {"sentences": 2001, "used": 2001}},
        "gap": {"used": 1773, "skipped": {"no_single_answer": 227}},
        "synthetic": None,
    },
    "measures": {
        "previous": {
            "label": "Previous token",
            "meaning": "How much attention goes to the token just before.",
            "unit": "share",
            "n": 29870,
            "baseline": 0.0542,
            "values": [0.0555],
            "low": [0.0539],
            "high": [0.0571],
            "weighted": [0.056],
        }
    },
    "relations": [
        {
            "id": "all:dependent",
            "relation": "all",
            "direction": "dependent",
            "claim": "dependents → their head",
            "offset": 1,
            "against": "best fixed offset (+1)",
            "layer": 2,
            "head": 1,
            "accuracy": 0.4528,
            "n": 19927,
            "low": 0.4459,
            "high": 0.4597,
            "baseline": 0.3409,
            "lift": 0.1119,
            "holds": True,
        }
    ],
    "groups": [
        {
            "id": "syntax",
            "label": "Syntax",
            "letter": "S",
            "meaning": "links words by a grammatical relation",
        }
    ],
    "roles": [
        {
            "id": "aux:dependent",
            "group": "syntax",
            "label": "auxiliary → verb",
            "claim": "auxiliaries → their verb",
            "heads": [_AUXILIARIES],
        }
    ],
    "specialisations": [
        {
            "name": "pronoun resolution, coreference",
            "question": "Which heads link a pronoun to its name?",
            "rows": ["gap"],
            "best": _PRONOUNS,
            "holds": True,
        }
    ],
    "control": {
        "what": "the same model with random weights, as before its training",
        "best_accuracy": 0.0937,
        "roles": [],
    },
    "best_accuracy": 0.4528,
    "examples": {"0.0": [{"role": None, "words": ["See"], "query": 0, "key": 1, "weight": 0.7945}]},
    "examples_source": "Examples: Universal Dependencies English-EWT, commit 15d613d8, "
    "CC BY-SA 4.0, test split; pronouns: GAP coreference corpus, commit 83135f26, Apache-2.0.",
    "similar": {"0.0": [[0, 7, 0.0776]]},
    "layout": [[-0.1652, 0.0929]],
    "stress": 0.4153,
    "check": {"sentences": 100, "relation": "all:dependent", "n": 1850, "hits": [187]},
    "revision_matches": True,
}

SIMILARITY: Json = {
    "heads": [[0, 0], [0, 1]],
    "distances": [[0.0]],
    "layout": [[-0.1652, 0.0929]],
    "stress": 0.4153,
    "unit": "nats",
    "meaning": DISTANCE_MEANING,
}
