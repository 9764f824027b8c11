"""What the tap shows is what transformers' own eager attention computes, in every family."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel
from transformers.modeling_outputs import ModelOutput

from mha_core.errors import ModelFailed
from mha_core.models.loading import LoadedModel
from mha_core.stacks import Site
from mha_core.tap import (
    NAME,
    LayerCapture,
    Tap,
    attention_sites,
    fused_attention,
    register,
    tapped_attention,
)
from mha_core.text.tokenization import tokenize

SENTENCE = "The animal didn't cross the street because it was too tired, so we carried it home."

SMALL = {"num_hidden_layers": 3, "num_attention_heads": 4, "hidden_size": 32}
FEED = {"intermediate_size": 48}
FAMILIES: dict[str, tuple[str, dict[str, int]]] = {
    "bert": ("bert", {**SMALL, **FEED}),
    "roberta": ("roberta", {**SMALL, **FEED, "pad_token_id": 0}),
    "distilbert": ("distilbert", {"n_layers": 3, "n_heads": 4, "dim": 32, "hidden_dim": 48}),
    "gpt2": ("gpt2", {"n_layer": 3, "n_head": 4, "n_embd": 32}),
    "gpt-neox": ("gpt_neox", {**SMALL, **FEED}),
    "llama, 4 heads over 4": ("llama", {**SMALL, **FEED, "num_key_value_heads": 4}),
    "llama, 4 heads over 2": ("llama", {**SMALL, **FEED, "num_key_value_heads": 2}),
    "llama, 6 heads over 2": (
        "llama",
        {**SMALL, **FEED, "num_attention_heads": 6, "hidden_size": 48, "num_key_value_heads": 2},
    ),
    "llama, 4 heads over 1": ("llama", {**SMALL, **FEED, "num_key_value_heads": 1}),
    "qwen2": ("qwen2", {**SMALL, **FEED, "num_key_value_heads": 2}),
}
TWO_STACKS: dict[str, tuple[str, dict[str, int]]] = {
    "bart": (
        "bart",
        {
            **{"d_model": 32, "encoder_layers": 3, "decoder_layers": 2},
            **{"encoder_attention_heads": 4, "decoder_attention_heads": 4},
            **{"encoder_ffn_dim": 48, "decoder_ffn_dim": 48},
        },
    ),
    "t5": (
        "t5",
        {"d_model": 32, "num_layers": 3, "num_decoder_layers": 2, "num_heads": 4}
        | {"d_kv": 8, "d_ff": 48},
    ),
}
EVERY = FAMILIES | TWO_STACKS


def small(family: str, implementation: str, dtype: torch.dtype = torch.float32) -> nn.Module:
    """A small model of a family; equal weights whatever the implementation of its attention.

    Matrices are drawn larger than the families draw them, so that maps are far from uniform.
    """
    register()
    model_type, sizes = EVERY[family]
    config = AutoConfig.for_model(model_type, vocab_size=97, use_cache=False, **sizes)
    model = AutoModel.from_config(config, attn_implementation=implementation)
    draws = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim == 2:
                weight.copy_(torch.randn(weight.shape, generator=draws) * 0.25)
    return model.to(dtype).eval()


def seen_by(
    model: nn.Module, inputs: dict[str, Tensor], **options: bool
) -> tuple[ModelOutput, dict[Site, tuple[LayerCapture, Tensor]]]:
    """A tapped run: its output, and at each site the capture and the map shown."""
    seen: dict[Site, tuple[LayerCapture, Tensor]] = {}

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        assert capture.site not in seen
        seen[capture.site] = (capture, pattern)

    with torch.inference_mode():
        output = model(**inputs, **options, tap=Tap(on_pattern, sites=attention_sites(model)))
    return output, seen


def eager(model: nn.Module, inputs: dict[str, Tensor]) -> ModelOutput:
    with torch.inference_mode():
        return model(**inputs, output_attentions=True, output_hidden_states=True)


def ids(n_rows: int, n_tokens: int) -> Tensor:
    draws = torch.Generator().manual_seed(n_tokens)
    return torch.randint(3, 97, (n_rows, n_tokens), generator=draws)


def close(ours: Tensor, theirs: Tensor, tolerance: float = 1e-5) -> None:
    torch.testing.assert_close(ours, theirs, atol=tolerance, rtol=0)


def hidden_close(ours: Sequence[Tensor], theirs: Sequence[Tensor], real: Tensor) -> None:
    """Equal at the `real` positions [B, T], up to float32's rounding of numbers of their size."""
    assert len(ours) == len(theirs) > 0
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a[real], b[real], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_maps_and_hidden_states_equal_eager_attention(family: str) -> None:
    inputs = {"input_ids": ids(2, 17)}
    expected = eager(small(family, "eager"), inputs)
    output, seen = seen_by(small(family, NAME), inputs, output_hidden_states=True)
    stack = "decoder" if family.startswith(("gpt", "llama", "qwen")) else "encoder"
    assert list(seen) == [Site(layer, stack) for layer in range(3)]
    for (capture, shown), theirs in zip(seen.values(), expected.attentions, strict=True):
        assert theirs.max() > 0.5, "a map this even would prove little"
        close(shown, theirs)
        close(capture.pattern(), theirs)
    everywhere = torch.ones(2, 17, dtype=torch.bool)
    hidden_close(output.hidden_states, expected.hidden_states, everywhere)


