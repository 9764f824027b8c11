"""Devices and number formats are chosen as asked, or refused with what there is."""

import sys
from pathlib import Path

import pytest
import torch

from mha_core.errors import ModelFailed
from mha_core.models import device as devices
from mha_core.models.device import (
    available_devices,
    check_bfloat16,
    resolve_device,
    resolve_dtype,
)


def test_auto_takes_a_gpu_where_there_is_one_and_never_mps(device: torch.device) -> None:
    assert resolve_device("auto") == device
    assert resolve_device("auto").type in ("cuda", "cpu")


def test_every_device_that_is_there_can_be_asked_for() -> None:
    assert [str(resolve_device(name)) for name in available_devices()] == available_devices()


@pytest.mark.parametrize("name", ["cuda:99", "gpu", "", "cpu:x"])
def test_a_device_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(ModelFailed, match="There is: cpu") as error:
        resolve_device(name)
    assert error.value.details["available"] == available_devices()


def test_number_formats_go_by_their_names() -> None:
    assert resolve_dtype("float32") == torch.float32
    assert resolve_dtype("bfloat16") == torch.bfloat16
    with pytest.raises(ModelFailed, match="choose one of float32, float16, bfloat16"):
        resolve_dtype("int8")


@pytest.mark.parametrize(("ending", "works"), [("kill -ILL $$", False), ("exit 0", True)])
def test_a_cpu_that_dies_of_bfloat16_is_noticed_in_another_process(
    ending: str, works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "python").write_text(f"#!/bin/sh\n{ending}\n")
    (tmp_path / "python").chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert devices._cpu_multiplies_bfloat16.__wrapped__() is works


def test_bfloat16_is_refused_where_it_would_kill_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(devices, "_cpu_multiplies_bfloat16", lambda: False)
    check_bfloat16(torch.device("cpu"), torch.float32)
    check_bfloat16(torch.device("cuda"), torch.bfloat16)
    with pytest.raises(ModelFailed, match=r"ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16 .* dtype float32"):
        check_bfloat16(torch.device("cpu"), torch.bfloat16)
