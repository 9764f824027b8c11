"""A layer over HTTP: every step in every format, edits, traces, refusals."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load as load_safetensors
from starlette.testclient import TestClient

from backend.wire.formats import NPZ, SAFETENSORS
from mha_core.anatomy.steps import STEPS
from tests.answers import error_of, strict
from tests.backend.conftest import ClientFor

SENTENCE = "The animal slept because it was tired."
MODELS = ("headscope-tiny", "minilm", "smollm2")

Ask = Callable[..., dict[str, Any]]


def question(model: str = "minilm", **more: object) -> dict[str, Any]:
    return {"model": model, "text": SENTENCE, "layer": 1, "head": 2, "token": 5, **more}


def post(client: TestClient, body: dict[str, Any], path: str = "", accept: str = "*/*") -> Any:  # noqa: ANN401
    return client.post(f"/api/v1/learn/anatomy{path}", json=body, headers={"accept": accept})


@pytest.fixture
def ask(client: TestClient) -> Ask:
    return lambda *names, **more: strict(post(client, question(*names, **more)))


@pytest.fixture
def ask_trace(client: TestClient) -> Ask:
    def trace(model: str, matrix: str, row: int, column: int, **more: object) -> dict[str, Any]:
        body = question(model, matrix=matrix, row=row, column=column, **more)
        return strict(post(client, body, "/trace"))

    return trace


def test_the_catalogue_lists_steps_and_the_matrices_of_each(client: TestClient) -> None:
    found = strict(client.get("/api/v1/learn/anatomy"))
    assert [step["id"] for step in found["steps"]] == [step.id for step in STEPS]
    names = [matrix["name"] for matrix in found["matrices"]]
    assert len(set(names)) == len(names)
    for step in found["steps"]:
        assert set(step["matrices"]) <= set(names)
    assert all(it["formula"].startswith(f"{it['name']}[i,c] = ") for it in found["matrices"])
    assert found["families"] == ["headscope", "bert", "roberta", "gpt2", "llama", "qwen2"]
    assert found["max_tokens"] == 64


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_a_step_has_its_matrices_or_says_why_not(model: str, step: Any, ask: Ask) -> None:  # noqa: ANN401
    found = ask(model, step=step.id)
    here, absent = found["matrices"], found["absent"]
    assert [it["name"] for it in here] == list(found["values"])
    assert sorted([*found["values"], *(it["name"] for it in absent)]) == sorted(step.matrices)
    assert all(it["why"] for it in absent)
    for matrix in here:
        assert list(np.shape(found["values"][matrix["name"]])) == matrix["shape"]
        assert len(matrix["axes"]) == len(matrix["shape"])
        assert matrix["meaning"]
    assert set(step.numbers) <= set(found["numbers"])
    assert found["step"] == step.id
    assert found["changes"] is None
    assert found["difference"] < 1e-4


@pytest.mark.parametrize("model", MODELS)
def test_the_pattern_is_that_of_the_maps(model: str, ask: Ask, client: TestClient) -> None:
    pattern = ask(model, matrices=["pattern", "patterns"])["values"]
    body = {"model": model, "text": SENTENCE, "layers": [1]}
    maps = strict(client.post("/api/v1/attention", json=body))["attention"]
    np.testing.assert_allclose(pattern["patterns"], [it["pattern"] for it in maps], atol=1e-5)
    assert pattern["pattern"] == pattern["patterns"][2]


def test_all_formats_hold_the_same(client: TestClient) -> None:
    body = question("smollm2", step="mask", edits={"mask": [[3, 1]], "scale": 0.1})
    plain = strict(post(client, body))
    packed = np.load(io.BytesIO(post(client, body, accept=NPZ).content))
    tensors = load_safetensors(post(client, body, accept=SAFETENSORS).content)
    assert set(plain["values"]) <= set(tensors) & set(packed)
    for name, values in plain["values"].items():
        expected = np.array(values, np.float32)  # null is NaN
        expected[np.isnan(expected)] = -np.inf
        for array in (packed[name], tensors[name]):
            np.testing.assert_array_equal(array, expected)
    assert tensors["visible"].dtype == np.uint8
    assert packed["tokens"].tolist() == [token["text"] for token in plain["tokens"]]


def test_the_metadata_of_arrays_is_the_answer_without_its_values(
    client: TestClient, tmp_path: Path
) -> None:
    body = question("smollm2", step="stack")
    plain = strict(post(client, body))
    file = tmp_path / "anatomy.safetensors"
    file.write_bytes(post(client, body, accept=SAFETENSORS).content)
    with safe_open(file, "np") as opened:
        meta = json.loads(opened.metadata()["meta"])
    for answer in (plain, meta):
        del answer["timing"]
    del plain["values"]
    assert meta == plain


def test_what_is_hidden_has_no_score_and_what_has_no_direction_no_cosine(ask: Ask) -> None:
    found = ask("headscope-tiny", matrices=["masked", "result_cosines"], edits={"heads_off": [2]})
    masked = found["values"]["masked"]
    assert masked[2][3] is None
    assert masked[3][2] is not None
    assert [row[2] for row in found["values"]["result_cosines"]] == [None] * found["n_tokens"]


def test_sizes_and_computation_tell_models_apart(ask: Ask) -> None:
    bert, llama = (ask(model, step="scores") for model in ("minilm", "smollm2"))
    assert bert["sizes"] == {
        **{"n_layers": 6, "n_heads": 12, "n_kv_heads": 12},
        **{"d_model": 384, "d_head": 32, "d_mlp": 1536},
    }
    assert llama["sizes"]["n_kv_heads"] == 3
    assert (bert["key_head"], llama["key_head"]) == (2, 0)
    assert bert["computation"] == {
        **{"norm": "LayerNorm", "norm_first": False, "embedding_norm": True, "final_norm": False},
        **{"positions": "added", "segments": True, "shifted_keys": False, "causal": False},
        **{"activation": "GELU", "gated": False, "predicts": False},
    }
    assert llama["computation"] == {
        **{"norm": "RMSNorm", "norm_first": True, "embedding_norm": False, "final_norm": True},
        **{"positions": "rotary", "segments": False, "shifted_keys": False, "causal": True},
        **{"activation": "SiLU", "gated": True, "predicts": True},
    }


def test_edits_answer_with_what_they_changed_and_the_prediction_before(
    ask: Ask, client: TestClient
) -> None:
    before = ask("smollm2", step="output")
    after = ask("smollm2", step="output", edits={"heads_off": [2, 3], "scale": 1.0})
    changes = after["changes"]
    assert changes["prediction_before"] == before["prediction"] != after["prediction"]
    assert len(after["prediction"]["candidates"]) == 10
    assert changes["scores"] == [0] * 9
    assert min(changes["pattern"]) > 0
    norms = [row[0] for row in before["values"]["attention_out_norm"]]
    assert changes["norms_before"] == pytest.approx(norms, rel=1e-6)
    assert after["numbers"]["scale"] == 1
    assert not np.any(after["values"]["result"])
    unlike = strict(
        client.post("/api/v1/next", json={"model": "smollm2", "text": SENTENCE, "top": 3})
    )
    last = ask("smollm2", step="stack", token=before["n_tokens"] - 1)["prediction"]["candidates"]
    for ours, theirs in zip(last, unlike["candidates"], strict=False):
        assert ours["id"] == theirs["id"]
        assert ours["probability"] == pytest.approx(theirs["probability"], abs=1e-4)


def test_an_encoder_says_why_it_predicts_nothing(ask: Ask) -> None:
    found = ask("minilm", step="stack")["prediction"]
    assert found["candidates"] == []
    assert "both directions" in found["why_none"]


def test_a_row_that_sees_nothing_is_named_and_zeros(ask: Ask) -> None:
    found = ask("headscope-tiny", step="softmax", edits={"mask": [[0, 0]]})
    assert found["numbers"]["empty_queries"] == [0]
    assert not any(found["values"]["pattern"][0])
    assert found["numbers"]["heads"][0]["strongest"][0] is None


@pytest.mark.parametrize("model", ["headscope-tiny", "minilm"])
@pytest.mark.parametrize("edits", [{}, {"layer": 1, "heads_off": [0], "causal": True}])
def test_following_factors_over_http_leads_to_a_word(
    model: str, edits: dict[str, Any], ask_trace: Ask
) -> None:
    place: dict[str, Any] = {"matrix": "attention_out", "row": 4, "column": 3, "layer": 1}
    values: list[float] = []
    for _ in range(40):
        found = ask_trace(model, **place, edits=edits)
        values and np.testing.assert_allclose(found["value"], values[-1], rtol=1e-4, atol=1e-5)
        if found["leaf"] is not None:
            break
        largest = next(
            it
            for term in found["terms"]
            for it in term["factors"]
            if it["matrix"] is not None
            and not it["matrix"].startswith(("w_", "b_", "rotary", "position", "segment"))
            and not it["matrix"].endswith(("_gamma", "_beta"))
        )
        values.append(largest["value"])
        layer = place["layer"] if largest["layer"] is None else largest["layer"]
        place = {name: largest[name] for name in ("matrix", "row", "column")} | {"layer": layer}
        if largest["head"] is not None:
            place["head"] = largest["head"]
    assert found["leaf"]["kind"] == "token", found["formula"]
    assert found["leaf"]["token"] == found["tokens"][found["row"]]
    assert found["leaf"]["token"]["text"] in found["leaf"]["note"]


def test_a_trace_lists_the_largest_terms_and_sums_the_rest(ask_trace: Ask) -> None:
    found = ask_trace("minilm", "q", 4, 3, n_terms=5)
    sizes = [abs(term["value"]) for term in found["terms"]]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 5
    assert found["rest"]["n_terms"] == 384 + 1 - 5
    total = sum(term["value"] for term in found["terms"]) + found["rest"]["sum"]
    assert total == pytest.approx(found["value"], abs=1e-5)
    assert found["sum"] == pytest.approx(found["value"], abs=1e-5)
    assert found["formula"] == "q[4,3] = Σ_m normed[4,m] · w_q[m,3] + b_q[3]"
    assert (found["layer"], found["head"]) == (1, 2)


def test_a_trace_of_a_hidden_score_has_no_value(ask_trace: Ask) -> None:
    found = ask_trace("smollm2", "masked", 2, 3)
    assert (found["value"], found["sum"], found["terms"]) == (None, None, [])
    assert found["leaf"]["kind"] == "mask"
    share = ask_trace("smollm2", "pattern", 2, 1)
    assert share["combine"] == "softmax"
    assert [term["factors"][0]["column"] for term in share["terms"]].count(1) == 1
    assert share["rest"]["n_terms"] + len(share["terms"]) == 3, "only visible keys count"


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"layer": 6}, 404, "no_such_head"),
        ({"head": 12}, 404, "no_such_head"),
        ({"token": 30}, 422, "no_such_position"),
        ({"text": "word " * 70}, 413, "text_too_long"),
        ({"edits": {"heads_off": [12]}}, 422, "bad_edit"),
        ({"edits": {"heads_off": [1, 1]}}, 422, "bad_request"),
        ({"edits": {"scale": 1e30}}, 422, "bad_request"),
        ({"edits": {"scale": "big"}}, 422, "bad_request"),
        ({"edits": {"mask": [[0, 99]]}}, 422, "bad_edit"),
        ({"edits": {"mask": [[0]]}}, 422, "bad_request"),
        ({"edits": {"causal": 1}}, 422, "bad_request"),
        ({"edits": {"layer": 6, "scale": 1.0}}, 422, "bad_edit"),
        ({"edits": {"heads": [1]}}, 422, "bad_request"),
        (
            {"edits": {"weights": [{"matrix": "w_x", "head": 0, "row": 0, "column": 0, "add": 1}]}},
            422,
            "bad_request",
        ),
        ({"edits": {"inputs": [{"token": 0, "dimension": 384, "add": 1}]}}, 422, "bad_edit"),
    ],
)
def test_what_is_not_there_is_refused(
    change: dict[str, Any], status: int, code: str, client: TestClient
) -> None:
    error_of(post(client, question(step="scores") | change), status, code)
    number = question(matrix="q", row=1, column=0) | change
    error_of(post(client, number, "/trace"), status, code)


@pytest.mark.parametrize(
    "chosen", [{}, {"step": "soup"}, {"step": "mask", "matrices": ["q"]}, {"matrices": []}]
)
def test_either_a_step_or_matrices_are_chosen(chosen: dict[str, Any], client: TestClient) -> None:
    error_of(post(client, question(**chosen)), 422, "bad_request")


def test_matrices_and_cells_that_do_not_exist_are_refused(client: TestClient) -> None:
    error = error_of(post(client, question(matrices=["q", "qq"])), 422, "no_such_matrix")
    assert "scores_raw" in error["details"]["available"]
    absent = question("smollm2", matrix="position_embedding", row=0, column=0)
    error = error_of(post(client, absent, "/trace"), 422, "no_such_matrix")
    assert "rotates queries and keys" in error["message"]
    beyond = question(matrix="pattern", row=1, column=99)
    error = error_of(post(client, beyond, "/trace"), 422, "no_such_cell")
    assert "choose a row from 0 to" in error["message"]


def test_a_long_text_is_refused_with_what_to_cut(client: TestClient) -> None:
    error = error_of(post(client, question(text="word " * 70, step="mask")), 413, "text_too_long")
    assert "72 tokens and the limit is 64: remove at least 8" in error["message"]
    assert error["details"]["cut"]["field"] == "text"


def test_too_many_numbers_for_json_are_refused_with_a_remedy(client_for: ClientFor) -> None:
    with client_for(max_json_cells=1000) as client:
        body = question(matrices=["w_q"])
        error = error_of(post(client, body), 413, "too_many_cells")
        assert "12,288 numbers" in error["message"]
        assert "ask for fewer matrices" in error["message"]
        assert post(client, body, accept=SAFETENSORS).status_code == 200


def test_families_that_are_not_known_are_refused_before_any_run(
    client_for: ClientFor, model_directory: Callable[[str], Path]
) -> None:
    for family in ("distilbert", "t5"):
        folder = model_directory(family)
        with client_for(extra_models=(str(folder),)) as client:
            body = question(folder.name, step="scores")
            error = error_of(post(client, body), 422, "no_anatomy")
            assert error["details"]["family"] == family
            assert "headscope, bert" in error["message"]


def test_no_other_format_is_offered(client: TestClient) -> None:
    error_of(post(client, question(step="scores"), accept="image/png"), 406, "not_acceptable")
