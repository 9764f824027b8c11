"""What follows from an edit is what the model itself computes when it is changed the same way."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from mha_core.anatomy.edits import EditedMatrix, Edits, InputEdit, WeightEdit
from mha_core.anatomy.run import Anatomy, run_anatomy
from mha_core.attention import attention_pattern, causal_mask
from mha_core.errors import BadEdit
from mha_core.models.architecture import Architecture
from mha_core.models.family import output_projection
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis
from mha_core.stacks import Site
from mha_core.tap import Tap, attention_sites

FAMILIES = ("headscope-tiny", "bert", "roberta", "gpt2", "llama", "qwen2")

ModelOf = Callable[[str], LoadedModel]
AnalysisOf = Callable[[str], Analysis]
Edited = Callable[..., Anatomy]


@pytest.fixture
def edited(model_of: ModelOf, analysis_of: AnalysisOf) -> Edited:
    """A function name, edits -> both runs, layer 0 written down and edited."""

    def run(name: str, **edits: Any) -> Anatomy:  # noqa: ANN401
        return run_anatomy(model_of(name), analysis_of(name), 0, Edits(0, **edits))

    return run


def close(ours: Tensor, theirs: Tensor) -> None:
    """Equal to 1e-4 of the largest number."""
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-4 * float(theirs.abs().max()))


@pytest.mark.parametrize("name", FAMILIES)
def test_a_head_that_is_off_is_one_ablated_in_the_model(
    name: str, edited: Edited, model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    def silence(site: Site, z: Tensor) -> Tensor:
        z = z.clone()
        z[:, :, [1, 3]] *= site.layer != 0
        return z

    found = edited(name, heads_off=(1, 3))
    hidden = model_of(name).forward(analysis_of(name).tokenized, Tap(edit=silence))
    close(found.after.hidden, hidden[0])
    before, after = found.before.steps.attention, found.after.steps.attention
    assert not after.z[[1, 3]].any()
    close(after.output, before.output - before.results[[1, 3]].sum(0))
    assert torch.equal(after.pattern, before.pattern), "it still looks where it looked"


STORED = {
    "headscope-tiny": "blocks.0.attention.{}.0",
    "bert": "encoder.layer.0.attention.self.{}",
    "roberta": "encoder.layer.0.attention.self.{}",
    "llama": "layers.0.self_attn.{}_proj",
    "qwen2": "layers.0.self_attn.{}_proj",
}
"""Where a family keeps W_Q, W_K and W_V of its first layer."""


def change_weight(network: Any, name: str, edit: WeightEdit, sizes: Architecture) -> None:  # noqa: ANN401
    """Add to the weight where the family keeps it: not by what anatomy reads."""
    shared = sizes.n_heads // sizes.n_kv_heads
    head = edit.head // shared if edit.matrix in ("w_k", "w_v") else edit.head
    offset = head * sizes.d_head
    family = "headscope" if name == "headscope-tiny" else name
    with torch.no_grad():
        if edit.matrix == "w_o":
            projection = output_projection(network, family, Site(0))
            if name == "headscope-tiny":  # given as a copy
                projection = network.blocks[0].attention.output[0].weight
            assert projection is not None
            projection[edit.column, offset + edit.row] += edit.add
        elif name == "gpt2":
            third = "qkv".index(edit.matrix[-1]) * sizes.d_model
            network.h[0].attn.c_attn.weight[edit.row, third + offset + edit.column] += edit.add
        else:
            letter = edit.matrix[-1]
            word = letter if "llama" in name or "qwen" in name else ""
            word = word or {"q": "query", "k": "key", "v": "value"}[letter]
            stored = network.get_submodule(STORED[name].format(word)).weight
            stored[offset + edit.column, edit.row] += edit.add


@pytest.mark.parametrize("matrix", ["w_q", "w_k", "w_v", "w_o"])
@pytest.mark.parametrize("name", FAMILIES)
def test_an_edited_weight_is_that_weight_changed_in_the_model(
    name: str, matrix: EditedMatrix, edited: Edited, model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    model, tokenized = model_of(name), analysis_of(name).tokenized
    before = {key: it.clone() for key, it in model.network.state_dict().items()}
    edit = WeightEdit(matrix, 2, 5, 3, 2.5)
    found = edited(name, weights=(edit,))
    assert all(torch.equal(it, before[key]) for key, it in model.network.state_dict().items())
    network = copy.deepcopy(model.network)
    change_weight(network, name, edit, model.architecture)
    changed = replace(model, network=network, sites=attention_sites(network))
    close(found.after.hidden, changed.forward(tokenized)[0])
    assert not torch.allclose(found.after.hidden, found.before.hidden, atol=1e-3)


def test_edits_of_one_weight_add_up(edited: Edited) -> None:
    one = edited("bert", weights=(WeightEdit("w_q", 1, 2, 3, 0.5),))
    two = edited("bert", weights=(WeightEdit("w_q", 1, 2, 3, 0.2), WeightEdit("w_q", 1, 2, 3, 0.3)))
    close(two.after.steps.attention.q, one.after.steps.attention.q)


READ_BY = {
    "headscope-tiny": "blocks.0.attention",
    "bert": "encoder.layer.0.attention.self",
    "roberta": "encoder.layer.0.attention.self",
    "gpt2": "h.0.attn",
    "llama": "layers.0.self_attn",
    "qwen2": "layers.0.self_attn",
}
"""What reads the input of the first layer's heads."""


