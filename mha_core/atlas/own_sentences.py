"""English sentences written for HeadScope, for models that are measured without a treebank.

News, dialogue, questions, instructions, narrative and technical prose, in this order, then
sentences of unusual shapes: relative clauses, repeated words, inversions.
"""

from pathlib import Path

_FILE = Path(__file__).parent / "own_sentences.txt"


def read_own_sentences() -> tuple[str, ...]:
    """All of them, of 8 to 30 words each."""
    return tuple(_FILE.read_text(encoding="utf-8").splitlines())
