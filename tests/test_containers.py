"""The container files, checked as far as that goes without an engine to build and run them."""

import json
import re
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn
import yaml

from backend.app import create_app
from backend.settings import Settings

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]
Instructions = list[tuple[str, str]]
Composed = dict[str, Any]

PUBLISHED = re.compile(r"127\.0\.0\.1:\d+:(\d+)")


@pytest.fixture(scope="module")
def instructions() -> Instructions:
    """The Dockerfile as (instruction, rest), comments gone and continued lines joined."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    joined = text.replace("\\\n", " ").splitlines()
    parts = [line.strip().partition(" ") for line in joined if line.strip()]
    return [(name, rest.strip()) for name, _, rest in parts]


@pytest.fixture(scope="module")
def composed() -> Composed:
    loaded = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    assert isinstance(loaded, dict)
    return loaded


def rests(instructions: Instructions, name: str) -> list[str]:
    return [rest for instruction, rest in instructions if instruction == name]


def environment_of(instructions: Instructions) -> dict[str, str]:
    pairs = [pair.partition("=") for rest in rests(instructions, "ENV") for pair in rest.split()]
    return {name: value for name, _, value in pairs}


def copied(instructions: Instructions) -> list[str]:
    return [source for rest in rests(instructions, "COPY") for source in rest.split()[:-1]]


def test_the_image_stands_on_the_python_the_package_asks_for(instructions: Instructions) -> None:
    assert rests(instructions, "FROM") == ["python:3.11-slim"]


def test_the_server_does_not_run_as_root(instructions: Instructions) -> None:
    names = [name for name, _ in instructions]
    assert rests(instructions, "USER") == ["headscope"]
    assert names.index("USER") > max(i for i, name in enumerate(names) if name == "RUN")


def test_every_copied_source_exists_and_nothing_else_reaches_the_build(
    instructions: Instructions,
) -> None:
    sources = copied(instructions)
    assert all((ROOT / source).exists() for source in sources)
    ignored = (ROOT / ".dockerignore").read_text().split("\n")
    rules = [rule for rule in ignored if rule and not rule.startswith("#")]
    assert rules[0] == "*"
    assert sorted(rule[1:] for rule in rules if rule.startswith("!")) == sorted(sources)
    assert [rule for rule in rules[1:] if not rule.startswith("!")] == ["**/__pycache__"]


def test_what_reaches_the_build_makes_a_package_with_page_and_checkpoint(
    instructions: Instructions, tmp_path: Path
) -> None:
    context = tmp_path / "context"
    context.mkdir()
    for source in copied(instructions):
        if (ROOT / source).is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / source, context / source, ignore=ignore)
        else:
            shutil.copy(ROOT / source, context)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, "--no-deps", "--wheel-dir", tmp_path, context], check=True)
    (wheel,) = tmp_path.glob("headscope-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in ("mha_core", "backend", "frontend"):
        files = {path for path in (ROOT / folder).rglob("*") if path.is_file()}
        wanted = {str(path.relative_to(ROOT)) for path in files if "__pycache__" not in path.parts}
        assert wanted <= names


def test_every_setting_in_the_container_files_is_one_of_headscope(
    instructions: Instructions, composed: Composed
) -> None:
    names = set(environment_of(instructions))
    for service in composed["services"].values():
        names |= set(service["environment"])
    ours = {name.removeprefix("HEADSCOPE_").lower() for name in names if "HEADSCOPE_" in name}
    assert {"host", "models_dir", "allowed_hosts", "device"} <= ours <= set(Settings.model_fields)


def test_settings_can_be_read_from_the_containers_environment(
    instructions: Instructions, composed: Composed, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = environment_of(instructions) | composed["services"]["headscope"]["environment"]
    for name, value in variables.items():
        monkeypatch.setenv(name, re.sub(r"\$\{\w+:-(.*)\}", r"\1", value))
    settings = Settings()
    assert (settings.host, settings.port, settings.open) == ("0.0.0.0", 8000, False)
    assert (settings.device, settings.allowed_hosts) == ("cpu", ())
    assert [str(settings.models_dir)] == rests(instructions, "VOLUME")


def test_ports_are_published_on_loopback_only_and_meet_the_exposed_one(
    instructions: Instructions, composed: Composed
) -> None:
    (exposed,) = rests(instructions, "EXPOSE")
    published = [port for service in composed["services"].values() for port in service["ports"]]
    assert len(published) == len(set(published)) == 2
    for port in published:
        match = PUBLISHED.fullmatch(port)
        assert match is not None
        assert match[1] == exposed == environment_of(instructions)["HEADSCOPE_PORT"]


def test_weights_are_kept_in_a_named_volume(instructions: Instructions, composed: Composed) -> None:
    (volume,) = composed["volumes"]
    (mounted,) = rests(instructions, "VOLUME")
    for service in composed["services"].values():
        assert service["volumes"] == [f"{volume}:{mounted}"]


def test_only_the_gpu_profile_reserves_a_device(composed: Composed) -> None:
    cpu, gpu = composed["services"]["headscope"], composed["services"]["headscope-gpu"]
    assert "profiles" not in cpu
    assert "deploy" not in cpu
    assert gpu["profiles"] == ["gpu"]
    (device,) = gpu["deploy"]["resources"]["reservations"]["devices"]
    assert device == {"driver": "nvidia", "count": 1, "capabilities": ["gpu"]}
    assert gpu["environment"]["HEADSCOPE_DEVICE"] == "cuda"


def test_services_hold_no_privileges(composed: Composed) -> None:
    for service in composed["services"].values():
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_build_arguments_are_declared_and_name_no_index_by_themselves(
    instructions: Instructions, composed: Composed
) -> None:
    assert rests(instructions, "ARG") == ['TORCH_INDEX=""']
    for service in composed["services"].values():
        ((name, value),) = service["build"]["args"].items()
        assert name == "TORCH_INDEX"
        assert re.fullmatch(r"\$\{\w+:-\}", value)
        assert (ROOT / service["build"]["context"] / "Dockerfile").is_file()


def test_the_dependencies_step_lists_what_the_package_declares(instructions: Instructions) -> None:
    step = rests(instructions, "RUN")[0].split(" > requirements.txt")[0]
    step = step.replace("python", f'"{sys.executable}"', 1)
    listed = subprocess.run(
        ["sh", "-c", step], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert "torch==2.13.0" in listed
    assert len(listed) > 10


def test_the_health_check_tells_a_server_that_answers_from_none(
    instructions: Instructions, closed_port: int, tmp_path: Path
) -> None:
    (rest,) = rests(instructions, "HEALTHCHECK")
    (program, *arguments) = json.loads(rest.partition("CMD ")[2])
    assert program == "python"

    def is_healthy(port: int) -> bool:
        said = [argument.replace(":8000/", f":{port}/") for argument in arguments]
        return subprocess.run([sys.executable, *said], capture_output=True).returncode == 0

    assert not is_healthy(closed_port)
    with serving(Settings(models_dir=tmp_path, hub=False, device="cpu")) as port:
        assert is_healthy(port)


@contextmanager
def serving(settings: Settings) -> Iterator[int]:
    """The application on a free port; who calls before it has started waits in the queue."""
    server = uvicorn.Server(uvicorn.Config(create_app(settings), log_level="error"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def test_compose_itself_accepts_the_file() -> None:
    compose = [shutil.which("docker") or "docker", "compose"]
    if shutil.which("docker") is None or subprocess.run([*compose, "version"]).returncode:
        pytest.skip("No `docker compose` here: its own check of the file needs that client.")
    command = [*compose, "--profile", "gpu", "config", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
