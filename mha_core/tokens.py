"""Text as a tokenizer cuts it: ids for the model and, for each, what a person can read.

Everything comes from one tokenizer call, so labels cannot shift against ids. A token shows what the
user typed ("Café", though the piece is "cafe"); a piece that holds only part of a character shows
its bytes (⟨F0 9F⟩); blanks and invisible characters show as marks. Nothing is cut off here and no
limit is checked: the caller compares counts. This file must not know models, tensors or HTTP.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from tokenizers import Encoding
from transformers import PreTrainedTokenizerFast

from mha_core.byte_tokenizer import byte_characters
from mha_core.errors import EmptyText, InputError

Kind = Literal["special", "punctuation", "word_start", "continuation"]


@dataclass(frozen=True)
class Token:
    """One position of the model's input.

    `special` tokens are those a template added and those the user typed by name ("[SEP]"), for the
    model cannot tell the two apart. Neither belongs to a word; only the typed ones have a place in
    the text. A special token belongs to the sentence before it, the very first to the first one.
    Blanks count as punctuation: like it, they stand between words.
    """

    index: int
    id: int
    text: str  # for people: never empty, no replacement character but one the user typed
    piece: str  # the vocabulary's own string
    kind: Kind
    word: int | None  # as the tokenizer splits words, counted from 0 over both sentences
    start: int | None  # in code points of the sentence `segment`, after any space before the word
    end: int | None
    segment: int


@dataclass(frozen=True)
class TokenizedText:
    """What was typed, its tokens, and the arguments of the model call (one value per token)."""

    text: str
    text_pair: str | None
    tokens: tuple[Token, ...]
    inputs: dict[str, list[int]]


def tokenize(
    tokenizer: PreTrainedTokenizerFast, text: str, text_pair: str | None = None
) -> TokenizedText:
    """Cut a text, or a pair of texts, into tokens: all of it, however long."""
    sentences = (text,) if text_pair is None else (text, text_pair)
    for sentence in sentences:
        _refuse_unreadable(sentence)
    # Not verbose: too long a text is for the caller to refuse, not for a line in a log.
    batch = tokenizer(text, text_pair, padding=False, truncation=False, verbose=False)
    encoding = batch.encodings[0]
    if not set(range(len(sentences))) <= set(encoding.sequence_ids):
        raise EmptyText("This model's tokenizer drops every character typed. Type some words.")
    spelling = _Spelling(tokenizer)
    tokens = tuple(_tokens(list(_pieces(spelling, sentences, encoding)), spelling.byte_level))
    names = [name for name in tokenizer.model_input_names if name != "attention_mask"]
    inputs = {name: list(batch[name]) for name in names if name in batch}
    assert {len(values) for values in inputs.values()} == {len(tokens)}  # noqa: S101
    return TokenizedText(text, text_pair, tokens, inputs)


def _refuse_unreadable(sentence: str) -> None:
    if not sentence.strip():
        raise EmptyText("There is no text to look at. Type a few words, in both fields for a pair.")
    if any("\ud800" <= char <= "\udfff" for char in sentence):
        raise InputError("The text holds half of a surrogate pair. Paste it again as plain text.")


class _Spelling:
    """How a tokenizer's vocabulary spells text."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast) -> None:
        backend, added = tokenizer.backend_tokenizer, tokenizer.added_tokens_decoder
        parts = (backend.decoder, backend.pre_tokenizer)
        # The pickled state tells what a sequence of parts holds, and is short: no vocabulary in it.
        self.byte_level = any(part and b'"ByteLevel"' in part.__getstate__() for part in parts)
        self._id_to_token = backend.id_to_token
        self.added = frozenset(added)
        self.special = frozenset(tokenizer.all_special_ids).union(
            id for id, token in added.items() if token.special
        )
        self.unknown = tokenizer.unk_token_id
        self.prefix = getattr(backend.model, "continuing_subword_prefix", None) or ""
        self.suffix = getattr(backend.model, "end_of_word_suffix", None) or ""

    def pieces(self, ids: list[int]) -> list[str]:
        """The vocabulary's own string of each id."""
        return [self._id_to_token(id) or f"⟨{id}⟩" for id in ids]

    def read(self, id: int, piece: str, typed: str) -> str:
        """The characters of a piece; bytes that are no whole character as U+DC80 to U+DCFF."""
        byte = re.fullmatch("<0x([0-9A-F]{2})>", piece)
        if byte and typed != piece:
            return bytes.fromhex(byte[1]).decode(errors="surrogateescape")
        if id in self.added:
            return piece
        piece = piece.removeprefix(self.prefix).removesuffix(self.suffix)
        if self.byte_level:
            letters = _byte_letters()
            return bytes(letters[char] for char in piece).decode(errors="surrogateescape")
        return piece.replace("▁", " ")


_STRAY = re.compile("[\udc80-\udcff]+")  # bytes that are no whole character


@cache
def _byte_letters() -> dict[str, int]:
    return {character: byte for byte, character in enumerate(byte_characters())}


@dataclass(frozen=True)
class _Piece:
    """A token whose word and kind are not known yet."""

    id: int
    piece: str
    content: str  # the characters it stands for; stray bytes as `_Spelling.read` gives them
    special: bool
    segment: int
    start: int | None = None
    end: int | None = None
    split: int | None = None  # the tokenizer's word number, which starts anew in each sentence
    spaced: bool = False  # white space separates it from the token before

    @property
    def blank(self) -> bool:
        return not self.content.strip()

    @property
    def punctuation(self) -> bool:
        kinds = [unicodedata.category(char)[0] for char in self.content if not char.isspace()]
        # Marks and joiners (M, C) go with the symbol before them: ❤️ is two code points.
        return self.blank or (kinds[0] in "PS" and set(kinds) <= set("PSMC"))


