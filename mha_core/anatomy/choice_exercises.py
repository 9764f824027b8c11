"""Exercises with choices: small computations try each of them, and the right one is what holds."""

from collections.abc import Mapping

import torch
from torch import Tensor

from mha_core.anatomy.calculator import HeadShape, find_problems
from mha_core.anatomy.exercise import Exercise, Solution
from mha_core.anatomy.seeded import draw, draw_attention
from mha_core.atlas.storage import SHIPPED, read_file
from mha_core.atlas.summary import count_roles
from mha_core.attention import MultiHeadAttention, attention, attention_pattern
from mha_core.models.catalogue import find

N_HEADS, D_HEAD, N_TOKENS = 4, 4, 5
D_MODEL = N_HEADS * D_HEAD


def the_one_that_holds(tried: Mapping[str, bool]) -> str:
    """The id of the only choice that is true."""
    (right,) = (id for id, holds in tried.items() if holds)
    return right


def _solve_one_softmax() -> Solution:
    steps = torch.linspace(-20, 20, 41, dtype=torch.float32)
    weights = torch.cartesian_prod(steps, steps, steps).softmax(-1)  # [41³, 3]
    second = weights.sort(-1).values[:, 1]
    can = {
        "one": bool((weights.amax(-1) > 0.999).any()),
        "equal": bool((weights.amax(-1) - weights.amin(-1) < 1e-6).any()),
        "two": bool((second > 0.999).any()),
    }
    return Solution(
        answer=the_one_that_holds({id: not reached for id, reached in can.items()}),
        why=f"The weights sum to 1. Of {len(weights):,} rows of scores that were tried, none gives "
        f"two keys more than {float(second.max()):.2f} each. That takes a second head.",
        hints={
            "one": "A score far above all others gives its key a weight as near to 1 as you like.",
            "equal": "Equal scores give all keys equal weights.",
        },
    )


def _solve_divides() -> Solution:
    shape = HeadShape(d_model=512, n_heads=12, n_kv_heads=12)
    problems = find_problems(shape)
    return Solution(
        answer=the_one_that_holds({"yes": not problems, "no": bool(problems)}),
        why=" ".join(problem.message for problem in problems),
        hints={"yes": f"Try it: {shape.d_model} / {shape.n_heads} = "
               f"{shape.d_model / shape.n_heads:.2f}."},
    )  # fmt: skip


class _Captured:
    """An attention function that keeps its scores [B, H, Q, K] and its result [B, H, Q, d]."""

    scores: Tensor
    z: Tensor

    def __call__(
        self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float
    ) -> Tensor:
        self.scores = q @ k.transpose(-1, -2) * scale
        self.z = attention(q, k, v, mask, scale)
        return self.z


def _scores(module: MultiHeadAttention, x: Tensor) -> Tensor:
    captured = _Captured()
    module(x, attend=captured)
    return captured.scores[0]  # [H, Q, K]


def _solve_what_a_head_reads() -> Solution:
    generator = torch.Generator().manual_seed(0)
    module, x = draw_attention(generator, D_MODEL, N_HEADS), draw(generator, 1, N_TOKENS, D_MODEL)
    before = _scores(module, x)
    moved = torch.zeros(N_HEADS, D_MODEL, dtype=torch.bool)
    for dimension in range(D_MODEL):
        changed = x.clone()
        changed[0, 2, dimension] += 1
        moved[:, dimension] = (_scores(module, changed) - before).abs().amax((1, 2)) > 1e-4
    own = torch.block_diag(*[torch.ones(1, D_HEAD, dtype=torch.float32)] * N_HEADS).bool()  # [H, D]
    counts = moved.sum(-1).tolist()
    return Solution(
        answer=the_one_that_holds(
            {"all": bool(moved.all()), "part": bool((moved == own).all()), "none": not moved.any()}
        ),
        why=f"Each number of one token was changed in turn. It moved the scores of head 0 to 3 in "
        f"{', '.join(map(str, counts))} of {D_MODEL} cases: the projection reads the whole vector, "
        f"and only its output is {D_HEAD} wide.",
        hints={
            "part": "The output of the projection is split among the heads, not its input.",
            "none": "Queries and keys are projections of the embeddings.",
        },
    )


