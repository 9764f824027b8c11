"""Every id of a vocabulary can be displayed by itself."""

import pytest

from mha_core.models.loading import LoadedModel
from mha_core.text.byte_tokenizer import byte_tokenizer
from mha_core.text.vocabulary import Vocabulary


@pytest.mark.parametrize("name", ["smollm2", "minilm"])
def test_every_token_of_a_vocabulary_is_visible(name: str, request: pytest.FixtureRequest) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    vocabulary = Vocabulary(model.tokenizer)
    for id in range(len(model.tokenizer)):
        shown = vocabulary.display(id)
        assert shown.strip(), id
        assert shown.isprintable() or not shown.isascii(), id


def test_tokens_that_differ_only_in_their_space_look_different(smollm2: LoadedModel) -> None:
    vocabulary = Vocabulary(smollm2.tokenizer)
    texts = {"Ġcat": "␣cat", "cat": "cat", "Ċ": "↵", "<|im_end|>": "<|im_end|>", "ðŁ": "⟨F0 9F⟩"}
    for piece, text in texts.items():
        assert vocabulary.display(smollm2.tokenizer.convert_tokens_to_ids(piece)) == text


def test_a_vocabulary_contains_its_ids_only() -> None:
    vocabulary = Vocabulary(byte_tokenizer(max_tokens=8))
    assert [id for id in (-1, 0, 256, 257, 2**40) if id in vocabulary] == [0, 256]
