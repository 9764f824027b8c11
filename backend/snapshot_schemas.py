"""What is asked of a snapshot. This file must not know how one is made."""

from typing import Annotated

from pydantic import ConfigDict, Field

from backend.schemas import EXAMPLE_TEXT, TextRequest
from mha_core.snapshot import LONGEST_NOTE, PLACE

LONGEST_VIEW = 200_000
"""A link carries texts of up to 20,000 characters, each written with up to nine."""

MOST_NOTES = 1_000

Place = Annotated[str, Field(pattern=f"^{PLACE}$")]
Words = Annotated[str, Field(max_length=LONGEST_NOTE)]


class SnapshotRequest(TextRequest):
    """Which analysis is wanted as a file, how it is looked at, and words on its heads."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model": "minilm",
                    "text": EXAMPLE_TEXT,
                    "view": "pins=3.1h",
                    "notes": {"3.1": "Ties “it” to “animal”."},
                }
            ]
        }
    )

    view: str = Field(
        "",
        max_length=LONGEST_VIEW,
        description="What stands after the `#` of a link to the page: pins, focus, colours.",
    )
    notes: dict[Place, Words] = Field(
        default_factory=dict,
        max_length=MOST_NOTES,
        description="Words on single heads, by `layer.head`; plain text.",
    )
