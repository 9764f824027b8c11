"""The readable tokens of a text, with every kind of tokenizer."""

import unicodedata
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers
from tokenizers.processors import RobertaProcessing, TemplateProcessing
from transformers import PreTrainedTokenizerFast

from mha_core.errors import EmptyText, InputError, NoSuchToken, TextTooLong
from mha_core.text.byte_tokenizer import byte_characters, byte_tokenizer
from mha_core.text.tokenization import drop_end_token, tokenize
from mha_core.text.tokens import Token, TokenizedText

BYTE_LEVEL = ("smollm2", "gpt2", "roberta", "own")
EVERY = ("minilm", *BYTE_LEVEL, "unigram", "unsplit_unigram", "unnormalised_bpe")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
PERSIAN = "می\u200cخواهم"  # noqa: RUF001
FAMILY = "👨\u200d👩\u200d👧"

SNIPPETS = (
    *("hello", "Hello", "didn't", " ", "  ", "\n", "\r\n", "\t", "        return", "x", "Café"),
    *(FAMILY, "🇫🇷", "❤\ufe0f", "1\ufe0f\u20e3", "🏴\U000e0067\U000e007f", "☃", "½", "ﬃ", "각"),
    *("cafe\u0301", "\u0301", "हिन्दी", "مرحبا", PERSIAN, "我爱你。", "İ", "ß", "\u3000"),
    *("[SEP]", "[UNK]", "<s>", "<mask>", "<|endoftext|>", "<bos>", "<0xE2>", "▁", "##", "Ġ"),
    *(
        "\u200b",
        "\u200d",
        "\u202e",
        "\ufeff",
        "\x00",
        "\x1b",
        "\x7f",
        "\xad",
        "\u2028",
        REPLACEMENT,
    ),
)
texts = (
    st.lists(st.sampled_from(SNIPPETS) | st.text(max_size=4), max_size=12)
    .map("".join)
    .filter(str.strip)
)
moderately = settings(max_examples=50)


def wrapped(backend: Tokenizer, **options: Any) -> PreTrainedTokenizerFast:  # noqa: ANN401
    return PreTrainedTokenizerFast(tokenizer_object=backend, **options)


def roberta_like(gpt2: PreTrainedTokenizerFast) -> PreTrainedTokenizerFast:
    """GPT-2's vocabulary with RoBERTa's template, trimmed offsets and greedy <mask>."""
    backend = Tokenizer.from_str(gpt2.backend_tokenizer.to_str())
    mask = AddedToken("<mask>", lstrip=True, special=True)
    backend.add_special_tokens([AddedToken("<s>"), AddedToken("</s>"), mask])
    backend.post_processor = RobertaProcessing(("</s>", 50258), ("<s>", 50257))
    return wrapped(backend, bos_token="<s>", eos_token="</s>", mask_token="<mask>")


BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def unigram(split: bool) -> PreTrainedTokenizerFast:
    """A SentencePiece-like vocabulary; unsplit, the tokenizer calls the whole text one word."""
    words = ["▁hello", "▁world", "▁", "hello", "world", "ff", *"eix12,", "\N{FRACTION SLASH}"]
    vocabulary = [(piece, 0.0) for piece in ("<unk>", "<s>", "</s>")]
    vocabulary += [(piece, -20.0) for piece in BYTES] + [(piece, -2.0) for piece in words]
    backend = Tokenizer(models.Unigram(vocabulary, unk_id=0, byte_fallback=True))
    backend.normalizer = normalizers.NFKC()
    backend.pre_tokenizer = pre_tokenizers.Metaspace(split=split)
    backend.decoder = decoders.Metaspace()
    backend.post_processor = TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> $B:1 </s>:1",
        special_tokens=[("<s>", 1), ("</s>", 2)],
    )
    return wrapped(backend, bos_token="<s>", eos_token="</s>", unk_token="<unk>")


