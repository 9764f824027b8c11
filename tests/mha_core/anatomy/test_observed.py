"""Mask, scale, rotation and shifted keys are read off what a layer really did."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest
import torch
from torch import Tensor

from mha_core.anatomy.matrix import View
from mha_core.anatomy.observed import Rotation, find_key_sources, observe
from mha_core.anatomy.run import run_anatomy
from mha_core.anatomy.trace import trace
from mha_core.attention import causal_mask
from mha_core.errors import NoAnatomy
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import analyse
from mha_core.stacks import Site
from mha_core.tap import LayerCapture, Tap, fused_attention
from mha_core.transformer import Transformer


def capture(mask: Tensor | None, *, causal: bool = False) -> LayerCapture:
    q, k, v = torch.randn(3, 1, 2, 4, 8)
    return LayerCapture(Site(0), q, k, v, mask, causal, 0.3, torch.zeros(1, 2, 4))


def lowest(visible: Tensor) -> Tensor:
    return torch.zeros(visible.shape).masked_fill(~visible, torch.finfo(torch.float32).min)


WINDOW = causal_mask(4, 4) & ~causal_mask(4, 4).tril(-2)


@pytest.mark.parametrize(
    ("mask", "causal", "visible"),
    [
        (None, False, torch.ones(4, 4, dtype=torch.bool)),
        (None, True, causal_mask(4, 4)),
        (WINDOW[None, None], False, WINDOW),
        (lowest(WINDOW)[None, None], False, WINDOW),
        (torch.tensor([True, True, False, True])[None, None, None], True, None),
    ],
)
def test_a_mask_of_any_kind_is_read(
    mask: Tensor | None, causal: bool, visible: Tensor | None
) -> None:
    it = capture(mask, causal=causal)
    found = observe(it, None)
    if visible is not None:
        assert torch.equal(found.visible, visible)
    assert torch.equal(found.visible, it.pattern()[0, 0] > 0)
    assert found.scale == 0.3


def test_a_bias_and_masks_that_differ_by_head_are_refused() -> None:
    differs = torch.ones(1, 2, 4, 4, dtype=torch.bool)
    differs[0, 1, 2, 3] = False
    for mask in (torch.full((1, 1, 4, 4), 0.5), differs):
        with pytest.raises(NoAnatomy, match="bias"):
            observe(capture(mask), None)


def test_a_rotation_keeps_lengths_and_depends_on_distance_alone() -> None:
    angles = torch.arange(6)[:, None] * torch.tensor([1.0, 0.1])  # [T, d/2]
    rotation = Rotation(*(it.repeat(1, 2) for it in (angles.cos(), angles.sin())))
    q, k = (torch.randn(4).expand(6, 4) for _ in range(2))
    torch.testing.assert_close(rotation(q).norm(dim=-1), q.norm(dim=-1))
    scores = rotation(q) @ rotation(k).T
    for distance in range(-5, 6):
        diagonal = scores.diagonal(distance)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal))


@pytest.mark.parametrize("first", ["own", "zeros"])
def test_shifted_keys_are_found(first: str) -> None:
    keys = torch.randn(2, 5, 8)
    start = keys[:, :1] if first == "own" else torch.zeros(2, 1, 8)
    assert find_key_sources(keys, keys + 1e-5 * torch.randn(2, 5, 8)) is None
    found = find_key_sources(keys, torch.cat([start, keys[:, :-1]], 1))
    assert found is not None
    assert found.tolist() == [0 if first == "own" else -1, 0, 1, 2, 3]


class PreviousKeys(Transformer):
    """The own model, but its first layer reads the keys of the token before."""

    def forward(self, input_ids: Tensor, tap: Tap | None = None) -> Tensor:
        x = self.tokens(input_ids) + self.positions[: input_ids.shape[1]]
        for layer, block in enumerate(self.blocks):
            attend = partial(tap.attend, Site(layer, "decoder")) if tap else fused_attention
            attend = partial(attend, causal=True)
            x = block(x, partial(shift_keys, attend) if layer == 0 else attend)
        return self.final_norm(x)  # type: ignore[no-any-return]


def shift_keys(
    attend: Callable[..., Tensor],
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    scale: float,
) -> Tensor:
    return attend(q, torch.cat([k[:, :, :1], k[:, :, :-1]], 2), v, mask, scale)


class PreviousOnly(Transformer):
    """The own model, but its first layer sees the token before and nothing else."""

    def forward(self, input_ids: Tensor, tap: Tap | None = None) -> Tensor:
        n_tokens = input_ids.shape[1]
        x = self.tokens(input_ids) + self.positions[:n_tokens]
        only = torch.eye(n_tokens, dtype=torch.bool).roll(-1, 1)
        only[0] = torch.arange(n_tokens) == 0
        for layer, block in enumerate(self.blocks):
            attend = partial(tap.attend, Site(layer, "decoder")) if tap else fused_attention
            x = block(
                x, partial(see_only, attend, only) if layer == 0 else partial(attend, causal=True)
            )
        return self.final_norm(x)  # type: ignore[no-any-return]


def see_only(
    attend: Callable[..., Tensor],
    only: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    _: Tensor | None,
    scale: float,
) -> Tensor:
    return attend(q, k, v, only, scale, causal=False)


@pytest.fixture
def rebuilt(
    model_of: Callable[[str], LoadedModel],
) -> Iterator[Callable[[type[Transformer]], LoadedModel]]:
    """A function class -> the own model's weights in it."""
    own = model_of("headscope-tiny")
    assert isinstance(own.network, Transformer)
    config, weights = own.network.config, own.network.state_dict()

    def build(kind: type[Transformer]) -> LoadedModel:
        network = kind(config)
        network.load_state_dict(weights)
        network.eval().requires_grad_(False)
        return replace(own, network=network, output_layer=network.logits)

    return build


