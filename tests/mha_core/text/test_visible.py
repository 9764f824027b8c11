"""Nothing is shown as nothing; the tests of tokens show the marks on real vocabularies."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from mha_core.text.visible import visible

INVISIBLE = {"Cc", "Cf", "Zl", "Zp", "Zs"}


@given(st.text(min_size=1))
def test_every_character_alone_or_repeated_leaves_a_sign(text: str) -> None:
    assert visible(text)
    for char in text:
        for shown in (visible(char), visible(char * 9)):
            assert not any(unicodedata.category(it) in INVISIBLE for it in shown)


@given(st.binary(min_size=1))
def test_any_bytes_can_be_shown_and_sent(data: bytes) -> None:
    visible(data.decode(errors="surrogateescape")).encode()


def test_ink_is_left_as_it_is_and_many_of_a_mark_are_counted() -> None:
    assert visible("word") == "word"
    assert visible(" word") == "␣word"
    assert visible(" " * 12) == "␣\u00d712"
    assert visible("\udcf0\udc9f") == "⟨F0 9F⟩"
