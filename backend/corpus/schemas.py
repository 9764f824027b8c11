"""Schemas of a corpus: means over texts, with intervals, and heads ranked by a link."""

from typing import Annotated, Self

from pydantic import BaseModel, Field, Strict, StringConstraints, model_validator

from backend.wire.schemas import Request, Rounded, Timing, Values, ValuesChoice, show_example
from mha_core.corpus.reasons import Reason
from mha_core.stacks import StackName

EXAMPLE_TEXTS = [
    "The animal didn't cross the street because it was too tired.",
    "The animal slept all day because it was old.",
    "People fed the animal when it came to the door.",
]

Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class CorpusLinkRequest(Request):
    """A link in every text: between two words, or between the marks of each text."""

    from_word: Word | None = Field(None, description="The word that attends.")
    to_word: Word | None = Field(None, description="The word it attends to.")
    marked: Annotated[bool, Strict()] = Field(
        False,
        description="Each text says it itself, as in `The {to:animal} slept because {from:it} was "
        "tired.`; `\\{`, `\\}` and `\\\\` stand for the characters themselves.",
    )

    @model_validator(mode="after")
    def _give_words_or_marks(self) -> Self:
        words = (self.from_word, self.to_word)
        if (None in words) if not self.marked else (words != (None, None)):
            raise ValueError("Give `from_word` and `to_word`, or `marked`: true without words")
        return self


class CorpusRequest(Request):
    """Texts to average over."""

    model_config = show_example(texts=EXAMPLE_TEXTS, link={"from_word": "it", "to_word": "animal"})

    model: str = Field(description="The id of a model in `GET /api/v1/models`.")
    texts: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        description="The texts, each measured on its own; errors and answers call the first one "
        "line 1. White space at the ends of a text does not count."
    )
    values: ValuesChoice = "raw"
    link: CorpusLinkRequest | None = Field(
        None,
        description="Rank all heads by a link, from every place of one word to every place of "
        "another (whole words, upper or lower case), or between marks.",
    )


class SkippedOut(BaseModel):
    """Texts that were left out for one reason."""

    reason: Reason
    meaning: str
    n: int
    lines: list[int] = Field(description="From 1.")


class HeadMean(BaseModel):
    """The mean of one metric in one head."""

    layer: int
    head: int
    mean: Rounded | None = Field(description="Null if no text has a case.")
    low: Rounded | None = Field(
        description="Lower end of the 95 % interval of the mean, for other texts of the same "
        "kind; null for fewer than two texts."
    )
    high: Rounded | None
    n: int = Field(description="Cases in all texts.")
    texts: int = Field(description="Texts with a case.")


class CorpusMetric(BaseModel):
    """One metric over all texts; a text counts by its number of cases."""

    label: str
    meaning: str
    unit: str
    n: int = Field(description="Cases in all texts; a head may have fewer.")
    texts: int = Field(description="Texts with a case.")
    baseline: Rounded | None = Field(description="The mean for uniform attention.")
    heads: list[HeadMean] = Field(description="In model order.")


class HeadLink(BaseModel):
    """How strongly one head makes the link."""

    layer: int
    head: int
    mean: Rounded = Field(description="The weight as in `/edges`, mean over the texts.")
    low: Rounded | None = Field(
        description="Lower end of the 95 % interval of the mean; null for one text."
    )
    high: Rounded | None
    by_position: Rounded | None = Field(
        description="The head's attention at the same distances elsewhere in the texts, as in "
        "`/edges`, mean over the texts that have such pairs; null if none has."
    )


class CorpusLink(BaseModel):
    """All heads, ranked by the link; every text that has it counts once."""

    texts: int
    uniform: Rounded = Field(description="The mean for uniform attention over the visible keys.")
    by_position_texts: int = Field(description="The number of texts behind `by_position`.")
    skipped: list[SkippedOut] = Field(
        description="Texts without the link; they count in the metrics."
    )
    heads: list[HeadLink] = Field(description="Strongest first.")


class CorpusResponse(BaseModel):
    """Every metric of every head, averaged over texts.

    For an encoder-decoder these are the heads of the encoder, which reads the texts.
    """

    model: str
    revision: str = Field(description="Revision of the weights.")
    device: str
    dtype: str
    stack: StackName
    values: Values
    given: int = Field(description="Texts in the request.")
    texts: int = Field(description="Texts that were measured.")
    n_tokens: int = Field(description="Tokens in these, special ones too.")
    skipped: list[SkippedOut] = Field(description="Texts that were not measured.")
    metrics: dict[str, CorpusMetric] = Field(description="By the names of `/metrics`.")
    link: CorpusLink | None
    timing: Timing
