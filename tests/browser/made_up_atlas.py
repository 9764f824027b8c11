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
        "model": {"id": "minilm", "revision": "made up", "n_layers": LAYERS, "n_heads": HEADS},
        **{"made": {}, "data": {}, "measures": {"gap": rising}, "relations": []},
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
                "question": "Which heads link a verb and its object?",
                "best": _head("objects → their verb", 3, 1, 0.8),
            },
            {
                **{"name": "coreference", "holds": False, "rows": []},
                "question": "Which heads link a pronoun to its name?",
                "best": _head("pronouns → the name they stand for", 5, 11, 0.58),
            },
        ],
        "best_accuracy": None,
        "control": {},
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
        "check": {},
    }


def _role(name: str, group: str, label: str, heads: list[tuple[int, int, float]]) -> dict[str, Any]:
    holders = [_head(label, *head) for head in heads]
    return {"id": name, "group": group, "label": label, "claim": label, "heads": holders}


def _head(claim: str, layer: int, head: int, value: float) -> dict[str, Any]:
    return {
        **{"layer": layer, "head": head, "value": value, "n": 100, "baseline": 0.4},
        **{"low": value - 0.1, "high": value + 0.1, "lift": value - 0.4, "split": "test"},
        "evidence": f"{claim}: {100 * value:.0f} % of 100 on the test set.",
    }
