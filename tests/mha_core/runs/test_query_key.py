"""Every step from a query and a key to the weight between them, against the maps themselves."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.attention import mix
from mha_core.models.catalogue import entry_for, find
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import Analysis, analyse
from mha_core.runs.query_key import QueryKey, has_rotary_positions, query_key
from mha_core.stacks import Site, StackName
from mha_core.tap import LayerCapture, fused_attention
from mha_core.text.tokenization import tokenize

SENTENCE = "The animal didn't cross the street because it was too tired."
REAL = ("minilm", "smollm2", "headscope-tiny")
SMALL = ("bert", "gpt2", "gpt_neox", "llama", "qwen2", "bart", "t5")


@pytest.fixture(scope="module")
def model_of(
    minilm: LoadedModel,
    smollm2: LoadedModel,
    model_directory: Callable[[str], Path],
    models_dir: Path,
    device: torch.device,
) -> Callable[[str], LoadedModel]:
    def build(name: str) -> LoadedModel:
        if name in REAL[:2]:
            return {"minilm": minilm, "smollm2": smollm2}[name]
        entry = find(name) if name in REAL else entry_for(str(model_directory(name)))
        return load(entry, models_dir=models_dir, device=str(device), hub=False)

    return build


@pytest.fixture(scope="module")
def analysed(model_of: Callable[[str], LoadedModel]) -> Callable[[str], Analysis]:
    def run(name: str) -> Analysis:
        model = model_of(name)
        return analyse(model, tokenize(model.tokenizer, SENTENCE))

    return run


def close(ours: Tensor | float | None, theirs: Tensor | float, tolerance: float = 1e-6) -> None:
    ours, theirs = torch.as_tensor(ours), torch.as_tensor(theirs)
    torch.testing.assert_close(ours.float(), theirs.float(), atol=tolerance, rtol=1e-5)


def places(analysis: Analysis) -> list[tuple[int, int, int, int]]:
    """Layer, head, query and key of pairs all over the model."""
    last, n_heads, n_tokens = (
        analysis.architecture.n_layers - 1,
        analysis.architecture.n_heads,
        analysis.n_tokens,
    )
    return [
        (layer, head, query, key)
        for layer in (0, last)
        for head in range(n_heads)
        for query, key in ((n_tokens - 1, 0), (4, 3), (4, 4), (2, 5))
    ]


@pytest.mark.parametrize("name", [*REAL, *SMALL])
def test_softmax_of_the_scores_is_the_row_of_the_map(
    name: str, analysed: Callable[[str], Analysis]
) -> None:
    analysis = analysed(name)
    for layer, head, query, key in places(analysis):
        found = query_key(analysis.layers[layer], head, query, key)
        row = analysis.patterns(layer, [head])[0, query]
        close(found.scores.softmax(-1), row)
        close(found.weights, row)
        close(found.weight, row[key])


@pytest.mark.parametrize("name", [*REAL, *SMALL])
def test_each_step_follows_from_the_one_before(
    name: str, analysed: Callable[[str], Analysis]
) -> None:
    analysis = analysed(name)
    for layer, head, query, key in places(analysis):
        found = query_key(analysis.layers[layer], head, query, key)
        close(found.product, found.q * found.k)
        close(found.dot, found.product.sum(), 1e-4)
        close(found.scaled, found.dot * found.scale, 1e-4)
        if found.score is not None:
            close(found.score, found.scaled + (found.added or 0), 1e-4)
            close(found.score, found.scores[key])


@pytest.mark.parametrize("name", ["smollm2", "headscope-tiny", "gpt2", "llama"])
def test_a_key_that_a_causal_query_cannot_see_has_no_score_and_no_weight(
    name: str, analysed: Callable[[str], Analysis]
) -> None:
    found = query_key(analysed(name).layers[1], 1, 3, 6)
    assert (found.score, found.added, found.weight) == (None, None, 0)
    assert found.scores.isfinite().tolist() == [True] * 4 + [False] * (len(found.scores) - 4)
    assert found.dot != 0


def test_heads_that_share_keys_say_whose_they_read(analysed: Callable[[str], Analysis]) -> None:
    capture = analysed("smollm2").layers[2]
    assert (capture.q.shape[1], capture.k.shape[1]) == (9, 3)
    for head in range(9):
        found = query_key(capture, head, 5, 2)
        assert found.key_head == head // 3
        assert torch.equal(found.k, capture.k[0, head // 3, 2].cpu())
        assert torch.equal(found.q, capture.q[0, head, 5].cpu())


def test_only_a_position_bias_is_something_added(analysed: Callable[[str], Analysis]) -> None:
    for name in ("minilm", "smollm2", "gpt2", "bart"):
        assert query_key(analysed(name).layers[0], 0, 4, 2).added is None
    capture = analysed("t5").layers[1]
    assert capture.mask is not None
    found = query_key(capture, 3, 4, 2)
    assert found.scale == 1
    assert found.added == float(capture.mask[0, 3, 4, 2]) != 0


@pytest.mark.parametrize("name", ["bart", "t5"])
@pytest.mark.parametrize("stack", ["decoder", "cross"])
def test_a_decoders_rows_are_those_of_its_maps(
    name: str, stack: StackName, model_of: Callable[[str], LoadedModel]
) -> None:
    model = model_of(name)
    analysis = analyse(model, model.tokenize(SENTENCE, SENTENCE))
    capture, maps = analysis.captures(stack)[1], analysis.patterns(1, stack=stack)
    for query, key in ((5, 2), (2, 5)):
        found = query_key(capture, 1, query, key)
        close(found.weights, maps[1, query])
        close(found.scores.softmax(-1), maps[1, query])
        seen = stack == "cross" or key <= query
        assert (found.score is not None) == seen
        biased = name == "t5" and stack == "decoder" and seen  # across texts it adds nothing
        assert (found.added is not None) == biased
        if biased:
            assert capture.mask is not None
            close(found.added, float(capture.mask[0, 1, query, key]))


def crafted(mask: Tensor | None) -> LayerCapture:
    """Three queries, four keys, two heads."""
    draws = torch.Generator().manual_seed(5)
    q = torch.randn(1, 2, 3, 8, generator=draws)
    k, v = torch.randn(2, 1, 2, 4, 8, generator=draws)
    lse = torch.zeros(q.shape[:3])  # not read by the steps of one weight
    return LayerCapture(Site(0), q, k, v, mask, causal=False, scale=0.3, lse=lse)


def steps(mask: Tensor | None, key: int = 3) -> QueryKey:
    return query_key(crafted(mask), 1, 2, key)


def test_a_bias_as_low_as_numbers_go_hides_a_key_as_minus_infinity_does() -> None:
    for lowest in (torch.finfo(torch.float32).min, -torch.inf):
        bias = torch.full((1, 1, 3, 4), 0.25)
        bias[..., 3] = lowest
        hidden, seen = steps(bias), steps(bias, key=0)
        assert (hidden.score, hidden.added, hidden.weight) == (None, None, 0)
        assert hidden.scores[3] == -torch.inf
        assert seen.added == 0.25


@pytest.mark.parametrize("shape", [(1, 1, 1, 4), (1, 2, 3, 4), (1, 1, 3, 4), (3, 4)])
def test_a_mask_of_any_shape_that_fits_is_read(shape: tuple[int, ...]) -> None:
    mask = torch.ones(shape, dtype=torch.bool)
    mask[..., 1] = False
    found = steps(mask, key=1)
    assert (found.score, found.weight) == (None, 0)
    close(found.weights, crafted(mask).pattern([1])[0, 0, 2])


@pytest.mark.parametrize("dtype", [torch.bool, torch.float32])
def test_a_mask_and_the_causal_mask_hold_together(dtype: torch.dtype) -> None:
    visible = torch.tensor([True, False, True, True])
    mask = visible if dtype == torch.bool else torch.zeros(4).masked_fill(~visible, -torch.inf)
    capture = replace(crafted(mask.expand(1, 1, 3, 4)), causal=True)
    found = query_key(capture, 1, 1, 2)
    assert found.scores.isfinite().tolist() == [True, False, True, False]
    close(found.weights, capture.pattern([1])[0, 0, 1])
    z = fused_attention(capture.q, capture.k, capture.v, capture.mask, capture.scale, causal=True)
    close(z, mix(capture.pattern(), capture.v))


def test_fewer_queries_than_keys_see_all_that_came_before() -> None:
    capture = replace(crafted(None), causal=True)
    found = query_key(capture, 0, 1, 2)
    assert found.scores.isfinite().tolist() == [True, True, True, False]
    close(found.weights, capture.pattern([0])[0, 0, 1])


def test_in_half_precision_the_weight_is_that_of_the_map(minilm: LoadedModel) -> None:
    analysis = analyse(minilm, tokenize(minilm.tokenizer, SENTENCE))
    whole = analysis.layers[2]
    half = replace(whole, q=whole.q.bfloat16(), k=whole.k.bfloat16(), v=whole.v.bfloat16())
    found = query_key(half, 7, 5, 2)
    close(found.weight, half.pattern([7])[0, 0, 5, 2].cpu())
    assert found.q.dtype == found.scores.dtype == torch.float32
    close(found.scores.softmax(-1), found.weights, 0.02)


@pytest.mark.parametrize(
    ("name", "rotary"),
    [
        *(("minilm", False), ("smollm2", True), ("headscope-tiny", False)),
        *(("gpt_neox", True), ("qwen2", True), ("gpt2", False), ("t5", False)),
    ],
)
def test_models_that_rotate_their_queries_and_keys_are_known(
    name: str, rotary: bool, model_of: Callable[[str], LoadedModel]
) -> None:
    assert has_rotary_positions(model_of(name).network) == rotary
