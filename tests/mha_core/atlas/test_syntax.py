"""Heads are asked along every arc; counts agree with hand-made trees and known baselines."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from mha_core.atlas.batches import batch_by_length
from mha_core.atlas.syntax import (
    ALL,
    OFFSETS,
    Arcs,
    SyntaxTally,
    choose_heads,
    find_followers,
    list_relations,
)
from mha_core.atlas.treebank import Sentence, find_splits, read_treebank
from mha_core.atlas.word_maps import (
    Pooling,
    WordText,
    pool_words,
    tokenize_sentences,
)
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokens import TokenizedText

# She reads old books .
READS = Sentence(
    "s",
    "She reads old books.",
    ("She", "reads", "old", "books", "."),
    ("PRON", "VERB", "ADJ", "NOUN", "PUNCT"),
    (1, -1, 3, 1, 1),
    ("nsubj", "root", "amod", "obj", "punct"),
)
RELATIONS = (ALL, "amod", "nsubj", "obj")


def whole(sentence: Sentence) -> WordText:
    """A sentence whose words have one token each."""
    words = tuple(range(len(sentence.words)))
    return WordText(sentence, TokenizedText("", None, (), {}), words)


def looking(*targets: int) -> Tensor:
    """A word map [W, W] in which each word looks at one other; -1 looks at none."""
    return torch.nn.functional.one_hot(torch.tensor(targets) + 1, len(targets) + 1)[:, 1:].float()


def counted(maps: Tensor, *batch: WordText, causal: bool = False) -> SyntaxTally:
    """The tally of a batch in a model of one layer."""
    arcs = Arcs.of(batch, RELATIONS, causal=causal)
    tally = SyntaxTally.empty(RELATIONS, 1, maps.shape[1])
    tally.count_questions(arcs)
    tally.count_answers(arcs, 0, maps)
    return tally


TO_HEAD = looking(1, -1, 3, 1, 1)
TO_OBJECT = looking(1, 3, 3, 2, 1)
NOWHERE = looking(-1, -1, -1, -1, -1)


def test_names_leave_out_punctuation_and_roots() -> None:
    assert list_relations([READS]) == RELATIONS


def test_each_arc_is_asked_in_both_directions() -> None:
    maps = torch.stack([TO_HEAD, TO_OBJECT, NOWHERE])[None]
    tally = counted(maps, whole(READS))
    assert tally.opportunities.tolist() == [[3, 3], [1, 1], [1, 1], [1, 1]]
    hits = dict(zip(RELATIONS, tally.hits[:, :, 0].tolist(), strict=True))
    assert hits == {  # [dependent looks, head looks], a head each
        ALL: [[3, 2, 0], [0, 2, 0]],
        "amod": [[1, 1, 0], [0, 1, 0]],
        "nsubj": [[1, 1, 0], [0, 0, 0]],
        "obj": [[1, 0, 0], [0, 1, 0]],
    }


def test_a_causal_model_is_asked_only_what_it_can_see() -> None:
    tally = counted(torch.stack([TO_HEAD, TO_OBJECT])[None], whole(READS), causal=True)
    opportunities = dict(zip(RELATIONS, tally.opportunities.tolist(), strict=True))
    assert opportunities == {ALL: [1, 2], "amod": [0, 1], "nsubj": [0, 1], "obj": [1, 0]}
    assert tally.hits[0, :, 0].tolist() == [[1, 0], [0, 1]]
    assert not tally.offset_hits[..., [offset > 0 for offset in OFFSETS]].any()
    assert tally.offset_hits[0].sum() == 3


def test_words_without_a_token_are_not_asked_about() -> None:
    text = WordText(READS, TokenizedText("", None, (), {}), (0, 1, 3, 4))
    tally = counted(torch.stack([TO_HEAD])[None], text)
    assert tally.opportunities[:, 0].tolist() == [2, 0, 1, 1]


def test_offsets_are_counted_from_the_word_that_looks() -> None:
    offsets = counted(TO_HEAD[None, None], whole(READS)).offset_hits
    obj = RELATIONS.index("obj")
    assert offsets[obj, 0, OFFSETS.index(-2)] == offsets[obj, 1, OFFSETS.index(2)] == 1
    assert offsets[0, 0, OFFSETS.index(1)] == 2
    assert offsets[0].sum() == 6


def test_parts_add_up_and_survive_being_saved(tmp_path: Path) -> None:
    maps = torch.rand(3, 2, 5, 5)
    batch = [whole(READS)] * 3
    parts = counted(maps[:1], *batch[:1]) + counted(maps[1:], *batch[1:])
    np.savez(tmp_path / "tally.npz", **parts.arrays())
    with np.load(tmp_path / "tally.npz", allow_pickle=False) as saved:
        again = SyntaxTally.from_arrays(saved)
    assert tuple(again.relations) == RELATIONS
    for name, array in counted(maps, *batch).arrays().items():
        assert array.tolist() == again.arrays()[name].tolist()


def test_tallies_of_different_relations_do_not_mix() -> None:
    one, other = SyntaxTally.empty(RELATIONS, 1, 1), SyntaxTally.empty((ALL,), 1, 1)
    with pytest.raises(ValueError, match="different relations"):
        _ = one + other
    with pytest.raises(ValueError, match="same relations"):
        choose_heads(one, other)


def test_a_relation_is_reported_by_the_head_and_offset_chosen_on_dev() -> None:
    dev = counted(torch.stack([TO_HEAD, NOWHERE]).expand(200, -1, -1, -1), *[whole(READS)] * 200)
    test = counted(torch.stack([TO_HEAD, TO_OBJECT]).expand(150, -1, -1, -1), *[whole(READS)] * 150)
    # On dev the books stand two words after the verb; let a third of test have them elsewhere.
    test.offset_hits[RELATIONS.index("obj"), 0, OFFSETS.index(-2)] = 100
    rows = {row.id: row for row in choose_heads(dev, test)}
    assert len(rows) == 8
    obj = rows["obj:dependent"]
    assert (obj.offset, obj.layer, obj.head) == (-2, 0, 0)
    assert (obj.accuracy, obj.n) == (1.0, 150)
    assert obj.baseline == pytest.approx(2 / 3)
    assert not obj.holds  # on dev the fixed offset is as good
    assert rows["obj:head"].accuracy == 0  # dev's tie chose the first head
    dev.offset_hits[RELATIONS.index("obj"), 0, OFFSETS.index(-2)] = 150
    assert [found.id for found in find_followers(dev, test)] == ["obj:dependent"]
    assert {row.relation for row in choose_heads(dev, test, min_n=151)} == {ALL}


def sums(tally: SyntaxTally, name: str) -> tuple[int, np.ndarray]:
    """Cases and offset hits of a relation; a name without subtype stands for all its subtypes."""
    if name.startswith("ALL"):
        chosen = [0]
    else:
        chosen = [i for i, r in enumerate(tally.relations) if r == name or r.split(":")[0] == name]
    return int(tally.opportunities[chosen, 0].sum()), tally.offset_hits[chosen, 0].sum(0)


def test_even_attention_answers_with_the_word_of_most_pieces_and_shares_ties() -> None:
    arcs = Arcs.of([whole(READS)], RELATIONS, causal=False)
    tally = SyntaxTally.empty(RELATIONS, 1, 1)
    even = torch.full((1, 1, 5, 5), 0.2)
    even[..., 1] = 0.4  # "reads" has two pieces
    even.diagonal(dim1=-2, dim2=-1).zero_()
    tally.count_uniform(arcs, even)
    names = {name: tally.uniform_hits[at].tolist() for at, name in enumerate(RELATIONS)}
    assert names["nsubj"] == [
        1,
        pytest.approx(0.25),
    ]  # "reads" itself has four alike to choose from
    assert names["obj"] == [1, pytest.approx(0.25)]
    assert names["amod"] == [0, 0]
    assert names[ALL] == [2, pytest.approx(0.5)]


def test_where_even_attention_finds_more_than_any_offset_it_is_the_baseline() -> None:
    dev, test = (counted(TO_HEAD[None, None], whole(READS)) for _ in range(2))
    obj = RELATIONS.index("obj")
    for tally in (dev, test):
        tally.opportunities[obj, 0], tally.hits[obj, 0] = 200, 150
        tally.offset_hits[obj, 0, OFFSETS.index(-2)] = 40
    dev.uniform_hits[obj, 0], test.uniform_hits[obj, 0] = 50.5, 60.5
    (row,) = [row for row in choose_heads(dev, test) if row.id == "obj:dependent"]
    assert row.offset is None
    assert row.baseline == pytest.approx(0.3025)
    dev.uniform_hits[obj, 0] = 39.5
    (row,) = [row for row in choose_heads(dev, test) if row.id == "obj:dependent"]
    assert (row.offset, row.baseline) == (-2, 0.2)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_counts_and_offset_baselines_agree_with_the_known_ones(
    shared_data: Path, split: str
) -> None:
    """The known table adds subtypes to their relation ("nsubj" with "nsubj:pass")."""
    sentences = read_treebank(find_splits(shared_data / "ud_ewt")[split])
    relations = list_relations(sentences)
    tally = SyntaxTally.empty(relations, 1, 1)
    tally.count_questions(
        Arcs.of([whole(sentence) for sentence in sentences], relations, causal=False)
    )
    known = json.loads((shared_data / "ud_ewt" / "offset_baselines.json").read_text())[split]
    compared = [row for row in known if row[0] != "punct"]
    assert len(compared) > 25
    for name, n, offset, accuracy, _ in compared:
        cases, offset_hits = sums(tally, name)
        assert cases == n, name
        assert OFFSETS[int(offset_hits.argmax())] == offset, name
        assert 100 * offset_hits.max() / cases == pytest.approx(accuracy, abs=0.051), name


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_real_heads_answer_as_counted_by_hand(
    name: str, shared_data: Path, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    causal = model.architecture.kind == "decoder"
    sentences = read_treebank(find_splits(shared_data / "ud_ewt")["dev"])[:12]
    relations = list_relations(sentences)
    tally = SyntaxTally.empty(relations, model.architecture.n_layers, model.architecture.n_heads)
    by_hand = np.zeros_like(tally.hits)
    texts = tokenize_sentences(sentences, model.tokenizer, model.architecture.max_tokens)[0]
    for batch in batch_by_length(texts, 512):
        pooling = Pooling.of(batch, model.device)
        arcs = Arcs.of(batch, relations, causal=causal, device=model.device)
        tally.count_questions(arcs)

        def on_pattern(
            capture: LayerCapture,
            pattern: Tensor,
            batch: list[WordText] = batch,
            pooling: Pooling = pooling,
            arcs: Arcs = arcs,
        ) -> None:
            maps = pool_words(pattern, pooling)
            tally.count_answers(arcs, capture.site.layer, maps)
            for row, text in enumerate(batch):
                answers = maps[row].argmax(-1).cpu().numpy()  # [H, W]
                tree = zip(text.sentence.heads, text.sentence.relations, strict=True)
                for word, (head, relation) in enumerate(tree):
                    if relation in ("punct", "root"):
                        continue
                    for direction, (query, key) in enumerate([(word, head), (head, word)]):
                        if key < query or not causal:
                            right = answers[:, query] == key
                            for r in (0, relations.index(relation)):
                                by_hand[r, direction, capture.site.layer] += right

        model.forward_all([text.tokenized for text in batch], Tap(on_pattern))
    assert tally.hits.tolist() == by_hand.tolist()
    assert (tally.hits <= tally.opportunities[:, :, None, None]).all()
    assert tally.hits.any()
