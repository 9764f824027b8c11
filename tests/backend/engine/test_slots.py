"""Runs share the processor's cores: one alone has all of them."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from backend.engine.slots import Slots
from mha_core.errors import Cancelled

PATIENCE = 60


@pytest.fixture
def slots(monkeypatch: pytest.MonkeyPatch) -> Slots:
    """Two slots on a machine of four cores."""
    monkeypatch.setattr("backend.engine.slots.torch.get_num_threads", lambda: 4)
    slots = Slots(2)
    monkeypatch.undo()
    return slots


def never() -> None:
    raise AssertionError("a slot should be free")


def test_a_run_alone_has_all_cores_and_two_share_them(slots: Slots) -> None:
    other_runs, other_ended = threading.Event(), threading.Event()
    here = torch.get_num_threads()

    def first() -> list[int]:
        slots.acquire(never)
        shares = [torch.get_num_threads()]
        for event in (other_runs, other_ended):
            assert event.wait(PATIENCE)
            slots.share_cores()
            shares.append(torch.get_num_threads())
        slots.release()
        return shares

    def second() -> int:
        slots.acquire(never)
        share = torch.get_num_threads()
        other_runs.set()
        slots.release()
        other_ended.set()
        return share

    with ThreadPoolExecutor(2) as threads:
        shares = threads.submit(first)
        assert threads.submit(second).result() == 2
        counted = shares.result()
    assert counted[0] == 4
    assert counted[1] in (2, 4)  # the other may have ended before it was looked at
    assert counted[2] == 4
    assert torch.get_num_threads() == here, "other threads keep theirs"


def test_waiting_for_a_slot_can_be_given_up(slots: Slots) -> None:
    slots.acquire(never)
    slots.acquire(never)

    def give_up() -> None:
        raise Cancelled("nobody waits")

    with pytest.raises(Cancelled):
        slots.acquire(give_up)
    slots.release()
    slots.acquire(never)


def test_whoever_waits_is_served_before_the_one_that_gives_its_slot_back() -> None:
    slots, waits, order = Slots(1), threading.Event(), list[str]()
    slots.acquire(never)

    def ask() -> None:
        slots.acquire(waits.set)
        order.append("waiting")
        slots.release()

    with ThreadPoolExecutor(1) as threads:
        asking = threads.submit(ask)
        assert waits.wait(PATIENCE)
        slots.release()
        slots.acquire(lambda: None)  # at once, as long work does between two batches
        order.append("long work")
        asking.result()
    assert order == ["waiting", "long work"]


def test_one_that_gave_up_waiting_holds_up_nobody() -> None:
    slots = Slots(1)
    slots.acquire(never)

    def give_up() -> None:
        raise Cancelled("nobody waits")

    with pytest.raises(Cancelled):
        slots.acquire(give_up)
    with ThreadPoolExecutor(1) as threads:
        asking = threads.submit(slots.acquire, lambda: None)
        slots.release()
        asking.result(PATIENCE)
