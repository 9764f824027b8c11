"""Which heads make a link, against sums done by hand."""

import pytest
import torch

from mha_core.errors import NoSuchPosition, NotVisible
from mha_core.runs.links import rank_edges, stack_of_link
from mha_core.stacks import Stack
from mha_core.text.tokens import Token, TokenKind


def token(index: int, kind: TokenKind = "word_start") -> Token:
    return Token(index, index, f"t{index}", f"t{index}", kind, index, index, index + 1, 0)


WORDS = [token(index) for index in range(300)]

# Four tokens, one layer of two heads; the second looks one back wherever it can.
FREE = torch.tensor(
    [
        [[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1], [0.7, 0.1, 0.1, 0.1], [0.25] * 4],
        [[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
    ]
)


def square(n_tokens: int, *, causal: bool = False) -> Stack:
    name = "decoder" if causal else "encoder"
    return Stack(name, 1, 2, (0, n_tokens), (0, n_tokens), causal)  # type: ignore[arg-type]


SQUARE = square(4)
# An encoder-decoder: four tokens of a source, then two that its decoder reads.
THREE = (
    SQUARE,
    Stack("decoder", 1, 2, (4, 6), (4, 6), causal=True),
    Stack("cross", 1, 2, (4, 6), (0, 4), causal=False),
)


def test_the_weight_is_the_mean_over_queries_of_the_sum_over_keys() -> None:
    ranking = rank_edges([(FREE, None)], SQUARE, [0, 2], [1, 3], WORDS)
    by_head = {edge.head: edge for edge in ranking.heads}
    assert by_head[0].weight == pytest.approx(((0.2 + 0.4) + (0.1 + 0.1)) / 2)
    assert by_head[1].weight == pytest.approx((0 + 1) / 2)
    assert ranking.uniform == pytest.approx(2 / 4)


def test_heads_come_best_first_over_all_layers_equals_in_the_models_order() -> None:
    ranking = rank_edges([(FREE, None), (FREE, None)], SQUARE, [1], [0], WORDS)
    assert [(edge.layer, edge.head) for edge in ranking.heads] == [(0, 1), (1, 1), (0, 0), (1, 0)]


def test_position_alone_is_the_same_distance_in_the_other_rows() -> None:
    ranking = rank_edges([(FREE, None)], SQUARE, [2], [1], WORDS)
    by_head = {edge.head: edge for edge in ranking.heads}
    # One back from row 3; row 0 has nothing before it, row 1 only the first token, a sink.
    assert by_head[0].by_position == pytest.approx(0.25)
    assert by_head[1].by_position == pytest.approx(1)
    assert by_head[1].weight == by_head[1].by_position  # this head knows position only


def test_other_tokens_are_asked_for_the_same_keys() -> None:
    ranking = rank_edges([(FREE, None)], SQUARE, [2], [1], WORDS)
    by_head = {edge.head: edge for edge in ranking.heads}
    # Rows 0 and 3: row 2 makes the link, and row 1 is its key.
    assert ranking.others == 2
    assert by_head[0].by_others == pytest.approx((0.2 + 0.25) / 2)
    assert by_head[1].by_others == pytest.approx(0)


def test_a_head_that_attends_to_a_word_from_everywhere_has_no_lead_over_other_tokens() -> None:
    tokens = [token(0, "special"), token(1), token(2), token(3), token(4), token(5, "special")]
    pattern = torch.full((1, 6, 6), 0.06)
    pattern[0, :, 2] = 0.7
    pattern[0, [0, 5], 2] = 0.1  # special tokens are none of the others
    ranking = rank_edges([(pattern, None)], square(6), [4], [2], tokens)
    assert ranking.others == 2
    assert ranking.heads[0].by_others == ranking.heads[0].weight


def test_only_tokens_that_see_a_key_are_others() -> None:
    pattern = torch.rand((1, 4, 4), generator=torch.manual_seed(1)).tril()
    ranking = rank_edges([(pattern, None)], square(4, causal=True), [2], [1], WORDS)
    assert ranking.others == 1
    assert ranking.heads[0].by_others == pytest.approx(float(pattern[0, 3, 1]))
    last = rank_edges([(pattern, None)], square(4, causal=True), [3], [2], WORDS)
    assert (last.others, last.heads[0].by_others) == (0, None)


def test_links_across_two_texts_have_other_tokens_too() -> None:
    cross = THREE[2]
    pattern = torch.rand((1, 2, 4), generator=torch.manual_seed(2))
    ranking = rank_edges([(pattern, None)], cross, [5], [1], [*WORDS, token(4), token(5)])
    assert ranking.heads[0].by_position is None
    assert ranking.heads[0].by_others == pytest.approx(float(pattern[0, 0, 1]))


def test_several_distances_add_up_like_the_link_itself() -> None:
    edge = next(
        edge
        for edge in rank_edges([(FREE, None)], SQUARE, [2], [1, 3], WORDS).heads
        if edge.head == 0
    )
    back, ahead = 0.25, (0.2 + 0.2) / 2
    assert edge.by_position == pytest.approx(back + ahead)


def test_pairs_with_a_sink_are_no_baseline_for_a_link_between_words() -> None:
    tokens = [token(0, "special"), token(1), token(2), token(3), token(4), token(5, "special")]
    pattern = torch.rand((1, 6, 6), generator=torch.manual_seed(0))

    def position(query: int, key: int) -> tuple[float | None, int]:
        ranking = rank_edges([(pattern, None)], square(6), [query], [key], tokens)
        return ranking.heads[0].by_position, ranking.elsewhere

    # Two back: not from 2, whose key is [CLS], and not from 5, which is [SEP].
    assert position(4, 2) == (pytest.approx(float(pattern[0, 3, 1])), 1)
    # Of a link to a sink the others of its length are.
    both = (pattern[0, 3, 1] + pattern[0, 4, 2]) / 2
    assert position(2, 0) == (pytest.approx(float(both)), 2)
    # Of one from a special token, too.
    assert position(5, 3) == (pytest.approx(float(both)), 2)


def test_a_distance_found_nowhere_else_has_no_expectation() -> None:
    ranking = rank_edges([(FREE, None)], SQUARE, [0], [3], WORDS)
    assert {edge.by_position for edge in ranking.heads} == {None}


def test_value_weighted_maps_are_asked_the_same() -> None:
    ranking = rank_edges([(FREE, FREE.flip(0))], SQUARE, [1], [0], WORDS)
    assert {edge.head: edge.weighted for edge in ranking.heads} == {
        0: pytest.approx(1.0),
        1: pytest.approx(0.4),
    }
    unknown = rank_edges([(FREE, None)], SQUARE, [1], [0], WORDS)
    assert {edge.weighted for edge in unknown.heads} == {None}


def test_pairs_that_cannot_be_seen_are_no_opportunities() -> None:
    causal = torch.tensor(
        [[[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.7, 0.1, 0], [0.1, 0.2, 0.3, 0.4]]]
    )
    # Query 0 sees neither key; query 2 sees key 1 alone; query 3 sees both.
    ranking = rank_edges([(causal, None)], square(4, causal=True), [0, 2, 3], [1, 3], WORDS)
    assert ranking.heads[0].weight == pytest.approx((0.7 + (0.2 + 0.4)) / 2)
    assert ranking.uniform == pytest.approx((1 / 3 + 2 / 4) / 2)
    # Distances -1, -2 and 0 of the only other row, 1: 0.5 one back, itself 0.5, two back nothing.
    assert ranking.heads[0].by_position is None


def test_a_position_named_twice_counts_once() -> None:
    once, twice = (
        rank_edges([(FREE, None)], SQUARE, queries, keys, WORDS)
        for queries, keys in (([2], [0]), ([2, 2], [0, 0, 0]))
    )
    assert once == twice


def test_a_link_that_no_query_sees_is_refused_in_words() -> None:
    with pytest.raises(NotVisible, match="only to earlier tokens") as refused:
        rank_edges([], square(4, causal=True), [0, 1], [2, 3], WORDS)
    assert refused.value.details == {"queries": [0, 1], "keys": [2, 3]}


@pytest.mark.parametrize(("queries", "keys"), [([4], [0]), ([0], [-1])])
def test_positions_outside_the_text_are_refused_with_those_there_are(
    queries: list[int], keys: list[int]
) -> None:
    with pytest.raises(NoSuchPosition, match="0 to 3") as refused:
        stack_of_link([SQUARE], queries, keys)
    assert refused.value.details["n_tokens"] == 4


def test_the_first_row_of_a_causal_model_tells_nothing_of_a_position() -> None:
    pattern = torch.tensor([[[1.0, 0, 0], [0.8, 0.2, 0], [0.5, 0.1, 0.4]]])
    ranking = rank_edges([(pattern, None)], square(3, causal=True), [2], [2], WORDS)
    assert ranking.heads[0].by_position == pytest.approx(0.2), (
        "its own weight on itself is always 1"
    )
    assert ranking.elsewhere == 1


def test_many_queries_and_keys_are_one_link() -> None:
    n_tokens = 300
    pattern = torch.full((2, n_tokens, n_tokens), 1 / n_tokens)
    half = range(0, n_tokens, 2)
    ranking = rank_edges([(pattern, None)], square(n_tokens), [*half], [*half], WORDS)
    assert ranking.heads[0].weight == pytest.approx(0.5, abs=1e-3)
    assert ranking.heads[0].by_position == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize(
    ("queries", "keys", "stack"),
    [([0, 3], [1], "encoder"), ([5], [4, 5], "decoder"), ([4, 5], [0, 3], "cross")],
)
def test_a_link_lies_in_the_stack_that_holds_both_its_ends(
    queries: list[int], keys: list[int], stack: str
) -> None:
    assert stack_of_link(THREE, queries, keys).name == stack


@pytest.mark.parametrize(("queries", "keys"), [([0], [4]), ([3, 4], [0]), ([5], [0, 4])])
def test_a_link_that_lies_in_no_stack_is_refused_with_those_there_are(
    queries: list[int], keys: list[int]
) -> None:
    with pytest.raises(NotVisible, match=r"source's \(0 to 3\).*decoder's \(4 to 5\)"):
        stack_of_link(THREE, queries, keys)


def test_a_link_between_two_texts_has_a_weight_and_no_distance() -> None:
    pattern = torch.tensor([[[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1]]])
    ranking = rank_edges([(pattern, None)], THREE[2], [4, 5], [0, 2], WORDS)
    assert ranking.heads[0].weight == pytest.approx(((0.1 + 0.3) + (0.7 + 0.1)) / 2)
    assert ranking.heads[0].by_position is None
    assert ranking.elsewhere == 0
    assert ranking.uniform == pytest.approx(2 / 4)


def test_positions_of_a_decoder_are_counted_from_the_first_token_of_all() -> None:
    pattern = torch.tensor([[[1.0, 0.0], [0.3, 0.7]]])
    ranking = rank_edges([(pattern, None)], THREE[1], [5], [4], WORDS)
    assert ranking.heads[0].weight == pytest.approx(0.3)
