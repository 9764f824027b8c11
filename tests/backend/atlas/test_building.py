"""Measuring heads on the server: what can be, starting, stopping, continuing, and refusals."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from backend.atlas.plan import WORDS
from backend.cli.atlas import build_atlas
from backend.settings import Settings
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.record import SECTIONS
from mha_core.atlas.storage import built_path, partial_results_path
from tests.answers import error_of
from tests.backend.conftest import ClientFor
from tests.builds import HeldModel, wait_for_build
from tests.server_process import serving

QUICK = {"sections": ["sink", "similarity"]}
TEXT = "The cat sat."


class Measured:
    """A client whose own model, a small random BERT, can be measured quickly."""

    def __init__(self, client: TestClient, model: str, models_dir: Path) -> None:
        self.client, self.model = client, model
        self.path = built_path(model, models_dir)
        self.url = f"/api/v1/models/{model}/atlas"

    def plan(self) -> dict[str, Any]:
        answer = self.client.get(f"{self.url}/build")
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def state(self) -> dict[str, Any]:
        build: dict[str, Any] = self.plan()["build"]
        return build

    def start(self, **request: object) -> dict[str, Any]:
        answer = self.client.post(f"{self.url}/build", json=request)
        assert answer.status_code == 202, answer.text
        build: dict[str, Any] = answer.json()["build"]
        return build

    def stop(self) -> dict[str, Any]:
        answer = self.client.delete(f"{self.url}/build")
        assert answer.status_code == 202, answer.text
        build: dict[str, Any] = answer.json()["build"]
        return build

    def dates(self) -> dict[str, str | None]:
        return {it["section"]: it["measured"] for it in self.plan()["sections"]}


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldModel]:
    """The models of builds, which a test may hold before a run."""
    held = HeldModel(monkeypatch)
    yield held
    held.release()
    wait_for_build()


@pytest.fixture
def small(
    held: HeldModel,
    model_directory: Callable[[str], Path],
    tmp_path: Path,
    client_for: ClientFor,
) -> Iterator[Measured]:
    folder = model_directory("bert")
    with client_for(models_dir=tmp_path, extra_models=(str(folder),)) as client:
        yield Measured(client, folder.name, tmp_path)
        held.release()


def needs(plan: dict[str, Any]) -> dict[str, str | None]:
    return {it["section"]: it["needs"] for it in plan["sections"]}


def test_the_plan_has_every_section_and_says_what_is_missing(small: Measured) -> None:
    plan = small.plan()
    assert [it["section"] for it in plan["sections"]] == list(SECTIONS) == list(WORDS)
    needed = needs(plan)
    assert {name for name, need in needed.items() if need is None} == {
        *("surface", "sink", "similarity")
    }
    assert "causal" in (needed["copy"] or "")
    assert "HEADSCOPE_TREEBANK" in (needed["syntax"] or "")
    assert "HEADSCOPE_GAP" in (needed["coreference"] or "")
    assert all(it["label"] and it["measures"] for it in plan["sections"])
    assert set(small.dates().values()) == {None}
    assert plan["model"] == small.model
    assert plan["build"] == {
        **{"state": "idle", "message": "", "section": None, "sections": [], "done": 0, "total": 0},
        **{"started": None, "error": None},
    }


def test_corpora_of_the_settings_make_their_sections_possible(
    tmp_path: Path, client_for: ClientFor
) -> None:
    for split in ("dev", "test"):
        (tmp_path / f"own-{split}.conllu").touch()
    (tmp_path / "gap.tsv").touch()
    settings = {"models_dir": tmp_path, "treebank": tmp_path, "gap": tmp_path / "gap.tsv"}
    with client_for(**settings) as client:
        plan = client.get("/api/v1/models/headscope-tiny/atlas/build").json()
    assert set(needs(plan).values()) == {None}


def test_corpora_that_are_not_there_are_told(tmp_path: Path, client_for: ClientFor) -> None:
    nowhere = {"treebank": tmp_path / "ud", "gap": tmp_path / "gap.tsv"}
    with client_for(models_dir=tmp_path, **nowhere) as client:
        plan = client.get("/api/v1/models/headscope-tiny/atlas/build").json()
    for section, name in (("syntax", "ud"), ("coreference", "gap.tsv")):
        need = needs(plan)[section] or ""
        assert "is set, but" in need
        assert name in need
    assert needs(plan)["surface"] is None


def test_a_model_that_is_not_here_needs_its_weights(client: TestClient) -> None:
    url = "/api/v1/models/gpt2-medium/atlas/build"
    assert all("needs the model" in (need or "") for need in needs(client.get(url).json()).values())
    error_of(client.post(url, json={}), 422, "cannot_measure")


def test_a_build_runs_beside_other_requests_and_its_atlas_is_served(
    small: Measured, held: HeldModel
) -> None:
    held.hold(lambda: held.n_runs >= 5)
    started = small.start(**QUICK)
    assert (started["state"], started["sections"]) == ("running", ["sink", "similarity"])
    assert held.reached.wait(60)
    early = small.state()
    assert (early["state"], early["section"]) == ("running", "sink")
    assert early["started"] == started["started"]
    question = {"model": small.model, "text": TEXT}
    assert small.client.post("/api/v1/heads", json=question).status_code == 200
    held.release()
    wait_for_build()
    done = small.state()
    assert (done["state"], done["section"], done["error"]) == ("done", "similarity", None)
    assert {name for name, date in small.dates().items() if date} == {"sink", "similarity"}
    atlas = small.client.get(small.url).json()
    assert (list(atlas["sections"]), atlas["revision_matches"]) == (["sink", "similarity"], True)
    assert "surface" in atlas["missing"]
    assert small.client.get(f"{small.url}/similarity").status_code == 200
    assert not partial_results_path(small.path).exists()


def test_progress_grows_while_a_section_is_measured(small: Measured, held: HeldModel) -> None:
    seen: list[tuple[int, int]] = []

    def look() -> bool:
        state = small.state()
        if state["section"] and state["total"]:
            seen.append((state["done"], state["total"]))
        return False

    held.hold(look)
    small.start(sections=["similarity"])
    wait_for_build()
    done = [at for at, _ in seen]
    assert done == sorted(done)
    assert len(set(done)) > 3
    assert all(at <= total for at, total in seen)


def test_a_request_that_waits_is_served_before_the_next_batch(
    held: HeldModel, model_directory: Callable[[str], Path], tmp_path: Path, client_for: ClientFor
) -> None:
    """With one slot, which the build holds while a batch runs."""
    folder = model_directory("bert")
    with client_for(models_dir=tmp_path, extra_models=(str(folder),), workers=1) as client:
        small = Measured(client, folder.name, tmp_path)
        small.start(sections=["similarity"])
        question = {"model": small.model, "text": TEXT}
        for _ in range(5):
            assert client.post("/api/v1/heads", json=question).status_code == 200
            assert client.get("/api/v1/health").status_code == 200
        wait_for_build()
        assert small.state()["state"] == "done"


def test_a_stopped_build_keeps_what_is_done_and_continues(small: Measured, held: HeldModel) -> None:
    held.hold(small.path.is_file)  # in the section after the first
    small.start(**QUICK)
    assert held.reached.wait(60)
    first = small.client.get(small.url).json()
    assert list(first["sections"]) == ["sink"], "served while the next one is being measured"
    stopping = small.stop()
    assert (stopping["state"], stopping["message"]) == ("running", "Stopping")
    held.release()
    wait_for_build()
    stopped = small.state()
    assert (stopped["state"], stopped["section"]) == ("stopped", "similarity")
    assert "kept" in stopped["message"]
    assert partial_results_path(small.path).is_dir()
    assert small.start(**QUICK)["sections"] == ["similarity"], "the other one is measured"
    wait_for_build()
    assert small.state()["state"] == "done"
    atlas = small.client.get(small.url).json()
    assert list(atlas["sections"]) == ["sink", "similarity"]
    assert atlas["sections"]["sink"] == first["sections"]["sink"]


def test_what_the_server_left_unfinished_the_command_line_continues(
    small: Measured,
    held: HeldModel,
    model_directory: Callable[[str], Path],
    settings_for: Callable[..., Settings],
    tmp_path: Path,
) -> None:
    held.hold(small.path.is_file)
    small.start(**QUICK)
    assert held.reached.wait(60)
    small.stop()
    held.release()
    wait_for_build()
    earlier = json.loads(small.path.read_text())["sections"]["sink"]
    folder = str(model_directory("bert"))
    settings = settings_for(models_dir=tmp_path)
    build_atlas(folder, Corpora(), settings, only=("sink", "similarity"), seed=0, out=None)
    sections = json.loads(small.path.read_text())["sections"]
    assert sections["sink"] == earlier, "not measured once more, or its seconds would differ"
    assert small.dates()["similarity"] is not None


def test_stopping_where_nothing_runs_changes_nothing(small: Measured) -> None:
    assert small.stop()["state"] == "idle"


def test_one_build_at_a_time_whichever_model(small: Measured, held: HeldModel) -> None:
    held.hold(lambda: True)
    small.start(sections=["similarity"])
    assert held.reached.wait(60)
    for model in (small.model, "headscope-tiny"):
        url = f"/api/v1/models/{model}/atlas/build"
        body = {"sections": ["similarity"], "again": True}
        error = error_of(small.client.post(url, json=body), 409, "build_running")
        assert error["details"] == {"model": small.model}
        assert small.model in error["message"]
    other = small.client.get("/api/v1/models/headscope-tiny/atlas/build").json()
    assert other["build"]["state"] == "idle", "each model has its own"


def test_what_is_measured_is_measured_again_only_if_asked(small: Measured) -> None:
    small.start(sections=["similarity"])
    wait_for_build()
    url = f"{small.url}/build"
    error_of(small.client.post(url, json={"sections": ["similarity"]}), 409, "already_measured")
    assert small.state()["state"] == "done"
    assert small.start(sections=["similarity"], again=True)["state"] == "running"
    wait_for_build()
    assert small.state()["state"] == "done"


def test_by_default_all_is_measured_that_can_be_and_is_not(
    small: Measured, held: HeldModel
) -> None:
    small.start(sections=["sink"])
    wait_for_build()
    held.hold(lambda: True)
    assert small.start()["sections"] == ["surface", "similarity"]
    small.stop()
    held.release()
    wait_for_build()
    held.hold(lambda: True)
    assert small.start(again=True)["sections"] == ["surface", "sink", "similarity"]
    small.stop()


def test_sections_of_other_weights_count_as_not_measured(small: Measured) -> None:
    small.start(sections=["similarity"])
    wait_for_build()
    atlas = json.loads(small.path.read_text())
    atlas["model"]["revision"] = "older"
    small.path.write_text(json.dumps(atlas))
    assert small.dates()["similarity"] is None
    assert small.start(sections=["sink"])["state"] == "running"
    wait_for_build()
    assert list(json.loads(small.path.read_text())["sections"]) == ["sink"]


def test_a_file_that_cannot_be_read_is_replaced(small: Measured) -> None:
    small.path.parent.mkdir()
    small.path.write_text('{"format": 1}')
    assert small.client.get(small.url).status_code == 500
    assert small.dates()["similarity"] is None
    small.start(sections=["similarity"])
    wait_for_build()
    assert small.client.get(small.url).status_code == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"sections": ["syntax"]}, "cannot_measure"),
        ({"sections": ["sink", "coreference"]}, "cannot_measure"),
        ({"sections": ["copy"], "again": True}, "cannot_measure"),
        ({"sections": ["semantics"]}, "bad_request"),
        ({"sections": []}, "bad_request"),
        ({"sections": "sink"}, "bad_request"),
        ({"again": "yes"}, "bad_request"),
        ({"treebank": "/etc"}, "bad_request"),
        ([], "bad_request"),
    ],
)
def test_what_cannot_be_measured_is_refused_with_what_it_needs(
    body: object, code: str, small: Measured
) -> None:
    error = error_of(small.client.post(f"{small.url}/build", json=body), 422, code)
    if code == "cannot_measure":
        (need,) = error["details"]["needs"].values()
        assert need.startswith("needs")
        assert need in error["message"]
    assert small.state()["state"] == "idle"


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("id", ["bort", "owner%2Fname", "..%2f..%2fheadscope-tiny"])
def test_an_unknown_model_is_refused(method: str, id: str, client: TestClient) -> None:
    body = {} if method == "POST" else None
    answer = client.request(method, f"/api/v1/models/{id}/atlas/build", json=body)
    error_of(answer, 404, "unknown_model")


def test_a_build_that_fails_says_so_and_can_be_started_again(
    small: Measured, tmp_path: Path
) -> None:
    (tmp_path / "atlases").touch()  # where there should be a directory
    small.start(sections=["similarity"])
    wait_for_build()
    failed = small.state()
    assert (failed["state"], failed["error"]["code"]) == ("failed", "internal")
    (tmp_path / "atlases").unlink()
    small.start(sections=["similarity"])
    wait_for_build()
    assert (small.state()["state"], small.state()["error"]) == ("done", None)


def test_lack_of_memory_is_told_as_such(small: Measured, held: HeldModel) -> None:
    def fail() -> bool:
        if held.n_runs > 1:  # the first one is that of loading the model
            raise RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate")
        return False

    held.hold(fail)
    small.start(sections=["similarity"])
    wait_for_build()
    error = small.state()["error"]
    assert (error["code"], small.model in error["message"]) == ("out_of_memory", True)


def test_closing_the_server_stops_the_build(
    held: HeldModel, model_directory: Callable[[str], Path], tmp_path: Path, client_for: ClientFor
) -> None:
    folder = model_directory("bert")
    with client_for(models_dir=tmp_path, extra_models=(str(folder),)) as client:
        held.hold(lambda: held.n_runs >= 2)
        Measured(client, folder.name, tmp_path).start(**QUICK)
        assert held.reached.wait(60)
    held.release()
    wait_for_build()
    assert held.n_runs <= 3
    assert not built_path(folder.name, tmp_path).exists()


def test_a_server_that_is_stopped_does_not_wait_for_its_build(tmp_path: Path) -> None:
    settings = {"models_dir": str(tmp_path), "fetch": "", "default_model": "headscope-tiny"}
    with serving(**settings) as address:
        url = f"{address}/api/v1/models/headscope-tiny/atlas/build"
        headers = {"content-type": "application/json"}
        body = b'{"again": true}'
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            assert answer.status == 202
        section = None
        while section is None:
            with urllib.request.urlopen(url) as answer:
                build = json.load(answer)["build"]
            assert build["state"] == "running"
            section = build["section"]
    # `serving` fails if the process does not end soon after the signal.
    assert partial_results_path(built_path("headscope-tiny", tmp_path)).is_dir()
