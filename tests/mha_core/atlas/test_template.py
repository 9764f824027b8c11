"""Inputs made of numbers are framed as the tokenizer frames a text."""

from mha_core.atlas.template import Template
from mha_core.models.loading import LoadedModel
from mha_core.text.tokenization import tokenize


def test_framed_ids_are_what_the_tokenizer_makes_of_their_text(
    minilm: LoadedModel, smollm2: LoadedModel, tiny: LoadedModel
) -> None:
    for model in (minilm, smollm2, tiny):
        template = Template.of(model.tokenizer)
        text = tokenize(model.tokenizer, "the cat sat")
        ids = [token.id for token in text.tokens if token.kind != "special"]
        assert template.around(ids).inputs == text.inputs
        assert template.n_special == len(text.tokens) - len(ids)
        assert set(ids) <= set(template.ordinary)


def test_ordinary_ids_are_those_nobody_added_by_name(
    minilm: LoadedModel, tiny: LoadedModel
) -> None:
    assert Template.of(tiny.tokenizer).ordinary == tuple(range(256))
    special = set(minilm.tokenizer.all_special_ids)
    assert len(special) >= 5
    assert not special & set(Template.of(minilm.tokenizer).ordinary)
