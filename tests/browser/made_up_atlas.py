"""A made-up atlas of a model of six layers of twelve heads, in the shape of a true one."""

from typing import Any

LAYERS, HEADS = 6, 12
WORDS = ["The", "committee", "finally", "rejected", "the", "long", "proposal"]
EXAMPLES = (
    *((None, 0.99), ("nouns", 0.5), ("previous", 0.6)),
    *(("obj:dependent", weight) for weight in (0.91, 0.9, 0.89)),
)
"""Role and weight, in another order than that of the roles; `nouns` is proven of no head."""
GROUPS = (("syntax", "Syntax", "S"), ("coreference", "Coreference", "C"), ("local", "Local", "L"))


def made_up_atlas() -> dict[str, Any]:
    """Three roles, a question that no head answers, examples and neighbours of one head."""
    places = LAYERS * HEADS
    rising = {
        **{"label": "pronoun to name", "meaning": "GAP", "unit": "accuracy", "n": 2000},
        **{"baseline": 0.5, "low": None, "high": None},
        "values": [None, *(at / places for at in range(1, places))],
    }
    return {
        "format": 1,
        "model": {
            **{"id": "minilm", "name": "MiniLM", "revision": "made up", "dtype": "float32"},
            **{"family": "bert", "kind": "encoder", "n_layers": LAYERS, "n_heads": HEADS},
        },
        "made": {
            **{"date": "2026-01-01", "command": "headscope atlas build", "seconds": 1.0},
            **{"seed": 0, "versions": {}},
        },
        "data": {"treebank": _treebank(), "gap": None, "synthetic": None},
        **{"measures": {"gap": rising}, "relations": []},
        "groups": [
            {"id": name, "label": label, "letter": letter, "meaning": label}
            for name, label, letter in GROUPS
        ],
        "roles": [
            _role("obj:dependent", "syntax", "objects → their verb", [(3, 1, 0.8), (2, 4, 0.6)]),
            _role("amod:head", "syntax", "nouns → their adjective", [(0, 11, 0.7)]),
            _role("previous", "local", "previous token", [(0, 2, 0.9), (3, 1, 0.6)]),
        ],
        "specialisations": [
            {
                **{"name": "verb-object", "holds": True, "rows": ["obj:dependent"]},
                "measured": ["obj"],
                "question": "Which heads link a verb and its object?",
                "best": _head("objects → their verb", 3, 1, 0.8),
            },
            {
                **{"name": "coreference", "holds": False, "rows": [], "measured": ["gap"]},
                "question": "Which heads link a pronoun to its name?",
                "best": _head("pronouns → the name they stand for", 5, 11, 0.58),
            },
        ],
        "best_accuracy": None,
        "control": {
            **{"what": "random weights", "seed": 0, "best_accuracy": None},
            **{"roles": [], "relations": []},
        },
        "examples": {
            "3.1": [
                {
                    **{"role": role, "words": WORDS, "query": 6, "key": 3},
                    **{"weight": weight, "source": "made up"},
                }
                for role, weight in EXAMPLES
            ]
        },
        "examples_source": "Made-up sentences, free for all.",
        "similar": {"3.1": [[5, 0, 0.02], [0, 0, 0.1]]},
        "distances": [[0.0] * places] * places,
        "layout": [[at / places, 0.0] for at in range(places)],
        "stress": 0.0,
        "check": {"sentences": 1, "relation": "all:dependent", "n": 5, "hits": [0] * places},
    }


def _treebank() -> dict[str, Any]:
    split = {"sentences": 9, "used": 9, "dropped": {}, "words": 90, "words_without_token": 0}
    return {"source": "made up", "version": {}, "dev": split, "test": split}


def _role(name: str, group: str, label: str, heads: list[tuple[int, int, float]]) -> dict[str, Any]:
    holders = [_head(label, *head) for head in heads]
    return {"id": name, "group": group, "label": label, "claim": label, "heads": holders}


def _head(claim: str, layer: int, head: int, value: float) -> dict[str, Any]:
    return {
        **{"layer": layer, "head": head, "value": value, "n": 100, "baseline": 0.4},
        **{"low": value - 0.1, "high": value + 0.1, "lift": value - 0.4, "split": "test"},
        "evidence": f"{claim}: {100 * value:.0f} % of 100 on the test set.",
    }
