"""One pass counts everything, and parts of it add up to the whole."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from mha_core.atlas.partial_results import PartialResults
from mha_core.atlas.rarity import count_words
from mha_core.atlas.survey import Counted, Material, SplitTally, count_split, survey
from mha_core.atlas.syntax import list_relations
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import tokenize_sentences
from mha_core.models.loading import LoadedModel
from mha_core.progress import silent


def material(model: LoadedModel, sentences: list[Sentence]) -> Material:
    texts = tokenize_sentences(sentences, model.tokenizer, model.architecture.max_tokens)[0]
    counts: Counter[str] = count_words(sentences)
    return Material(texts, texts, list_relations(sentences), counts, (), seed=0)


@pytest.fixture(scope="module")
def counted(
    minilm: LoadedModel, marked: list[Sentence], tmp_path_factory: pytest.TempPathFactory
) -> Counted:
    partial = PartialResults(tmp_path_factory.mktemp("survey") / "partial", {})
    return survey(minilm, material(minilm, marked), partial, "minilm", silent)


def test_every_sentence_is_asked_once(counted: Counted) -> None:
    assert counted.dev.syntax.opportunities[0].tolist() == [10, 10]  # no root, no punctuation
    assert counted.dev.rarity.n == 2  # three words are too few to have a rarest one
    assert counted.dev.surface.sentences.max() == 3


def test_only_dev_has_surface_metrics(counted: Counted) -> None:
    assert counted.test.surface.sentences.max() == 0
    assert (counted.test.syntax.hits == counted.dev.syntax.hits).all()


def test_an_encoder_has_no_synthetic_scores_and_without_a_file_no_pronouns(
    counted: Counted,
) -> None:
    assert counted.synthetic is None
    assert counted.gap is None


def test_a_causal_model_is_asked_only_what_it_can_see(
    tiny: LoadedModel, marked: list[Sentence], tmp_path: Path
) -> None:
    partial = PartialResults(tmp_path / "partial", {})
    found = survey(tiny, material(tiny, marked), partial, "tiny", silent)
    assert found.dev.syntax.opportunities[0].sum() == 10  # each arc is seen from one end
    assert found.synthetic is not None


def test_batches_add_up_to_the_whole_and_survive_a_file(
    minilm: LoadedModel, marked: list[Sentence]
) -> None:
    texts = material(minilm, marked)
    parts = [count_split(minilm, [text], texts, surface=True) for text in texts.dev]
    whole = parts[0] + parts[1] + parts[2]
    again = SplitTally.from_arrays(whole.arrays())
    for name, array in whole.arrays().items():
        assert (again.arrays()[name] == array).all()
    assert whole.syntax.opportunities[0, 0] == 10
    assert np.isfinite(again.surface.mean[0, 0]).all()
