"""Attention to names: at their tokens in every tokenizer, summed by hand."""

import numpy as np
import pytest
import torch
from torch import Tensor

from mha_core.atlas.name_prompts import draw_prompts
from mha_core.atlas.names import NAMES_OF_A_PROMPT, Names, NameText, mark_names, measure_names
from mha_core.models.loading import LoadedModel
from mha_core.tap import Tap


@pytest.mark.parametrize("name", ["smollm2", "tiny"])
def test_the_tokens_of_a_name_are_its_pieces_and_no_others(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    for prompt in draw_prompts(60, 0):
        text = NameText.of(model, prompt)
        assert text.tokenized.tokens[-1].end == len(prompt.text), "it ends where the name is due"
        for which, tokens in zip(NAMES_OF_A_PROMPT, text.names, strict=True):
            start, end = getattr(prompt, which)
            pieces = "".join(text.tokenized.tokens[at].text for at in tokens)
            assert pieces == prompt.text[start:end]
        assert len(set().union(*text.names)) == sum(map(len, text.names))


def test_attention_to_a_name_is_summed_over_its_pieces_at_the_last_position(
    tiny: LoadedModel,
) -> None:
    found = measure_names(tiny, size=31, seed=2)
    texts = [NameText.of(tiny, prompt) for prompt in draw_prompts(31, 2)]
    texts.sort(key=lambda text: len(text.tokenized.tokens))
    uniform = []
    for at, text in enumerate(texts):
        seen: list[Tensor] = []
        tiny.forward(text.tokenized, Tap(lambda _, p, seen=seen: seen.append(p[0, :, -1].cpu())))
        last = torch.stack(seen)  # [L, H, T]
        uniform.append([len(tokens) / last.shape[-1] for tokens in text.names])
        for name, tokens in zip(NAMES_OF_A_PROMPT, text.names, strict=True):
            expected = last[..., list(tokens)].sum(-1).numpy()
            assert getattr(found, name)[at] == pytest.approx(expected, abs=1e-5)
    assert found.baseline == pytest.approx(np.mean(uniform, axis=0))
    assert found.template.tolist() == [text.prompt.template for text in texts]


def test_uniform_attention_gets_the_baseline(tiny: LoadedModel) -> None:
    text = NameText.of(tiny, draw_prompts(1, 0)[0])
    n_tokens = len(text.tokenized.tokens)
    shares = torch.full((1, n_tokens), 1 / n_tokens) @ mark_names([text])[0]  # [1, 3]
    assert shares[0].tolist() == pytest.approx([len(tokens) / n_tokens for tokens in text.names])


def test_a_template_is_one_case() -> None:
    # Ten prompts of each template, all alike: no more evidence than one of each.
    scores, template = np.array([0.1, 0.2, 0.6]), np.repeat(np.arange(3), 10)
    for times in (1, 10):
        per_prompt = np.repeat(scores, times)[:, None, None]
        which = template if times == 10 else np.arange(3)
        names = Names(per_prompt, per_prompt, per_prompt, np.zeros(3), which)
        mean, low, high = names.interval("subject_first")
        # The standard error of the three is .1528, Student's t 4.303.
        assert mean == pytest.approx(0.3)
        assert low == 0
        assert high == pytest.approx(0.3 + 4.303 * 0.1528, abs=1e-3)


def test_a_real_model_has_a_head_that_finds_the_indirect_object(smollm2: LoadedModel) -> None:
    found = measure_names(smollm2, size=60)
    mean, low, _ = found.interval("indirect_object")
    best = np.unravel_index(mean.argmax(), mean.shape)
    assert low[best] > 0.4
    assert low[best] > found.interval("subject_first")[2][best]
    total = sum(getattr(found, name) for name in NAMES_OF_A_PROMPT)
    assert total.max() < 1 + 1e-4


def test_prompts_are_drawn_by_their_seed(tiny: LoadedModel) -> None:
    one, again, other = (measure_names(tiny, size=30, seed=seed) for seed in (0, 0, 1))
    assert (one.indirect_object == again.indirect_object).all()
    assert (one.indirect_object != other.indirect_object).any()
    assert one.indirect_object.shape == (30, 2, 8)
