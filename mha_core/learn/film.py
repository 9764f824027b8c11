"""The maps of every head on one text at every point of a run's training."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.errors import TextTooLong, UnreadableRun
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.settings import RunSettings
from mha_core.learn.tasks.catalogue import make_task
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import TokenizedText
from mha_core.text.word_tokenizer import check_words, word_tokenizer
from mha_core.transformer import load_transformer


@dataclass(frozen=True, eq=False)
class Film:
    """Frames in the order of steps."""

    tokenized: TokenizedText
    steps: list[int]
    patterns: Tensor  # [S, L, H, T, T]
    predictions: list[list[str]]  # [S][T]: the likeliest next token after each


@torch.inference_mode()
def make_film(run: RunDirectory, text: str, check: Callable[[], None]) -> Film:
    """Run the weights of every kept step on the text; `check` stops it by raising."""
    settings = run.description.settings
    tokenized = tokenize_for(settings, text)
    vocabulary = make_task(settings).vocabulary
    ids = torch.tensor([tokenized.inputs["input_ids"]])
    steps, patterns, predictions = run.kept_steps(), list[Tensor](), list[list[str]]()
    if not steps:
        raise UnreadableRun(f"The run {run.id} has no weights yet: start it, or wait.", run=run.id)
    for step in steps:
        check()
        layers: list[Tensor] = []

        def on_pattern(_: LayerCapture, pattern: Tensor, layers: list[Tensor] = layers) -> None:
            layers.append(pattern[0].clone())

        model = load_transformer(run.weights_file(step))
        logits = model.logits(model(ids, Tap(on_pattern=on_pattern)))[0]  # [T, V]
        patterns.append(torch.stack(layers))
        predictions.append([vocabulary[id] for id in logits.argmax(-1).tolist()])
    return Film(tokenized, steps, torch.stack(patterns), predictions)


def tokenize_for(settings: RunSettings, text: str) -> TokenizedText:
    """The tokens of a text as the models of a run read them."""
    task = make_task(settings)
    tokenizer = word_tokenizer(task.vocabulary, task.n_tokens)
    check_words(tokenizer, text)
    tokenized = tokenize(tokenizer, text, max_tokens=task.n_tokens)
    if len(tokenized.tokens) > task.n_tokens:
        raise TextTooLong.of(len(tokenized.tokens), task.n_tokens)
    return tokenized