@pytest.mark.parametrize("family", TWO_STACKS)
def test_encoder_decoder_and_cross_attention_are_told_apart(family: str) -> None:
    inputs = {"input_ids": ids(2, 13), "decoder_input_ids": ids(2, 7)}
    expected = eager(small(family, "eager"), inputs)
    output, seen = seen_by(small(family, NAME), inputs, output_hidden_states=True)
    stacks = {
        "encoder": (expected.encoder_attentions, (2, 4, 13, 13)),
        "decoder": (expected.decoder_attentions, (2, 4, 7, 7)),
        "cross": (expected.cross_attentions, (2, 4, 7, 13)),
    }
    assert set(seen) == {
        Site(layer, stack)  # type: ignore[arg-type]
        for stack, (maps, _) in stacks.items()
        for layer in range(len(maps))
    }
    for site, (capture, _) in seen.items():
        maps, shape = stacks[site.stack]
        assert capture.pattern().shape == shape
        close(capture.pattern(), maps[site.layer])
    for name, n_tokens in (("encoder_hidden_states", 13), ("decoder_hidden_states", 7)):
        everywhere = torch.ones(2, n_tokens, dtype=torch.bool)
        hidden_close(output[name], expected[name], everywhere)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("family", ["bert", "gpt2", "llama, 4 heads over 2", "distilbert"])
def test_padded_batches_equal_eager_attention_on_every_real_token(family: str, side: str) -> None:
    lengths = torch.tensor([11, 4, 1])
    real = torch.arange(11) < lengths[:, None]
    if side == "left":
        real = real.flip(1)
    inputs = {"input_ids": ids(3, 11) * real, "attention_mask": real.long()}
    if not family.startswith(("bert", "distilbert")):
        inputs["position_ids"] = (real.cumsum(1) - 1).clamp(min=0)
    expected = eager(small(family, "eager"), inputs)
    output, seen = seen_by(small(family, NAME), inputs, output_hidden_states=True)
    for (capture, _), theirs in zip(seen.values(), expected.attentions, strict=True):
        ours = capture.pattern()
        rows = real[:, None, :, None].expand_as(ours)
        close(ours[rows], theirs[rows])
        to_padding = rows & ~real[:, None, None, :]
        assert ours[to_padding].abs().max() == 0
    hidden_close(output.hidden_states, expected.hidden_states, real)


