"""One map and one pair of tokens: every way to ask, every model, every refusal."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from transformers import AutoConfig, AutoModel

from backend.engine.session import Session
from backend.maps.jobs import compute_map, explain_weight
from backend.maps.schemas import Cell, MapAbout, MapRequest, QueryKeyRequest, QueryKeyResponse
from backend.wire.formats import OneMap
from backend.wire.schemas import TextRequest
from mha_core.errors import NoSuchHead, NoSuchPosition, NoSuchStack, NoValueWeights
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis
from mha_core.runs.value_weights import value_norms, weight_by_value

SENTENCE = "The animal didn't cross the street because it was too tired."
SOURCE, TARGET = "The animal was tired.", "It slept and slept."
REAL = ("minilm", "smollm2", "headscope-tiny")


class Found(NamedTuple):
    """One map, and what is said of it."""

    about: MapAbout
    causal: bool
    one: OneMap

    @property
    def pattern(self) -> NDArray[np.float32]:
        return self.one.pattern

    @property
    def head(self) -> tuple[int | None, int | None]:
        return self.one.layer, self.one.head


class Asked:
    """Jobs called with a session, and the analysis behind their answers."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def text(self, model: str) -> dict[str, Any]:
        pair = {} if model in REAL else {"text": SOURCE, "text_pair": TARGET}
        return {"model": model, "text": SENTENCE, **pair}

    def analysis(self, model: str) -> tuple[LoadedModel, Analysis]:
        prepared = self.session.prepare(TextRequest(**self.text(model)))
        return prepared.model, self.session.analyse(prepared)

    def map(self, model: str, **more: object) -> Found:
        answer = compute_map(self.session, MapRequest(**self.text(model), **more))
        assert isinstance(answer.about, MapAbout)
        return Found(answer.about, answer.causal, answer.maps[0])

    def pair(self, model: str, **more: object) -> QueryKeyResponse:
        return explain_weight(self.session, QueryKeyRequest(**self.text(model), **more))


@pytest.fixture(scope="module")
def t5(model_directory: Callable[[str], Path]) -> str:
    """The id of a small encoder-decoder: two layers and four heads in each of three stacks."""
    return model_directory("t5").name


@pytest.fixture(scope="module")
def asked(session_for: Callable[..., Session], model_directory: Callable[[str], Path]) -> Asked:
    return Asked(session_for(extra_models=(str(model_directory("t5")),)))


def close(ours: object, theirs: object, tolerance: float = 1e-6) -> None:
    np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), atol=tolerance, rtol=0)


def cells(*pairs: tuple[int, int | None]) -> list[Cell]:
    return [Cell(layer=layer, head=head) for layer, head in pairs]


@pytest.mark.parametrize("model", REAL)
def test_the_map_of_a_head_is_that_of_the_analysis(model: str, asked: Asked) -> None:
    _, analysis = asked.analysis(model)
    found = asked.map(model, combine="head", cells=cells((1, 3)))
    close(found.pattern, analysis.patterns(1, [3])[0], 1e-7)
    assert found.head == (1, 3)
    assert found.causal == (model != "minilm")
    assert found.about.queries == found.about.keys == (0, analysis.n_tokens)
    assert found.about.note is None


@pytest.mark.parametrize("model", REAL)
def test_all_heads_take_part_where_none_are_named(model: str, asked: Asked) -> None:
    _, analysis = asked.analysis(model)
    every = torch.cat([analysis.patterns(layer) for layer in range(analysis.architecture.n_layers)])
    close(asked.map(model, combine="mean").pattern, every.mean(0))
    largest = asked.map(model, combine="max")
    close(largest.pattern, every.amax(0))
    assert largest.head == (None, None)
    assert largest.about.cells == cells(
        *((it, None) for it in range(analysis.architecture.n_layers))
    )
    assert "sum to more than 1" in (largest.about.note or "")


