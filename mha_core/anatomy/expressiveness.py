"""What attention of given sizes can and cannot express, in sentences made of the numbers."""

import math

from mha_core.anatomy.calculator import HeadShape, count_parameters
from mha_core.anatomy.presets import usual_widths


def describe_limits(shape: HeadShape) -> list[str]:
    """Short sentences about sizes that fit together, the softmax first."""
    return [
        _describe_softmax(shape),
        *_describe_scores(shape),
        _describe_output(shape),
        _describe_width(shape),
        *_describe_groups(shape),
    ]


def _describe_softmax(shape: HeadShape) -> str:
    """How many tokens one token can attend to at full weight."""
    if shape.n_heads == 1:
        return (
            "One head has one softmax, whose weights sum to 1: a token that needs two other tokens "
            "has to blend them, and two relations share one map."
        )
    most = min(shape.n_heads, shape.n_tokens)
    at_once = f"up to {most:,} tokens" if most > 1 else "one token"
    return (
        f"{shape.n_heads:,} heads have {shape.n_heads:,} softmaxes: a token can give full weight "
        f"to {at_once} at once, one in each head."
    )


def _describe_scores(shape: HeadShape) -> list[str]:
    """What the rank of Q K^T, at most d_head, allows."""
    n, d_head = shape.n_tokens, shape.d_head
    if n == 1:
        return ["With one token there is nothing to choose: its weight is 1."]
    if d_head >= n:
        return [
            f"d_head {d_head:,} is not below the {n:,} tokens: a head can have any scores at all, "
            f"as long as the vectors of the tokens are linearly independent."
        ]
    free = d_head * (2 * n - d_head)
    sentences = [
        f"The scores of a head are {n:,} x {n:,} numbers of rank at most d_head, {d_head:,}: no "
        f"more than {free:,} of the {n * n:,} ({_percent(free / n**2)}) can be chosen freely. The "
        f"softmax is not linear, so that the map itself may have a higher rank."
    ]
    if shape.bias:
        sentences.append(
            "The biases of W_Q and W_K do not raise that rank: they are part of the queries and "
            "keys. A position bias added to the scores can."
        )
    if d_head == 1:
        sentences.append(
            "With d_head 1 query and key are single numbers and a score is their product. So each "
            "query can only rank the keys by size, up or down: its largest weight is always on the "
            "visible token with the largest or the smallest key."
        )
    elif d_head < math.log2(n):
        sentences.append(
            f"{d_head} signs (+ or -) tell at most {2**d_head:,} tokens apart, not {n:,}: some "
            f"keys lie close together, and full weight on one of them needs very long vectors."
        )
    return sentences


def _describe_output(shape: HeadShape) -> str:
    """What the rank of W_V W_O, at most d_head, allows."""
    if shape.n_heads == 1:
        return f"The head can write in all {shape.d_model:,} directions of the residual stream."
    directions = "direction" if shape.d_head == 1 else "directions"
    return (
        f"A head reads all {shape.d_model:,} numbers of a token and writes in {shape.d_head:,} "
        f"{directions} of the residual stream: W_V W_O has rank at most d_head."
    )


def _describe_width(shape: HeadShape) -> str:
    """Whether the published models have heads of this width."""
    low, high = usual_widths()
    place = (
        "below what is" if shape.d_head < low else "above what is" if shape.d_head > high else ""
    )
    words = " ".join(filter(None, (f"d_head {shape.d_head:,} is", place, "usual")))
    return f"{words}: the published models of the calculator have {low} to {high}."


def _describe_groups(shape: HeadShape) -> list[str]:
    """Which query heads share keys and values, what that saves and what it costs."""
    n_heads, n_groups = shape.n_heads, shape.n_kv_heads
    if n_heads == 1:
        return []
    if n_groups == n_heads:
        return ["Every head has keys and values of its own."]
    size = n_heads // n_groups
    ungrouped = HeadShape(shape.d_model, n_heads, n_heads, bias=shape.bias)
    saved = count_parameters(ungrouped).fused - count_parameters(shape).fused
    if n_groups == 1:
        shared = f"All {n_heads:,} query heads share one key/value head (multi-query attention)."
    else:
        shared = (
            f"Each key/value head serves {size:,} query heads (grouped-query attention): heads 0 "
            f"to {size - 1:,} the first, {size:,} to {2 * size - 1:,} the second."
        )
    return [
        shared,
        f"That makes the K/V cache {size:,} times smaller and saves {saved:,} parameters a layer. "
        f"Heads that share can ask for different things, but only of the same keys, and they pass "
        f"on the same values.",
    ]


def _percent(share: float) -> str:
    percent = 100 * share
    if percent >= 10:
        return f"{math.floor(percent)} %"  # what is not all is not 100 %
    return f"{percent:.2g} %" if percent >= 0.01 else "less than 0.01 %"
