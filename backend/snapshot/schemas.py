"""The request for a snapshot."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.config import JsonDict

from backend.maps.schemas import Cell, Combine, MapRequest
from backend.wire.schemas import EXAMPLE_TEXT, Index, StackChoice, TextRequest, Values

PLACE = r"(?:0|[1-9][0-9]{0,3})\.(?:0|[1-9][0-9]{0,3})"  # a head as notes name it: layer.head
LONGEST_NOTE = 2_000
LONGEST_VIEW = 200_000  # a link has texts of up to 20,000 characters, each written with up to 9
MOST_CELLS = 8_000_000  # weights of all kept maps of one file: 16 MB, before they are packed
MOST_NOTES = 1_000
MOST_MAPS = 1_000

Place = Annotated[str, Field(pattern=f"^{PLACE}$")]
Words = Annotated[str, Field(max_length=LONGEST_NOTE)]


EXAMPLE: JsonDict = {
    "model": "minilm",
    "text": EXAMPLE_TEXT,
    "view": "v=2&pins=3.1h",
    "notes": {"3.1": "Ties “it” to “animal”."},
    "maps": [{"combine": "head", "cells": [{"layer": 3, "head": 1}]}],
}


class MapChoice(BaseModel):
    """One map of the text, with the fields of `POST /maps`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stack: StackChoice = None
    combine: Combine
    cells: tuple[Cell, ...] | None = Field(None, min_length=1, fail_fast=True)
    up_to: Index | None = None
    values: Values = "raw"


class SnapshotRequest(TextRequest):
    """The text to analyse, the view to open the file with, and notes on heads."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    view: str = Field(
        "",
        max_length=LONGEST_VIEW,
        description="The part after the `#` of a link to the page: pins, focus, colours.",
    )
    notes: dict[Place, Words] = Field(
        default_factory=dict,
        max_length=MOST_NOTES,
        description="Notes on heads by `layer.head`, as plain text.",
    )
    maps: tuple[MapChoice, ...] = Field(
        (),
        max_length=MOST_MAPS,
        description="Maps to store to within 0.00002, such as the pinned ones; together at most "
        f"{MOST_CELLS:,} weights.",
    )

    @model_validator(mode="after")
    def _maps_fit_together(self) -> "SnapshotRequest":
        self.map_requests()
        return self

    def map_requests(self) -> list[MapRequest]:
        """The maps to store, each as a request of its own."""
        text = self.model_dump(include=set(TextRequest.model_fields))
        return [MapRequest(**text, **one.model_dump()) for one in self.maps]
