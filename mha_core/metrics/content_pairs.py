"""The pairs of content words whose attention is compared with their embeddings' similarity."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from mha_core.metrics.passage import Flags, Integers, Numbers, Passage, cached_per_passage
from mha_core.metrics.rank_correlation import FixedRanks

MIN_PAIRS = 3  # with fewer pairs of words a rank correlation means nothing
MAX_PAIRS = 4096  # evenly spaced in a long text: sorting all pairs takes as long as the model
ROWS_AT_ONCE = 1024


@dataclass(frozen=True, eq=False)
class ContentPairs:
    """P visible pairs of two different content tokens, by query and then by key."""

    queries: Integers  # [P], ascending
    keys: Integers  # [P]
    ranks: FixedRanks  # of the pairs' embedding similarity

    def within(self, rows: slice) -> slice:
        """The pairs whose query is one of these rows."""
        return slice(*np.searchsorted(self.queries, [rows.start, rows.stop]).tolist())


@cached_per_passage
def content_pairs(passage: Passage) -> ContentPairs:
    """No pairs where there are too few to compare, or where the embeddings are unknown."""
    content = np.flatnonzero(passage.content)  # [C]
    n_pairs = sum(int(mask.sum()) for mask in _masks(passage, content))
    if passage.directions is None or n_pairs < MIN_PAIRS:
        return ContentPairs(content[:0], content[:0], FixedRanks.of(np.zeros(0), passage.device))
    step = -(-n_pairs // MAX_PAIRS)
    chosen, n_before, n_cells = [], 0, 0
    for mask in _masks(passage, content):
        cells = np.flatnonzero(mask)
        chosen.append(cells[-n_before % step :: step] + n_cells)
        n_before, n_cells = n_before + len(cells), n_cells + mask.size
    queries, keys = (content[it] for it in np.divmod(np.concatenate(chosen), len(content)))
    cosine = _cosine(passage.ids, passage.directions, queries, keys)
    return ContentPairs(queries, keys, FixedRanks.of(cosine, passage.device))


def _masks(passage: Passage, content: Integers) -> Iterator[Flags]:
    """Which of the C content tokens make a pair with which, [rows, C], some rows at a time."""
    ids = passage.ids[content]
    for start in range(0, len(content), ROWS_AT_ONCE):
        rows = content[start : start + ROWS_AT_ONCE, None]
        mask = passage.ids[rows] != ids
        yield mask & (content <= rows) if passage.causal else mask


def _cosine(ids: Integers, directions: Tensor, queries: Integers, keys: Integers) -> Numbers:
    """Cosine similarity of the embeddings of each pair, [P].

    Computed once for each pair of ids, so that pairs of the same two tokens tie exactly.
    """
    unique, first, place = np.unique(ids, return_index=True, return_inverse=True)
    directions = directions[first]  # [U, D]
    low, high = (pick(place[queries], place[keys]) for pick in (np.minimum, np.maximum))  # [P] each
    cosine = np.empty(len(queries))
    for start in range(0, len(unique), ROWS_AT_ONCE):
        table = (directions[start : start + ROWS_AT_ONCE] @ directions.T).cpu().numpy()
        inside = (low >= start) & (low < start + ROWS_AT_ONCE)
        cosine[inside] = table[low[inside] - start, high[inside]]
    return cosine