def unnormalised_bpe() -> PreTrainedTokenizerFast:
    """Spaces written as ▁ by the normaliser and no words at all, as early Llama models do."""
    pieces = ["<unk>", *BYTES, "▁", *"helowrd,", "he", "▁he", "▁▁"]
    merges = [("h", "e"), ("▁", "he"), ("▁", "▁")]
    ids = {piece: id for id, piece in enumerate(pieces)}
    backend = Tokenizer(models.BPE(ids, merges, unk_token="<unk>", byte_fallback=True))
    backend.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    return wrapped(backend, unk_token="<unk>")


@pytest.fixture(scope="session")
def tokenizers(
    minilm: Any,  # noqa: ANN401
    smollm2: Any,  # noqa: ANN401
    gpt2_tokenizer: PreTrainedTokenizerFast,
) -> dict[str, PreTrainedTokenizerFast]:
    return {
        "minilm": minilm.tokenizer,
        "smollm2": smollm2.tokenizer,
        "gpt2": gpt2_tokenizer,
        "roberta": roberta_like(gpt2_tokenizer),
        "own": byte_tokenizer(max_tokens=128),
        "unigram": unigram(split=True),
        "unsplit_unigram": unigram(split=False),
        "unnormalised_bpe": unnormalised_bpe(),
    }


Tokenizers = dict[str, PreTrainedTokenizerFast]


def encode(tokenizer: PreTrainedTokenizerFast, text: str, pair: str | None = None) -> TokenizedText:
    """Tokenize, leaving out texts of which the tokenizer keeps nothing."""
    try:
        return tokenize(tokenizer, text, pair)
    except EmptyText:
        reject()


def place(token: Token) -> tuple[int, int]:
    assert token.start is not None
    assert token.end is not None
    return token.start, token.end


def shown(tokenizer: PreTrainedTokenizerFast, text: str) -> list[str]:
    return [token.text for token in tokenize(tokenizer, text).tokens]


def kinds(tokenizer: PreTrainedTokenizerFast, text: str) -> list[tuple[str, str]]:
    return [(token.text, token.kind) for token in tokenize(tokenizer, text).tokens]


@pytest.mark.parametrize("name", EVERY)
@given(text=texts, pair=st.none() | texts)
@moderately
def test_there_is_one_token_for_each_id_of_the_same_call(
    tokenizers: Tokenizers, name: str, text: str, pair: str | None
) -> None:
    tokenizer = tokenizers[name]
    result = encode(tokenizer, text, pair)
    assert (result.text, result.text_pair) == (text, pair)
    assert result.inputs["input_ids"] == tokenizer(text, pair)["input_ids"]
    assert [token.id for token in result.tokens] == result.inputs["input_ids"]
    assert [token.index for token in result.tokens] == list(range(len(result.tokens)))
    assert {len(values) for values in result.inputs.values()} == {len(result.tokens)}
    ids = result.inputs["input_ids"]
    assert [token.piece for token in result.tokens] == tokenizer.convert_ids_to_tokens(ids)


@pytest.mark.parametrize("name", EVERY)
@given(text=texts, pair=st.none() | texts)
@moderately
def test_every_token_is_visible_and_has_no_replacement_character_that_was_not_typed(
    tokenizers: Tokenizers, name: str, text: str, pair: str | None
) -> None:
    typed = text + (pair or "")
    for token in encode(tokenizers[name], text, pair).tokens:
        categories = {unicodedata.category(char) for char in token.text}
        assert categories - {"Mn", "Mc", "Me", "Zs", "Cf"}, "a token must show something"
        assert not categories & {"Cc", "Cs", "Zl", "Zp"}
        assert {char for char in token.text if unicodedata.category(char) == "Cf"} <= set(
            "\u200c\u200d"
        )
        assert not unicodedata.category(token.text[0]).startswith("M")
        assert REPLACEMENT not in token.text or REPLACEMENT in typed


