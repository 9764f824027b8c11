"""Every id of a vocabulary can be shown by itself."""

import pytest

from mha_core.models.loading import LoadedModel
from mha_core.text.byte_tokenizer import byte_tokenizer
from mha_core.text.vocabulary import Spelling


@pytest.mark.parametrize("name", ["smollm2", "minilm"])
def test_every_token_of_a_vocabulary_shows_ink(name: str, request: pytest.FixtureRequest) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    spelling = Spelling(model.tokenizer)
    for id in range(len(model.tokenizer)):
        shown = spelling.shown(id)
        assert shown.strip(), id
        assert shown.isprintable() or not shown.isascii(), id


def test_tokens_that_differ_in_their_space_alone_look_different(smollm2: LoadedModel) -> None:
    spelling = Spelling(smollm2.tokenizer)
    texts = {"Ġcat": "␣cat", "cat": "cat", "Ċ": "↵", "<|im_end|>": "<|im_end|>", "ðŁ": "⟨F0 9F⟩"}
    for piece, text in texts.items():
        assert spelling.shown(smollm2.tokenizer.convert_tokens_to_ids(piece)) == text


def test_only_ids_of_the_vocabulary_are_known() -> None:
    spelling = Spelling(byte_tokenizer(max_tokens=8))
    assert [id for id in (-1, 0, 256, 257, 2**40) if spelling.knows(id)] == [0, 256]
