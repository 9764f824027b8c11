"""What moved between two maps is what arithmetic by hand finds, head by head."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from mha_core.errors import NothingAligned
from mha_core.models.loading import LoadedModel
from mha_core.runs import comparison
from mha_core.runs.analysis import analyse
from mha_core.runs.comparison import HeadPair, Side, aligned_units, compare_heads, match_heads
from mha_core.text.alignment import Group, Unit, align
from mha_core.text.tokenization import tokenize

TIRED = "The animal didn't cross the street because it was too tired."
Pattern = NDArray[np.float64]

# Two tokens against one, two without anything opposite, three against two.
GROUPS: list[Group] = [(0,), (1, 2), (4,), (5, 6, 7)]
OTHER_GROUPS: list[Group] = [(0,), (1,), (2,), (4, 5)]
N_TOKENS, N_OTHER = 8, 6


def random_maps(*shape: int, seed: int = 0, causal: bool = False) -> Tensor:
    """Maps [layers, H, T, T] whose rows sum to one."""
    scores = 3 * torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
    hidden = torch.ones(shape[-2:], dtype=torch.bool).triu(1)
    return (scores.masked_fill(hidden, -torch.inf) if causal else scores).softmax(-1)


def side(maps: Tensor, groups: Sequence[Group], *, looks_back: bool = False) -> Side:
    return Side([lambda layer=layer: layer for layer in maps], groups, looks_back)


def one_side(seed: int = 0, layers: int = 2, **options: bool) -> Side:
    return side(random_maps(layers, 3, N_TOKENS, N_TOKENS, seed=seed), GROUPS, **options)


def other_side(seed: int = 1, layers: int = 2, heads: int = 3, **options: bool) -> Side:
    return side(random_maps(layers, heads, N_OTHER, N_OTHER, seed=seed), OTHER_GROUPS, **options)


def by_hand(
    one: Pattern, other: Pattern, groups: Sequence[Group], others: Sequence[Group], looks_back: bool
) -> list[float]:
    """Change, similarity and both shares of two maps, cell by cell."""
    change, similarity, shares = 0.0, 0.0, [0.0, 0.0]
    for q in range(len(groups)):
        rows = [
            [np.mean([sum(a[i, j] for j in keys) for i in its[q]]) for keys in its]
            for a, its in ((one, groups), (other, others))
        ]
        outside = [1 - sum(row) for row in rows]
        moved = sum(abs(a - b) for a, b in zip(*rows, strict=True))
        change += (moved + abs(outside[0] - outside[1])) / 2
        visible = [row[: q + 1] if looks_back else row for row in rows]
        totals = [sum(row) for row in visible]
        pairs = zip(*visible, strict=True)
        similarity += sum(min(a / totals[0], b / totals[1]) for a, b in pairs)
        shares = [share + total for share, total in zip(shares, totals, strict=True)]
    return [value / len(groups) for value in (change, similarity, *shares)]


def measured(pair: HeadPair) -> list[float]:
    return [pair.change, pair.similarity, pair.share_one, pair.share_other]


def maps_of(side: Side) -> NDArray[np.float64]:
    return np.stack([layer().double().numpy() for layer in side.layers])


@pytest.mark.parametrize("looks_back", [False, True])
def test_every_number_of_one_model_is_found_by_hand(looks_back: bool) -> None:
    one, other = one_side(looks_back=looks_back), other_side(looks_back=looks_back)
    pairs = compare_heads(one, other)
    assert {(p.layer, p.head) for p in pairs} == {(i, h) for i in range(2) for h in range(3)}
    assert [p.change for p in pairs] == sorted((p.change for p in pairs), reverse=True)
    for pair in pairs:
        assert (pair.layer, pair.head) == (pair.other_layer, pair.other_head)
        assert pair.typical is None
        maps = [maps_of(it)[pair.layer, pair.head] for it in (one, other)]
        expected = by_hand(*maps, GROUPS, OTHER_GROUPS, looks_back)
        assert measured(pair) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("looks_back", [False, True])
def test_every_match_of_two_models_is_the_best_there_is(looks_back: bool) -> None:
    one, other = one_side(looks_back=looks_back), other_side(layers=3, looks_back=looks_back)
    pairs = match_heads(one, other)
    assert len(pairs) == 6
    order = [(min(p.share_one, p.share_other) < 0.5, -p.similarity) for p in pairs]
    assert order == sorted(order)
    for pair in pairs:
        mine = maps_of(one)[pair.layer, pair.head]
        theirs = maps_of(other)
        found = {
            (layer, head): by_hand(mine, theirs[layer, head], GROUPS, OTHER_GROUPS, looks_back)
            for layer in range(3)
            for head in range(3)
        }
        best = max(found, key=lambda place: found[place][1])
        assert (pair.other_layer, pair.other_head) == best
        assert measured(pair) == pytest.approx(found[best], abs=1e-6)
        assert pair.typical == pytest.approx(np.mean([it[1] for it in found.values()]), abs=1e-6)


@pytest.mark.parametrize("causal", [False, True])
def test_against_itself_nothing_moved_and_every_head_matches_itself(causal: bool) -> None:
    maps = random_maps(3, 4, 7, 7, causal=causal)
    itself = side(maps, [(i,) for i in range(7)], looks_back=causal)
    for pairs in (compare_heads(itself, itself), match_heads(itself, itself)):
        for pair in pairs:
            assert (pair.layer, pair.head) == (pair.other_layer, pair.other_head)
            assert measured(pair) == pytest.approx([0, 1, 1, 1], abs=1e-5)


def test_change_is_the_same_from_either_side() -> None:
    there = compare_heads(one_side(), other_side())
    back = compare_heads(other_side(), one_side())
    for pair in there:
        same = next(p for p in back if (p.layer, p.head) == (pair.layer, pair.head))
        assert (pair.change, pair.similarity) == pytest.approx(
            (same.change, same.similarity), abs=1e-6
        )
        assert (pair.share_one, pair.share_other) == (same.share_other, same.share_one)


@pytest.mark.parametrize("compare", [compare_heads, match_heads])
def test_permuting_heads_permutes_what_is_said_of_them(
    compare: Callable[[Side, Side], tuple[HeadPair, ...]],
) -> None:
    order = [2, 0, 1]
    maps, others = random_maps(2, 3, 8, 8), random_maps(2, 3, 6, 6, seed=1)
    plain = compare(side(maps, GROUPS), side(others, OTHER_GROUPS))
    moved = compare(side(maps[:, order], GROUPS), side(others[:, order], OTHER_GROUPS))
    named = {
        (p.layer, order[p.head], p.other_layer, order[p.other_head], *measured(p)) for p in moved
    }
    assert named == {(p.layer, p.head, p.other_layer, p.other_head, *measured(p)) for p in plain}


def test_a_small_budget_of_memory_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = one_side(layers=5), other_side(layers=4, heads=2)
    at_once = match_heads(one, other)
    passes: list[int] = []

    def counted(at: int) -> Callable[[], Tensor]:
        return lambda: passes.append(at) or other.layers[at]()  # type: ignore[func-returns-value]

    watched = Side([counted(at) for at in range(4)], OTHER_GROUPS, looks_back=False)
    two_layers = 2 * one.unit_maps(0).n_bytes
    monkeypatch.setattr(comparison, "BLOCK_BYTES", two_layers)
    in_blocks = match_heads(one, watched)
    assert passes == [0, 1, 2, 3] * 3  # five layers, two at a time
    for pair, same in zip(in_blocks, at_once, strict=True):
        assert (pair.layer, pair.head, pair.other_layer, pair.other_head) == (
            *(same.layer, same.head, same.other_layer, same.other_head),
        )
        assert measured(pair) == pytest.approx(measured(same), abs=1e-6)


def test_a_head_that_looks_only_outside_the_alignment_agrees_with_nobody() -> None:
    """Renormalising nothing would make a number out of nothing."""
    outside = torch.zeros(1, 1, N_TOKENS, N_TOKENS)
    outside[..., 3] = 1
    (pair,) = match_heads(side(outside, GROUPS), other_side(layers=1, heads=1))
    assert (pair.similarity, pair.share_one) == (0, 0)
    assert 0 < pair.change <= 1
    (alone,) = compare_heads(side(outside, GROUPS), side(outside, GROUPS))
    assert (alone.change, alone.similarity, alone.share_one) == (0, 0, 0)


def test_only_units_of_the_compared_tokens_count() -> None:
    units = [
        Unit((0,), (0,), "a", "a", same=True),
        Unit((1,), (), "b", "", same=False),
        Unit((2, 3), (1,), "c", "c", same=True),
        Unit((4,), (2,), "d", "d", same=True),
    ]
    assert aligned_units(units, 5, 3) == [units[0], units[2], units[3]]
    assert aligned_units(units, 4, 3) == [units[0], units[2]]
    with pytest.raises(NothingAligned, match="nothing to compare"):
        aligned_units(units[1:2], 5, 3)


def test_a_real_minimal_pair_is_found_by_hand(minilm: LoadedModel) -> None:
    texts = [tokenize(minilm.tokenizer, text) for text in (TIRED, TIRED.replace("tired", "wide"))]
    units = align(*texts, same_model=True)
    aligned = aligned_units(units, 16, 16)
    groups, others = [it.one for it in aligned], [it.other for it in aligned]
    runs = [analyse(minilm, text) for text in texts]
    sides = [
        Side([lambda it=it: it.pattern()[0] for it in run.layers], its, looks_back=False)
        for run, its in zip(runs, (groups, others), strict=True)
    ]
    pairs = compare_heads(*sides)
    assert len(pairs) == 72
    for layer in range(6):
        one, other = (run.patterns(layer).double().numpy() for run in runs)
        moved = np.abs(one - other).sum(-1).mean(-1) / 2  # the tokens stand opposite one by one
        alike = np.minimum(one, other).sum(-1).mean(-1)
        for pair in (pair for pair in pairs if pair.layer == layer):
            expected = [moved[pair.head], alike[pair.head], 1, 1]
            assert measured(pair) == pytest.approx(expected, abs=1e-5)
    assert [(pair.layer, pair.head) for pair in pairs[:3]] == [(5, 8), (5, 4), (5, 1)]
    assert pairs[0].change == pytest.approx(0.1873, abs=1e-3)


def test_a_match_on_little_of_the_attention_comes_last_however_similar() -> None:
    # Of three tokens two are aligned; the first head gives them a tenth, the second all it has.
    little = [[0.1, 0.0, 0.9], [0.0, 0.1, 0.9], [0.0, 0.0, 1.0]]
    much = [[0.8, 0.2, 0.0], [0.2, 0.8, 0.0], [0.0, 0.0, 1.0]]
    one = side(torch.tensor([[much, little]]), [(0,), (1,)])
    other = side(torch.eye(2)[None, None], [(0,), (1,)])
    first, second = match_heads(one, other)
    assert (first.head, second.head) == (0, 1)
    assert first.similarity == pytest.approx(0.8)
    assert second.similarity == pytest.approx(1.0)
    assert second.share_one == pytest.approx(0.1)


def unit_map(pattern: Pattern, groups: Sequence[Group]) -> Pattern:
    """Attention between units: summed over keys, mean over queries."""
    return np.array([[pattern[np.ix_(q, k)].sum(1).mean() for k in groups] for q in groups])


@pytest.mark.parametrize("looks_back", [False, True])
@pytest.mark.parametrize("compare", [compare_heads, match_heads])
def test_the_links_are_the_cells_that_numpy_finds_to_differ_most(
    compare: Callable[[Side, Side], tuple[HeadPair, ...]], looks_back: bool
) -> None:
    one, other = one_side(looks_back=looks_back), other_side(looks_back=looks_back)
    for pair in compare(one, other):
        mine = unit_map(maps_of(one)[pair.layer, pair.head], GROUPS)
        theirs = unit_map(maps_of(other)[pair.other_layer, pair.other_head], OTHER_GROUPS)
        differences = np.abs(mine - theirs)
        if looks_back:
            differences = np.tril(differences)
            differences[0] = 0  # sees one key alone, whatever the head does
        expected = np.argsort(-differences.ravel())[:3]
        assert [link.query * len(GROUPS) + link.key for link in pair.links] == expected.tolist()
        for link in pair.links:
            weights = mine[link.query, link.key], theirs[link.query, link.key]
            assert (link.one, link.other) == pytest.approx(weights, abs=1e-6)


def test_links_that_are_equal_on_both_sides_are_left_out() -> None:
    one = torch.eye(3)[None, None]
    other = one.clone()
    other[0, 0, 2] = torch.tensor([0.25, 0.0, 0.75])
    alone: list[Group] = [(0,), (1,), (2,)]
    (pair,) = compare_heads(side(one, alone), side(other, alone))
    found = {(link.query, link.key, link.one, link.other) for link in pair.links}
    assert found == {(2, 2, 1.0, 0.75), (2, 0, 0.0, 0.25)}
    assert compare_heads(side(one, alone), side(one, alone))[0].links == ()
    (single,) = compare_heads(side(one, [(0,)]), side(other, [(2,)]))
    assert [(link.one, link.other) for link in single.links] == [(1.0, 0.75)]
