"""The texts of a corpus as a model reads them; lines that are left out are counted by reason."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from mha_core.corpus.links import LinkWords, TextLink, find_link, find_word
from mha_core.corpus.marks import MarkedText, read_marks
from mha_core.corpus.reasons import Skipped
from mha_core.errors import EmptyText, InputError, NoLink, TextTooLong
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import check_length
from mha_core.stacks import DECODER_INPUT, stacks_of
from mha_core.text.tokens import TokenizedText

LinkAsked = LinkWords | Literal["marked"] | None
"""The link to look for: between two words, between the marks of each line, or none."""


@dataclass(frozen=True)
class CorpusText:
    """One text, and the link in it."""

    line: int  # from 1
    tokenized: TokenizedText
    link: TextLink | None


@dataclass(frozen=True)
class Corpus:
    """The texts that can be measured, and the lines that cannot."""

    texts: list[CorpusText] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)
    without_link: Skipped = field(default_factory=Skipped)  # measured all the same


def read_corpus(
    model: LoadedModel,
    lines: Sequence[str],
    link: LinkAsked = None,
    *,
    max_tokens: int,
    check: Callable[[], None] = lambda: None,
) -> Corpus:
    """Tokenize the lines, without the white space at their ends; `check` stops it by raising.

    Raises if no line can be measured, or if a link is asked for and no text has it.
    """
    corpus = Corpus()
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        check()
        marked = _read_line(line.strip(), link, number)
        if not marked.text:
            corpus.skipped.add("empty", number)
        elif marked.text in seen:
            corpus.skipped.add("duplicate", number)
        else:
            seen.add(marked.text)
            _add_text(corpus, model, marked, number, max_tokens)
    if not corpus.texts:
        _refuse(corpus.skipped)
    if link is not None and all(text.link is None for text in corpus.texts):
        raise NoLink(
            f"No text has the link ({corpus.without_link}). Check the words, or mark them in each "
            f"line.",
            skipped={reason: len(lines) for reason, lines in corpus.without_link.items()},
        )
    return corpus


def _read_line(text: str, link: LinkAsked, number: int) -> MarkedText:
    """A line with what is marked in it, or with every place of the two words."""
    if isinstance(link, LinkWords):
        return MarkedText(text, find_word(text, link.from_word), find_word(text, link.to_word))
    if link == "marked" and text:
        return read_marks(text, number)
    return MarkedText(text, None, None)


def _add_text(
    corpus: Corpus, model: LoadedModel, marked: MarkedText, number: int, max_tokens: int
) -> None:
    try:
        tokenized = _tokenize(model, marked.text, max_tokens)
    except TextTooLong:
        corpus.skipped.add("too_long", number)
        return
    except EmptyText:  # nothing but characters that the tokenizer drops
        corpus.skipped.add("empty", number)
        return
    except InputError as error:
        raise InputError(f"Line {number}: {error.message}", line=number) from error
    link = None
    if marked.from_spans is not None and marked.to_spans is not None:
        [stack] = stacks_of(model.architecture, tokenized)
        found = find_link(tokenized, marked.from_spans, marked.to_spans, causal=stack.causal)
        if isinstance(found, TextLink):
            link = found
        else:
            corpus.without_link.add(found, number)
    corpus.texts.append(CorpusText(number, tokenized, link))


def _tokenize(model: LoadedModel, text: str, max_tokens: int) -> TokenizedText:
    """The text in tokens; of an encoder-decoder only what its encoder reads, which runs alone."""
    tokenized = model.tokenize(text, max_tokens=max_tokens)
    check_length(tokenized, max_tokens)
    inputs = {name: ids for name, ids in tokenized.inputs.items() if name != DECODER_INPUT}
    return replace(tokenized, tokens=tokenized.tokens[: len(inputs["input_ids"])], inputs=inputs)


def _refuse(skipped: Skipped) -> None:
    lines = {reason: len(lines) for reason, lines in skipped.items()}
    if "too_long" in skipped:
        raise TextTooLong(f"No text can be measured ({skipped}). Shorten the texts.", skipped=lines)
    raise EmptyText(f"No text can be measured ({skipped}). Give one text per line.", skipped=lines)
