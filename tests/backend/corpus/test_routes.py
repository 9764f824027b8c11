"""Texts as a corpus over HTTP: means by hand, the link, what is left out, and every refusal."""

import csv
import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from backend.corpus.schemas import EXAMPLE_TEXTS
from mha_core.metrics.catalogue import METRICS
from tests.answers import error_of, strict

ClientFor = Callable[..., AbstractContextManager[TestClient]]
CORPUS = "/api/v1/corpus"
WORDS = {"from_word": "it", "to_word": "animal"}
TEXTS = [*EXAMPLE_TEXTS, "It is the animal that sleeps, and an animal it is."]
SHAPES = {"minilm": (6, 12), "smollm2": (30, 9)}


def asked(**more: object) -> dict[str, Any]:
    return {"model": "minilm", "texts": TEXTS, **more}


def refused(client: TestClient, status: int, code: str, **more: object) -> dict[str, Any]:
    return error_of(client.post(CORPUS, json=asked(**more)), status, code)


@pytest.fixture(scope="module", params=list(SHAPES))
def measured(request: pytest.FixtureRequest, client: TestClient) -> dict[str, Any]:
    return strict(client.post(CORPUS, json=asked(model=request.param, link=WORDS)))


@pytest.mark.parametrize("values", ["raw", "weighted"])
@pytest.mark.parametrize("model", SHAPES)
def test_means_are_those_of_each_text_weighed_by_its_cases(
    model: str, values: str, client: TestClient
) -> None:
    body = strict(client.post(CORPUS, json=asked(model=model, values=values)))
    single = [
        strict(client.post("/api/v1/heads", json={"model": model, "text": it, "values": values}))
        for it in TEXTS
    ]
    assert body["metrics"].keys() == {it.name for it in METRICS.values() if it.kind == "number"}
    for name, metric in body["metrics"].items():
        seen = [it["opportunities"][name] for it in single]
        known = [it for it in seen if it["baseline"] is not None]
        if known:
            baseline = np.average(
                [it["baseline"] for it in known], weights=[it["n"] for it in known]
            )
            assert metric["baseline"] == pytest.approx(baseline, abs=1e-5)
        for at in (0, 17, 40):
            row = metric["heads"][at]
            cases = [
                (it["n"], found["heads"][at][values][name])
                for it, found in zip(seen, single, strict=True)
                if found["heads"][at][values][name] is not None
            ]
            n = sum(cases_of for cases_of, _ in cases)
            assert (row["n"], row["texts"]) == (n, len(cases))
            if not cases:
                assert (row["mean"], row["low"], row["high"]) == (None, None, None)
                continue
            mean = sum(cases_of * value for cases_of, value in cases) / n
            assert row["mean"] == pytest.approx(mean, abs=2e-4), name
            if len(cases) > 1:
                assert row["low"] <= row["mean"] + 1e-6
                assert row["mean"] <= row["high"] + 1e-6


def test_the_ranking_is_that_of_ask_on_each_text_averaged(
    measured: dict[str, Any], client: TestClient
) -> None:
    singles = []
    for text in TEXTS:
        question = {"model": measured["model"], "text": text}
        tokens = strict(client.post("/api/v1/tokenize", json=question))["tokens"]
        queries, keys = (
            [it["index"] for it in tokens if it["text"].lower() == word] for word in WORDS.values()
        )
        edges = {"queries": queries, "keys": keys}
        singles.append(strict(client.post("/api/v1/edges", json=question | edges)))
    link = measured["link"]
    assert link["texts"] == len(TEXTS)
    assert link["uniform"] == pytest.approx(np.mean([it["uniform"] for it in singles]), abs=1e-5)
    assert link["by_position_texts"] == sum(it["elsewhere"] > 0 for it in singles)
    rows = [{(it["layer"], it["head"]): it for it in single["heads"]} for single in singles]
    for head in link["heads"]:
        own = [row[head["layer"], head["head"]] for row in rows]
        weights = [it["weight"] for it in own]
        assert head["mean"] == pytest.approx(np.mean(weights), abs=1e-5)
        assert head["low"] <= head["mean"] <= head["high"]
        known = [it["by_position"] for it in own if it["by_position"] is not None]
        assert head["by_position"] == pytest.approx(np.mean(known), abs=1e-5)
    means = [head["mean"] for head in link["heads"]]
    assert means == sorted(means, reverse=True)
    n_layers, n_heads = SHAPES[measured["model"]]
    assert len({(head["layer"], head["head"]) for head in link["heads"]}) == n_layers * n_heads


def test_marks_ask_the_same_as_words(client: TestClient) -> None:
    marked = [
        "The {to:animal} didn't cross the street because {from:it} was too tired.",
        "{from:It} is the {to:animal} that sleeps, and an {to:animal} {from:it} is.",
    ]
    by_marks = strict(client.post(CORPUS, json=asked(texts=marked, link={"marked": True})))
    plain = asked(texts=[TEXTS[0], TEXTS[3]], link=WORDS)
    by_words = strict(client.post(CORPUS, json=plain))
    assert by_marks["link"] == by_words["link"]
    assert by_marks["metrics"] == by_words["metrics"]