@pytest.mark.parametrize("name", EVERY)
@given(text=texts, pair=st.none() | texts)
@moderately
def test_offsets_never_go_backwards_and_stay_inside_their_sentence(
    tokenizers: Tokenizers, name: str, text: str, pair: str | None
) -> None:
    tokens = encode(tokenizers[name], text, pair).tokens
    assert [token.segment for token in tokens] == sorted(token.segment for token in tokens)
    for segment, sentence in enumerate((text, pair or "")):
        last = (0, 0)
        for token in tokens:
            if token.segment != segment or token.start is None:
                continue
            start, end = place(token)
            assert 0 <= start <= end <= len(sentence)
            assert last <= (start, end)
            assert last[1] <= end
            last = (start, end)


@pytest.mark.parametrize("name", EVERY)
@given(text=texts, pair=st.none() | texts)
@moderately
def test_words_count_up_from_zero_and_only_special_tokens_have_none(
    tokenizers: Tokenizers, name: str, text: str, pair: str | None
) -> None:
    tokens = encode(tokenizers[name], text, pair).tokens
    words = [token.word for token in tokens if token.word is not None]
    assert sorted(set(words)) == list(range(len(set(words))))
    assert words == sorted(words)
    before: Token | None = None
    for token in tokens:
        assert (token.word is None) == (token.kind == "special")
        if token.kind == "word_start":
            assert before is None or before.word != token.word
        before = token


@pytest.mark.parametrize("name", BYTE_LEVEL)
@given(text=texts)
@moderately
def test_byte_level_tokens_together_hold_every_character_typed(
    tokenizers: Tokenizers, name: str, text: str
) -> None:
    letters = [byte_characters()[byte] for byte in set(text.encode())]
    assume(None not in map(tokenizers[name].backend_tokenizer.token_to_id, letters))
    tokens = encode(tokenizers[name], text).tokens
    covered = {at for token in tokens if token.start is not None for at in range(*place(token))}
    left_out = {at for at in range(len(text)) if at not in covered}
    assert all(text[at] == " " or "<mask>" in text for at in left_out)
    for token in tokens:
        if token.text.isascii() and token.start is not None:
            start, end = place(token)
            assert text[start:end] == token.text


def test_text_shows_as_it_was_typed_not_as_the_vocabulary_normalises_it(
    tokenizers: Tokenizers,
) -> None:
    tokens = tokenize(tokenizers["minilm"], "Café cafe\u0301").tokens
    assert [(token.text, token.piece) for token in tokens[1:3]] == [
        ("Café", "cafe"),
        ("cafe\u0301", "cafe"),  # the dropped accent stays with its letter
    ]
    assert place(tokens[2]) == (5, 10)


def test_an_unknown_token_shows_the_text_it_stands_for(tokenizers: Tokenizers) -> None:
    token = tokenize(tokenizers["minilm"], f"a {FAMILY} b").tokens[2]
    assert (token.piece, token.text, token.kind) == ("[UNK]", FAMILY, "punctuation")
    assert place(token) == (2, 7)


def test_only_characters_that_the_vocabulary_lacks_are_unknown(tokenizers: Tokenizers) -> None:
    tokens = tokenize(tokenizers["minilm"], f"a {FAMILY} b [UNK]").tokens
    assert [token.piece for token in tokens if token.unknown] == ["[UNK]"]
    assert tokens[2].unknown, "the one typed by name is a special token like any other"
    assert not any(token.unknown for token in tokenize(tokenizers["gpt2"], f"a {FAMILY}").tokens)


def test_a_character_split_among_word_pieces_shows_the_parts(tokenizers: Tokenizers) -> None:
    assert shown(tokenizers["minilm"], "각")[1:-1] == ["ᄀ", "ᅡ", "ᆨ"]
    assert shown(tokenizers["unigram"], "½")[2:-1] == ["1", "\N{FRACTION SLASH}", "2"]


