"""What is cut where the server says fits, in every script and with the special tokens counted."""

import pytest

from mha_core.errors import TextTooLong
from mha_core.models.loading import LoadedModel
from mha_core.text.cut import where_to_cut

STORY = "The keys to the cabinet, naïvely, are unbelievably old. 東京は雨。 🙂👩‍🚀 Ends here."


def refusal(model: LoadedModel, text: str, pair: str | None, limit: int) -> TextTooLong:
    with pytest.raises(TextTooLong) as error:
        model.tokenize(text, pair, max_tokens=limit)
    return error.value


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_the_text_up_to_the_cut_has_at_most_as_many_tokens_as_the_limit(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    n_tokens = len(model.tokenize(STORY).tokens)
    for limit in range(8, n_tokens - 1):  # an end token alone is not refused here
        cut = refusal(model, STORY, None, limit).details["cut"]
        kept = STORY[: cut["n_characters"]]
        assert cut["field"] == "text"
        assert kept
        # The rest of a character or word that was split may be split otherwise: by a token or two.
        assert len(model.tokenize(kept).tokens) <= limit + 2
        word = kept[: kept.rfind(" ")]
        assert len(model.tokenize(word).tokens) <= limit


def test_of_two_texts_the_longer_one_is_cut(minilm: LoadedModel) -> None:
    error = refusal(minilm, "one two", "one two three four five", 8)
    assert error.message == "The two texts have 10 tokens and the limit is 8: remove at least 2."
    assert error.details["cut"] == {"field": "text_pair", "n_characters": len("one two three")}
    assert len(minilm.tokenize("one two", "one two three").tokens) == 8


def test_nothing_is_cut_where_that_is_not_enough(minilm: LoadedModel) -> None:
    assert "cut" not in refusal(minilm, "one two", "one two", 4).details
    assert "cut" not in refusal(minilm, "one two", None, 2).details
    assert where_to_cut([(0, 0, 3), (None, None, None), (0, 4, 7)], 2) is None
    assert where_to_cut([], 1) is None


def test_a_character_of_several_tokens_is_cut_off_whole() -> None:
    places = [(0, 0, 1), (0, 1, 2), (0, 1, 2), (0, 1, 2)]
    assert where_to_cut(places, 1) == {"field": "text", "n_characters": 1}


def test_a_continuation_is_not_cut(smollm2: LoadedModel) -> None:
    with pytest.raises(TextTooLong, match="with its continuation has 5 tokens") as error:
        smollm2.tokenize("one two three", continuation=[19, 20], max_tokens=4)
    assert "cut" not in error.value.details
