"""The files of a run: events come back as written, and the state is what really is."""

import pytest

from mha_core.errors import UnreadableRun
from mha_core.learn.record import LossPoint, StateChange
from mha_core.learn.run_directory import RunDirectory


def test_events_come_back_in_order_and_from_any_place(new_run: RunDirectory) -> None:
    events = [
        StateChange(state="running", step=0),
        LossPoint(step=1, loss=2.5, seconds=0.1),
        StateChange(state="stopped", step=1),
    ]
    for event in events:
        new_run.append(event)
    assert new_run.events() == events
    assert new_run.events(skip=2) == events[2:]
    assert new_run.count_events() == 3


def test_a_line_that_is_still_being_written_is_left_out(new_run: RunDirectory) -> None:
    new_run.append(StateChange(state="running", step=0))
    with (new_run.path / "events.jsonl").open("a") as file:
        file.write('{"kind": "loss", "st')
    assert len(new_run.events()) == 1
    assert new_run.count_events() == 1


def test_a_run_whose_process_died_counts_as_stopped(new_run: RunDirectory) -> None:
    new_run.append(StateChange(state="running", step=5))
    with new_run.lock():
        assert RunDirectory(new_run.path).state.state == "running"
    assert new_run.state.state == "stopped"
    assert new_run.state.step == 5


def test_broken_files_are_an_error_that_says_what_to_do(new_run: RunDirectory) -> None:
    with (new_run.path / "events.jsonl").open("a") as file:
        file.write("nonsense\n")
    with pytest.raises(UnreadableRun, match="Delete"):
        new_run.events()
    (new_run.path / "run.json").write_text("{}")
    with pytest.raises(UnreadableRun, match="Delete"):
        _ = new_run.description


def test_what_came_after_a_step_can_be_forgotten(new_run: RunDirectory) -> None:
    for step in (1, 2, 3):
        new_run.append(LossPoint(step=step, loss=1.0, seconds=0.0))
    new_run.forget_after(2)
    assert [event.step for event in new_run.events()] == [1, 2]
