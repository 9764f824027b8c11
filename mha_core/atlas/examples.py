"""Examples of what a head does: its strongest links between words of real texts.

For a head that follows a relation, or finds whom a pronoun means, links that do so; for any other
its strongest links except those to the first word: most heads of causal models rest there and would
show nothing else. At most one link a text; links too long for a window of 16 words are left out,
and so are texts with offensive words.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.arcs import Arcs
from mha_core.atlas.coreference import GapText, Mentions
from mha_core.atlas.gap import GapItem
from mha_core.atlas.measure import Place
from mha_core.atlas.record import AtlasExample
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import WordText
from mha_core.models.architecture import Architecture

N_EXAMPLES = 2
WINDOW = 16
PRONOUNS = "gap"
"""The role whose examples are links of pronouns."""
_OFFENSIVE = re.compile(
    r"retard|fuck|shit|bitch|whore|slut|rape[ds]?$|nigg|faggot|cunt", re.IGNORECASE
)
"""Parts of offensive words: the treebank has mail and blogs."""

Link = tuple[int, int, int, float]
"""Row of the batch, query, key and weight."""


class ExampleSearch:
    """Searches batches for the strongest links of every head."""

    def __init__(self, roles: Mapping[Place, Sequence[str]]) -> None:
        self._roles = roles  # ids such as "obj:dependent", in the order to show them
        self._found: dict[tuple[Place, str | None], list[AtlasExample]] = defaultdict(list)

    def search_words(self, layer: int, maps: Tensor, batch: Sequence[WordText], arcs: Arcs) -> None:
        """Search one layer's word maps [B, H, W, W]: any link, and those of relations."""
        sentences = [text.sentence for text in batch]
        places = torch.arange(maps.shape[-1], device=maps.device)
        near = (places - places[:, None]).abs() < WINDOW
        weights, cells = (maps * (near & (places > 0))).flatten(2).max(-1)  # [B, H]
        weights, rows = weights.topk(min(N_EXAMPLES, len(batch)), 0)  # [n, H]
        cells = cells.gather(0, rows)
        parts = (rows, cells // len(places), cells % len(places), weights)
        for head in range(maps.shape[1]):
            self._keep((layer, head), None, sentences, _links(*(part[:, head] for part in parts)))
        best = maps.argmax(-1).cpu().numpy()  # [B, H, W]
        right = best[arcs.text, :, arcs.query] == arcs.key[:, None]  # [N, H]
        right &= (np.abs(arcs.query - arcs.key) < WINDOW)[:, None]
        for (at, head), roles in self._roles.items():
            for role in roles:
                if at == layer and role != PRONOUNS:
                    chosen = arcs.asked_by(role) & right[:, head]
                    row, query, key = (
                        torch.from_numpy(it[chosen]) for it in (arcs.text, arcs.query, arcs.key)
                    )
                    links = _links(row, query, key, maps[row, head, query, key])
                    self._keep((layer, head), role, sentences, links)

    def search_pronouns(
        self, layer: int, pattern: Tensor, batch: Sequence[GapText], mentions: Mentions
    ) -> None:
        """Search one layer's maps [B, H, T, T] for links of pronouns to the right name."""
        heads = [at for at, roles in self._roles.items() if at[0] == layer and PRONOUNS in roles]
        right, wrong = mentions.attention(pattern)  # [B, H] each
        asked = [_find_pronoun(text.item) for text in batch]
        for _, head in heads:
            links = [
                (row, query, key, float(right[row, head]))
                for row, (_, query, key) in enumerate(asked)
                if right[row, head] > wrong[row, head] and abs(query - key) < WINDOW
            ]
            self._keep((layer, head), PRONOUNS, [sentence for sentence, _, _ in asked], links)

    def _keep(
        self, head: Place, role: str | None, sentences: Sequence[Sentence], links: Sequence[Link]
    ) -> None:
        """Keep the strongest of what was kept and of these links."""
        new: dict[int, AtlasExample] = {}
        for row, query, key, weight in sorted(links, key=lambda link: -link[3]):
            offensive = any(map(_OFFENSIVE.search, sentences[row].words))
            if weight > 0 and row not in new and not offensive:
                new[row] = build_example(role, sentences[row], query, key, weight)
                if len(new) == N_EXAMPLES:
                    break
        kept = [*self._found[head, role], *new.values()]
        self._found[head, role] = sorted(kept, key=lambda example: -example.weight)[:N_EXAMPLES]

    def by_head(self, architecture: Architecture) -> dict[str, list[AtlasExample]]:
        """The examples of all heads that have some, by "layer.head"."""
        heads = product(range(architecture.n_layers), range(architecture.n_heads))
        return {"{}.{}".format(*head): found for head in heads if (found := self.examples(head))}

    def examples(self, head: Place) -> list[AtlasExample]:
        """The examples of a head, strongest first within each of its roles."""
        of_roles = [it for role in self._roles.get(head, ()) for it in self._found[head, role]]
        return of_roles or self._found[head, None]


def build_example(
    role: str | None, sentence: Sentence, query: int, key: int, weight: float
) -> AtlasExample:
    """A link with the words around it."""
    n_words, spare = len(sentence.words), WINDOW - abs(query - key) - 1
    first = max(0, min(min(query, key) - spare // 2, n_words - WINDOW))
    words = sentence.words[first : first + WINDOW]
    at = {"query": query - first, "key": key - first}
    return AtlasExample(role=role, words=words, **at, weight=weight, source=sentence.id)


def _links(*parts: Tensor) -> list[Link]:
    """Links from tensors [N] of rows, queries, keys and weights."""
    return list(zip(*(part.tolist() for part in parts), strict=True))


def _find_pronoun(item: GapItem) -> tuple[Sentence, int, int]:
    """The words of a text, its pronoun among them and the last word of the right name."""
    places = [match.span() for match in re.finditer(r"\w+|[^\w\s]", item.text)]
    name = item.candidates[item.answer or 0]
    query, key = (  # the words these characters belong to
        next(at for at, (_, end) in enumerate(places) if end > character)
        for character in (item.pronoun[0], name[1] - 1)
    )
    words = tuple(item.text[start:end] for start, end in places)
    return Sentence(item.id, item.text, words, (), (), ()), query, key
