"""Messages that every socket shares: numbered requests, cancel, progress, error."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.wire.schemas import ErrorResponse, Request, TextRequest, Whole


class Numbered(Request):
    """One question on a socket; `request` comes back in each answer to it."""

    request: Whole = Field(description="The caller's own growing number for this question.")


class NumberedRequest(Numbered, TextRequest):
    """One question about a text on a socket."""


class CancelMessage(BaseModel):
    """Stop the running question of this socket."""

    model_config = ConfigDict(extra="forbid")

    cancel: Literal[True]


class ProgressMessage(BaseModel):
    """What is being done before the run can start; `total` 0 is unknown."""

    type: Literal["progress"] = "progress"
    request: int
    message: str
    done: int
    total: int


class ErrorMessage(ErrorResponse):
    """This request ends here."""

    type: Literal["error"] = "error"
    request: int | None
