"""The pairs of content words whose attention is compared with their embeddings' similarity."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.metrics.passage import Passage, cached_per_passage
from mha_core.metrics.rank_correlation import FixedRanks

MIN_PAIRS = 3  # with fewer pairs of words a rank correlation means nothing
MAX_PAIRS = 4096  # evenly spaced in a long text: sorting all pairs takes as long as the model
ROWS_AT_ONCE = 1024


@dataclass(frozen=True, eq=False)
class ContentPairs:
    """P visible pairs of two different content tokens, by query and then by key."""

    queries: Tensor  # [P] long, ascending
    keys: Tensor  # [P] long
    ranks: FixedRanks  # of the pairs' embedding similarity

    def within(self, rows: slice) -> slice:
        """The pairs whose query is one of these rows."""
        ends = torch.tensor([rows.start, rows.stop], device=self.queries.device)
        return slice(*torch.searchsorted(self.queries, ends).tolist())


@cached_per_passage
def content_pairs(passage: Passage) -> ContentPairs:
    """No pairs where there are too few to compare, or where the embeddings are unknown."""
    content = passage.content.nonzero()[:, 0]  # [C]
    n_pairs = sum(int(mask.sum()) for mask in _masks(passage, content))
    if passage.directions is None or n_pairs < MIN_PAIRS:
        return ContentPairs(content[:0], content[:0], FixedRanks.of(torch.zeros(0)))
    step = -(-n_pairs // MAX_PAIRS)
    chosen, n_before, n_rows = [], 0, 0
    for mask in _masks(passage, content):
        pairs = mask.nonzero()  # [pairs, 2]
        chosen.append(pairs[-n_before % step :: step] + pairs.new_tensor([n_rows, 0]))
        n_before, n_rows = n_before + len(pairs), n_rows + len(mask)
    queries, keys = content[torch.cat(chosen)].T.contiguous()
    cosine = _cosine(passage.ids, passage.directions, queries, keys)
    return ContentPairs(queries, keys, FixedRanks.of(cosine))


def _masks(passage: Passage, content: Tensor) -> Iterator[Tensor]:
    """Which of the C content tokens make a pair with which, [rows, C] bool, some rows at a time."""
    ids = passage.ids[content]
    for rows in content.split(ROWS_AT_ONCE):
        mask = passage.ids[rows, None] != ids
        yield mask & (content <= rows[:, None]) if passage.causal else mask


def _cosine(ids: Tensor, directions: Tensor, queries: Tensor, keys: Tensor) -> Tensor:
    """Cosine similarity of the embeddings of each pair, [P].

    Computed once for each pair of ids, so that pairs of the same two tokens tie exactly.
    """
    unique, place = ids.unique(return_inverse=True)
    first = torch.empty_like(unique).scatter_(0, place, torch.arange(len(ids), device=ids.device))
    directions = directions[first]  # [U, D]
    low, high = torch.stack([place[queries], place[keys]]).sort(0).values  # [P] each
    cosine = directions.new_empty(len(queries))
    for start in range(0, len(unique), ROWS_AT_ONCE):
        table = directions[start : start + ROWS_AT_ONCE] @ directions.T
        inside = (low >= start) & (low < start + ROWS_AT_ONCE)
        cosine[inside] = table[low[inside] - start, high[inside]]
    return cosine