def _pieces(
    spelling: _Spelling, sentences: tuple[str, ...], encoding: Encoding
) -> Iterator[_Piece]:
    """What each token stands for, and where."""
    # Not `encoding.tokens`: those hold the text that matched, as in " <mask>".
    pieces = spelling.pieces(encoding.ids)
    places = zip(encoding.offsets, encoding.sequence_ids, encoding.word_ids, strict=True)
    rows = zip(encoding.ids, pieces, places, strict=True)
    blanks = " " if spelling.byte_level else None  # SentencePiece writes any white space as ▁
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
        # A normaliser that drops accents leaves them to no token: they go with their letter.
        while start < end < limit and unicodedata.category(sentence[end])[0] == "M":
            end += 1
        typed = sentence[start:end]
        spelled = spelling.read(id, piece, typed)
        lead = len(typed) - len(typed.lstrip(blanks))
        special = id in spelling.special and typed.strip() == piece
        spell_out = shared or not typed.strip() or spelling.byte_level or _STRAY.search(spelled)
        literal = special or id == spelling.unknown
        content = (spelled if spell_out and not literal else typed) or piece
        if special:
            content, start = piece, start + typed.index(piece)
            end = start + len(piece)
        elif content.strip():
            content, start = content.lstrip(blanks), start + lead
        elif typed.strip() and start >= reached:  # a space placed on the letter after it
            end = start + lead
        elif not typed and sentence[end - len(spelled) : end] == spelled:
            start = end - len(spelled)  # a blank whose place was trimmed away
        start = max(start, last_start)  # bytes of several characters may share one place
        spaced = any(char.isspace() for char in sentence[reached:start])
        yield _Piece(id, piece, content, special, segment, start, end, split, spaced)
        reached, last_start = end, start


def _tokens(pieces: list[_Piece], byte_level: bool) -> Iterator[Token]:
    """Words and kinds, told by each piece and the one before it.

    A tokenizer without word boundaries (one word for all) still gets words: a space starts one.
    Byte-level tokenizers split "didn't" as didn + 't: two words, yet the second continues the text.
    """
    word = -1
    before = _Piece(0, "", "", True, 0)
    for index, this in enumerate(pieces):
        adjacent = not (before.special or this.spaced or before.segment != this.segment)
        same_word = adjacent and before.split == this.split and before.blank == this.blank
        kind: Kind
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
        yield Token(
            index=index,
            id=this.id,
            text=_visible(this.content),
            piece=this.piece,
            kind=kind,
            word=None if this.special else word,
            start=this.start,
            end=this.end,
            segment=this.segment,
        )
        before = this


_MARKS = {
    " ": "␣",
    "\n": "↵",
    "\t": "⇥",
    "\r": "⟨CR⟩",
    "\xa0": "⟨NBSP⟩",
    "\xad": "⟨SHY⟩",
    "\u200b": "⟨ZWSP⟩",
    "\u200c": "⟨ZWNJ⟩",
    "\u200d": "⟨ZWJ⟩",
    "\u200e": "⟨LRM⟩",
    "\u200f": "⟨RLM⟩",
    "\ufeff": "⟨BOM⟩",
}
_UNSEEN = re.compile(  # letters, marks and unassigned code points that browsers draw as nothing
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)


def _visible(text: str) -> str:
    """The text with a mark for all that leaves no ink, and a count for many of one mark."""
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    shown, on_ink = "", False
    for run in re.finditer(r"(.)\1*", text, re.DOTALL):
        char, count = run[1], len(run[0])
        before, after = text[max(0, run.start() - 1) : run.start()], text[run.end() : run.end() + 1]
        mark = _mark(char)
        if mark and not (count == 1 and _shapes(before, char, after)):
            shown += mark * count if count <= 4 else f"{mark}\u00d7{count}"
            on_ink = False
            continue
        # A combining mark with no letter of its own would sit on whatever is drawn before it.
        alone = not on_ink and unicodedata.category(char)[0] == "M"
        shown += f"◌{run[0]}" if alone else run[0]
        on_ink = True
    return _STRAY.sub(_hexadecimal, shown)


def _hexadecimal(stray: re.Match[str]) -> str:
    return f"⟨{stray[0].encode(errors='surrogateescape').hex(' ').upper()}⟩"


def _mark(char: str) -> str | None:
    if char in _MARKS:
        return _MARKS[char]
    unseen = unicodedata.category(char) in {"Cc", "Cf", "Zs", "Zl", "Zp"} or _UNSEEN.match(char)
    return f"⟨U+{ord(char):04X}⟩" if unseen else None


def _shapes(before: str, char: str, after: str) -> bool:
    """Whether a character without ink shows in its neighbours: a space, a joiner, emoji style."""
    if not before or before.isspace():
        return False
    if char == " ":
        return bool(after) and not after.isspace()
    if char in "\u200c\u200d":
        return _joins(before) and _joins(after)
    return "\ufe00" <= char <= "\ufe0f" and (_joins(before) or after == "\u20e3")


def _joins(char: str) -> bool:
    return char > "\x7f" and unicodedata.category(char)[0] in "LMS"
