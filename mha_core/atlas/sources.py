"""What a section of an atlas was measured on: which texts, which version, how many were used."""

from pydantic import Field

from mha_core.atlas.part import Part


class CorpusSplit(Part):
    """How much of one split of the treebank the model could read."""

    sentences: int
    used: int
    dropped: dict[str, int] = Field(description="Sentences left out, by reason.")
    words: int
    words_without_token: int


class TreebankSource(Part):
    source: str = Field(description="Name, version and licence.")
    version: dict[str, str] = Field(description="Start of the SHA-256 of each split.")
    dev: CorpusSplit
    test: CorpusSplit


class GapSource(Part):
    source: str
    version: str
    used: int
    skipped: dict[str, int] = Field(description="Items left out, by reason.")


class SyntheticTexts(Part):
    """Repeated sequences of random tokens, for causal models."""

    tokens: int
    said: int = Field(description="How often the sequence occurs in a text.")
    texts: int
    seeds: list[int]
    bos: bool


class PlainTexts(Part):
    """Texts without annotation: those of the treebank's dev split, or HeadScope's own."""

    source: str
    texts: int


class NamePrompts(Part):
    """Prompts with three mentions of two names, for causal models."""

    templates: int
    prompts: int


class SectionData(Part):
    """What a section was measured on; null for what it does not use."""

    treebank: TreebankSource | None = None
    gap: GapSource | None = None
    synthetic: SyntheticTexts | None = None
    texts: PlainTexts | None = None
    names: NamePrompts | None = None
