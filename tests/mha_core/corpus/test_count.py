"""Counting batches: the numbers of single texts, averaged by hand."""

import numpy as np
import pytest

from mha_core.atlas.batches import batch_by_length
from mha_core.corpus.count import CorpusTally, count_batch
from mha_core.corpus.links import LinkWords
from mha_core.corpus.texts import CorpusText, read_corpus
from mha_core.errors import Cancelled
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.runs.analysis import analyse
from mha_core.runs.links import EdgeRanking, rank_edges

LINES = [
    "The cat slept because it was tired.",
    "The dog slept because she was tired.",
    "It saw the cat, and it saw another cat, and it was glad.",
    "A cat is a cat wherever it is.",
]


def counted(model: LoadedModel, lines: list[str], *, weighted: bool = False) -> CorpusTally:
    texts = read_corpus(model, lines, LinkWords("it", "cat"), max_tokens=99).texts
    tally = CorpusTally.empty(model.architecture.n_layers, model.architecture.n_heads)
    for batch in batch_by_length(texts):
        tally += count_batch(model, batch, weighted=weighted)
    return tally


def ranked(model: LoadedModel, text: CorpusText) -> EdgeRanking:
    """What `/edges` says of the link on this text alone."""
    assert text.link is not None
    analysis, grams = analyse(model, text.tokenized), model.known_grams()
    layers = [
        (analysis.patterns(layer), analysis.patterns(layer, grams=grams))
        for layer in range(model.architecture.n_layers)
    ]
    return rank_edges(
        layers, analysis.stack(), text.link.queries, text.link.keys, text.tokenized.tokens
    )


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_the_link_is_the_mean_of_the_links_of_each_text(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    tally, by_value = counted(model, LINES).link, counted(model, LINES, weighted=True).link
    texts = read_corpus(model, LINES, LinkWords("it", "cat"), max_tokens=99).texts
    single = [ranked(model, text) for text in texts if text.link]
    assert int(tally.texts) == len(single) == 3
    assert float(tally.uniform) / 3 == pytest.approx(np.mean([it.uniform for it in single]))
    n_known = sum(it.elsewhere > 0 for it in single)
    assert int(tally.with_position) == n_known
    for layer, head in [(0, 0), (2, 5), (5, 7)]:
        edges = [next(e for e in it.heads if (e.layer, e.head) == (layer, head)) for it in single]
        assert tally.mean[layer, head] == pytest.approx(
            np.mean([edge.weight for edge in edges]), abs=1e-5
        )
        assert by_value.mean[layer, head] == pytest.approx(
            np.mean([edge.weighted or 0 for edge in edges]), abs=1e-5
        )
        known = [edge.by_position for edge in edges if edge.by_position is not None]
        if known:
            assert tally.mean_by_position[layer, head] == pytest.approx(np.mean(known), abs=1e-5)


def test_texts_of_one_length_count_together_as_they_do_alone(minilm: LoadedModel) -> None:
    texts = read_corpus(minilm, LINES[:2], LinkWords("it", "cat"), max_tokens=99).texts
    together = count_batch(minilm, texts)
    alone = count_batch(minilm, texts[:1]) + count_batch(minilm, texts[1:])
    assert together.link.mean == pytest.approx(alone.link.mean, abs=1e-6)
    assert together.metrics.mean == pytest.approx(alone.metrics.mean, abs=1e-5, nan_ok=True)


@pytest.mark.parametrize("family", ["bart", "t5"])
def test_an_encoder_decoder_is_measured_in_its_encoder(
    family: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue("model_directory")(family)
    model = load(entry_for(str(folder)), models_dir=folder, device="cpu", hub=False)
    tally = counted(model, LINES)
    text = read_corpus(model, LINES[:1], LinkWords("it", "cat"), max_tokens=99).texts[0]
    assert tally.link.mean.shape == (2, 4)
    alone = counted(model, LINES[:1]).link.mean
    assert text.link is not None
    whole = analyse(model, model.tokenize(LINES[0])).patterns(1, stack="encoder")
    queries, keys = list(text.link.queries), list(text.link.keys)
    assert alone[1] == pytest.approx(whole[:, queries][:, :, keys].sum(-1).mean(-1), abs=1e-5)


def test_a_run_stops_at_the_next_layer(minilm: LoadedModel) -> None:
    seen: list[int] = []

    def check() -> None:
        seen.append(len(seen))
        if len(seen) == 3:
            raise Cancelled("nobody waits")

    texts = read_corpus(minilm, LINES[:1], max_tokens=99).texts
    with pytest.raises(Cancelled):
        count_batch(minilm, texts, check=check)
    assert len(seen) == 3
