"""Ranks all heads by the link from some tokens to others.

    weight = mean over the queries that see any of the keys of the sum of A[query, key] over them

A head that always looks two tokens back scores well on every link of length two, and one that
attends to a certain word from everywhere on every link to it. So the weight comes with two
baselines: the head's attention at the same distances elsewhere in the text, and its attention from
other tokens to the same keys. For a link between words only pairs of words count: the first token
and special tokens get much attention whatever the distance. Cross attention links two texts,
between which distance is not defined, so its links have the second baseline alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.attention import uniform_attention
from mha_core.errors import NoSuchPosition, NotVisible
from mha_core.stacks import Stack
from mha_core.text.tokens import Token


@dataclass(frozen=True)
class HeadEdge:
    """How strongly one head makes the link."""

    layer: int
    head: int
    weight: float
    by_position: float | None  # at the same distances in the other rows; None: no such pair
    by_others: float | None  # from other tokens to the same keys; None: no such token
    weighted: float | None  # value-weighted; None: output projection not known


@dataclass(frozen=True)
class EdgeRanking:
    """Heads, strongest first, and the weight of uniform attention."""

    uniform: float
    elsewhere: int  # number of pairs that `by_position` averages
    others: int  # number of tokens that `by_others` averages
    heads: tuple[HeadEdge, ...]


def stack_of_link(stacks: Sequence[Stack], queries: Sequence[int], keys: Sequence[int]) -> Stack:
    """The stack that contains all queries and keys; positions index all tokens.

    Stacks share no link, so there is at most one.
    """
    n_tokens = max(stack.queries[1] for stack in stacks)
    for position in (*queries, *keys):
        if not 0 <= position < n_tokens:
            raise NoSuchPosition(
                f"The text has no position {position}: its positions are 0 to {n_tokens - 1}.",
                position=position,
                n_tokens=n_tokens,
            )
    for stack in stacks:
        if _lie_in(queries, stack.queries) and _lie_in(keys, stack.keys):
            return stack
    source, decoder = (f"{first} to {end - 1}" for first, end in (it.queries for it in stacks[:2]))
    raise NotVisible(
        f"No attention of this model links these tokens: the source's ({source}) attend to each "
        f"other, the decoder's ({decoder}) to each other or to the source's.",
        queries=list(queries),
        keys=list(keys),
    )


def rank_edges(
    layers: Iterable[tuple[Tensor, Tensor | None]],
    stack: Stack,
    queries: Sequence[int],
    keys: Sequence[int],
    tokens: Sequence[Token],
) -> EdgeRanking:
    """All heads of a stack ranked by the link from `queries` to `keys`; positions index all tokens.

    `layers` yields the pattern [H, Q, K] of each layer and the value-weighted pattern, if known.
    """
    link, elsewhere = link_tables(stack, queries, keys, tokens)
    from_others = others_table(stack, queries, keys, tokens)
    uniform = uniform_attention(stack.n_queries, stack.n_keys, causal=stack.causal)
    edges: list[HeadEdge] = []
    for layer, (pattern, value_weighted) in enumerate(layers):
        weights = _mass(pattern, link)
        by_position = None if elsewhere is None else _mass(pattern, elsewhere)
        by_others = None if from_others is None else _mass(pattern, from_others)
        weighted = None if value_weighted is None else _mass(value_weighted, link)
        edges += [
            HeadEdge(
                layer,
                head,
                weight,
                None if by_position is None else by_position[head],
                None if by_others is None else by_others[head],
                None if weighted is None else weighted[head],
            )
            for head, weight in enumerate(weights)
        ]
    # Sorting keeps the model's order between equals.
    ranked = sorted(edges, key=lambda edge: -edge.weight)
    pairs = 0 if elsewhere is None else int((elsewhere > 0).sum())
    n_others = 0 if from_others is None else int((from_others > 0).any(-1).sum())
    return EdgeRanking(_mass(uniform[None], link)[0], pairs, n_others, tuple(ranked))


def _mass(pattern: Tensor, table: Tensor) -> list[float]:
    """Attention of each head, pattern [H, Q, K], in the cells of a table [Q, K]."""
    found: list[float] = (pattern.flatten(1) @ table.to(pattern.device).flatten()).tolist()
    return found


def _lie_in(positions: Sequence[int], between: tuple[int, int]) -> bool:
    return all(between[0] <= position < between[1] for position in positions)


def link_tables(
    stack: Stack, queries: Sequence[int], keys: Sequence[int], tokens: Sequence[Token]
) -> tuple[Tensor, Tensor | None]:
    """Averaging weights of the link, and of the same distances in other rows, [Q, K] each.

    Attention times the first, summed, is the weight of the link; times the second, its baseline.
    Pairs with a sink are no baseline for a link between words, see `_between_words`.
    """
    rows, columns = torch.tensor(queries) - stack.queries[0], torch.tensor(keys) - stack.keys[0]
    asked = torch.zeros(stack.n_queries, stack.n_keys, dtype=torch.float32)
    asked[rows[:, None], columns] = 1
    asked = asked.tril() if stack.causal else asked
    if not asked.any():
        raise NotVisible(
            "None of the chosen queries can attend to any of the chosen keys: a causal model "
            "attends only to earlier tokens. Choose keys before a query.",
            queries=list(queries),
            keys=list(keys),
        )
    link = asked / asked.any(-1).sum()
    if stack.queries != stack.keys:
        return link, None
    others = _between_words(stack, queries, keys, tokens)
    others[rows] = False
    others[: int(stack.causal)] = False  # it sees one key only
    return link, _elsewhere(link, others)


def others_table(
    stack: Stack, queries: Sequence[int], keys: Sequence[int], tokens: Sequence[Token]
) -> Tensor | None:
    """Averaging weights [Q, K] of the attention from other tokens to the same keys; None: none.

    Tokens of the link itself do not count, nor special ones unless a query of the link is one.
    """
    rows, columns = torch.tensor(queries) - stack.queries[0], torch.tensor(keys) - stack.keys[0]
    pairs = torch.zeros(stack.n_queries, stack.n_keys, dtype=torch.bool)
    pairs[:, columns] = True
    pairs[rows] = False
    if stack.queries == stack.keys:
        pairs[columns] = False
    if not any(tokens[query].kind == "special" for query in queries):
        pairs[[token.kind == "special" for token in tokens[slice(*stack.queries)]]] = False
    if stack.causal:
        pairs = pairs.tril()
    return pairs / pairs.any(-1).sum() if pairs.any() else None


def _between_words(
    stack: Stack, queries: Sequence[int], keys: Sequence[int], tokens: Sequence[Token]
) -> Tensor:
    """Which pairs [Q, K] have the ends of a link between words.

    No key that is special or the first, and no query that is special, unless the link has one too.
    """
    first, end = stack.keys
    special = [token.kind == "special" for token in tokens[first:end]]
    sinks = torch.tensor([is_special or at == 0 for at, is_special in enumerate(special)])
    pairs = torch.ones(stack.n_queries, stack.n_keys, dtype=torch.bool)
    if not sinks[torch.tensor(keys) - first].any():
        pairs[:, sinks] = False
    if not any(special[query - first] for query in queries):
        pairs[torch.tensor(special)] = False
    return pairs


def _elsewhere(link: Tensor, others: Tensor) -> Tensor | None:
    """The link's distances averaged over other pairs [Q, K]; None if one occurs nowhere else."""
    n_tokens = len(link)
    table = torch.zeros_like(link)
    for offset in range(1 - n_tokens, n_tokens):
        amount = link.diagonal(offset).sum()
        if amount == 0:
            continue
        free = others.diagonal(offset)
        if not free.any():
            return None
        table.diagonal(offset)[free] = amount / free.sum()
    return table