def test_heads_and_layers_are_a_set_in_which_each_head_counts_once(asked: Asked) -> None:
    _, analysis = asked.analysis("minilm")
    named = cells((4, 7), (2, None), (2, 5), (4, 7), (0, 1), (4, 0))
    found = asked.map("minilm", combine="mean", cells=named)
    chosen = [analysis.patterns(0, [1]), analysis.patterns(2), analysis.patterns(4, [0, 7])]
    close(found.pattern, torch.cat(chosen).mean(0))
    assert found.about.cells == cells((0, 1), (2, None), (4, 0), (4, 7))


def test_all_heads_of_a_layer_named_one_by_one_are_the_layer(asked: Asked) -> None:
    one_by_one = asked.map("minilm", combine="mean", cells=cells(*((3, it) for it in range(12))))
    whole = asked.map("minilm", combine="mean", cells=cells((3, None)))
    assert one_by_one.about.cells == whole.about.cells == cells((3, None))
    close(one_by_one.pattern, whole.pattern, 0)


@pytest.mark.parametrize("model", REAL)
def test_weighted_maps_are_weighted_before_they_are_combined(model: str, asked: Asked) -> None:
    loaded, analysis = asked.analysis(model)
    twins = [
        weight_by_value(capture.pattern()[0], value_norms(capture.v[0], loaded.grams[capture.site]))
        for capture in analysis.captures()[:2]
    ]
    found = asked.map(model, combine="mean", cells=cells((0, None), (1, 2)), values="weighted")
    close(found.pattern, torch.cat([twins[0], twins[1][[2]]]).mean(0).cpu())
    close(found.pattern.sum(-1), np.ones(analysis.n_tokens), 1e-5)
    assert "Kobayashi" in (found.about.note or "")


@pytest.mark.parametrize("model", REAL)
def test_a_rollout_goes_up_to_the_layer_asked_for(model: str, asked: Asked) -> None:
    _, analysis = asked.analysis(model)
    expected = np.eye(analysis.n_tokens)
    for layer in range(analysis.architecture.n_layers):
        step = analysis.patterns(layer).mean(0).double().numpy() / 2
        step += np.eye(analysis.n_tokens) / 2
        expected = step @ expected
        if layer == 1:
            found = asked.map(model, combine="rollout", up_to=1)
            close(found.pattern, expected, 1e-5)
            assert found.about.cells == cells((0, None), (1, None))
            assert "heuristic" in (found.about.note or "")
    close(asked.map(model, combine="rollout").pattern, expected, 1e-5)


