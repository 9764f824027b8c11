"""The residual stream from the embeddings to the last hidden state."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from mha_core.anatomy.edits import Edits
from mha_core.anatomy.run import run_anatomy
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis

FAMILIES = ("headscope-tiny", "bert", "roberta", "gpt2", "llama", "qwen2")
BLOCKS = {
    "headscope-tiny": "blocks.{}",
    "bert": "encoder.layer.{}",
    "roberta": "encoder.layer.{}",
    "gpt2": "h.{}",
    "llama": "layers.{}",
    "qwen2": "layers.{}",
}

ModelOf = Callable[[str], LoadedModel]
AnalysisOf = Callable[[str], Analysis]


def close(ours: Tensor, theirs: Tensor) -> None:
    """Equal to 1e-4 of the largest number."""
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-4 * float(theirs.abs().max()))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_stream_is_what_goes_into_and_out_of_each_block(
    name: str, model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    model, analysis = model_of(name), analysis_of(name)
    seen: list[Tensor] = []

    def note(_: object, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        seen.extend([inputs[0][0]] if not seen else [])
        seen.append(output[0])

    blocks = [model.network.get_submodule(BLOCKS[name].format(layer)) for layer in (0, 1)]
    handles = [block.register_forward_hook(note) for block in blocks]
    model.forward(analysis.tokenized)
    for handle in handles:
        handle.remove()
    stream = run_anatomy(model, analysis, 1).before.stream
    assert len(stream) == len(seen) == 3
    for ours, theirs in zip(stream, seen, strict=True):
        close(ours, theirs)


def test_a_sentence_pair_has_two_segments(model_of: ModelOf, analysis_of: AnalysisOf) -> None:
    embedded = run_anatomy(model_of("bert"), analysis_of("bert"), 0).before.embedded
    segments = [token.segment for token in analysis_of("bert").tokenized.tokens]
    assert embedded.segment_ids.tolist() == segments
    assert set(segments) == {0, 1}
    assert embedded.segment is not None
    assert not torch.equal(embedded.segment[0], embedded.segment[-1])


def test_roberta_counts_positions_from_its_padding(
    model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    embedded = run_anatomy(model_of("roberta"), analysis_of("roberta"), 0).before.embedded
    assert embedded.position_ids.tolist()[:3] == [2, 3, 4]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_block_adds_what_its_parts_give(
    name: str, model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    steps = run_anatomy(model_of(name), analysis_of(name), 1).before.steps
    close(steps.residual, steps.x + steps.attention.output)
    assert steps.mlp is not None
    assert steps.mlp_input is not None
    if steps.block.norm_first:
        assert steps.mlp_residual is None
        close(steps.output, steps.residual + steps.mlp.output)
    else:
        assert steps.mlp_residual is not None
        close(steps.mlp_residual, steps.mlp_input + steps.mlp.output)
        assert torch.equal(steps.attention.normed, steps.x)


@pytest.mark.parametrize("layer", [0, 1])
def test_a_walk_with_edits_that_change_nothing_is_the_same(
    layer: int, model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    found = run_anatomy(model_of("gpt2"), analysis_of("gpt2"), 1, Edits(layer, causal=True))
    assert found.after is not found.before
    close(found.after.stream, found.before.stream)
    close(found.after.hidden, found.before.hidden)
    close(found.after.steps.attention.pattern, found.before.steps.attention.pattern)
