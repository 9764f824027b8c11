"""A page of any model of transformers that is in memory, and the model as it was before."""

from collections.abc import Callable
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    ByT5Tokenizer,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from mha_core.errors import ModelFailed, PairNotSupported, TextTooLong
from mha_core.notebook import show, switch_to_tap
from tests.recorded_page import recorded

TEXT = "The animal didn't cross the street because it was too tired."
MODELS = [
    ("bert", AutoModel),
    ("bert", AutoModelForMaskedLM),
    ("roberta", AutoModelForSequenceClassification),
    ("distilbert", AutoModelForMaskedLM),
    ("gpt2", AutoModelForCausalLM),
    ("gpt_neox", AutoModelForCausalLM),
    ("llama", AutoModelForCausalLM),
    ("qwen2", AutoModel),
]
Built = tuple[PreTrainedModel, PreTrainedTokenizerFast]
Build = Callable[..., Built]


@pytest.fixture(scope="module")
def build(model_directory: Callable[[str], Path]) -> Build:
    """A small random model of a family as somebody would have it in a notebook."""

    def built(family: str, kind: Any = AutoModel, **options: Any) -> Built:  # noqa: ANN401
        directory = model_directory(family)
        torch.manual_seed(1)
        config = AutoConfig.from_pretrained(directory, initializer_range=0.4)
        model = kind.from_config(config, **options)
        return model.eval(), AutoTokenizer.from_pretrained(directory)

    return built


def own_attention(model: PreTrainedModel, **inputs: torch.Tensor) -> Any:  # noqa: ANN401
    """What transformers' own code says of the same text."""
    model.set_attn_implementation("eager")
    with torch.inference_mode():
        return model(**inputs, output_attentions=True)


@pytest.mark.parametrize(("family", "kind"), MODELS)
def test_the_page_holds_the_models_own_attention(build: Build, family: str, kind: type) -> None:
    model, tokenizer = build(family, kind)
    found = recorded(show(model, tokenizer, TEXT).html)
    maps = own_attention(model, **tokenizer(TEXT, return_tensors="pt")).attentions
    assert len(maps) == len(found.codes) == 2
    for pattern, codes in zip(maps, found.codes.values(), strict=True):
        assert codes.max() > 100, "no even map that any model would have"
        assert np.abs(codes / 255 - pattern[0].sqrt().numpy()).max() <= 1 / 510 + 1e-4


@pytest.mark.parametrize("family", ["bart", "t5"])
def test_an_encoder_decoder_shows_all_its_attention(build: Build, family: str) -> None:
    model, tokenizer = build(family, AutoModelForSeq2SeqLM)
    model.config.decoder_start_token_id = 2
    found = recorded(show(model, tokenizer, TEXT, "The beast stayed").html)
    tokens = found.rest["start"]["tokens"]
    target = torch.tensor([[token["id"] for token in tokens if token["segment"] == 1]])
    inputs = tokenizer(TEXT, return_tensors="pt")
    answer = own_attention(model, input_ids=inputs["input_ids"], decoder_input_ids=target)
    own = {
        "encoder": answer.encoder_attentions,
        "decoder": answer.decoder_attentions,
        "cross": answer.cross_attentions,
    }
    assert [stack["stack"] for stack in found.rest["start"]["stacks"]] == list(own)
    assert len(found.codes) == sum(map(len, own.values()))
    for (stack, layer), codes in found.codes.items():
        roots = own[stack][layer][0].sqrt().numpy()
        assert np.abs(codes / 255 - roots).max() <= 1 / 510 + 1e-4


