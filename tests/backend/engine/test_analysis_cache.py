"""Kept analyses stay within their budget; the questions behind them are remembered longer."""

import threading
from collections.abc import Callable

import pytest
import torch

from backend.engine import analysis_cache as analyses
from backend.engine.analysis_cache import Analyses
from backend.wire.schemas import AttentionRequest, TextRequest
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis, analyse
from mha_core.text.tokenization import tokenize


@pytest.fixture(scope="module")
def analysed(deep_model: LoadedModel) -> Callable[[str], tuple[TextRequest, Analysis]]:
    def run(text: str) -> tuple[TextRequest, Analysis]:
        request = TextRequest(model="deep", text=text)
        return request, analyse(deep_model, tokenize(deep_model.tokenizer, text))

    return run


Analysed = Callable[[str], tuple[TextRequest, Analysis]]


def test_what_is_kept_comes_back_itself(analysed: Analysed) -> None:
    kept, (request, analysis) = Analyses(1_000_000), analysed("one")
    kept.keep(request, analysis)
    assert kept.get(analysis.id) is analysis
    assert kept.request(analysis.id) == request
    assert kept.get("another") is None
    assert kept.request("another") is None


def test_the_budget_holds_and_the_least_recently_used_goes_first(analysed: Analysed) -> None:
    questions = [analysed(text) for text in ("one", "two", "ten")]
    size = questions[0][1].n_bytes
    kept = Analyses(2 * size)
    for request, analysis in questions[:2]:
        kept.keep(request, analysis)
    kept.get(questions[0][1].id)
    kept.keep(*questions[2])
    assert [kept.get(analysis.id) is not None for _, analysis in questions] == [True, False, True]
    assert kept.n_bytes <= 2 * size
    assert all(kept.request(analysis.id) == request for request, analysis in questions)


def test_with_no_budget_nothing_is_kept_but_the_question(analysed: Analysed) -> None:
    kept, (request, analysis) = Analyses(0), analysed("one")
    kept.keep(request, analysis)
    assert kept.get(analysis.id) is None
    assert kept.request(analysis.id) == request


def test_keeping_the_same_twice_counts_once(analysed: Analysed) -> None:
    kept, (request, analysis) = Analyses(1_000_000), analysed("one")
    kept.keep(request, analysis)
    kept.keep(request, analysis)
    assert kept.n_bytes == analysis.n_bytes


def test_clearing_frees_the_memory_and_keeps_the_questions(analysed: Analysed) -> None:
    kept, (request, analysis) = Analyses(1_000_000), analysed("one")
    kept.keep(request, analysis)
    kept.clear()
    assert kept.n_bytes == 0
    assert kept.get(analysis.id) is None
    assert kept.request(analysis.id) == request


def test_of_a_question_for_some_heads_the_text_is_remembered(analysed: Analysed) -> None:
    kept, (_, analysis) = Analyses(1_000_000), analysed("one")
    kept.keep(AttentionRequest(model="deep", text="one", layers=(1,)), analysis)
    assert kept.request(analysis.id) == TextRequest(model="deep", text="one")


def test_the_oldest_questions_are_forgotten_when_their_texts_grow_too_long(
    analysed: Analysed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "MAX_REQUEST_CHARACTERS", 6)
    questions = [analysed(text) for text in ("one", "two", "ten")]
    kept = Analyses(1_000_000)
    for request, analysis in questions:
        kept.keep(request, analysis)
    known = [kept.request(analysis.id) is not None for _, analysis in questions]
    assert known == [False, True, True]


def test_many_threads_may_keep_and_get_at_once(analysed: Analysed) -> None:
    questions = [analysed(text) for text in ("one", "two", "ten", "six")]
    kept = Analyses(2 * questions[0][1].n_bytes)
    troubles: list[BaseException] = []

    def work(request: TextRequest, analysis: Analysis) -> None:
        try:
            for _ in range(300):
                kept.keep(request, analysis)
                found = kept.get(analysis.id)
                assert found is None or torch.equal(found.layers[0].q, analysis.layers[0].q)
        except BaseException as error:
            troubles.append(error)

    threads = [threading.Thread(target=work, args=question) for question in questions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    assert kept.n_bytes <= 2 * questions[0][1].n_bytes
