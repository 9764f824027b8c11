"""A head's choice is the other word it attends to most; where it attends to none, nothing."""

from pathlib import Path

import numpy as np
import pytest
from torch import Tensor

from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.treebank import Sentence, find_splits, read_treebank
from mha_core.atlas.word_choices import WordChoices, WordSplit, choose_by_heads
from mha_core.atlas.word_maps import Pooling, WordText, tokenize_sentences
from mha_core.atlas.word_rules import NOTHING, choose_words
from mha_core.models.loading import LoadedModel


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_real_heads_choose_as_told_by_their_maps(
    name: str, shared_data: Path, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    sentences = read_treebank(find_splits(shared_data / "ud_ewt")["dev"])[:6]
    texts = tokenize_sentences(sentences, model.tokenizer, model.architecture.max_tokens)[0]
    causal = model.architecture.kind == "decoder"
    for batch in batch_by_length(texts, 512):
        choices = choose_by_heads(model, batch)
        starts = np.cumsum([0, *(len(text.sentence.words) for text in batch)])
        assert choices.words.shape[0] == starts[-1]

        def check(
            layer: int,
            maps: Tensor,
            batch: list[WordText] = batch,
            starts: np.ndarray = starts,
            choices: WordChoices = choices,
        ) -> None:
            for row, text in enumerate(batch):
                n_words = len(text.sentence.words)
                own = maps[row, :, :n_words, :n_words].cpu()  # [H, W, W]
                chosen = choices.words[starts[row] : starts[row + 1], layer].T  # [H, W]
                best = own.argmax(-1).masked_fill(own.amax(-1) == 0, NOTHING)
                assert chosen.tolist() == best.tolist()
                together = maps[row].sum(1).cpu()[:, :n_words]  # [H, W]
                most = together.argmax(-1).masked_fill(together.amax(-1) == 0, NOTHING)
                assert choices.sentences[row, layer].tolist() == most.tolist()
                assert (chosen != np.arange(n_words)).all()
                if causal:
                    assert (chosen < np.arange(n_words)).all()
                    assert (chosen[:, 0] == NOTHING).all(), "the first word sees no other"

        run_batch(model, batch, check, Pooling.of(batch, model.device))


def test_a_split_keeps_texts_heads_and_rules_in_one_order(
    marked: list[Sentence], tiny: LoadedModel
) -> None:
    texts = [WordText.of(sentence, tiny.tokenizer) for sentence in marked]
    batches = list(batch_by_length(texts))
    parts = [choose_by_heads(tiny, batch) for batch in batches]
    ordered = [text for batch in batches for text in batch]
    choices = parts[0] + parts[1] + parts[2]
    split = WordSplit.of(ordered, choices, choose_words(ordered, causal=True))
    assert [len(text.sentence.words) for text in split.texts] == [3, 6, 7]
    assert split.start.tolist() == [0, 3, 9]
    assert split.sentence.tolist() == [0] * 3 + [1] * 6 + [2] * 7
    assert split.heads.shape == (16, 2 * 8)
    assert split.by_sentence.shape == (3, 2 * 8)
    last = 1 * 8 + 7  # heads of all layers in a row
    assert split.heads[9:, last].tolist() == parts[2].words[:, 1, 7].tolist()
    assert split.by_sentence[1, last] == parts[1].sentences[0, 1, 7]
