"""Tokenizes text: ids for the model and, for each id, a readable token.

Everything comes from one tokenizer call, so labels cannot shift against ids. A token shows what the
user typed ("Café", though the piece is "cafe"); a piece that holds only part of a character shows
its bytes (⟨F0 9F⟩); white space and invisible characters show as marks. A text is never truncated.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise

from tokenizers import Encoding
from transformers import PreTrainedTokenizerFast

from mha_core.errors import EmptyText, InputError, NoSuchToken, TextTooLong
from mha_core.text.chat import ChatPrompt, write_prompt
from mha_core.text.cut import where_to_cut
from mha_core.text.tokens import Token, TokenizedText, TokenKind
from mha_core.text.visible import STRAY, make_visible
from mha_core.text.vocabulary import Vocabulary

_SURROGATE = re.compile("[\ud800-\udfff]")


def tokenize(
    tokenizer: PreTrainedTokenizerFast,
    text: str,
    text_pair: str | None = None,
    continuation: Sequence[int] = (),
    max_tokens: int | None = None,
    *,
    chat: bool = False,
) -> TokenizedText:
    """Tokenize a text or a pair of texts, followed by a continuation.

    A continuation is given as ids, because tokenizing its text may give others than the model
    wrote. It replaces the end token that a template appends. A text of more than `max_tokens`, not
    counting that end token, is refused before the slow part, making tokens readable. With `chat`
    the model's chat template wraps the text, which must then be one.
    """
    sentences = (text,) if text_pair is None else (text, text_pair)
    for sentence in sentences:
        _refuse_unreadable(sentence)
    # Not verbose: a text that is too long is an error for the caller, not a warning in a log.
    options = {"padding": False, "truncation": False, "verbose": False}
    prompt = write_prompt(tokenizer, text) if chat else None
    if prompt is None:
        batch = tokenizer(text, text_pair, **options)
    else:
        sentences = (prompt.text,)
        batch = tokenizer(prompt.text, add_special_tokens=False, **options)
    encoding = batch.encodings[0]
    if not set(range(len(sentences))) <= set(encoding.sequence_ids):
        raise EmptyText("This model's tokenizer drops every character typed. Type some words.")
    if max_tokens is not None:
        _refuse_too_long(encoding, prompt, len(continuation), max_tokens)
    vocabulary = Vocabulary(tokenizer)
    pieces = list(_pieces(vocabulary, sentences, encoding))
    if prompt is not None:
        pieces = [_place_typed(piece, prompt) for piece in pieces]
    names = [name for name in tokenizer.model_input_names if name != "attention_mask"]
    inputs = {name: list(batch[name]) for name in names if name in batch}
    if continuation:
        if prompt is None:
            del pieces[_n_typed(pieces) :]
        for name, values in inputs.items():
            del values[len(pieces) :]
            values += continuation if name == "input_ids" else values[-1:] * len(continuation)
        pieces += _continuation_pieces(vocabulary, sentences[-1], pieces[-1], continuation)
    tokens = tuple(_tokens(pieces, vocabulary.byte_level))
    assert {len(values) for values in inputs.values()} == {len(tokens)}  # noqa: S101
    wrapped = None if prompt is None else prompt.text
    return TokenizedText(text, text_pair, tokens, inputs, tuple(continuation), wrapped)


def drop_end_token(tokenized: TokenizedText) -> TokenizedText:
    """The text as a model continues it: without the end token that a template appended."""
    if tokenized.continuation or tokenized.prompt is not None:
        return tokenized
    n_typed = _n_typed(tokenized.tokens)
    inputs = {name: values[:n_typed] for name, values in tokenized.inputs.items()}
    return replace(tokenized, tokens=tokenized.tokens[:n_typed], inputs=inputs)


def _refuse_unreadable(sentence: str) -> None:
    if not sentence.strip():
        raise EmptyText("There is no text to analyse. Type a few words, in both fields for a pair.")
    if _SURROGATE.search(sentence):
        raise InputError("The text holds half of a surrogate pair. Paste it again as plain text.")


def _refuse_too_long(
    encoding: Encoding, prompt: ChatPrompt | None, n_continued: int, max_tokens: int
) -> None:
    n_tokens = len(encoding.ids)
    n_end = next(n for n, part in enumerate(encoding.sequence_ids[::-1]) if part is not None)
    n_continuable = n_tokens - n_end + n_continued
    if n_continuable <= max_tokens:
        return
    if n_continued:  # a continuation of a shorter text would be another one
        raise TextTooLong.of(n_continuable, max_tokens, "The text with its continuation has")
    places = (
        (text, *(offsets if prompt is None else prompt.typed_offsets(*offsets)))
        for text, offsets in zip(encoding.sequence_ids, encoding.offsets, strict=True)
    )
    what = "The two texts have" if 1 in encoding.sequence_ids else "The text has"
    raise TextTooLong.of(n_tokens, max_tokens, what, where_to_cut(places, n_tokens - max_tokens))


@dataclass(frozen=True)
class _Piece:
    """A token whose word and kind are not known yet."""

    id: int
    piece: str
    content: str  # the characters it stands for; stray bytes as `Vocabulary.decode` gives them
    special: bool
    segment: int
    start: int | None = None
    end: int | None = None
    split: int | None = None  # the tokenizer's word number, from 0 in each sentence
    spaced: bool = False  # white space separates it from the previous token
    unknown: bool = False  # the vocabulary lacks its characters

    @cached_property
    def blank(self) -> bool:
        return not self.content.strip()

    @cached_property
    def punctuation(self) -> bool:
        kinds = [unicodedata.category(char)[0] for char in self.content if not char.isspace()]
        # Marks and joiners (M, C) belong to the symbol before them: ❤️ is two code points.
        return self.blank or (kinds[0] in "PS" and set(kinds) <= set("PSMC"))


def _pieces(
    vocabulary: Vocabulary, sentences: tuple[str, ...], encoding: Encoding
) -> Iterator[_Piece]:
    """What each token stands for, and where."""
    # Not `encoding.tokens`: those hold the text that matched, as in " <mask>".
    pieces = vocabulary.pieces(encoding.ids)
    places = zip(encoding.offsets, encoding.sequence_ids, encoding.word_ids, strict=True)
    rows = zip(encoding.ids, pieces, places, strict=True)
    beyond = (0, "", ((0, 0), None, None))
    segment = reached = last_start = 0
    for (id, piece, place), (_, _, following) in pairwise([*rows, beyond]):
        (start, end), sequence, split = place
        if sequence is None:
            yield _Piece(id, piece, piece, True, segment)
            continue
        if sequence != segment:
            segment, reached, last_start = sequence, 0, 0
        sentence = sentences[segment]
        limit = following[0][0] if following[1] == segment else len(sentence)
        shared = start < reached or limit < end
        # Accents that a normaliser drops are in no token: give them to their letter.
        while start < end < limit and unicodedata.category(sentence[end])[0] == "M":
            end += 1
        typed = sentence[start:end]
        decoded = vocabulary.decode(id, piece, typed)
        lead = len(typed) - len(typed.lstrip(vocabulary.blanks))
        special = id in vocabulary.special_ids and typed.strip() == piece
        use_decoded = shared or not typed.strip() or vocabulary.byte_level or STRAY.search(decoded)
        literal = special or id == vocabulary.unknown_id
        content = (decoded if use_decoded and not literal else typed) or piece
        if special:
            content, start = piece, start + typed.index(piece)
            end = start + len(piece)
        elif content.strip():
            content, start = content.lstrip(vocabulary.blanks), start + lead
        elif typed.strip() and start >= reached:  # a space with the offsets of the next letter
            end = start + lead
        elif not typed and sentence[end - len(decoded) : end] == decoded:
            start = end - len(decoded)  # white space whose offsets were trimmed away
        start = max(start, last_start)  # bytes of several characters may share their offsets
        spaced = any(char.isspace() for char in sentence[reached:start])
        unknown = id == vocabulary.unknown_id and not special
        yield _Piece(id, piece, content, special, segment, start, end, split, spaced, unknown)
        reached, last_start = end, start


def _place_typed(piece: _Piece, prompt: ChatPrompt) -> _Piece:
    start, end = prompt.typed_offsets(piece.start, piece.end)
    return replace(piece, start=start, end=end)


def _n_typed(tokens: Sequence[_Piece | Token]) -> int:
    """How many tokens there are up to the last one with offsets in the text."""
    return 1 + max(number for number, token in enumerate(tokens) if token.start is not None)


def _continuation_pieces(
    vocabulary: Vocabulary, sentence: str, last: _Piece, ids: Sequence[int]
) -> Iterator[_Piece]:
    """What each token after the last typed one stands for."""
    for id in ids:
        if id not in vocabulary:
            message = f"The model's vocabulary has no token {id}: send ids that this model gave."
            raise NoSuchToken(message, id=id)
    before = sentence
    for special, run in groupby(ids, vocabulary.special_ids.__contains__):
        rows = [(id, vocabulary.pieces([id])[0]) for id in run]
        if special:
            yield from (_Piece(id, piece, piece, True, last.segment) for id, piece in rows)
            before = ""  # a special token ends the word
            continue
        contents = [vocabulary.decode(id, piece) for id, piece in rows]
        splits = vocabulary.word_numbers(before, contents)
        for (id, piece), content, split in zip(rows, contents, splits, strict=True):
            word = content.lstrip(vocabulary.blanks)
            spaced = bool(word.strip()) and word != content
            shown, split = word if spaced else content or piece, split + (last.split or 0)
            yield _Piece(id, piece, shown, False, last.segment, split=split, spaced=spaced)


def _tokens(pieces: list[_Piece], byte_level: bool) -> Iterator[Token]:
    """Assign words and kinds, from each piece and the one before it.

    With a tokenizer that knows no word boundaries a space starts a word. Byte-level tokenizers
    split "didn't" as didn + 't: two words, but the second is a continuation.
    """
    word = -1
    before = _Piece(0, "", "", True, 0)
    for index, this in enumerate(pieces):
        adjacent = not (before.special or this.spaced or before.segment != this.segment)
        same_word = adjacent and before.split == this.split and before.blank == this.blank
        kind: TokenKind
        if this.special:
            kind = "special"
        elif this.punctuation:
            kind = "punctuation"
        elif same_word or (byte_level and adjacent and not before.punctuation):
            kind = "continuation"
        else:
            kind = "word_start"
        if not (this.special or same_word):
            word += 1
        own_word, text = None if this.special else word, make_visible(this.content)
        place = this.start, this.end, this.segment
        yield Token(index, this.id, text, this.piece, kind, own_word, *place, this.unknown)
        before = this
