"""The prediction after a token is that of the model on the text up to it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from mha_core.anatomy.prediction import Prediction, predict
from mha_core.anatomy.run import run_anatomy
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import analyse
from mha_core.runs.generation import Generation


def predicted(model: LoadedModel, text: str, token: int) -> Prediction:
    analysis = analyse(model, model.tokenize(text))
    return predict(model, run_anatomy(model, analysis, 0).after, token)


@pytest.mark.parametrize("name", ["headscope-tiny", "smollm2", "gpt2", "llama"])
def test_it_is_what_the_model_predicts_next(
    name: str, model_of: Callable[[str], LoadedModel]
) -> None:
    model, text = model_of(name), "the cat and the"
    guess = Generation(model, model.tokenize(text)).guess()
    found = predicted(model, text + " rest", len(model.tokenize(text).tokens) - 1)
    assert [it.id for it in found.candidates] == [id for id, _ in guess.top(10)]
    for candidate, (_, probability) in zip(found.candidates, guess.top(10), strict=True):
        assert candidate.probability == pytest.approx(probability, abs=1e-4)
        assert candidate.logit == pytest.approx(float(guess.logits[candidate.id]), rel=1e-3)
        assert candidate.text
        assert candidate.piece
    assert found.why_none is None


def test_padding_rows_of_an_output_layer_are_no_tokens(
    model_of: Callable[[str], LoadedModel],
) -> None:
    model = model_of("llama")
    n_tokens = len(model.tokenizer)
    padded = torch.nn.Linear(32, n_tokens + 5).requires_grad_(False)
    padded.bias[n_tokens:] = 50
    found = predicted(replace(model, output_layer=padded), "the cat", 1)
    assert all(it.id < n_tokens for it in found.candidates)
    assert max(it.probability for it in found.candidates) > 0


@pytest.mark.parametrize(
    ("name", "why"), [("minilm", "both directions"), ("qwen2", "no output layer")]
)
def test_a_model_that_predicts_nothing_says_why(
    name: str, why: str, model_of: Callable[[str], LoadedModel]
) -> None:
    found = predicted(model_of(name), "the cat", 1)
    assert found.candidates == ()
    assert why in (found.why_none or "")
