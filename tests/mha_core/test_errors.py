"""Every error has a unique code, a message, and a place in the tree."""

import inspect

import pytest

from backend.wire.errors import STATUS
from mha_core import errors
from mha_core.errors import HeadScopeError

ALL = [
    error
    for _, error in inspect.getmembers(errors, inspect.isclass)
    if issubclass(error, HeadScopeError)
]
# Never sent: a base class is not raised, and a cancelled request gets no answer.
UNSENT = {"HeadScopeError", "ModelError", "TrainingError", "RunError"}


def test_codes_are_unique() -> None:
    codes = [error.code for error in ALL]
    assert len(set(codes)) == len(codes) > 10


@pytest.mark.parametrize("error", ALL, ids=lambda error: error.__name__)
def test_an_error_has_a_message_and_details(error: type[HeadScopeError]) -> None:
    raised = error("What to do.", n_tokens=3)
    assert (raised.message, str(raised)) == ("What to do.", "What to do.")
    assert raised.details == {"n_tokens": 3}
    assert error.__doc__


@pytest.mark.parametrize("error", ALL, ids=lambda error: error.__name__)
def test_the_tree_in_the_documentation_is_the_tree(error: type[HeadScopeError]) -> None:
    assert errors.__doc__ is not None
    assert error.__name__ in errors.__doc__


@pytest.mark.parametrize("error", ALL, ids=lambda error: error.__name__)
def test_every_error_that_can_be_sent_has_a_status(error: type[HeadScopeError]) -> None:
    assert (error.code in STATUS) == (error.__name__ not in UNSENT)