def test_part_of_a_character_shows_as_bytes_and_the_whole_as_text(tokenizers: Tokenizers) -> None:
    assert shown(tokenizers["gpt2"], "a 👨é") == ["a", "⟨F0 9F 91⟩", "⟨A8⟩", "é"]
    assert shown(tokenizers["own"], "é\n")[1:] == ["⟨C3⟩", "⟨A9⟩", "↵"]
    assert shown(tokenizers["unigram"], "hello☃")[1:-1] == ["hello", "⟨E2⟩", "⟨98⟩", "⟨83⟩"]
    assert shown(tokenizers["unnormalised_bpe"], "he\n") == ["he", "↵"]


def test_letters_that_happen_to_write_bytes_are_not_taken_for_text(tokenizers: Tokenizers) -> None:
    assert shown(tokenizers["own"], "Ã")[1:] == ["⟨C3⟩", "⟨83⟩"]
    assert "<0xE2>" in shown(tokenizers["unigram"], "<0xE2>")


def test_a_byte_missing_from_the_vocabulary_does_not_shift_what_is_shown(
    tokenizers: Tokenizers,
) -> None:
    assert shown(tokenizers["smollm2"], "(\x04) x") == ["()", "x"]
    assert "".join(shown(tokenizers["smollm2"], "\U00040000:x")[-2:]) == ":x"


@pytest.mark.parametrize("flag", ["🇫🇷", "🇯🇵"])
def test_all_bytes_of_an_emoji_point_at_it(tokenizers: Tokenizers, flag: str) -> None:
    tokens = tokenize(tokenizers["smollm2"], f"x {flag}").tokens[1:]
    letters = byte_characters()
    spelled = bytes(letters.index(char) for token in tokens for char in token.piece)
    assert spelled == f" {flag}".encode()
    assert {place(token) for token in tokens} == {(2, 3), (3, 4)}
    assert [token.kind for token in tokens] == ["word_start"] + ["continuation"] * (len(tokens) - 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\tb", ["a", "↵", "⇥", "b"]),
        ("a  b", ["a", "␣", "b"]),
        ("a    b", ["a", "␣␣␣", "b"]),
        ("a         b", ["a", "␣×8", "b"]),  # noqa: RUF001
        ("x\u200by", ["x", "⟨E2 80⟩", "⟨8B⟩", "y"]),
        ("x\x00y", ["x", "⟨U+0000⟩", "y"]),
    ],
)
def test_blanks_and_control_characters_show_as_marks(
    tokenizers: Tokenizers, text: str, expected: list[str]
) -> None:
    assert shown(tokenizers["smollm2"], text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("a\u200db", "a⟨ZWJ⟩b"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        (PERSIAN, PERSIAN),  # shapes its neighbours, as typed
        ("❤\ufe0f", "❤\ufe0f"),
        ("☃\ufe0f\ufe0f", "☃⟨U+FE0F⟩⟨U+FE0F⟩"),
        ("☃\U000e0067", "☃⟨U+E0067⟩"),
    ],
)
def test_invisible_characters_show_unless_their_neighbours_show_them(
    word: str, expected: str
) -> None:
    words = models.WordLevel({"[UNK]": 0}, unk_token="[UNK]")
    backend = Tokenizer(words)
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    assert shown(wrapped(backend, unk_token="[UNK]"), word) == [expected]


def test_a_combining_mark_alone_sits_on_a_dotted_circle(tokenizers: Tokenizers) -> None:
    assert shown(tokenizers["smollm2"], "नि") == ["न", "◌ि"]
    assert shown(tokenizers["minilm"], "हिन्दी")[1:-1] == ["ह", "◌ि", "न्", "द", "◌ी"]


def test_scripts_without_spaces_or_case_show_their_letters(tokenizers: Tokenizers) -> None:
    assert shown(tokenizers["minilm"], "我爱你。")[1:-1] == ["我", "爱", "你", "。"]
    assert "".join(shown(tokenizers["minilm"], "مرحبا")[1:-1]) == "مرحبا"


