"""The benchmark of the whole analysis, on a model small enough for a test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.wire.frames import HEADER, decode
from benchmarks.analysis import analysis_of, at_length
from benchmarks.models import N_HEADS, N_LAYERS, text_of
from benchmarks.payload import MAX_BYTES, N_TOKENS
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.text.tokenization import tokenize


@pytest.mark.parametrize("n_tokens", [3, 128, 512])
def test_a_text_has_exactly_the_tokens_asked_for(minilm: LoadedModel, n_tokens: int) -> None:
    assert len(tokenize(minilm.tokenizer, text_of(n_tokens)).tokens) == n_tokens


def test_nothing_is_kept_between_runs_and_each_gives_a_frame_a_layer(
    model_directory: Callable[[str], Path],
) -> None:
    run = analysis_of(model_directory("bert"))
    first, second = run(text_of(16)), run(text_of(16))
    assert [decode(frame).layer for frame in first.frames] == [0, 1]
    assert first.frames == second.frames
    assert 0 < first.started < first.first_frame < second.started


def test_a_length_gives_a_row_of_time_and_one_of_the_first_frame(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    directory = model_directory("bert")
    model = load(entry_for(str(directory)), models_dir=tmp_path, device="cpu", hub=False)
    rows = list(at_length(model, analysis_of(directory), 16, 1000.0, 3, "small"))
    assert [row.what.partition(":")[2] for row in rows] == [" small, 16 tokens"] * 2
    assert rows[0].kept


def test_the_frames_of_all_heads_stay_within_the_byte_budget(
    model_directory: Callable[[str], Path],
) -> None:
    frames = analysis_of(model_directory("bert"))(text_of(N_TOKENS)).frames
    heads = sum(decode(frame).values.shape[0] for frame in frames)
    cells = sum(map(len, frames)) - len(frames) * HEADER.size
    assert cells / heads * N_HEADS * N_LAYERS + N_LAYERS * HEADER.size <= MAX_BYTES
