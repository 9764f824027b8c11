"""An atlas of HeadScope's own model, in sections, whose numbers nobody measured."""

from typing import Any

LAYERS, HEADS = 2, 8
N = LAYERS * HEADS
REVISION = "17117d259df5"

_MADE = {
    **{"date": "2026-01-01", "command": "headscope atlas build", "seed": 0},
    **{"seconds": 1.5, "versions": {"torch": "2"}},
}
_WORDS = {"split": "the test set", "evidence": "objects → their verb: 80 % of 200.", "rank": 0.5}
_NUMBERS = {"value": 0.8, "n": 200, "low": 0.7, "high": 0.9, "baseline": 0.3, "lift": 0.5}
_LEAD = {
    **{"split": "the test set", "n": 200, "accuracy": 0.8, "rule_accuracy": 0.3},
    **{"difference": 0.5, "low": 0.4, "high": 0.6},
}
_RELATION = {
    **{"id": "obj:dependent", "relation": "obj", "direction": "dependent", "claim": "objects"},
    **{"rule": "the word before", "layer": 1, "head": 3, "accuracy": 0.8, "n": 200, "low": 0.7},
    **{"high": 0.9, "baseline": 0.3, "lift": 0.5, "leads": [_LEAD, _LEAD], "runner_up": None},
    "holds": True,
}


def make_up_atlas() -> dict[str, Any]:
    """The file: sections on plain texts, on a treebank, on GAP and on similarity."""
    entropy = [place / N for place in range(N)]
    weighted = {"weighted": entropy[::-1]}
    split = {"sentences": 9, "used": 9, "dropped": {}, "words": 90, "words_without_token": 0}
    source = {"source": "made up", "version": {"dev": "1", "test": "2"}}
    return {
        "format": 2,
        "model": {
            **{"id": "headscope-tiny", "name": "HeadScope tiny", "revision": REVISION},
            **{"family": "headscope", "kind": "decoder", "dtype": "float32"},
            **{"n_layers": LAYERS, "n_heads": HEADS},
        },
        "sections": {
            "surface": _section(
                {"texts": {"source": "made up", "texts": 9}},
                measures={"entropy": _measure("Entropy", entropy) | weighted},
                roles=[_role("previous", "local", 0, 2)],
                nulls=[_null("random")],
            ),
            "syntax": _section(
                {"treebank": source | {"dev": split, "test": split}},
                roles=[_role("obj:dependent", "syntax", 1, 3)],
                relations=[_RELATION],
                nulls=[_null("random"), _null("shuffled words", counts_as_false=False)],
                examples={"1.3": []},
                examples_source="Examples: made up.",
                check={"sentences": 1, "relation": "all:dependent", "n": 5, "hits": [0] * N},
            ),
            "coreference": _section(
                {"gap": {"source": "made up", "version": "1", "used": 9, "skipped": {}}},
                measures={"gap": _measure("Gap", [None, *entropy[1:]])},
            ),
            "similarity": _section(
                {"texts": {"source": "made up", "texts": 9}},
                similar={"1.3": [[0, 2, 0.1]]},
                layout=[[float(place), -float(place)] for place in range(N)],
                stress=0.25,
                distances=[[abs(a - b) / N for a in range(N)] for b in range(N)],
            ),
        },
    }


def _section(data: dict[str, Any], **found: object) -> dict[str, Any]:
    return {"made": _MADE, "data": data, **found}


def _measure(label: str, values: list[float | None] | list[float]) -> dict[str, Any]:
    words = {"label": label, "meaning": "Made up.", "unit": "share", "n": 99}
    return {**words, "baseline": None, "values": values, "low": None, "high": None}


def _role(id: str, group: str, layer: int, head: int) -> dict[str, Any]:
    words = {"id": id, "group": group, "label": f"{id} heads", "claim": id}
    return {**words, "heads": [{"layer": layer, "head": head, **_NUMBERS, **_WORDS}]}


def _null(id: str, *, counts_as_false: bool = True) -> dict[str, Any]:
    return {
        **{"id": id, "what": "Made up.", "runs": 1, "roles": 0, "found": []},
        **{"expected": 0.0, "upper": 3.7, "counts_as_false": counts_as_false},
    }
