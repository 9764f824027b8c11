"""What a task is: it draws sequences, says which predictions count, and what theory expects."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from torch import Tensor

BOS = "<bos>"  # before every text of a task whose heads need a place to rest


@dataclass(frozen=True)
class Line:
    """A level of the loss that theory gives, drawn across the chart."""

    id: str
    label: str
    value: float  # nats a prediction
    meaning: str


@dataclass(frozen=True)
class Relation:
    """Something that a head has to find to predict well."""

    id: str
    label: str
    claim: str  # what looks at what, in words


@dataclass(frozen=True, eq=False)
class Cases:
    """Where a relation decides a prediction: each row is one case."""

    text: Tensor  # [N]: which sequence
    query: Tensor  # [N]: the position that predicts
    key: Tensor  # [N]: the position that it has to find
    right: Tensor  # [N]: the token that fits
    wrong: Tensor  # [N]: the same word in the form that does not fit
    hard: Tensor  # [N]: whether a nearer word would mislead


@dataclass(frozen=True, eq=False)
class Batch:
    """Sequences of one draw."""

    tokens: Tensor  # [B, T]
    lengths: Tensor  # [B]: what follows is padding
    scored: Tensor  # [B, T - 1]: whether the prediction of the next token counts
    cases: Mapping[str, Cases] = field(default_factory=dict)  # by relation


@dataclass(frozen=True)
class Task(ABC):
    """A task: subclasses hold its parameters."""

    id: ClassVar[str]
    label: ClassVar[str]
    about: ClassVar[str]  # one sentence
    source: ClassVar[str]
    relations: ClassVar[tuple[Relation, ...]] = ()

    @property
    @abstractmethod
    def vocabulary(self) -> tuple[str, ...]:
        """All words; the id of a word is its place."""

    @property
    @abstractmethod
    def n_tokens(self) -> int:
        """Length of the sequences."""

    @property
    @abstractmethod
    def examples(self) -> tuple[str, ...]:
        """Texts to look at, which this vocabulary can write."""

    @abstractmethod
    def draw(self, seed: int, n: int) -> Batch:
        """The same n sequences for the same seed."""

    def lines(self) -> tuple[Line, ...]:
        """What the loss would be for a model that uses so much of the sequence and no more."""
        return ()

    @property
    def starts_with_bos(self) -> bool:
        return self.vocabulary[0] == BOS

    @property
    def landmarks(self) -> Mapping[str, frozenset[int]]:
        """Classes of words by which a rule that does not read could choose, by their name."""
        return {}
