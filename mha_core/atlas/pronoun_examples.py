"""Examples of heads that find whom a pronoun means: links of pronouns to names in real texts.

Texts are long, so only links that fit the window of an example are taken.
"""

import re
from collections.abc import Iterable, Sequence

from torch import Tensor

from mha_core.atlas.coreference import GapText, Mentions
from mha_core.atlas.examples import N_EXAMPLES, WINDOW, Example, is_offensive
from mha_core.atlas.gap import GapItem
from mha_core.atlas.measure import Place
from mha_core.atlas.treebank import Sentence

ROLE = "gap"


class PronounSearch:
    """Searches batches for the strongest right links of some heads."""

    def __init__(self, heads: Iterable[Place]) -> None:
        self._found: dict[Place, list[Example]] = {head: [] for head in heads}

    def search(
        self, layer: int, pattern: Tensor, batch: Sequence[GapText], mentions: Mentions
    ) -> None:
        """Search one layer's maps [B, H, T, T]."""
        right = mentions.right(pattern)  # [B, H]
        rows = mentions.pronoun[:, None] @ pattern  # [B, H, 1, T]
        weights = (rows @ mentions.candidates[:, None])[:, :, 0, 0]  # [B, H]: on the right name
        for (at, head), kept in self._found.items():
            if at != layer:
                continue
            for row, text in enumerate(batch):
                if right[row, head]:
                    kept += _build_example(text.item, float(weights[row, head]))
            kept.sort(key=lambda example: -example.weight)
            del kept[N_EXAMPLES:]

    def examples(self) -> dict[Place, list[Example]]:
        """The examples of each head, strongest first."""
        return {head: kept for head, kept in self._found.items() if kept}


def _build_example(item: GapItem, weight: float) -> list[Example]:
    """The link from the pronoun to the last word of its name, in a list; none if too long."""
    places = [match.span() for match in re.finditer(r"\w+|[^\w\s]", item.text)]
    name = item.candidates[item.answer or 0]
    query, key = (  # the words these characters belong to
        next(at for at, (_, end) in enumerate(places) if end > character)
        for character in (item.pronoun[0], name[1] - 1)
    )
    words = tuple(item.text[start:end] for start, end in places)
    if abs(query - key) >= WINDOW or is_offensive(words):
        return []
    sentence = Sentence(item.id, item.text, words, (), (), ())
    return [Example.of(ROLE, sentence, (query, key, weight))]