def test_segments_of_a_sentence_pair_reach_the_maps() -> None:
    one_segment = {"input_ids": ids(1, 12)}
    pair = one_segment | {"token_type_ids": torch.tensor([[0] * 5 + [1] * 7])}
    expected = eager(small("bert", "eager"), pair)
    model = small("bert", NAME)
    _, seen = seen_by(model, pair)
    _, unsegmented = seen_by(model, one_segment)
    for (site, (capture, _)), theirs in zip(seen.items(), expected.attentions, strict=True):
        close(capture.pattern(), theirs)
        assert (capture.pattern() - unsegmented[site][1]).abs().max() > 1e-3


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_real_models_equal_eager_attention(name: str, request: pytest.FixtureRequest) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    folder = request.getfixturevalue("models_dir") / name
    reference = AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=model.dtype)
    reference.to(model.device).eval()
    tokenized = tokenize(model.tokenizer, SENTENCE)
    inputs = {k: torch.tensor([v], device=model.device) for k, v in tokenized.inputs.items()}
    captures: list[LayerCapture] = []
    hidden = model.forward(tokenized, Tap(lambda capture, _: captures.append(capture)))
    expected = eager(reference, inputs)
    assert [capture.site.layer for capture in captures] == list(range(model.architecture.n_layers))
    for capture, theirs in zip(captures, expected.attentions, strict=True):
        close(capture.pattern(), theirs)
    torch.testing.assert_close(hidden, expected.last_hidden_state, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("family", EVERY)
def test_a_run_without_a_tap_equals_fused_attention(family: str) -> None:
    inputs = {"input_ids": ids(1, 15)}
    if family in TWO_STACKS:
        inputs["decoder_input_ids"] = ids(1, 6)
    with torch.inference_mode():
        ours = small(family, NAME)(**inputs).last_hidden_state
        theirs = small(family, "sdpa")(**inputs).last_hidden_state
        watched = seen_by(small(family, NAME), inputs)[0].last_hidden_state
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(watched, theirs, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(("n_heads", "n_kv_heads"), [(4, 4), (6, 2), (4, 1)])
@pytest.mark.parametrize("causal", [False, True])
def test_without_a_tap_the_function_is_torchs_own_kernel_to_the_last_bit(
    n_heads: int, n_kv_heads: int, causal: bool, device: torch.device
) -> None:
    draws = torch.Generator(device).manual_seed(0)
    q = torch.randn(2, n_heads, 9, 8, generator=draws, device=device)
    k, v = torch.randn(2, 2, n_kv_heads, 9, 8, generator=draws, device=device)
    module = nn.Module()
    module.is_causal = causal  # type: ignore[assignment]
    z, weights = tapped_attention(module, q, k, v, None)
    fused = F.scaled_dot_product_attention(
        q, k, v, is_causal=causal, scale=8**-0.5, enable_gqa=n_heads != n_kv_heads
    )
    assert weights is None
    assert torch.equal(z, fused.transpose(1, 2))


@pytest.mark.parametrize("n_queries", [1, 3, 9])
def test_a_causal_query_sees_every_earlier_key(n_queries: int) -> None:
    q, k, v = torch.randn(3, 1, 2, 9, 8)
    last = fused_attention(q[:, :, -n_queries:], k, v, None, 0.3, causal=True)
    whole = fused_attention(q, k, v, None, 0.3, causal=True)
    close(last, whole[:, :, -n_queries:], 1e-6)


def output_slice(model: nn.Module, family: str, layer: int, head: int) -> Tensor:
    """The columns of the output projection that read one head, as a view to write on."""
    inner = {
        "bert": lambda: model.encoder.layer[layer].attention.output.dense.weight,
        "llama, 6 heads over 2": lambda: model.layers[layer].self_attn.o_proj.weight,
    }[family]()
    return inner[:, head * 8 : (head + 1) * 8]


@pytest.mark.parametrize("watching", [False, True])
@pytest.mark.parametrize("family", ["bert", "llama, 6 heads over 2"])
def test_editing_the_z_of_one_head_is_cutting_that_head_out(family: str, watching: bool) -> None:
    inputs, layer, head = {"input_ids": ids(1, 10)}, 1, 2
    edited: list[tuple[Site, torch.Size]] = []

    def silence(site: Site, z: Tensor) -> Tensor:
        if site.layer != layer:
            return z
        edited.append((site, z.shape))
        z = z.clone()
        z[:, :, head] = 0
        return z

    model = small(family, NAME)
    on_pattern = (lambda capture, pattern: None) if watching else None
    tap = Tap(on_pattern, edit=silence, sites=attention_sites(model))
    n_heads = model.config.num_attention_heads  # type: ignore[union-attr]
    with torch.inference_mode():
        whole = model(**inputs).last_hidden_state
        ours = model(**inputs, tap=tap).last_hidden_state
        assert [shape for _, shape in edited] == [(1, 10, n_heads, 8)]
        output_slice(model, family, layer, head).zero_()
        cut = model(**inputs).last_hidden_state
    close(ours, cut)
    assert (ours - whole).abs().max() > 1e-2


def test_an_edit_leaves_the_maps_of_its_own_layer_alone() -> None:
    inputs, model = {"input_ids": ids(1, 10)}, small("bert", NAME)
    _, untouched = seen_by(model, inputs)
    edited: dict[int, Tensor] = {}
    tap = Tap(
        lambda capture, pattern: edited.update({capture.site.layer: pattern}),
        edit=lambda site, z: z * 0 if site.layer == 1 else z,
        sites=attention_sites(model),
    )
    with torch.inference_mode():
        model(**inputs, tap=tap)
    same = [torch.equal(edited[site.layer], shown) for site, (_, shown) in untouched.items()]
    assert same == [True, True, False]


QUERY_PROJECTIONS = {
    "bert": "attention.self.query",
    "llama, 6 heads over 2": "self_attn.q_proj",
    "qwen2": "self_attn.q_proj",
    "t5": "Attention.q",  # of all three stacks
}


@pytest.mark.parametrize("family", QUERY_PROJECTIONS)
def test_query_scales_are_a_query_projection_scaled_head_by_head(family: str) -> None:
    inputs, model = {"input_ids": ids(2, 10)}, small(family, NAME)
    if family in TWO_STACKS:
        inputs["decoder_input_ids"] = ids(2, 6)
    sites, n_heads = attention_sites(model), model.config.num_attention_heads  # type: ignore[union-attr]
    projections = [
        module for path, module in model.named_modules() if path.endswith(QUERY_PROJECTIONS[family])
    ]
    draws = torch.Generator().manual_seed(0)
    scales = {sites[it]: torch.rand(n_heads, generator=draws) * 3 for it in projections}
    assert len(scales) == len(projections) > 2
    seen: dict[Site, tuple[LayerCapture, Tensor]] = {}
    kept: dict[Site, LayerCapture] = {}
    taps = [
        Tap(),
        Tap(on_layer=lambda capture: kept.update({capture.site: capture})),
        Tap(lambda capture, pattern: seen.update({capture.site: (capture, pattern)})),
    ]
    with torch.inference_mode():
        ours = [
            model(**inputs, tap=replace(tap, sites=sites, query_scales=scales)).last_hidden_state
            for tap in taps
        ]
        for module in projections:
            for weight in module.parameters():  # [H*d, D] or [H*d]
                weight.unflatten(0, (n_heads, -1)).transpose(0, -1).mul_(scales[sites[module]])
    output, expected = seen_by(model, inputs)
    for hidden in ours:
        torch.testing.assert_close(hidden, output.last_hidden_state, atol=1e-4, rtol=1e-4)
    assert set(seen) == set(kept) == set(scales)
    for site, (capture, pattern) in expected.items():
        # Scaled before or after the projection rounds differently, and each layer adds to that.
        close(seen[site][1], pattern, 3e-5)
        close(seen[site][0].pattern(), pattern, 3e-5)
        torch.testing.assert_close(kept[site].q, capture.q, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_query_scales_leave_the_number_format_of_the_queries(dtype: torch.dtype) -> None:
    q, k, v = torch.ones(3, 1, 2, 4, 8, dtype=dtype)
    kept: list[LayerCapture] = []
    scales = {Site(0): torch.tensor([1.0, 2.0])}
    z = Tap(on_layer=kept.append, query_scales=scales).attend(Site(0), q, k, v, None, 0.3)
    assert (kept[0].q.dtype, z.dtype) == (dtype, dtype)
    assert kept[0].q[0, :, 0, 0].tolist() == [1, 2]
    assert (q == 1).all(), "the model's own tensor was changed"


@pytest.mark.parametrize("family", EVERY)
def test_keeping_a_layer_computes_no_map_and_gives_the_same_log_sum_exps(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, inputs = small(family, NAME), {"input_ids": ids(1, 12)}
    if family in TWO_STACKS:
        inputs["decoder_input_ids"] = ids(1, 5)
    output, shown = seen_by(model, inputs)
    kept: list[LayerCapture] = []
    monkeypatch.setattr("mha_core.tap.mix", lambda *_: pytest.fail("a map was computed"))
    with torch.inference_mode():
        fused = model(**inputs, tap=Tap(on_layer=kept.append, sites=attention_sites(model)))
    torch.testing.assert_close(
        fused.last_hidden_state, output.last_hidden_state, atol=1e-4, rtol=1e-4
    )
    assert [capture.site for capture in kept] == list(shown)
    for capture in kept:
        other, pattern = shown[capture.site]
        torch.testing.assert_close(capture.lse, other.lse, atol=1e-4, rtol=1e-5)
        close(capture.pattern(), pattern)


def test_the_log_sum_exp_turns_a_score_into_its_weight_and_is_zero_where_nothing_is_seen() -> None:
    q, k, v = torch.randn(3, 1, 2, 5, 8, generator=torch.Generator().manual_seed(0))
    mask = torch.ones(1, 1, 5, 5, dtype=torch.bool).tril()
    mask[..., 2, :] = False
    kept: list[LayerCapture] = []
    Tap(on_layer=kept.append).attend(Site(0), q, k, v, mask, 0.3)
    Tap(on_pattern=lambda capture, _: kept.append(capture)).attend(Site(0), q, k, v, mask, 0.3)
    scores = (q @ k.transpose(-1, -2) * 0.3).masked_fill(~mask, -torch.inf)
    for capture in kept:
        torch.testing.assert_close((scores - capture.lse[..., None]).exp(), capture.pattern())
        assert (capture.lse[..., 2] == 0).all()


@pytest.mark.parametrize("damaged", [torch.nan, torch.inf])
@pytest.mark.parametrize("option", ["on_layer", "on_pattern"])
def test_attention_that_is_not_finite_is_an_error(option: str, damaged: float) -> None:
    q, k, v = torch.ones(3, 1, 2, 4, 8)
    k[0, 1, 2, 3] = damaged
    seen: list[object] = []
    tap = Tap(**{option: lambda *capture: seen.append(capture)})  # type: ignore[arg-type]
    with pytest.raises(ModelFailed, match="decoder layer 7 is not finite") as failed:
        tap.attend(Site(7, "decoder"), q, k, v, None, 0.3)
    assert failed.value.details == {"layer": 7, "stack": "decoder"}
    assert seen == []


def test_a_watcher_that_raises_stops_the_run_at_that_layer() -> None:
    model, seen = small("gpt2", NAME), []

    class Enough(Exception):
        pass

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        seen.append(capture.site.layer)
        if capture.site.layer == 1:
            raise Enough

    with pytest.raises(Enough), torch.inference_mode():
        model(input_ids=ids(1, 5), tap=Tap(on_pattern, sites=attention_sites(model)))
    assert seen == [0, 1]


@pytest.mark.parametrize("family", ["bert", "llama, 4 heads over 2", "llama, 6 heads over 2", "t5"])
@pytest.mark.parametrize("heads", [[2], [3, 0], [1, 1, 2]])
def test_chosen_heads_are_rows_of_the_whole_map(family: str, heads: list[int]) -> None:
    inputs = {"input_ids": ids(2, 9)}
    if family in TWO_STACKS:
        inputs["decoder_input_ids"] = ids(2, 5)
    _, seen = seen_by(small(family, NAME), inputs)
    for capture, shown in seen.values():
        close(capture.pattern(heads), shown[:, heads])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("family", ["bert", "llama, 4 heads over 2"])
def test_half_precision_gives_float32_maps_close_to_the_exact_ones(
    family: str, dtype: torch.dtype
) -> None:
    inputs = {"input_ids": ids(1, 14)}
    _, exact = seen_by(small(family, NAME), inputs)
    _, seen = seen_by(small(family, NAME, dtype), inputs)
    first = Site(0, "encoder" if family == "bert" else "decoder")
    for capture, pattern in seen.values():
        assert capture.q.dtype == dtype
        assert pattern.dtype == torch.float32
        close(pattern.sum(-1), torch.ones(1, 4, 14))
    close(seen[first][1], exact[first][1], 0.05)


def test_four_threads_sharing_one_model_never_cross_results() -> None:
    model = small("llama, 4 heads over 2", NAME)
    questions = [{"input_ids": ids(1, n_tokens)} for n_tokens in range(1, 26)]
    alone = [seen_by(model, question) for question in questions]

    def check(call: int) -> bool:
        number = call % len(questions)
        output, seen = seen_by(model, questions[number])
        expected, captured = alone[number]
        pairs = [(output.last_hidden_state, expected.last_hidden_state)]
        for site, (capture, pattern) in captured.items():
            other, shown = seen[site]
            pairs += [(other.q, capture.q), (other.k, capture.k), (other.v, capture.v)]
            pairs += [(shown, pattern)]
        return all(a.shape == b.shape and torch.allclose(a, b, atol=1e-6) for a, b in pairs)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(check, range(1000)))


def test_a_model_needs_no_tap_after_it_has_had_one() -> None:
    """Nothing of a tap stays on the model."""
    model, inputs = small("bert", NAME), {"input_ids": ids(1, 8)}
    before = {name: value.clone() for name, value in model.state_dict().items()}
    names = [set(vars(module)) for module in model.modules()]
    seen_by(model, inputs)
    assert names == [set(vars(module)) for module in model.modules()]
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())


@pytest.mark.parametrize("change", [{"softcap": 30.0}, {"s_aux": torch.zeros(2)}])
def test_scores_that_are_changed_before_the_softmax_are_refused(change: dict[str, Any]) -> None:
    q = k = v = torch.randn(1, 2, 3, 4)
    with pytest.raises(ModelFailed, match="not shown"):
        tapped_attention(torch.nn.Identity(), q, k, v, None, **change)
