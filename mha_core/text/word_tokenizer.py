"""The tokenizer of a small model trained on words: one token a word, from the model's own list.

Built in code as an ordinary transformers tokenizer. There is no token for unknown words: a text
with one is refused, since the model could say nothing true about it.
"""

import re
from collections.abc import Sequence

from tokenizers import AddedToken, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordLevel
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

from mha_core.errors import UnknownWord

_MOST_WORDS = 12
"""Unknown words named in an error."""

_SPECIAL = re.compile(r"<\w+>")


def word_tokenizer(vocabulary: Sequence[str], max_tokens: int) -> PreTrainedTokenizerFast:
    """The id of a word is its place; a first word like `<bos>` begins every text."""
    bos = vocabulary[0] if _SPECIAL.fullmatch(vocabulary[0]) else None
    tokenizer = Tokenizer(WordLevel({word: id for id, word in enumerate(vocabulary)}, unk_token=""))
    if all(word == word.lower() for word in vocabulary):
        tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("isolated")]
    )
    if bos is not None:
        tokenizer.add_special_tokens([AddedToken(bos, special=True)])
        tokenizer.post_processor = TemplateProcessing(single=f"{bos} $A", special_tokens=[(bos, 0)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=bos,
        split_special_tokens=True,  # a person who types "<bos>" means those characters
        clean_up_tokenization_spaces=False,
        model_max_length=max_tokens,
        model_input_names=["input_ids", "attention_mask"],
    )


def known_words(tokenizer: PreTrainedTokenizerFast) -> list[str]:
    """All that a model knows that was trained on words; empty for one that reads any text."""
    backend = tokenizer.backend_tokenizer
    if not isinstance(backend.model, WordLevel):
        return []
    ids = backend.get_vocab(with_added_tokens=False)
    if backend.model.unk_token in ids:
        return []
    special = set(tokenizer.all_special_tokens)
    return [word for word in sorted(ids, key=ids.__getitem__) if word not in special]


def check_words(tokenizer: PreTrainedTokenizerFast, text: str) -> None:
    """Raise UnknownWord if the model was trained on words and the text has others."""
    vocabulary = known_words(tokenizer)
    backend = tokenizer.backend_tokenizer
    if not vocabulary or backend.pre_tokenizer is None:
        return
    typed = text if backend.normalizer is None else backend.normalizer.normalize_str(text)
    words = (word for word, _ in backend.pre_tokenizer.pre_tokenize_str(typed))
    unknown = list(dict.fromkeys(word for word in words if word not in vocabulary))
    if not unknown:
        return
    shown = ", ".join(f"“{word}”" for word in unknown[:_MOST_WORDS])
    more = f" and {len(unknown) - _MOST_WORDS} more" if len(unknown) > _MOST_WORDS else ""
    raise UnknownWord(
        f"This small model was trained on {len(vocabulary)} words and does not know {shown}{more}. "
        f"It knows: {' '.join(vocabulary)}",
        unknown=unknown,
        vocabulary=vocabulary,
    )
