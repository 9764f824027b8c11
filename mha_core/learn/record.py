"""What is recorded of a training run, as its file and the API write it."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from mha_core.atlas.part import Rounded, RoundedOrNull
from mha_core.learn.settings import RunSettings

StateName = Literal["queued", "running", "stopped", "failed", "done"]


class Recorded(BaseModel):
    """A part of the record."""

    model_config = ConfigDict(frozen=True)


class LossLine(Recorded):
    """What theory says of the loss of a model that uses so much of the sequence."""

    id: str
    label: str
    value: Rounded
    meaning: str


class MetricValues(Recorded):
    """One metric of every head, over the texts that every point is measured on."""

    n: int = Field(description="Cases, over all texts.")
    baseline: RoundedOrNull = Field(description="The value of uniform attention.")
    value: list[list[RoundedOrNull]] = Field(description="By layer and head.")
    low: list[list[RoundedOrNull]] = Field(description="Lower ends of the 95 % intervals.")
    high: list[list[RoundedOrNull]]


class RelationValues(Recorded):
    """Whether the model predicts by a relation, and which heads find the word that decides."""

    label: str
    n: int
    accuracy: Rounded = Field(description="How often the fitting form is likelier than the other.")
    low: Rounded
    high: Rounded
    n_hard: int = Field(description="Cases in which a nearer word would mislead.")
    hard_accuracy: RoundedOrNull
    heads: list[list[Rounded]] = Field(
        description="How often each head's strongest key is the word that decides."
    )
    rule: str = Field(description="The best rule that does not read.")
    rule_accuracy: Rounded = Field(description="The same share for that rule.")


class HeadRole(Recorded):
    """A head with a role at a point of the training, and the evidence."""

    layer: int
    head: int
    role: str = Field(description="The id of a metric or a relation.")
    label: str
    n: int
    value: Rounded
    low: Rounded = Field(
        description="Lower end of the 95 % interval; of a relation, of the lead over the rule."
    )
    baseline: Rounded = Field(description="Of uniform attention, or of the best rule.")


class Point(Recorded):
    """A checkpoint: everything measured on texts that the training never sees."""

    kind: Literal["point"] = "point"
    step: int
    loss: Rounded = Field(description="Nats a prediction.")
    accuracy: Rounded = Field(description="Share of predictions whose likeliest token is right.")
    metrics: dict[str, MetricValues]
    relations: dict[str, RelationValues]
    roles: list[HeadRole]


class LossPoint(Recorded):
    """The mean loss of the training's own batches since the last one."""

    kind: Literal["loss"] = "loss"
    step: int
    loss: Rounded
    seconds: Rounded = Field(description="Time spent training so far.")


class StateChange(Recorded):
    """The run has another state from here on."""

    kind: Literal["state"] = "state"
    state: StateName
    step: int
    message: str = Field("", description="Why it failed, for people.")


Event: TypeAlias = Annotated[LossPoint | Point | StateChange, Field(discriminator="kind")]


class RunDescription(Recorded):
    """What a run trains, and how."""

    id: str
    name: str
    settings: RunSettings
    n_parameters: int
    created: datetime
    lines: list[LossLine] = Field(description="Levels of the loss that theory gives.")