def _solve_divided_by_root() -> Solution:
    generator = torch.Generator().manual_seed(0)
    q, k = draw(generator, 1, 1, 64, 64), draw(generator, 1, 1, 64, 64)
    unscaled, scaled = (attention_pattern(q, k, None, scale) for scale in (1.0, 64**-0.5))
    largest = [float(it.amax(-1).mean()) for it in (unscaled, scaled)]
    other_key = bool((unscaled.argmax(-1) != scaled.argmax(-1)).any())
    sums_differ = float((unscaled.sum(-1) - 1).abs().max()) > 1e-4
    return Solution(
        answer=the_one_that_holds(
            {"peaks": largest[0] > 0.75 and largest[1] < 0.25, "sums": sums_differ,
             "order": other_key}
        ),
        why=f"For random q and k with d_head 64 the largest of 64 weights is {largest[0]:.2f} on "
        f"average without the division and {largest[1]:.2f} with it. Where one weight is near 1 "
        f"the gradient of the softmax is near 0, and a head hardly learns.",
        hints={
            "sums": "The softmax makes each row sum to 1, whatever the scores are.",
            "order": "Dividing all scores of a row by the same number leaves their order.",
        },
    )  # fmt: skip


def _solve_what_w_o_does() -> Solution:
    generator = torch.Generator().manual_seed(0)
    module = draw_attention(generator, D_MODEL, N_HEADS, fused=False)
    captured = _Captured()
    output = module(draw(generator, 1, N_TOKENS, D_MODEL), attend=captured)[0] - module.output_bias
    parts = torch.stack([w(z) for w, z in zip(module.output, captured.z[0], strict=True)])
    joined = captured.z[0].transpose(0, 1).flatten(1)  # [Q, H*d]
    loudest = parts[parts.norm(dim=(1, 2)).argmax()]
    tried = {"sum": parts.sum(0), "mean": parts.mean(0), "largest": loudest, "joined": joined}
    gaps = {id: float((output - it).abs().max()) for id, it in tried.items()}
    return Solution(
        answer=the_one_that_holds({id: gap < 1e-5 for id, gap in gaps.items()}),
        why="Each head's part is multiplied by its own rows of W_O, and the results are added. "
        f"Largest difference from the module's output, without the bias: {gaps['sum']:.0e} for the "
        f"sum, {gaps['mean']:.1f} for the mean, {gaps['largest']:.1f} for the largest part, "
        f"{gaps['joined']:.1f} for the parts side by side.",
        hints={
            "mean": "Nothing divides by the number of heads.",
            "largest": "No head is chosen: every head adds to the result.",
            "joined": "They stand side by side before W_O, which then mixes them.",
        },
    )


def _solve_has_every_head_a_role() -> Solution:
    entry = find("minilm")
    atlas = read_file(SHIPPED / f"{entry.id}.json", entry.id)
    roles = [role for section in atlas.sections.values() for role in section.roles]
    counts = count_roles(roles, len(atlas.heads))
    every = counts.with_role == counts.heads
    return Solution(
        answer=the_one_that_holds({"yes": every, "no": not every}),
        why=f"In the atlas of {entry.name} {counts.with_role} of {counts.heads} heads have a role, "
        f"and for {counts.with_role - counts.beyond_idle} of them it is only to rest, on special "
        f"tokens or the first one. A role takes evidence, and the others show none.",
        hints={
            "yes": "Nobody assigns roles: a head learns what lowers the loss, or little at all."
        },
    )


CHOICE_EXERCISES = (
    Exercise(
        "one_softmax", 2,
        "A head has one softmax for each token. What can it not do?",
        _solve_one_softmax,
        {"one": "Give one key a weight near 1", "two": "Give two keys a weight near 1 each",
         "equal": "Give all keys equal weights"},
    ),
    Exercise(
        "does_it_divide", 3,
        "Can d_model 512 be split into 12 heads of equal width?",
        _solve_divides,
        {"yes": "Yes", "no": "No"},
    ),
    Exercise(
        "what_a_head_reads", 3,
        f"d_model is {D_MODEL} and there are {N_HEADS} heads. On which of the {D_MODEL} numbers of "
        f"a token do the scores of head 0 depend?",
        _solve_what_a_head_reads,
        {"part": f"On the first {D_HEAD}, its own quarter", "all": f"On all {D_MODEL}",
         "none": "On none: only the position counts"},
    ),
    Exercise(
        "divided_by_root", 5,
        "What would happen, with d_head 64, if the scores were not divided by the root of d_head?",
        _solve_divided_by_root,
        {"sums": "The weights of a row would not sum to 1",
         "order": "Another key would get the largest weight",
         "peaks": "Most of the weight would be on one key"},
    ),
    Exercise(
        "what_w_o_does", 10,
        "What is the output of attention, once W_O is applied?",
        _solve_what_w_o_does,
        {"joined": "The heads' parts side by side", "mean": "The mean of what the heads write",
         "sum": "The sum of what the heads write", "largest": "What the strongest head writes"},
    ),
    Exercise(
        "has_every_head_a_role", 12,
        "MiniLM was measured on a corpus. Has every one of its heads a role?",
        _solve_has_every_head_a_role,
        {"yes": "Yes", "no": "No"},
    ),
)  # fmt: skip