def test_kinds_of_a_byte_level_sentence(tokenizers: Tokenizers) -> None:
    expected = [
        ("It", "word_start"),
        ("didn", "word_start"),
        ("'t", "continuation"),
        (":", "punctuation"),
        ("␣", "punctuation"),
        ("x", "word_start"),
        ("<|endoftext|>", "special"),
    ]
    assert kinds(tokenizers["gpt2"], "It didn't:  x<|endoftext|>") == expected


def test_kinds_of_a_word_piece_sentence(tokenizers: Tokenizers) -> None:
    expected = [
        ("[CLS]", "special"),
        ("Token", "word_start"),
        ("izer", "continuation"),
        ("s", "continuation"),
        ("!", "punctuation"),
        ("[SEP]", "special"),
    ]
    assert kinds(tokenizers["minilm"], "Tokenizers!") == expected


def test_urls_and_code_split_at_their_punctuation(tokenizers: Tokenizers) -> None:
    url = tokenize(tokenizers["minilm"], "https://a.org/b").tokens[1:-1]
    assert "".join(token.text for token in url) == "https://a.org/b"
    assert {token.text for token in url if token.kind == "punctuation"} == {":", "/", "."}
    assert shown(tokenizers["gpt2"], "def f(x):") == ["def", "f", "(", "x", "):"]


@pytest.mark.parametrize("name", ["unigram", "unsplit_unigram", "unnormalised_bpe"])
def test_spaces_make_words_where_the_tokenizer_knows_none(
    tokenizers: Tokenizers, name: str
) -> None:
    text = "hello world, hello"
    tokens = [token for token in tokenize(tokenizers[name], text).tokens if token.text != "␣"]
    words: dict[int, str] = {}
    for token in tokens:
        if token.word is not None:
            start, end = place(token)
            words[token.word] = words.get(token.word, "") + text[start:end]
    assert list(words.values()) == ["hello", "world,", "hello"]


def test_a_special_token_typed_by_name_is_special_and_has_offsets(
    tokenizers: Tokenizers,
) -> None:
    typed = tokenize(tokenizers["minilm"], "a [SEP] b").tokens[2]
    assert (typed.text, typed.kind, typed.word, place(typed)) == ("[SEP]", "special", None, (2, 7))
    mask = tokenize(tokenizers["roberta"], "a  <mask>").tokens[-2]
    assert (mask.text, mask.kind, place(mask)) == ("<mask>", "special", (3, 9))
    assert shown(tokenizers["own"], "<bos>") == ["<bos>", "<", "b", "o", "s", ">"]


def test_a_word_has_the_same_offsets_whether_or_not_the_tokenizer_trims(
    tokenizers: Tokenizers,
) -> None:
    for name in ("gpt2", "roberta"):
        tokens = [token for token in tokenize(tokenizers[name], "a  b c").tokens if token.end]
        assert [place(token) for token in tokens] == [(0, 1), (1, 2), (3, 4), (5, 6)]


@pytest.mark.parametrize(
    ("name", "segments"), [("minilm", [0, 0, 0, 1, 1]), ("roberta", [0, 0, 0, 0, 1, 1])]
)
def test_special_tokens_belong_to_the_sentence_before_them(
    tokenizers: Tokenizers, name: str, segments: list[int]
) -> None:
    result = tokenize(tokenizers[name], "x", "y")
    assert [token.segment for token in result.tokens] == segments
    assert [token.word for token in result.tokens if token.word is not None] == [0, 1]


def test_only_what_the_model_asks_for_is_passed_on(tokenizers: Tokenizers) -> None:
    pair = tokenize(tokenizers["minilm"], "x", "y")
    assert pair.inputs["token_type_ids"] == [0, 0, 0, 1, 1]
    assert set(pair.inputs) == {"input_ids", "token_type_ids"}
    assert set(tokenize(tokenizers["smollm2"], "x").inputs) == {"input_ids"}


