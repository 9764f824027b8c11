"""The job between batches: progress, slots, cancellation, memory."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from backend.corpus.jobs import measure_corpus
from backend.corpus.schemas import CorpusLinkRequest, CorpusRequest
from backend.engine.session import Session
from backend.page.texts import CORPUS_EXAMPLE
from tests.answers import strict
from tests.backend.conftest import Gated

ROOT = Path(__file__).parents[3]
TEXTS = ("one", "one two", "three four", "one two three")  # three lengths, so three batches


def test_progress_counts_texts_batch_by_batch(session_for: Callable[..., Session]) -> None:
    steps: list[tuple[int, int]] = []

    def report(message: str, done: int, total: int) -> None:
        if message == "Measuring texts":
            steps.append((done, total))

    request = CorpusRequest(model="minilm", texts=TEXTS)
    measure_corpus(session_for(), request, report)
    assert steps == [(0, 4), (1, 4), (3, 4), (4, 4)]


def test_the_example_of_the_page_says_what_the_readme_says(
    session_for: Callable[..., Session],
) -> None:
    words = {"from_word": CORPUS_EXAMPLE.from_word, "to_word": CORPUS_EXAMPLE.to_word}
    texts, link = tuple(CORPUS_EXAMPLE.texts), CorpusLinkRequest(**words)
    answer = measure_corpus(session_for(), CorpusRequest(model="minilm", texts=texts, link=link))
    assert answer.link is not None
    assert answer.link.texts == len(texts) == 8
    first, second = answer.link.heads[:2]
    assert [(it.layer, it.head) for it in (first, second)] == [(5, 11), (3, 1)]
    told = " ".join((ROOT / "README.md").read_text().split())
    for head in (first, second):
        numbers = [
            f"{it:.3f}".removeprefix("0") for it in (head.mean, head.low or 0, head.high or 0)
        ]
        assert "{} ({} to {}".format(*numbers) in told
    assert f"by position alone {first.by_position:.3f}".replace(" 0.", " .") in told


def test_a_run_stops_at_the_next_layer_when_its_client_has_left(gated: Gated) -> None:
    client = gated.leave_during("corpus", {"model": "deep", "texts": TEXTS}, run=1)
    assert client.sent == [], "nobody is left to answer"
    assert [run.layers for run in gated.network.runs] == [[*range(6)], [0, 1, 2]]


def test_others_are_served_between_two_batches(
    session_for: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_for(workers=1)
    held: list[bool] = []

    def report(message: str, done: int, total: int) -> None:
        if message == "Measuring texts":
            held.append(session._has_slot)

    measure_corpus(session, CorpusRequest(model="headscope-tiny", texts=TEXTS), report)
    assert held == [False] * 5, "no slot is held while a batch has ended and the next not begun"


def test_out_of_memory_a_batch_is_counted_once_more_and_only_once(gated: Gated) -> None:
    question = {"model": "deep", "texts": TEXTS}
    whole = strict(gated.client.post("/api/v1/corpus", json=question))
    n_runs = len(gated.network.runs)

    def fail(run: int, layer: int) -> None:
        if run == n_runs and layer == 3:
            raise torch.OutOfMemoryError("Tried to allocate 20.00 GiB.")

    gated.network.before = fail
    again = strict(gated.client.post("/api/v1/corpus", json=question))
    assert len(gated.network.runs) == 2 * n_runs + 1
    assert again["metrics"] == whole["metrics"]
