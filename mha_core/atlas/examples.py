"""Examples of what a head does: its strongest links between words of real sentences.

For a head that follows a relation, links that follow it; for any other its strongest links,
whatever they are. At most one link a sentence; links too long for a window of 16 words are left
out, and so are sentences with offensive words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.atlas.measure import Place
from mha_core.atlas.syntax import Arcs
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import WordText

N_EXAMPLES = 2
_OFFENSIVE = re.compile(
    r"retard|fuck|shit|bitch|whore|slut|rape[ds]?$|nigg|faggot|cunt", re.IGNORECASE
)
"""Parts of offensive words: the treebank has mail and blogs."""
WINDOW = 16


@dataclass(frozen=True)
class Example:
    """One link: the word at `query` attends to the word at `key`, places in `words`."""

    role: str | None  # id of the role it is an example of
    words: tuple[str, ...]
    query: int
    key: int
    weight: float
    source: str  # id of the sentence

    @classmethod
    def of(cls, role: str | None, sentence: Sentence, link: tuple[int, int, float]) -> "Example":
        """The link (query, key, weight) with the words around it."""
        query, key, weight = link
        n_words, spare = len(sentence.words), WINDOW - abs(query - key) - 1
        first = max(0, min(min(query, key) - spare // 2, n_words - WINDOW))
        words = sentence.words[first : first + WINDOW]
        return cls(role, words, query - first, key - first, weight, sentence.id)


def is_offensive(words: Sequence[str]) -> bool:
    return any(_OFFENSIVE.search(word) for word in words)


class ExampleSearch:
    """Searches batches for the strongest links of every head."""

    def __init__(self, roles: Mapping[Place, Sequence[str]]) -> None:
        self._roles = roles  # ids such as "obj:dependent"
        self._found: dict[tuple[Place, str | None], list[Example]] = {}

    def search(self, layer: int, maps: Tensor, batch: Sequence[WordText], arcs: Arcs) -> None:
        """Search one layer's word maps [B, H, W, W]."""
        sentences = [text.sentence for text in batch]
        places = torch.arange(maps.shape[-1], device=maps.device)
        near = (places - places[:, None]).abs() < WINDOW
        weights, cells = (maps * near).flatten(2).max(-1)  # [B, H]
        weights, rows = weights.topk(min(N_EXAMPLES, len(batch)), 0)  # [n, H]
        cells = cells.gather(0, rows)
        columns = (part.T.tolist() for part in (rows, cells // len(places), cells % len(places)))
        for head, links in enumerate(zip(*columns, weights.T.tolist(), strict=True)):
            self._keep((layer, head), None, sentences, list(zip(*links, strict=True)))
        best = maps.argmax(-1)  # [B, H, W]
        right = best[arcs.row, :, arcs.query] == arcs.key[:, None]  # [N, H]
        right &= near[arcs.query, arcs.key][:, None]
        for (at, head), roles in self._roles.items():
            for role in roles if at == layer else ():
                chosen = arcs.asked_by(role) & right[:, head]
                row, query, key = arcs.row[chosen], arcs.query[chosen], arcs.key[chosen]
                weight = maps[row, head, query, key]
                parts = (part.tolist() for part in (row, query, key, weight))
                self._keep((layer, head), role, sentences, list(zip(*parts, strict=True)))

    def _keep(
        self,
        head: Place,
        role: str | None,
        sentences: Sequence[Sentence],
        links: Sequence[tuple[int, int, int, float]],
    ) -> None:
        """Keep the strongest of what was kept and links of (row, query, key, weight)."""
        new: dict[int, Example] = {}
        for row, query, key, weight in sorted(links, key=lambda link: -link[3]):
            if weight > 0 and row not in new and not is_offensive(sentences[row].words):
                new[row] = Example.of(role, sentences[row], (query, key, weight))
                if len(new) == N_EXAMPLES:
                    break
        kept = [*self._found.get((head, role), []), *new.values()]
        self._found[head, role] = sorted(kept, key=lambda e: -e.weight)[:N_EXAMPLES]

    def examples(self) -> dict[Place, list[Example]]:
        """The examples of each head, strongest first within each of its roles."""
        found = {}
        for head in sorted({head for head, _ in self._found}):
            roles = self._roles.get(head, ())
            of_roles = [example for it in roles for example in self._found.get((head, it), [])]
            found[head] = of_roles or self._found[head, None]
        return found
