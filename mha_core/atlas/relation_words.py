"""The relations of Universal Dependencies in plain words."""

from typing import Literal

Direction = Literal["dependent", "head"]
DIRECTIONS: tuple[Direction, Direction] = ("dependent", "head")
"""Who looks: the dependent at its head, or the head at its dependent."""

ALL = "all"
"""Stands for every relation together: reported, but no role."""

# relation: one dependent, several dependents, one head, several heads
WORDS: dict[str, tuple[str, str, str, str]] = {
    ALL: ("dependent", "dependents", "head", "heads"),
    "acl": ("clause modifier", "clauses that modify a noun", "noun", "modified nouns"),
    "acl:relcl": ("relative clause", "relative clauses", "noun", "nouns"),
    "advcl": ("adverbial clause", "adverbial clauses (cause, time, ...)", "verb", "main verbs"),
    "advmod": ("adverb", "adverbs", "modified word", "words with an adverb"),
    "amod": ("adjective", "adjectives", "noun", "nouns"),
    "appos": ("apposition", "appositions", "noun", "nouns"),
    "aux": ("auxiliary", "auxiliaries", "verb", "verbs"),
    "aux:pass": ("passive auxiliary", "passive auxiliaries", "verb", "passive verbs"),
    "case": ("preposition", "prepositions", "noun", "nouns"),
    "cc": ("conjunction word", "conjunction words (and, or)", "conjunct", "conjuncts"),
    "ccomp": ("clause complement", "clause complements", "verb", "verbs"),
    "compound": ("compound part", "parts of compounds", "compound noun", "compound nouns"),
    "conj": ("conjunct", "later conjuncts", "first conjunct", "first conjuncts"),
    "cop": ("copula", "copulas", "predicate", "predicates"),
    "det": ("determiner", "determiners", "noun", "nouns"),
    "discourse": ("discourse word", "discourse words", "main word", "main words"),
    "flat": ("name part", "later parts of names", "first name part", "first parts of names"),
    "list": ("list item", "later list items", "first list item", "first list items"),
    "mark": ("subordinator", "subordinators (because, that, to)", "clause verb", "clause verbs"),
    "nmod": ("noun modifier", "nouns after a preposition", "modified noun", "modified nouns"),
    "nmod:poss": ("possessive", "possessives", "noun", "possessed nouns"),
    "nsubj": ("subject", "subjects", "verb", "verbs"),
    "nsubj:pass": ("passive subject", "passive subjects", "verb", "passive verbs"),
    "nummod": ("number", "numbers", "counted noun", "counted nouns"),
    "obj": ("object", "objects", "verb", "verbs"),
    "obl": ("oblique", "nouns in a prepositional phrase", "verb", "verbs"),
    "parataxis": ("parataxis", "paratactic clauses", "main clause", "main clauses"),
    "xcomp": ("open complement", "open complements", "verb", "verbs"),
}


def label_relation(relation: str, direction: Direction) -> str:
    """Short: `object → verb`."""
    dependent, _, head, _ = _words(relation)
    ends = (dependent, head) if direction == "dependent" else (head, dependent)
    return f"{ends[0]} → {ends[1]}"


def describe_relation(relation: str, direction: Direction) -> str:
    """What a head with this role does: `objects → their verb`."""
    dependent, dependents, head, heads = _words(relation)
    if direction == "dependent":
        return f"{dependents} → their {head}"
    return f"{heads} → their {dependent}"


def _words(relation: str) -> tuple[str, str, str, str]:
    """An unknown subtype uses the words of its relation; an unknown relation its own label."""
    base = relation.partition(":")[0]
    known = WORDS.get(relation)
    if known is None and base in WORDS:
        dependent, dependents, head, heads = WORDS[base]
        return f"{dependent} ({relation})", f"{dependents} ({relation})", head, heads
    return known or (relation, f"{relation} dependents", "head", f"heads of {relation}")
