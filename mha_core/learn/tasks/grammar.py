"""The grammar of the small language: sentences with what each word depends on.

    the wild dogs near the queen that the boys help say that they sleep .

Agreement is between words that may stand far apart, with other nouns between them. Every word knows
which earlier word decided its form: that is the right answer, known exactly.
"""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Noun:
    forms: tuple[str, str]  # one, several
    kind: str  # the adjectives that fit
    pronoun: str  # of one; of several it is "they"


NOUNS = (
    Noun(("king", "kings"), "person", "he"),
    Noun(("boy", "boys"), "person", "he"),
    Noun(("uncle", "uncles"), "person", "he"),
    Noun(("queen", "queens"), "person", "she"),
    Noun(("girl", "girls"), "person", "she"),
    Noun(("aunt", "aunts"), "person", "she"),
    Noun(("dog", "dogs"), "animal", "it"),
    Noun(("cat", "cats"), "animal", "it"),
    Noun(("horse", "horses"), "animal", "it"),
    Noun(("bird", "birds"), "animal", "it"),
)
FITTING = {"person": ("clever", "polite", "honest"), "animal": ("furry", "wild", "hungry")}
"""Adjectives that only nouns of a kind have."""
NEUTRAL = ("old", "small", "tall", "quiet")
"""Adjectives that any noun may have."""
INTRANSITIVE = (("sleeps", "sleep"), ("runs", "run"), ("waits", "wait"), ("sings", "sing"))
TRANSITIVE = (("sees", "see"), ("helps", "help"), ("follows", "follow"), ("likes", "like"))
SPEAKING = (("says", "say"), ("thinks", "think"))
PLACES = ("near", "behind", "beside")
PRONOUNS = ("he", "she", "it", "they")


@dataclass(frozen=True)
class Dependence:
    """A word whose form another one decided."""

    relation: str
    word: int
    on: int
    wrong: str  # the form that does not fit
    hard: bool  # whether a nearer noun would give the wrong form


@dataclass(frozen=True)
class _Phrase:
    """A noun in the sentence."""

    place: int
    noun: Noun
    number: int  # 0: one, 1: several

    @property
    def pronoun(self) -> str:
        return "they" if self.number else self.noun.pronoun


class Sentence:
    """A random sentence, built from left to right."""

    def __init__(self, rng: Random) -> None:
        self.words: list[str] = []
        self.dependences: list[Dependence] = []
        self._rng = rng
        self._nouns: list[_Phrase] = []  # all so far
        self._write()

    def _write(self) -> None:
        if self._rng.random() < 0.35:
            self._add_place()
        subject = self._add_noun()
        if self._rng.random() < 0.4:
            self._add_place()
        elif self._rng.random() < 0.6:
            self._add_clause(subject)
        self._add_predicate(subject)
        self.words.append(".")

    def _add_noun(self) -> _Phrase:
        """An article, adjectives and a noun."""
        noun, number = self._rng.choice(NOUNS), self._rng.randrange(2)
        self.words.append("the")
        fitting = None
        if self._rng.random() < 0.35:
            fitting = len(self.words)
            self.words.append(self._rng.choice(FITTING[noun.kind]))
        for _ in range(self._rng.choice((0, 0, 0, 1, 1, 2))):
            self.words.append(self._rng.choice(NEUTRAL))
        phrase = _Phrase(len(self.words), noun, number)
        if fitting is not None:
            others = [it for it in NOUNS if it.kind != noun.kind]
            wrong = self._rng.choice(others).forms[number]
            far = phrase.place - fitting > 1
            self.dependences.append(Dependence("adjective", phrase.place, fitting, wrong, far))
        self.words.append(noun.forms[number])
        self._nouns.append(phrase)
        return phrase

    def _add_place(self) -> None:
        self.words.append(self._rng.choice(PLACES))
        self._add_noun()

    def _add_clause(self, head: _Phrase) -> None:
        """A relative clause: the noun is its subject, or the object of another one."""
        self.words.append("that")
        if self._rng.random() < 0.5:
            self._add_verb("relative", self._rng.choice(TRANSITIVE), head)
            self._add_noun()
        else:
            self._add_verb("subject", self._rng.choice(TRANSITIVE), self._add_noun())

    def _add_predicate(self, subject: _Phrase) -> None:
        kind = self._rng.random()
        if kind < 0.4:
            self._add_verb("subject", self._rng.choice(SPEAKING), subject)
            self.words.append("that")
            self._add_pronoun(subject)
        elif kind < 0.7:
            self._add_verb("subject", self._rng.choice(INTRANSITIVE), subject)
        else:
            self._add_verb("subject", self._rng.choice(TRANSITIVE), subject)
            self._add_noun()

    def _add_verb(self, relation: str, verb: tuple[str, str], subject: _Phrase) -> None:
        wrong = verb[1 - subject.number]
        hard = self._nouns[-1].number != subject.number
        self.dependences.append(Dependence(relation, len(self.words), subject.place, wrong, hard))
        self.words.append(verb[subject.number])

    def _add_pronoun(self, subject: _Phrase) -> None:
        place, word = len(self.words), subject.pronoun
        wrong = self._rng.choice([it for it in PRONOUNS if it != word])
        hard = self._nouns[-1].pronoun != word
        self.dependences.append(Dependence("pronoun", place, subject.place, wrong, hard))
        self.words.append(word)
        verb = self._rng.choice(INTRANSITIVE)
        number = int(word == "they")
        self.dependences.append(
            Dependence(
                "subject", place + 1, place, verb[1 - number], self._nouns[-1].number != number
            )
        )
        self.words.append(verb[number])


def all_words() -> tuple[str, ...]:
    """Every word that a sentence may have, each once."""
    nouns = [form for noun in NOUNS for form in noun.forms]
    adjectives = [it for kind in FITTING.values() for it in kind] + [*NEUTRAL]
    verbs = [form for verb in (*INTRANSITIVE, *TRANSITIVE, *SPEAKING) for form in verb]
    return (".", "the", "that", *PLACES, *PRONOUNS, *adjectives, *nouns, *verbs)