def test_an_answer_says_what_it_is_and_what_was_left_out(client: TestClient) -> None:
    texts = [TEXTS[0], "", TEXTS[0], "The dog barks.", "word " * 600]
    body = strict(client.post(CORPUS, json=asked(texts=texts, link=WORDS)))
    assert (body["given"], body["texts"], body["n_tokens"]) == (5, 2, 16 + 7)
    assert (body["model"], body["stack"], body["values"]) == ("minilm", "encoder", "raw")
    assert [(it["reason"], it["n"], it["lines"]) for it in body["skipped"]] == [
        ("empty", 1, [2]),
        ("duplicate", 1, [3]),
        ("too_long", 1, [5]),
    ]
    [without] = body["link"]["skipped"]
    assert (without["reason"], without["lines"]) == ("no_from", [4])
    assert all(it["meaning"] for it in body["skipped"])
    assert body["link"]["texts"] == 1
    assert {head["low"] for head in body["link"]["heads"]} == {None}, "one text has no interval"
    assert body["timing"]["total_ms"] > 0


def test_one_text_has_means_and_no_intervals(client: TestClient) -> None:
    body = strict(client.post(CORPUS, json=asked(texts=TEXTS[:1])))
    assert body["link"] is None
    for metric in body["metrics"].values():
        assert {(head["low"], head["high"]) for head in metric["heads"]} == {(None, None)}


def test_a_repeated_text_changes_nothing_but_its_count(client: TestClient) -> None:
    once, twice = (
        strict(client.post(CORPUS, json=asked(texts=texts))) for texts in (TEXTS, TEXTS * 2)
    )
    assert once["metrics"] == twice["metrics"]
    assert [it["n"] for it in twice["skipped"]] == [len(TEXTS)]


def test_a_table_has_the_same_numbers(client: TestClient, measured: dict[str, Any]) -> None:
    question = asked(model=measured["model"], link=WORDS)
    answer = client.post(CORPUS, json=question, headers={"accept": "text/csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert "headscope-corpus.csv" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    first, best = rows[0], measured["link"]["heads"][0]
    assert first["metric"] == "link"
    assert [first["layer"], first["head"]] == [str(best["layer"]), str(best["head"])]
    assert float(first["mean"]) == pytest.approx(best["mean"], abs=1e-5)
    assert float(first["baseline"]) == measured["link"]["uniform"]
    n_heads = len(measured["link"]["heads"])
    assert len(rows) == n_heads * (1 + len(measured["metrics"]))
    segment = next(row for row in rows if row["metric"] == "segment")
    assert (segment["mean"], segment["n"]) == ("", "0")
    error_of(
        client.post(CORPUS, json=question, headers={"accept": "image/png"}), 406, "not_acceptable"
    )


@pytest.mark.parametrize(
    ("change", "status", "code", "words"),
    [
        ({"model": "bort"}, 404, "unknown_model", "bort"),
        ({"texts": []}, 422, "bad_request", "at least 1 item"),
        ({"texts": "one"}, 422, "bad_request", "a list"),
        ({"texts": ["one", 2]}, 422, "bad_request", "texts.1"),
        ({"texts": ["", " "]}, 422, "empty_text", "2: no text"),
        ({"texts": ["word " * 600]}, 413, "text_too_long", "Shorten"),
        ({"texts": ["a", "b" * 100_001]}, 413, "text_too_long", "Line 2 has 100,001"),
        ({"texts": ["a"] * 1001}, 413, "corpus_too_large", "1,001 texts"),
        ({"texts": ["a" * 99_999] * 3}, 413, "corpus_too_large", "299,997 characters"),
        ({"texts": ["a"], "link": {"marked": True}}, 422, "bad_marks", "Line 1, column 1"),
        ({"link": {"marked": False}}, 422, "bad_request", "`from_word` and `to_word`"),
        ({"link": WORDS | {"marked": True}}, 422, "bad_request", "without words"),
        ({"link": {"from_word": "it"}}, 422, "bad_request", "`from_word` and `to_word`"),
        ({"link": WORDS | {"to_word": " "}}, 422, "bad_request", "link.to_word"),
        ({"link": {"marked": "yes"}}, 422, "bad_request", "link.marked"),
        ({"link": WORDS | {"to_word": "cat"}}, 422, "no_link", "not in the text"),
        ({"values": "both"}, 422, "bad_request", "values"),
        ({"text": "one"}, 422, "bad_request", "text"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_words(
    change: dict[str, Any], status: int, code: str, words: str, client: TestClient
) -> None:
    assert words in refused(client, status, code, **change)["message"]


def test_half_of_a_surrogate_pair_is_refused_with_its_line(client: TestClient) -> None:
    body = '{"model": "minilm", "texts": ["a", "\\ud800"]}'
    answer = client.post(CORPUS, content=body, headers={"content-type": "application/json"})
    assert error_of(answer, 422, "bad_input")["details"] == {"line": 2}


def test_limits_are_those_of_the_settings(client_for: ClientFor) -> None:
    with client_for(max_texts=2, max_corpus_characters=20) as client:
        error = refused(client, 413, "corpus_too_large", texts=["a", "b", "c"])
        assert error["details"] == {"n_texts": 3, "max_texts": 2}
        error = refused(client, 413, "corpus_too_large", texts=["a" * 21])
        assert error["details"] == {"n_characters": 21, "max_characters": 20}
        assert "headscope corpus" in error["message"]