@pytest.mark.parametrize("kind", [PreviousKeys, PreviousOnly])
def test_a_layer_that_looks_at_the_token_before_is_followed(
    kind: type[Transformer], rebuilt: Callable[[type[Transformer]], LoadedModel]
) -> None:
    model = rebuilt(kind)
    tokenized = model.tokenize("abcabc")
    found = run_anatomy(model, analyse(model, tokenized), 0)
    assert found.difference < 1e-4
    torch.testing.assert_close(
        found.before.hidden, model.forward(tokenized)[0], atol=1e-4, rtol=1e-4
    )
    view = View(found.before, 3)
    assert (view.attention.how.key_sources is None) == (kind is PreviousOnly)
    if kind is PreviousKeys:
        steps = trace(view, "k_shifted", 4, 2)
        assert [(it.matrix, it.row) for it in steps.terms[0].factors] == [("k", 3)]
        assert "k_shifted[2,m]" in trace(view, "scores_raw", 4, 2).formula


def test_a_block_without_an_mlp_ends_with_its_attention(
    rebuilt: Callable[[type[Transformer]], LoadedModel],
) -> None:
    class AttentionOnly(Transformer):
        """The own model without the MLP of its first block."""

        def forward(self, input_ids: Tensor, tap: Tap | None = None) -> Tensor:
            x = self.tokens(input_ids) + self.positions[: input_ids.shape[1]]
            for layer, block in enumerate(self.blocks):
                attend = partial(tap.attend, Site(layer, "decoder")) if tap else fused_attention
                attend = partial(attend, causal=True)
                if layer == 0:
                    x = x + block.attention(block.attention_norm(x), attend=attend)  # type: ignore[operator]
                else:
                    x = block(x, attend)
            return self.final_norm(x)  # type: ignore[no-any-return]

    model = rebuilt(AttentionOnly)
    del model.network.get_submodule("blocks.0").mlp
    del model.network.get_submodule("blocks.0").mlp_norm
    tokenized = model.tokenize("abcabc")
    found = run_anatomy(model, analyse(model, tokenized), 0).before
    torch.testing.assert_close(found.hidden, model.forward(tokenized)[0], atol=1e-4, rtol=1e-4)
    out = trace(View(found), "block_out", 2, 5)
    assert out.formula == "block_out[2,5] = residual[2,5]"
    assert out.sum == out.value
