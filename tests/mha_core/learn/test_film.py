"""The maps of a text at every step: those that each step's model has."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.errors import Cancelled, TextTooLong, UnknownWord, UnreadableRun
from mha_core.learn.film import make_film
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import find_model
from mha_core.models.loading import load
from mha_core.tap import LayerCapture, Tap

TEXT = "the king near the girls says that he sleeps ."


def go_on() -> None:
    """A check that never stops the work."""


def test_each_frame_has_the_maps_of_the_model_of_that_step(small_run: RunDirectory) -> None:
    film = make_film(small_run, TEXT, go_on)
    assert film.steps == small_run.kept_steps()
    assert film.patterns.shape == (len(film.steps), 2, 2, 11, 11)
    for place, step in enumerate(film.steps):
        entry = find_model(f"{small_run.id}@{step}", small_run.path.parent)
        model, maps = load(entry, models_dir=small_run.path), list[Tensor]()

        def on_pattern(_: LayerCapture, pattern: Tensor, maps: list[Tensor] = maps) -> None:
            maps.append(pattern[0].clone())

        hidden = model.forward(model.tokenize(TEXT), Tap(on_pattern=on_pattern))
        torch.testing.assert_close(film.patterns[place], torch.stack(maps), atol=1e-6, rtol=0)
        logits = model.unembed(hidden)
        assert logits is not None
        best = logits[0].argmax(-1).tolist()
        assert film.predictions[place] == model.tokenizer.convert_ids_to_tokens(best)
    assert not torch.allclose(film.patterns[0], film.patterns[-1])


def test_what_the_words_cannot_write_is_refused(small_run: RunDirectory) -> None:
    with pytest.raises(UnknownWord):
        make_film(small_run, "the zebra sleeps", go_on)
    with pytest.raises(TextTooLong):
        make_film(small_run, "old " * 40, go_on)


def test_a_run_without_weights_has_no_film(new_run: RunDirectory) -> None:
    with pytest.raises(UnreadableRun, match="no weights yet"):
        make_film(new_run, TEXT, go_on)


def test_it_stops_when_nobody_waits(small_run: RunDirectory, tmp_path: Path) -> None:
    def give_up() -> None:
        raise Cancelled("The request was cancelled.")

    with pytest.raises(Cancelled):
        make_film(small_run, TEXT, give_up)
