"""What all parts of an atlas's record share: how they are read and how numbers are rounded."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer

from mha_core.rounding import round_number

DIGITS = 4

# Rounded where they are written, so that claims are built from the exact numbers. Long lists are
# plain numbers, which the build rounds: a call for each would slow down writing.
Rounded = Annotated[float, PlainSerializer(lambda value: round(value, DIGITS), return_type=float)]
RoundedOrNull = Annotated[
    float | None,
    PlainSerializer(lambda value: round_number(value, DIGITS), return_type=float | None),
]
"""Null where undefined."""


class Part(BaseModel):
    """A part of the record; fields of a later version are kept when it is read and written."""

    model_config = ConfigDict(frozen=True, extra="allow")
