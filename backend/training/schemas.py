"""Questions and answers about training runs."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from backend.wire.messages import Numbered
from backend.wire.schemas import Request, TokenOut, Whole
from mha_core.learn.record import Event, LossLine, LossPoint, Point, StateName
from mha_core.learn.settings import RunSettings

RunName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


class RelationOut(BaseModel):
    """Something that a head has to find to predict well."""

    id: str
    label: str
    claim: str


class TaskOut(BaseModel):
    """A task to train on."""

    id: str
    label: str
    about: str
    source: str
    settings: RunSettings = Field(description="The usual settings.")
    symbols: list[int] = Field(description="How many symbols it may have; empty: it has words.")
    vocabulary: list[str]
    examples: list[str]
    relations: list[RelationOut]


class NewRun(RunSettings):
    """A run to train."""

    name: RunName | None = Field(None, description="What lists call it; by default its settings.")


class RunSummary(BaseModel):
    """A run in a list."""

    id: str = Field(description="A finished run is also a model of that name.")
    name: str
    shipped: bool = Field(description="It comes with HeadScope: it can be read, not changed.")
    state: StateName
    message: str = Field(description="Why it failed, for people.")
    ahead: int | None = Field(description="Runs that come first in the queue; null: not in it.")
    step: int
    loss: float | None = Field(description="On texts the training never sees, at the last point.")
    accuracy: float | None
    settings: RunSettings
    n_parameters: int
    created: str


class RunRecord(RunSummary):
    """All that is recorded of a run."""

    lines: list[LossLine]
    losses: list[LossPoint] = Field(description="Of the training's own batches.")
    points: list[Point] = Field(description="Heads, measured at each checkpoint.")
    kept_steps: list[int] = Field(description="Steps whose weights are here: models `id@step`.")
    examples: list[str]
    vocabulary: list[str]
    n_events: int = Field(description="Send it as `skip` to the events for what comes next.")


class FilmRequest(Request):
    """A text to see at every step of the training."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "the king runs ."}]})

    text: str


class FilmAbout(BaseModel):
    """What the maps are of."""

    run: str
    steps: list[int]
    tokens: list[TokenOut]
    predictions: list[list[str]] = Field(description="By step and token: the likeliest next token.")


class FilmResponse(FilmAbout):
    """The maps of every head at every step."""

    patterns: list[list[list[list[list[float]]]]] = Field(
        description="[step][layer][head][query][key]"
    )


class EventsRequest(Numbered):
    """Follow the events of a run, from the first that is not known yet."""

    run: str
    skip: Whole = Field(0, ge=0, description="How many events are known already.")


class RunEvent(BaseModel):
    """One event of a run."""

    type: Literal["event"] = "event"
    request: int
    event: Event


class RunRestart(BaseModel):
    """Events that were sent are no longer true: the run goes on from an earlier step."""

    type: Literal["restart"] = "restart"
    request: int


class RunDone(BaseModel):
    """The run has ended: no more events will come until somebody resumes it."""

    type: Literal["done"] = "done"
    request: int
    state: StateName


RunMessage = RunEvent | RunRestart | RunDone