@pytest.mark.parametrize("name", FAMILIES)
def test_an_edited_input_is_read_by_every_head_and_by_nothing_else(
    name: str, edited: Edited, model_of: ModelOf, analysis_of: AnalysisOf
) -> None:
    def add(_: object, inputs: tuple[Tensor, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401
        key = None if inputs else "hidden_states"
        x = (named[key] if key else inputs[0]).clone()
        x[0, 2, 7] += 3
        return ((), named | {key: x}) if key else ((x, *inputs[1:]), named)

    model = model_of(name)
    reader = model.network.get_submodule(READ_BY[name])
    handle = reader.register_forward_pre_hook(add, with_kwargs=True)
    try:
        hidden = model.forward(analysis_of(name).tokenized)[0]
    finally:
        handle.remove()
    found = edited(name, inputs=(InputEdit(2, 7, 3.0),))
    close(found.after.hidden, hidden)
    moved = (found.after.steps.attention.raw - found.before.steps.attention.raw).abs()
    assert (moved[:, 2].amax(-1) > 1e-3).all(), "one dimension moves the scores of every head"


@pytest.mark.parametrize("name", ["headscope-tiny", "bert", "llama"])
def test_another_scale_sharpens_or_flattens_the_softmax(name: str, edited: Edited) -> None:
    for scale in (0.0, 0.05, 1.0):
        found = edited(name, scale=scale)
        steps = found.after.steps.attention
        expected = attention_pattern(
            steps.used_q[None], steps.used_k[None], steps.how.visible, scale
        )
        close(steps.pattern, expected[0])
        assert torch.equal(steps.raw, found.before.steps.attention.raw)
    even = edited(name, scale=0.0).after.steps.attention
    visible = even.how.visible.float()
    close(even.pattern[0], visible / visible.sum(-1, keepdim=True))


def test_a_causal_mask_can_be_imposed_and_lifted(edited: Edited) -> None:
    seen = {
        name: edited(name, causal=causal).after.steps.attention.how.visible
        for name, causal in (("bert", True), ("gpt2", False))
    }
    assert torch.equal(seen["bert"], causal_mask(*seen["bert"].shape))
    assert seen["gpt2"].all()
    assert edited("gpt2", causal=False).after.steps.attention.pattern.triu(1).any()


def test_causal_attention_makes_earlier_tokens_blind_to_later_ones(
    edited: Edited, analysis_of: AnalysisOf
) -> None:
    imposed = edited("bert", causal=True).after.steps.attention
    assert not imposed.pattern.triu(1).any()
    close(imposed.pattern.sum(-1), torch.ones_like(imposed.pattern[..., 0]))


def test_single_cells_are_switched_and_the_row_sums_to_one_again(edited: Edited) -> None:
    found = edited("gpt2", mask=((4, 1), (2, 5))).after.steps.attention
    assert not found.pattern[:, 4, 1].any()
    assert (found.pattern[:, 2, 5] > 0).all()
    close(found.pattern.sum(-1), torch.ones_like(found.pattern[..., 0]))


def test_a_query_that_sees_no_key_gets_zeros(edited: Edited) -> None:
    found = edited("gpt2", mask=((0, 0),)).after.steps.attention
    assert not found.pattern[:, 0].any()
    assert not found.z[:, 0].any()
    assert found.output.isfinite().all()


def test_layers_below_an_edit_stay_as_they_are(model_of: ModelOf, analysis_of: AnalysisOf) -> None:
    found = run_anatomy(model_of("minilm"), analysis_of("minilm"), 1, Edits(3, (0,)))
    assert torch.equal(found.after.stream[:4], found.before.stream[:4])
    assert (found.after.stream[4:] != found.before.stream[4:]).flatten(1).any(-1).all()
    assert found.after.steps is found.before.steps
    assert found.after.edits_here is None


def test_no_edits_are_no_edits() -> None:
    assert not Edits(3)
    assert Edits(3, scale=0.0)
    assert Edits(3, causal=False)


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        (Edits(2), "layer 2: it must be 0 to 1"),
        (Edits(0, heads_off=(4,)), "head 4: it must be 0 to 3"),
        (Edits(0, mask=((5, 0),)), "query 5: it must be 0 to 4"),
        (Edits(0, mask=((0, 9),)), "key 9"),
        (Edits(0, weights=(WeightEdit("w_q", 4, 0, 0, 1),)), "head 4"),
        (Edits(0, weights=(WeightEdit("w_q", 0, 32, 0, 1),)), "row of w_q 32: it must be 0 to 31"),
        (Edits(0, weights=(WeightEdit("w_o", 0, 8, 0, 1),)), "row of w_o 8: it must be 0 to 7"),
        (Edits(0, weights=(WeightEdit("w_o", 0, 0, 32, 1),)), "column of w_o 32"),
        (Edits(0, inputs=(InputEdit(5, 0, 1),)), "token 5"),
        (Edits(0, inputs=(InputEdit(0, 32, 1),)), "dimension 32"),
    ],
)
def test_edits_of_what_is_not_there_are_refused(edits: Edits, words: str) -> None:
    sizes = Architecture("gpt2", "decoder", 2, 4, 4, 32, 8, 64)
    with pytest.raises(BadEdit, match=words) as caught:
        edits.check(sizes, 5)
    assert caught.value.details["count"] > 0
