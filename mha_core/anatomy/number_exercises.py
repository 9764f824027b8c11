"""Exercises whose answer is a number, each computed by the calculator or by a small attention."""

import torch
from torch import Tensor

from mha_core.anatomy.calculator import HeadShape, count_cache, count_parameters, count_shape
from mha_core.anatomy.exercise import Exercise, Solution
from mha_core.anatomy.seeded import draw
from mha_core.attention import attention_pattern, causal_mask, mix

BERT_BASE = HeadShape(d_model=768, n_heads=12, n_kv_heads=12)
LLAMA_2_70B = HeadShape(8192, 64, 8, n_layers=80, n_tokens=4096, bias=False)
D_HEAD = 64
N_PAIRS = 200_000  # enough for the variance to come out within 1 % of its true value
N_TOKENS = 10


def _column(*numbers: float) -> Tensor:
    """Vectors of one number each, of one head of one text, [1, 1, T, 1]."""
    return torch.tensor(numbers, dtype=torch.float32).reshape(1, 1, -1, 1)


def _solve_d_head() -> Solution:
    shape = BERT_BASE
    return Solution(
        answer=count_shape(shape).d_head,
        why=f"The heads divide the width: {shape.d_model} / {shape.n_heads} = {shape.d_head}.",
        hints={
            shape.d_model: "That is d_model, the width of all heads together: divide by the heads.",
            shape.d_model * shape.n_heads: "You multiplied: the heads divide d_model among them.",
            shape.n_heads: "That is the number of heads. How wide is each of them?",
            shape.d_model // 3: "Queries, keys and values are not thirds of the width: each has "
            "all of it, and the heads divide that.",
        },
    )


def _solve_fused_parameters() -> Solution:
    query = count_parameters(BERT_BASE).matrices[0]
    rows, columns = query.separate_shape
    one = query.separate // query.n_separate
    return Solution(
        answer=query.fused,
        why=f"{query.n_separate} x {rows} x {columns} = {query.separate:,}, and {rows} x "
        f"{query.fused_shape[1]} = {query.fused:,}: fusing puts the matrices side by side and "
        f"saves no parameter.",
        hints={
            one: "That is the matrix of one head: the fused one does the work of all heads.",
            query.fused * query.n_separate: "Each head's matrix has only d_head columns: together "
            "they are as wide as d_model.",
            3 * query.fused: "That is for queries, keys and values. The question is about queries.",
        },
    )


def _solve_cache_saving() -> Solution:
    shape, cache = LLAMA_2_70B, count_cache(LLAMA_2_70B)
    smaller = cache.full_multi_head / cache.all_layers
    gigabytes = [f"{size / 1e9:.1f} GB" for size in (cache.full_multi_head, cache.all_layers)]
    return Solution(
        answer=smaller,
        why=f"The cache has one key and one value for each key/value head: {shape.n_heads} / "
        f"{shape.n_kv_heads} = {smaller:.0f}. In Llama 2 70B, whose heads these are, that is "
        f"{gigabytes[1]} instead of {gigabytes[0]} at {shape.n_tokens:,} tokens of "
        f"{shape.bytes_per_number} bytes a number.",
        hints={
            1 / smaller: "That is the share that is left. How many times smaller is it?",
            1 - 1 / smaller: "That is the share that is saved. How many times smaller is it?",
            shape.n_heads - shape.n_kv_heads: "That is the difference. Divide instead.",
            shape.n_heads: "The cache would be that much smaller with a single key/value head.",
        },
    )


def _solve_variance() -> Solution:
    generator = torch.Generator().manual_seed(0)
    q, k = draw(generator, N_PAIRS, D_HEAD), draw(generator, N_PAIRS, D_HEAD)
    measured = float((q * k).sum(-1).var())
    divided = float((q * k).sum(-1).div(D_HEAD**0.5).var())
    of_one = float((q[:, 0] * k[:, 0]).var())
    return Solution(
        answer=round(measured),
        why=f"q·k adds {D_HEAD} independent products of variance 1, and variances add up. On "
        f"{N_PAIRS:,} random pairs: {of_one:.2f} for one product, {measured:.1f} for q·k, "
        f"{divided:.2f} once it is divided by the root of d_head.",
        hints={
            round(measured**0.5): "That is the standard deviation. The variance is its square.",
            round(of_one): "That is the variance of one product. q·k adds one for each number.",
            D_HEAD**2: "The variances of the products are added, not multiplied.",
        },
    )


