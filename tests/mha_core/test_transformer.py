"""HeadScope's own model: the same with or without a tap, causal, and saved without loss."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.attention import attention_pattern, causal_mask
from mha_core.errors import ModelFailed, TextTooLong
from mha_core.stacks import Site
from mha_core.tap import LayerCapture, Tap
from mha_core.transformer import Transformer, load_transformer, save_transformer
from mha_core.transformer_config import TransformerConfig

CONFIG = TransformerConfig(
    vocab_size=19, max_tokens=16, n_layers=3, n_heads=4, d_model=32, d_mlp=48
)


@pytest.fixture
def model(device: torch.device) -> Transformer:
    torch.manual_seed(0)
    return Transformer(CONFIG).to(device).eval()


@pytest.fixture
def ids(device: torch.device) -> Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.randint(CONFIG.vocab_size, (2, 11), generator=generator).to(device)


def assert_close(actual: Tensor, expected: Tensor, atol: float = 1e-5) -> None:
    torch.testing.assert_close(actual, expected, atol=atol, rtol=0.0)


class Seen:
    """An `on_pattern` callback that keeps its arguments."""

    def __init__(self) -> None:
        self.captures: list[LayerCapture] = []
        self.patterns: list[Tensor] = []

    def __call__(self, capture: LayerCapture, pattern: Tensor) -> None:
        self.captures.append(capture)
        self.patterns.append(pattern.clone())


def test_a_tap_does_not_change_the_output(model: Transformer, ids: Tensor) -> None:
    plain = model(ids)
    assert plain.shape == (2, 11, CONFIG.d_model)
    assert_close(model(ids, Tap(on_pattern=Seen())), plain)
    assert_close(model(ids, Tap()), plain)


@pytest.mark.parametrize("tap", [None, Tap(on_pattern=Seen())], ids=["fused", "tap"])
def test_later_tokens_do_not_change_earlier_outputs(
    model: Transformer, ids: Tensor, tap: Tap | None
) -> None:
    whole = model(ids, tap)
    for n_tokens in range(1, ids.shape[1]):
        other = ids.clone()
        other[:, n_tokens:] = (other[:, n_tokens:] + 1) % CONFIG.vocab_size
        assert_close(model(other, tap)[:, :n_tokens], whole[:, :n_tokens])
        assert_close(model(ids[:, :n_tokens], tap), whole[:, :n_tokens])


def test_an_earlier_token_changes_later_outputs(model: Transformer, ids: Tensor) -> None:
    other = ids.clone()
    other[:, 0] = (other[:, 0] + 1) % CONFIG.vocab_size
    assert not torch.allclose(model(other)[:, -1], model(ids)[:, -1], atol=1e-3)


def test_a_tap_gets_every_layer_once_in_order(model: Transformer, ids: Tensor) -> None:
    seen = Seen()
    model(ids, Tap(on_pattern=seen))
    assert [c.site for c in seen.captures] == [Site(n, "decoder") for n in range(CONFIG.n_layers)]
    assert all(capture.causal for capture in seen.captures)


def test_the_pattern_of_the_callback_is_that_of_the_capture(
    model: Transformer, ids: Tensor
) -> None:
    seen = Seen()
    model(ids, Tap(on_pattern=seen))
    for capture, shown in zip(seen.captures, seen.patterns, strict=True):
        assert shown.shape == (2, CONFIG.n_heads, 11, 11)
        assert_close(shown.sum(-1), torch.ones_like(shown[..., 0]))
        assert torch.equal(shown.triu(1), torch.zeros_like(shown))
        assert torch.equal(capture.pattern(), shown)
        for head in range(CONFIG.n_heads):
            one = capture.pattern([head])
            assert_close(one, shown[:, head : head + 1], 1e-6)


def test_the_first_map_is_the_formula_on_the_first_blocks_projections(
    model: Transformer, ids: Tensor
) -> None:
    seen = Seen()
    model(ids, Tap(on_pattern=seen))
    block = model.get_submodule("blocks.0")
    x = block.get_submodule("attention_norm")(model.tokens(ids) + model.positions[:11])
    q, k = (
        block.get_submodule(f"attention.{name}.0")(x).reshape(2, 11, 4, 8).transpose(1, 2)
        for name in ("query", "key")
    )
    expected = attention_pattern(q, k, causal_mask(11, 11, ids.device), 8**-0.5)
    assert_close(seen.patterns[0], expected, 1e-6)


def test_ablating_the_last_layer_changes_the_output(model: Transformer, ids: Tensor) -> None:
    last = Site(CONFIG.n_layers - 1, "decoder")
    silenced = model(ids, Tap(edit=lambda site, z: z * 0 if site == last else z))
    assert not torch.allclose(silenced, model(ids), atol=1e-3)
    unchanged = model(ids, Tap(edit=lambda _, z: z))
    assert_close(unchanged, model(ids))


def test_logits_compare_the_hidden_state_with_every_token(model: Transformer, ids: Tensor) -> None:
    hidden = model(ids)
    logits = model.logits(hidden)
    assert logits.shape == (2, 11, CONFIG.vocab_size)
    assert_close(logits[1, 4, 7], hidden[1, 4] @ model.tokens.weight[7])


def test_a_text_over_the_limit_is_refused_with_both_counts(
    model: Transformer, device: torch.device
) -> None:
    assert model(torch.zeros(1, 16, dtype=torch.long, device=device)).shape[1] == 16
    with pytest.raises(TextTooLong, match="17 tokens; the model takes 16") as caught:
        model(torch.zeros(1, 17, dtype=torch.long, device=device))
    assert caught.value.details == {"n_tokens": 17, "max_tokens": 16}


def test_a_saved_model_comes_back_the_same(model: Transformer, ids: Tensor, tmp_path: Path) -> None:
    path = tmp_path / "new" / "model.safetensors"
    save_transformer(model, path, {"plan": "none"})
    state = torch.get_rng_state()
    loaded = load_transformer(path)
    assert torch.equal(torch.get_rng_state(), state)
    assert loaded.config == CONFIG
    assert not loaded.training
    assert all(p.device.type == "cpu" for p in loaded.parameters())
    assert torch.equal(loaded.to(ids.device)(ids), model(ids))


@pytest.mark.parametrize("content", [None, b"", b"not a model at all"])
def test_the_error_for_a_broken_file_names_it(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "broken.safetensors"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelFailed, match=r"broken\.safetensors holds no HeadScope model"):
        load_transformer(path)


def test_weights_that_do_not_fit_the_config_are_an_error(
    model: Transformer, tmp_path: Path
) -> None:
    path = tmp_path / "model.safetensors"
    model.config = replace(CONFIG, n_layers=2)
    save_transformer(model, path, {})
    with pytest.raises(ModelFailed, match="holds no HeadScope model"):
        load_transformer(path)


def test_a_model_of_attention_only_has_no_feed_forward_part(ids: Tensor) -> None:
    model = Transformer(replace(CONFIG, d_mlp=0)).eval()
    assert not any("mlp" in name for name, _ in model.named_parameters())
    assert model(ids.cpu()).shape == (2, 11, CONFIG.d_model)


def test_heads_fixed_to_the_token_before_see_nothing_else(ids: Tensor) -> None:
    torch.manual_seed(0)
    model, seen = Transformer(replace(CONFIG, first_layer="previous_only")).eval(), Seen()
    tapped = model(ids.cpu(), Tap(on_pattern=seen))
    expected = torch.eye(11).roll(-1, 1).tril()
    expected[0, 0] = 1
    assert_close(seen.patterns[0], expected.expand(2, 4, 11, 11))
    assert seen.patterns[1].tril(-2).max() > 0.01, "later layers see all"
    assert_close(seen.captures[0].pattern(), seen.patterns[0])
    assert_close(model(ids.cpu()), tapped)


def test_shifted_keys_are_those_of_the_token_before(ids: Tensor) -> None:
    """Changing a token changes no score of its own key, but that of the key after it."""
    torch.manual_seed(0)
    model = Transformer(replace(CONFIG, first_layer="shifted_keys", n_layers=1)).eval()
    model.positions.data.zero_()
    ids = ids[:1].cpu()
    other = ids.clone()
    other[0, 4] = (ids[0, 4] + 1) % CONFIG.vocab_size
    before, after = Seen(), Seen()
    for text, seen in ((ids, before), (other, after)):
        assert_close(model(text, Tap(on_pattern=seen)), model(text))
    moved = (before.captures[0].k - after.captures[0].k).abs().amax((0, 1, 3)) > 1e-6
    assert moved.nonzero().flatten().tolist() == [5]
    moved = (before.captures[0].v - after.captures[0].v).abs().amax((0, 1, 3)) > 1e-6
    assert moved.nonzero().flatten().tolist() == [4]


@pytest.mark.parametrize("change", [{"d_mlp": 0}, {"first_layer": "shifted_keys"}])
def test_every_kind_of_model_is_saved_without_loss(
    change: dict[str, object], ids: Tensor, tmp_path: Path
) -> None:
    model = Transformer(replace(CONFIG, **change)).eval()  # type: ignore[arg-type]
    save_transformer(model, tmp_path / "own.safetensors", {})
    loaded = load_transformer(tmp_path / "own.safetensors")
    assert loaded.config == model.config
    assert torch.equal(loaded(ids.cpu()), model(ids.cpu()))
