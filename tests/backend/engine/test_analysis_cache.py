"""Kept analyses stay within their budget; the least recently used is evicted first."""

import threading
from collections.abc import Callable

import pytest
import torch

from backend.engine.analysis_cache import AnalysisCache
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis, analyse
from mha_core.text.tokenization import tokenize

Analysed = Callable[[str], Analysis]


@pytest.fixture(scope="module")
def analysed(deep_model: LoadedModel) -> Analysed:
    return lambda text: analyse(deep_model, tokenize(deep_model.tokenizer, text))


def test_what_is_kept_comes_back_itself(analysed: Analysed) -> None:
    cache, analysis = AnalysisCache(1_000_000), analysed("one")
    cache.keep(analysis)
    assert cache.get(analysis.id) is analysis
    assert cache.get("another") is None


def test_the_budget_holds_and_the_least_recently_used_goes_first(analysed: Analysed) -> None:
    analyses = [analysed(text) for text in ("one", "two", "ten")]
    size = analyses[0].n_bytes
    cache = AnalysisCache(2 * size)
    cache.keep(analyses[0])
    cache.keep(analyses[1])
    cache.get(analyses[0].id)
    cache.keep(analyses[2])
    assert [cache.get(it.id) is not None for it in analyses] == [True, False, True]
    assert cache.n_bytes <= 2 * size


def test_one_over_the_budget_is_not_kept_and_evicts_nothing(analysed: Analysed) -> None:
    small, large = analysed("one"), analysed("one " * 50)
    cache = AnalysisCache(small.n_bytes)
    cache.keep(small)
    cache.keep(large)
    assert cache.get(small.id) is small
    assert cache.get(large.id) is None
    assert AnalysisCache(0).n_bytes == 0


def test_keeping_the_same_twice_counts_once(analysed: Analysed) -> None:
    cache, analysis = AnalysisCache(1_000_000), analysed("one")
    cache.keep(analysis)
    cache.keep(analysis)
    assert cache.n_bytes == analysis.n_bytes


def test_clearing_frees_the_memory(analysed: Analysed) -> None:
    cache, analysis = AnalysisCache(1_000_000), analysed("one")
    cache.keep(analysis)
    cache.clear()
    assert cache.n_bytes == 0
    assert cache.get(analysis.id) is None


def test_many_threads_may_keep_and_get_at_once(analysed: Analysed) -> None:
    analyses = [analysed(text) for text in ("one", "two", "ten", "six")]
    cache = AnalysisCache(2 * analyses[0].n_bytes)
    errors: list[BaseException] = []

    def work(analysis: Analysis) -> None:
        try:
            for _ in range(300):
                cache.keep(analysis)
                found = cache.get(analysis.id)
                assert found is None or torch.equal(found.layers[0].q, analysis.layers[0].q)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(analysis,)) for analysis in analyses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert cache.n_bytes <= 2 * analyses[0].n_bytes
