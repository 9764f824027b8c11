"""Where to cut a text that is too long, so that the rest of it fits."""

from collections.abc import Iterable
from typing import TypedDict

Place = tuple[int | None, int | None, int | None]
"""The text a token is in (0 or 1) and its offsets there; None for a token that was not typed."""


class Cut(TypedDict):
    """The field of a request to cut, and how many of its characters fit."""

    field: str
    n_characters: int


def where_to_cut(places: Iterable[Place], n_excess: int) -> Cut | None:
    """Where to cut the longer text to have `n_excess` tokens fewer; None if that is not enough.

    A token with only some bytes of a character ends inside it: such a character is cut off whole.
    """
    typed: list[list[tuple[int, int]]] = [[], []]
    for text, start, end in places:
        if text is not None and start is not None and end is not None:
            typed[text].append((start, end))
    longer = max((0, 1), key=lambda text: len(typed[text]))
    offsets = typed[longer]
    n_kept = len(offsets) - n_excess
    if not 0 < n_kept < len(offsets):
        return None
    n_characters = min(offsets[n_kept - 1][1], offsets[n_kept][0])
    return Cut(field=("text", "text_pair")[longer], n_characters=n_characters)