def traces(model: PreTrainedModel) -> dict[str, Any]:
    """Everything of a model that a run could leave a mark on, weights apart."""
    return {
        name: (
            {key: repr(value) for key, value in vars(part).items() if not key.startswith("_mod")},
            dict(vars(part.config)) if hasattr(part, "config") else None,
            part.training,
        )
        for name, part in model.named_modules()
    }


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize(("family", "kind"), [*MODELS[1:2], *MODELS[-2:]])
def test_nothing_is_left_on_the_model(
    build: Build, family: str, kind: type, attention: str
) -> None:
    model, tokenizer = build(family, kind, attn_implementation=attention)
    if attention == "eager":
        model.config.output_attentions = True
    model.train()
    next(model.children()).eval()
    inputs = tokenizer(TEXT, return_tensors="pt")
    torch.manual_seed(0)
    said = model(**inputs)[0]
    before = traces(model)
    show(model, tokenizer, TEXT)
    assert traces(model) == before
    torch.manual_seed(0)
    assert torch.equal(model(**inputs)[0], said)
    assert all(weight.requires_grad and weight.grad is None for weight in model.parameters())


def test_a_run_that_fails_leaves_nothing_either(build: Build) -> None:
    model, _ = build("bert", AutoModelForMaskedLM)
    before = traces(model.train())
    with suppress(RuntimeError), switch_to_tap(model):
        assert model.config._attn_implementation == "headscope"
        assert not model.training
        raise RuntimeError("stop")
    assert traces(model) == before


def test_it_is_shown_in_a_frame_that_cannot_reach_the_notebook(build: Build) -> None:
    shown = show(*build("bert"), '"</script>" & <b>', height=500)
    frame = shown._repr_html_()
    assert frame.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in frame
    assert 'height="500"' in frame
    assert unescape(frame.split('"')[1]) == shown.html
    assert "<b>" not in frame
    assert len(repr(shown)) < 100


def test_it_can_be_saved(build: Build, tmp_path: Path) -> None:
    shown = show(*build("bert"), "Grüße, 世界", notes={"1.3": "a note"}, view="pins=1.3h")
    shown.save(tmp_path / "page.html")
    kept = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert kept == shown.html
    plain = recorded(kept).plain
    assert (plain["text"], plain["notes"], plain["view"]) == (
        "Grüße, 世界",
        {"1.3": "a note"},
        "pins=1.3h",
    )


def test_a_model_from_nowhere_goes_by_its_class(build: Build) -> None:
    model, tokenizer = build("bert", AutoModelForMaskedLM)
    model.config.name_or_path = ""
    assert recorded(show(model, tokenizer, "Hi").html).plain["model"] == "BertForMaskedLM"


def test_where_a_model_lies_on_this_machine_is_not_told(
    model_directory: Callable[[str], Path],
) -> None:
    directory = model_directory("bert")
    model = AutoModel.from_pretrained(directory)
    html = show(model, AutoTokenizer.from_pretrained(directory), TEXT).html
    found = recorded(html)
    assert found.plain["model"] == directory.name
    assert str(directory.parent) not in html + str(found.rest)


def test_what_cannot_be_shown_is_refused_with_the_way_out(build: Build) -> None:
    model, tokenizer = build("gpt2", AutoModelForCausalLM)
    with pytest.raises(PairNotSupported, match="leave out `text_pair`"):
        show(model, tokenizer, TEXT, TEXT)
    with pytest.raises(TextTooLong, match="limit is 1,024"):
        show(model, tokenizer, "word " * 1100)
    with pytest.raises(ModelFailed, match="this is a Linear"):
        show(torch.nn.Linear(1, 1), tokenizer, TEXT)  # type: ignore[arg-type]


def test_a_tokenizer_without_offsets_is_refused(build: Build) -> None:
    with pytest.raises(ModelFailed, match="fast tokenizer"):
        show(build("bert")[0], ByT5Tokenizer(), TEXT)  # type: ignore[arg-type]


def test_an_architecture_that_attends_elsewhere_is_refused(build: Build) -> None:
    _, tokenizer = build("bert")
    size = {"num_hidden_layers": 1, "num_attention_heads": 4, "hidden_size": 32}
    for family in ("mpnet", "fnet", "longformer"):
        model = AutoModel.from_config(AutoConfig.for_model(family, **size, intermediate_size=64))
        before = traces(model)
        with pytest.raises(ModelFailed, match=type(model).__name__):
            show(model, tokenizer, TEXT)
        assert traces(model) == before