@pytest.mark.parametrize(("text", "pair"), [("", None), (" \n\t", None), ("x", ""), ("x", "  ")])
def test_an_empty_text_is_refused_with_a_hint(
    tokenizers: Tokenizers, text: str, pair: str | None
) -> None:
    with pytest.raises(EmptyText, match="Type a few words"):
        tokenize(tokenizers["minilm"], text, pair)


def test_text_of_which_the_tokenizer_keeps_nothing_is_refused(tokenizers: Tokenizers) -> None:
    with pytest.raises(EmptyText, match="Type some words"):
        tokenize(tokenizers["minilm"], "\u200b")
    with pytest.raises(EmptyText, match="Type some words"):
        tokenize(tokenizers["minilm"], "x", "\u200b")


def test_half_a_surrogate_pair_is_refused_before_the_tokenizer_sees_it(
    tokenizers: Tokenizers,
) -> None:
    with pytest.raises(InputError, match="surrogate"):
        tokenize(tokenizers["smollm2"], "a \ud83d b")


def test_long_text_is_not_truncated_padded_or_warned_about(
    capfd: pytest.CaptureFixture[str],
) -> None:
    tokenizer = unigram(split=True)
    tokenizer.model_max_length = 4
    tokenizer.backend_tokenizer.enable_truncation(4)
    tokenizer.backend_tokenizer.enable_padding(length=64)
    result = tokenize(tokenizer, "hello " * 20 + "world")
    assert len(result.tokens) == 23
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "continuation", "n_tokens"),
    [("minilm", [], 5), ("smollm2", [], 3), ("smollm2", [1, 2], 5), ("minilm", [7632], 5)],
)
def test_a_text_over_the_limit_is_refused_before_its_tokens_are_decoded(
    name: str,
    continuation: list[int],
    n_tokens: int,
    tokenizers: Tokenizers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "one two three"
    whole = tokenize(tokenizers[name], text, None, continuation, n_tokens)
    assert len(whole.tokens) == n_tokens
    monkeypatch.setattr("mha_core.text.tokenization._pieces", lambda *_: pytest.fail("decoded"))
    with pytest.raises(TextTooLong) as refused:
        tokenize(tokenizers[name], text, None, continuation, 2)
    counts = (refused.value.details["n_tokens"], refused.value.details["max_tokens"])
    assert counts == (n_tokens, 2)


def as_read(tokens: Sequence[Token]) -> list[tuple[object, ...]]:
    """Everything about tokens except their offsets in the typed text."""
    return [(it.index, it.id, it.text, it.piece, it.kind, it.word, it.segment) for it in tokens]


@pytest.mark.parametrize("name", ["smollm2", "gpt2", "own"])
@moderately
@given(data=st.data())
def test_a_continuation_reads_as_if_it_had_been_typed(
    name: str, tokenizers: Tokenizers, data: st.DataObject
) -> None:
    tokenizer = tokenizers[name]
    text = data.draw(texts)
    whole = encode(tokenizer, text)
    ends = [token.end for token in whole.tokens if token.end is not None]
    typed = text[: data.draw(st.sampled_from(ends))]
    assume(typed.strip())
    n_typed = len(encode(tokenizer, typed).tokens)
    ids = whole.inputs["input_ids"]
    assume(n_typed < len(ids))
    assume(encode(tokenizer, typed).inputs["input_ids"] == ids[:n_typed])
    assume(text in tokenizer.decode(ids))  # a character without a token would separate words
    assume(as_read(encode(tokenizer, typed).tokens) == as_read(whole.tokens[:n_typed]))
    continued = tokenize(tokenizer, typed, continuation=ids[n_typed:])
    assert continued.inputs == whole.inputs
    assert continued.continuation == tuple(ids[n_typed:])
    assert as_read(continued.tokens) == as_read(whole.tokens)
    assert continued.tokens[:n_typed] == encode(tokenizer, typed).tokens
    assert {(token.start, token.end) for token in continued.tokens[n_typed:]} == {(None, None)}


def ids_of(tokenizer: PreTrainedTokenizerFast, *pieces: str) -> list[int]:
    return [tokenizer.convert_tokens_to_ids(piece) for piece in pieces]


def test_kinds_and_words_of_a_continuation(tokenizers: Tokenizers) -> None:
    tokenizer = tokenizers["smollm2"]
    pieces = ("Ġcat", "s", "Ċ", "Ċ", "It", ".", "<|im_end|>", "s")
    tokens = tokenize(tokenizer, "The", continuation=ids_of(tokenizer, *pieces)).tokens
    assert [(it.text, it.kind, it.word) for it in tokens] == [
        ("The", "word_start", 0),
        ("cat", "word_start", 1),
        ("s", "continuation", 1),
        ("↵", "punctuation", 2),
        ("↵", "punctuation", 3),
        ("It", "word_start", 4),
        (".", "punctuation", 5),
        ("<|im_end|>", "special", None),
        ("s", "word_start", 6),
    ]


def test_bytes_of_a_continuation_that_make_a_character_are_one_word(tokenizers: Tokenizers) -> None:
    tokenizer = tokenizers["own"]
    tokens = tokenize(tokenizer, "caf", continuation=[*"é 😀".encode()]).tokens
    assert [it.text for it in tokens[4:]] == [
        *("⟨C3⟩", "⟨A9⟩", "␣", "⟨F0⟩", "⟨9F⟩", "⟨98⟩", "⟨80⟩")
    ]
    assert [it.word for it in tokens[1:]] == [0, 0, 0, 0, 0, 1, 2, 2, 2, 2]


def test_pieces_of_sentencepiece_start_words_at_their_mark(tokenizers: Tokenizers) -> None:
    for name in ("unigram", "unsplit_unigram"):
        tokenizer = tokenizers[name]
        ids = ids_of(tokenizer, "▁world", "hello", ",", "<0xF0>")
        tokens = tokenize(tokenizer, "hello", continuation=ids).tokens
        assert [it.text for it in tokens] == ["<s>", "hello", "world", "hello", ",", "⟨F0⟩"], name
        kinds = [it.kind for it in tokens[2:5]]
        assert kinds == ["word_start", "continuation", "punctuation"], name


def test_a_continuation_replaces_the_end_token_of_a_template(
    tokenizers: Tokenizers,
) -> None:
    tokenizer = tokenizers["unigram"]
    [world] = ids_of(tokenizer, "▁world")
    typed = tokenize(tokenizer, "hello")
    assert [it.piece for it in typed.tokens] == ["<s>", "▁hello", "</s>"]
    continued = tokenize(tokenizer, "hello", continuation=[world])
    assert [it.piece for it in continued.tokens] == ["<s>", "▁hello", "▁world"]
    without_end = drop_end_token(typed)
    assert [it.piece for it in without_end.tokens] == ["<s>", "▁hello"]
    assert {name: values + values[-1:] for name, values in without_end.inputs.items()} == {
        name: [*values[:-1], values[-2]] for name, values in continued.inputs.items()
    }


def test_an_end_token_that_was_typed_or_generated_stays(tokenizers: Tokenizers) -> None:
    tokenizer = tokenizers["unigram"]
    [end] = ids_of(tokenizer, "</s>")
    ended = tokenize(tokenizer, "hello", continuation=[end])
    assert drop_end_token(ended) == ended
    assert ended.tokens[-1].piece == "</s>"
    typed = drop_end_token(tokenize(tokenizers["smollm2"], "hello<|im_end|>"))
    assert typed.tokens[-1].piece == "<|im_end|>"


@pytest.mark.parametrize("id", [-1, 49152, 2**32, 10**30])
def test_an_id_outside_the_vocabulary_is_refused(id: int, tokenizers: Tokenizers) -> None:
    with pytest.raises(NoSuchToken, match=f"no token {id}") as refused:
        tokenize(tokenizers["smollm2"], "hello", continuation=[1, id])
    assert refused.value.details == {"id": id}
