"""The table of a corpus: one line a metric and head."""

from collections.abc import Callable

from backend.corpus.jobs import measure_corpus
from backend.corpus.schemas import CorpusRequest
from backend.corpus.table import COLUMNS, write_csv
from backend.engine.session import Session


def test_what_is_null_is_empty_and_no_number_is_lost(session_for: Callable[..., Session]) -> None:
    request = CorpusRequest(model="headscope-tiny", texts=("abcabc",))
    answer = measure_corpus(session_for(), request)
    header, *lines = write_csv(answer).decode().splitlines()
    assert header == ",".join(COLUMNS)
    assert len(lines) == 16 * len(answer.metrics)
    first = answer.metrics["previous"].heads[0]
    baseline = answer.metrics["previous"].baseline
    assert lines[0] == f"previous,0,0,{first.mean},,,{first.n},1,{baseline},"
