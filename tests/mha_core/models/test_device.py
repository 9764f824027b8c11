"""Devices and number formats are chosen as asked, or refused with what there is."""

import pytest
import torch

from mha_core.models.device import available_devices, resolve_device, resolve_dtype
from mha_core.errors import ModelFailed


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
