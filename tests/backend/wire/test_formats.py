"""Which format an Accept header asks for."""

import pytest

from backend.wire.errors import NotAcceptable
from backend.wire.formats import ATTENTION_FORMATS, HEAD_FORMATS, choose

NPZ, SAFETENSORS, JSON = "application/x-npz", "application/vnd.safetensors", "application/json"
FRAME = "application/vnd.headscope.frame"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (JSON, JSON),
        (NPZ, NPZ),
        (SAFETENSORS, SAFETENSORS),
        ("Application/X-NPZ", NPZ),
        (f" {NPZ} ; q=0.5 ", NPZ),
        (f"{NPZ}, {JSON}", NPZ),
        (f"{JSON}, {NPZ}", JSON),
        (f"{JSON};q=0.5, {NPZ}", NPZ),
        (f"{JSON};q=0.5, {NPZ};q=0.4", JSON),
        (f"{NPZ};q=0.1, {SAFETENSORS};q=0.9, */*;q=0.01", SAFETENSORS),
        (f"text/csv, {NPZ};q=0.2", NPZ),
        (f"{NPZ};q=0, */*", JSON),
        (f"{JSON};q=0, */*", NPZ),
        (f"{JSON};q=nonsense, {NPZ};q=0.1", NPZ),
        (f"{NPZ};version=1", NPZ),
        (BROWSER, JSON),
    ],
)
def test_the_callers_order_of_preference_decides(accept: str, expected: str) -> None:
    assert choose(accept, ATTENTION_FORMATS).media_type == expected


@pytest.mark.parametrize("accept", ["text/html", "image/*", f"{JSON};q=0", "*/*;q=0", "nonsense"])
def test_nothing_we_write_is_refused_with_what_we_do_write(accept: str) -> None:
    with pytest.raises(NotAcceptable) as refused:
        choose(accept, ATTENTION_FORMATS)
    for media_type in (JSON, NPZ, SAFETENSORS):
        assert media_type in refused.value.message
    assert refused.value.details == {"accept": accept}


def test_only_one_head_comes_as_a_frame() -> None:
    assert choose(FRAME, HEAD_FORMATS).media_type == FRAME
    with pytest.raises(NotAcceptable):
        choose(FRAME, ATTENTION_FORMATS)
