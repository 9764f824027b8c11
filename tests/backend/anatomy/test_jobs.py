"""Jobs about a layer: one run of the model serves all questions, and each stops when unwanted."""

import threading
from collections.abc import Callable

import pytest
import torch

from backend.anatomy import jobs
from backend.anatomy.jobs import compute_anatomy, trace_number
from backend.anatomy.schemas import AnatomyRequest, Edits, TraceRequest
from backend.engine.session import Resources, Session
from backend.settings import Settings
from mha_core.anatomy.run import Anatomy
from mha_core.errors import Cancelled

ASKED = {"model": "headscope-tiny", "text": "abcabc", "layer": 1, "head": 3}


def test_one_run_of_the_model_serves_every_step(session_for: Callable[..., Session]) -> None:
    session = session_for()
    runs = []
    run = session.run
    session.run = lambda *given: runs.append(1) or run(*given)  # type: ignore[method-assign,func-returns-value]
    for step in ("scores", "mask", "stack"):
        compute_anatomy(session, AnatomyRequest(**ASKED, step=step, edits=Edits(scale=0.5)))
    trace_number(session, TraceRequest(**ASKED, matrix="z", row=2, column=1))
    assert len(runs) == 1


def test_it_stops_between_layers_when_it_is_unwanted(settings_for: Callable[..., Settings]) -> None:
    cancelled = threading.Event()
    session = Session(Resources(settings_for()), cancelled)
    request = AnatomyRequest(**ASKED, step="scores")
    compute_anatomy(session, request)
    check = session.check_cancelled
    calls = []

    def leave() -> None:
        calls.append(None)
        if len(calls) == 2:
            cancelled.set()
        check()

    session.check_cancelled = leave  # type: ignore[method-assign]
    with pytest.raises(Cancelled):
        compute_anatomy(session, request)
    assert len(calls) == 2


def test_small_matrices_are_computed_on_one_core(
    session_for: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    n_threads = []
    run = jobs.run_anatomy

    def note(*given: object) -> Anatomy:
        n_threads.append(torch.get_num_threads())
        return run(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "run_anatomy", note)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        compute_anatomy(session_for(), AnatomyRequest(**ASKED, step="scores"))
        assert n_threads == [1]
    finally:
        torch.set_num_threads(before)
