"""Lists of keys for each row, against comparing all pairs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_core.metrics.key_lists import KeyLists
from mha_core.metrics.passage import Flags, Integers

groups = st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=30)
moderately = settings(max_examples=80)


def pairs_of(lists: KeyLists, rows: slice) -> list[tuple[int, int]]:
    n_tokens = len(lists.begin)
    cells = lists.cells(rows, n_tokens)
    return sorted((int(it) // n_tokens + rows.start, int(it) % n_tokens) for it in cells)


def split(tokens: list[tuple[int, bool]]) -> tuple[Integers, Flags]:
    group, counted = zip(*tokens, strict=True)
    return np.array(group), np.array(counted)


@moderately
@given(groups, st.integers(0, 30), st.integers(0, 30))
def test_the_earlier_members_of_the_same_group_are_listed(
    tokens: list[tuple[int, bool]], start: int, stop: int
) -> None:
    lists = KeyLists.of_earlier(*split(tokens))
    rows = slice(min(start, len(tokens)), min(max(start, stop), len(tokens)))
    assert pairs_of(lists, rows) == [
        (i, j)
        for i in range(rows.start, rows.stop)
        for j in range(i)
        if tokens[i][0] == tokens[j][0] and tokens[i][1] and tokens[j][1]
    ]


@moderately
@given(groups)
def test_successors_are_counted_tokens_before_the_row(tokens: list[tuple[int, bool]]) -> None:
    group, counted = split(tokens)
    lists = KeyLists.of_earlier(group, counted).to_successors(counted)
    everything = slice(0, len(tokens))
    assert pairs_of(lists, everything) == [
        (i, j + 1)
        for i in range(len(tokens))
        for j in range(i - 1)
        if tokens[i][0] == tokens[j][0] and tokens[i][1] and tokens[j][1] and tokens[j + 1][1]
    ]
    assert lists.count.tolist() == [
        sum(row == i for row, _ in pairs_of(lists, everything)) for i in range(len(tokens))
    ]


def test_lists_of_other_rows_are_empty() -> None:
    lists = KeyLists.of_earlier(np.zeros(4, np.int64), np.ones(4, np.bool_))
    kept = lists.only_in(np.array([True, False, True, False]))
    assert pairs_of(kept, slice(0, 4)) == [(2, 0), (2, 1)]


def test_one_key_for_some_rows() -> None:
    lists = KeyLists.of_one(0, np.array([False, True, True]))
    assert pairs_of(lists, slice(0, 3)) == [(1, 0), (2, 0)]