def test_a_family_whose_projections_are_not_known_has_no_weighted_maps(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, _ = asked.analysis("minilm")
    stranger = replace(loaded, architecture=replace(loaded.architecture, family="stranger"))
    monkeypatch.setattr(asked.session.models, "get", lambda *_: stranger)
    with pytest.raises(NoValueWeights, match=r"not known for MiniLM.*'stranger'.*raw") as error:
        asked.map("minilm", combine="mean", values="weighted")
    assert error.value.details == {"family": "stranger"}
    assert asked.map("minilm", combine="mean").pattern.shape == (16, 16)


@pytest.mark.parametrize(
    "wrong",
    [
        {"combine": "head", "cells": cells((6, 0))},
        {"combine": "mean", "cells": cells((0, 0), (0, 12))},
        {"combine": "max", "cells": cells((7, None))},
        {"combine": "rollout", "up_to": 6},
    ],
)
def test_heads_and_layers_outside_the_model_are_refused(
    wrong: dict[str, Any], asked: Asked
) -> None:
    with pytest.raises(NoSuchHead, match=r"The model has no (layer|head) \d+"):
        asked.map("minilm", **wrong)


@pytest.mark.parametrize("model", REAL)
def test_a_pair_leads_to_the_weight_in_the_map(model: str, asked: Asked) -> None:
    _, analysis = asked.analysis(model)
    found = asked.pair(model, layer=1, head=3, query=6, key=2)
    row = analysis.patterns(1, [3])[0, 6]
    close(found.weight, row[2])
    close(found.weights, row)
    scores = np.array([-np.inf if score is None else score for score in found.scores])
    close(np.exp(scores) / np.exp(scores).sum(), row)
    assert found.score == found.scores[2]
    close(found.dot * found.scale, found.scaled, 1e-5)
    close(np.sum(found.product), found.dot, 1e-4)
    assert len(found.q) == len(found.k) == analysis.architecture.d_head


def test_a_note_says_what_is_in_the_vectors(asked: Asked) -> None:
    assert asked.pair("minilm", layer=0, head=0, query=1, key=2).note is None
    assert asked.pair("headscope-tiny", layer=0, head=0, query=2, key=1).note is None
    note = asked.pair("smollm2", layer=4, head=7, query=5, key=2).note or ""
    assert "rotary positions of both tokens are already in q and k" in note
    assert "Heads 6 to 8 of this layer read the same keys, those of key head 2" in note


def test_a_later_key_of_a_causal_query_has_no_score_and_a_note_says_why(asked: Asked) -> None:
    found = asked.pair("headscope-tiny", layer=1, head=3, query=2, key=6)
    assert (found.score, found.added, found.weight) == (None, None, 0)
    assert found.scores[3:] == [None] * (found.n_tokens - 3)
    assert None not in found.scores[:3]
    assert "Token 6 comes after token 2" in (found.note or "")


def test_a_key_behind_a_window_is_not_said_to_come_later(
    session_for: Callable[..., Session], model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    """The small model has one head as well, which stays the head whose map is asked for."""
    folder = Path(shutil.copytree(model_directory("llama"), tmp_path / "window"))
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 1, "num_key_value_heads": 1}
    sizes |= {"hidden_size": 32, "intermediate_size": 64, "sliding_window": 3}
    vocab_size = AutoConfig.from_pretrained(folder).vocab_size
    config = AutoConfig.for_model("mistral", vocab_size=vocab_size, **sizes)
    AutoModel.from_config(config).save_pretrained(folder)
    asked = Asked(session_for(extra_models=(str(folder),)))
    notes = {
        key: explain_weight(
            asked.session,
            QueryKeyRequest(model="window", text=SENTENCE, layer=1, head=0, query=5, key=key),
        ).note
        for key in (1, 6)
    }

    def ask(combine: str) -> Found:
        request = MapRequest(
            model="window",
            text=SENTENCE,
            combine=combine,
            cells=cells((1, 0)),  # type: ignore[arg-type]
        )
        answer = compute_map(asked.session, request)
        assert isinstance(answer.about, MapAbout)
        return Found(answer.about, answer.causal, answer.maps[0])

    assert "hides token 1 from token 5, as a sliding window" in (notes[1] or "")
    assert "comes after" not in (notes[1] or "")
    assert "Token 6 comes after token 5" in (notes[6] or "")
    one = ask("head")
    assert (one.about.cells, one.head) == (cells((1, 0)), (1, 0))
    mean = ask("mean")
    assert mean.about.cells == cells((1, None))


@pytest.mark.parametrize(("query", "key"), [(16, 0), (0, 16)])
def test_tokens_there_are_not_are_refused(query: int, key: int, asked: Asked) -> None:
    with pytest.raises(
        NoSuchPosition, match=r"Token 16 is no (query|key).*tokens 0 to 15"
    ) as error:
        asked.pair("minilm", layer=0, head=0, query=query, key=key)
    assert error.value.details == {"position": 16, "first": 0, "last": 15}


STACKS = {"encoder": (0, 0), "decoder": (1, 1), "cross": (1, 0)}


@pytest.mark.parametrize("stack", STACKS)
def test_each_stack_of_an_encoder_decoder_has_maps_of_its_own(
    stack: Any,  # noqa: ANN401
    asked: Asked,
    t5: str,
) -> None:
    loaded, analysis = asked.analysis(t5)
    shape = analysis.stack(stack)
    texts = analysis.stack("encoder").keys, analysis.stack("decoder").keys
    found = asked.map(t5, stack=stack, combine="head", cells=cells((1, 2)))
    close(found.pattern, analysis.patterns(1, [2], stack)[0])
    assert (found.about.queries, found.about.keys) == tuple(texts[it] for it in STACKS[stack])
    assert found.causal == (stack == "decoder")
    weighted = asked.map(
        t5, stack=stack, combine="mean", cells=cells((1, None)), values="weighted"
    ).pattern
    capture = analysis.captures(stack)[1]
    norms = value_norms(capture.v[0], loaded.grams[capture.site])
    close(weighted, weight_by_value(capture.pattern()[0], norms).mean(0).cpu())
    assert weighted.shape == (shape.n_queries, shape.n_keys)


def test_a_rollout_stays_within_one_text(asked: Asked, t5: str) -> None:
    rolled = asked.map(t5, stack="decoder", combine="rollout").pattern
    close(rolled.sum(-1), np.ones(len(rolled)), 1e-5)
    assert np.count_nonzero(np.triu(rolled, 1)) == 0


def test_of_several_stacks_one_must_be_named(asked: Asked, t5: str) -> None:
    for ask in (
        lambda: asked.map(t5, combine="mean"),
        lambda: asked.pair(t5, layer=0, head=0, query=0, key=0),
    ):
        with pytest.raises(NoSuchStack, match="encoder, decoder, cross"):
            ask()
    with pytest.raises(NoSuchStack):
        asked.map("minilm", stack="cross", combine="mean")
    assert asked.map("minilm", stack="encoder", combine="mean").about.stack == "encoder"


@pytest.mark.parametrize("stack", STACKS)
def test_pairs_of_an_encoder_decoder_are_named_by_their_running_index(
    stack: Any,  # noqa: ANN401
    asked: Asked,
    t5: str,
) -> None:
    _, analysis = asked.analysis(t5)
    shape = analysis.stack(stack)
    query, key = shape.queries[0] + 2, shape.keys[0] + 1
    found = asked.pair(t5, stack=stack, layer=1, head=2, query=query, key=key)
    row = analysis.patterns(1, [2], stack)[0, 2]
    close(found.weights, row)
    close(found.weight, row[1])
    assert found.keys == shape.keys
    assert (found.added is None) == (stack == "cross")
    assert ("position bias" in (found.note or "")) == (stack != "cross")


def test_the_tokens_of_another_stack_are_refused(asked: Asked, t5: str) -> None:
    _, analysis = asked.analysis(t5)
    first, end = analysis.stack("cross").queries
    pair = {"stack": "cross", "layer": 0, "head": 0}
    with pytest.raises(NoSuchPosition, match=f"no query of the cross.*{first} to {end - 1}"):
        asked.pair(t5, **pair, query=0, key=0)
    with pytest.raises(NoSuchPosition, match=f"no key of the cross.*0 to {first - 1}"):
        asked.pair(t5, **pair, query=first, key=first)


def test_a_decoder_of_two_looks_only_back_too(asked: Asked, t5: str) -> None:
    _, analysis = asked.analysis(t5)
    first = analysis.stack("decoder").queries[0]
    found = asked.pair(t5, stack="decoder", layer=0, head=0, query=first + 1, key=first + 3)
    assert (found.score, found.added, found.weight) == (None, None, 0)
    assert "reaches only earlier tokens" in (found.note or "")
    assert [score is None for score in found.scores[:4]] == [False, False, True, True]


def test_maps_of_a_kept_run_need_no_other_run(asked: Asked) -> None:
    asked.analysis("minilm")
    assert asked.map("minilm", combine="rollout").about.timing.forward_ms == 0
    assert asked.pair("minilm", layer=0, head=0, query=0, key=0).timing.forward_ms == 0