def _solve_third_token() -> Solution:
    generator = torch.Generator().manual_seed(0)
    q, k = draw(generator, 1, 1, N_TOKENS, 4), draw(generator, 1, 1, N_TOKENS, 4)
    pattern = attention_pattern(q, k, causal_mask(N_TOKENS, N_TOKENS), 0.5)[0, 0]
    seen = (pattern > 0).sum(-1).tolist()
    return Solution(
        answer=seen[2],
        why=f"A token of a causal model sees itself and the tokens before it. Keys with a weight "
        f"above 0, from the first token to the last: {', '.join(map(str, seen))}.",
        hints={
            seen[2] - 1: "A token sees itself, too.",
            N_TOKENS: "That is without a mask: a causal model does not look ahead.",
            N_TOKENS - seen[2]: "Those are the tokens after it, which a causal model hides.",
            N_TOKENS - seen[2] + 1: "A causal model looks back, not ahead.",
        },
    )


def _solve_row_sum() -> Solution:
    generator = torch.Generator().manual_seed(0)
    q, k = draw(generator, 1, 1, N_TOKENS, 4), draw(generator, 1, 1, N_TOKENS, 4)
    pattern = attention_pattern(q, k, None, 0.5)[0, 0]
    row = round(float(pattern.sum(-1).mean()), 6)
    return Solution(
        answer=row,
        why="The softmax divides the exponentials of a row by their sum, so that the weights are "
        "shares of one whole.",
        hints={
            round(float(pattern.sum()), 4): "That is the sum of the whole map: one for each row.",
            1 / N_TOKENS: "That is each weight where all are equal. The row has all of them.",
            0: "Weights are positive: they cannot cancel each other.",
        },
    )


def _solve_equal_scores() -> Solution:
    q, k = _column(2), _column(2, 2)
    weights = attention_pattern(q, k, None, 1.0)[0, 0, 0]
    score = float((q @ k.transpose(-1, -2))[0, 0, 0, 0])
    return Solution(
        answer=float(weights[0]),
        why=f"Equal scores get equal weights, whatever the scores are: {weights.tolist()}.",
        hints={
            score: "That is the score. The weights of a row sum to 1.",
            1: "Both keys together have 1.",
            2 * score: "That is the sum of the scores. The weights sum to 1.",
        },
    )


def _solve_weighted_sum() -> Solution:
    weights, values = _column(0.25, 0.75).mT, _column(4, 8)
    backwards = float(mix(weights.flip(-1), values))
    return Solution(
        answer=float(mix(weights, values)),
        why="Each value counts by its weight: 0.25 x 4 + 0.75 x 8 = 1 + 6.",
        hints={
            float(values.mean()): "That is the plain mean: here the second key has more weight.",
            float(values.sum()): "Multiply each value by its weight before you add them.",
            backwards: "You exchanged the weights: the first key has 0.25.",
        },
    )


NUMBER_EXERCISES = (
    Exercise(
        "width_of_a_head", 3,
        f"d_model is {BERT_BASE.d_model} and there are {BERT_BASE.n_heads} heads. How many numbers "
        f"has the query of one head, d_head?",
        _solve_d_head,
    ),
    Exercise(
        "fused_parameters", 3,
        f"d_model is {BERT_BASE.d_model}, and each of {BERT_BASE.n_heads} heads has a query matrix "
        f"of its own, {BERT_BASE.d_model} x {BERT_BASE.d_head}. One fused matrix takes the place "
        f"of all of them. How many parameters has it, without biases?",
        _solve_fused_parameters,
    ),
    Exercise(
        "cache_saving", 3,
        f"{LLAMA_2_70B.n_heads} query heads share {LLAMA_2_70B.n_kv_heads} key/value heads. How "
        f"many times smaller is the K/V cache than with {LLAMA_2_70B.n_heads} key/value heads?",
        _solve_cache_saving,
    ),
    Exercise(
        "variance_of_scores", 4,
        f"d_head is {D_HEAD}, and the numbers of q and k are random and independent, with mean 0 "
        "and variance 1. What is the variance of q·k?",
        _solve_variance,
    ),
    Exercise(
        "third_token", 6,
        f"A causal model reads {N_TOKENS} tokens. How many keys does the third token see?",
        _solve_third_token,
    ),
    Exercise(
        "row_sum", 7,
        f"A text has {N_TOKENS} tokens. What is the sum of the weights in one row of a map, after "
        "the softmax?",
        _solve_row_sum,
    ),
    Exercise(
        "equal_scores", 7,
        "A query sees two keys, and both have the score 4. What weight has each of them?",
        _solve_equal_scores,
    ),
    Exercise(
        "weighted_sum", 8,
        "The weights of a token on two keys are 0.25 and 0.75, and their values are 4 and 8. What "
        "does the token receive?",
        _solve_weighted_sum,
    ),
)  # fmt: skip
