"""The arcs of trees as questions: does a word look at the word it hangs on, and the other way?

A causal model is asked only where the answer comes before the word that looks. Arcs of words
without a token of their own ask nothing. Relations keep their subtypes ("acl:relcl" is not "acl");
punctuation and roots are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mha_core.atlas.relation_words import DIRECTIONS
from mha_core.atlas.tally import Integers
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import WordText

_LEFT_OUT = {"punct", "root"}


@dataclass(frozen=True, eq=False)
class Arcs:
    """The questions of some texts, one for each arc and direction, [N] each."""

    text: Integers  # which of the texts
    query: Integers  # the word that looks
    key: Integers  # the word it should look at
    relation: NDArray[np.str_]
    direction: Integers  # index into DIRECTIONS

    @classmethod
    def of(
        cls, texts: Sequence[WordText], *, causal: bool, trees: Sequence[Sentence | None] = ()
    ) -> "Arcs":
        """The questions of the texts' own trees, or of others of the same lengths.

        A text whose other tree is None asks nothing.
        """
        asked: list[tuple[int, int, int, str, int]] = []
        for at, text in enumerate(texts):
            tree = trees[at] if trees else text.sentence
            if tree is None:
                continue
            with_token = set(text.word)
            for word, (head, name) in enumerate(zip(tree.heads, tree.relations, strict=True)):
                if head < 0 or name in _LEFT_OUT or not {word, head} <= with_token:
                    continue
                for direction, (query, key) in enumerate(((word, head), (head, word))):
                    if key < query or not causal:
                        asked.append((at, query, key, name, direction))
        columns = [np.array(column) for column in zip(*asked, strict=True)] or [
            np.zeros(0, int)
        ] * 5
        return cls(*columns)

    def asked_by(self, task: str) -> NDArray[np.bool_]:
        """[N]: the questions of a task such as "obj:dependent"."""
        relation, _, direction = task.rpartition(":")
        looks = [name == direction for name in DIRECTIONS].index(True)
        asked: NDArray[np.bool_] = (self.relation == relation) & (self.direction == looks)
        return asked
