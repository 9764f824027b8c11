"""Schemas of the page's configuration."""

from pydantic import BaseModel, Field


class Example(BaseModel):
    """A sentence worth trying."""

    title: str
    text: str
    text_pair: str | None = None
    hint: str = Field(description="What to look for.")
    model: str | None = Field(None, description="The model it is for; null: any.")
    tab: str | None = Field(None, description="The tab of the page that it is for; null: any.")
    against: str | None = Field(
        None,
        description="The text with one word changed: a minimal pair to compare with.",
    )


class CorpusExample(BaseModel):
    """Texts worth trying as a corpus, and a link in them."""

    texts: list[str]
    from_word: str
    to_word: str


class SegmentFilter(BaseModel):
    """Which links of a sentence pair to show; null means both sentences."""

    id: str
    label: str
    query_segment: int | None
    key_segment: int | None


class Limits(BaseModel):
    """Limits of the server."""

    max_tokens: int
    max_characters: int
    max_corpus_characters: int
    max_json_cells: int
    overview_side: int = Field(description="Longest side of an overview map, in cells.")
    max_snapshot_cells: int = Field(description="Most weights of the exact maps in a snapshot.")


class LimitOfAttention(BaseModel):
    """Something an attention map does not show, and the source for it."""

    text: str
    source: str


class PageConfig(BaseModel):
    """What the page builds its menus from."""

    version: str
    default_model: str
    examples: list[Example]
    corpus_example: CorpusExample
    filters: list[SegmentFilter]
    limits: Limits
    limits_of_attention: list[LimitOfAttention]
