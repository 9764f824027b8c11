"""Every character shows as something; test_tokenization shows the marks on real vocabularies."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from mha_core.text.visible import make_visible

INVISIBLE = {"Cc", "Cf", "Zl", "Zp", "Zs"}


@given(st.text(min_size=1))
def test_every_character_alone_or_repeated_is_visible(text: str) -> None:
    assert make_visible(text)
    for char in text:
        for shown in (make_visible(char), make_visible(char * 9)):
            assert not any(unicodedata.category(it) in INVISIBLE for it in shown)


@given(st.binary(min_size=1))
def test_any_bytes_can_be_encoded_after(data: bytes) -> None:
    make_visible(data.decode(errors="surrogateescape")).encode()


def test_visible_text_is_unchanged_and_repeated_marks_are_counted() -> None:
    assert make_visible("word") == "word"
    assert make_visible(" word") == "␣word"
    assert make_visible(" " * 12) == "␣\u00d712"
    assert make_visible("\udcf0\udc9f") == "⟨F0 9F⟩"
