"""The special tokens a tokenizer puts around every text, for inputs that are made of token ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from transformers import PreTrainedTokenizerFast

from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import Token, TokenizedText


@dataclass(frozen=True)
class Template:
    """What stands before and after a text, and which ids are ordinary."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    ordinary: tuple[int, ...]  # every id of the vocabulary that is no added token
    inputs: tuple[str, ...]  # names of the model's inputs

    @classmethod
    def of(cls, tokenizer: PreTrainedTokenizerFast) -> "Template":
        """The template of a tokenizer, read off a short text."""
        probe = tokenize(tokenizer, "a")
        added = set(tokenizer.added_tokens_decoder) | set(tokenizer.all_special_ids)
        return cls(
            before=_leading(probe.tokens),
            after=_leading(probe.tokens[::-1])[::-1],
            ordinary=tuple(sorted(set(tokenizer.get_vocab().values()) - added)),
            inputs=tuple(probe.inputs),
        )

    @property
    def n_special(self) -> int:
        return len(self.before) + len(self.after)

    def around(self, ids: Sequence[int]) -> TokenizedText:
        """An input of these ids in the template; it has no text, so its tokens have no labels."""
        framed = [*self.before, *ids, *self.after]
        others = {name: [0] * len(framed) for name in self.inputs}  # one sentence: segment 0
        return TokenizedText("", None, (), {**others, "input_ids": framed})


def _leading(tokens: Sequence[Token]) -> tuple[int, ...]:
    return tuple(token.id for token in takewhile(lambda token: token.kind == "special", tokens))
