"""How many cores an operation gets."""

import threading
from collections.abc import Iterator

import pytest
import torch

from mha_core.threads import WORTH_SHARING, cores_for


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_small_operations_get_one_core_and_large_ones_all() -> None:
    with cores_for(WORTH_SHARING - 1):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
    with cores_for(WORTH_SHARING):
        assert torch.get_num_threads() == 2


def test_the_cores_come_back_after_an_error() -> None:
    with pytest.raises(ValueError, match="no"), cores_for(1):
        raise ValueError("no")
    assert torch.get_num_threads() == 2


def test_other_threads_keep_theirs() -> None:
    seen: list[int] = []

    def other() -> None:
        torch.get_num_threads()  # a thread takes over the number last set when it first asks
        torch.set_num_threads(2)
        entered.set()
        assert inside.wait(10)
        seen.append(torch.get_num_threads())

    entered, inside = threading.Event(), threading.Event()
    thread = threading.Thread(target=other)
    thread.start()
    assert entered.wait(10)
    with cores_for(1):
        inside.set()
        thread.join()
    assert seen == [2]
