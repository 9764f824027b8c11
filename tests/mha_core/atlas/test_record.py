"""The record is plain data: rounded where it is written, and read without torch."""

import subprocess
import sys

from mha_core.atlas.record import FORMAT, SECTIONS, Atlas
from mha_core.atlas.roles import build_evidence
from tests.made_up_atlas import HEADS, LAYERS, make_up_atlas


def test_the_record_needs_no_torch_and_no_transformers() -> None:
    code = (
        "import sys, mha_core.atlas.storage; "
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numbers_are_rounded_where_they_are_written_and_not_before() -> None:
    head = build_evidence(
        (0, 1), value=1 / 3, baseline=float("nan"), n=5, low=None, high=2 / 3, split="",
        evidence="", rank=1e-7,
    )  # fmt: skip
    assert head.value == 1 / 3
    written = head.model_dump()
    assert (written["value"], written["high"], written["rank"]) == (0.3333, 0.6667, 0.0)
    assert written["low"] is written["baseline"] is written["lift"] is None


def test_what_is_read_is_written_again_with_fields_of_later_versions() -> None:
    document = make_up_atlas()
    document["sections"]["surface"]["later"] = [1]
    document["sections"]["surface"]["measures"]["entropy"]["later"] = "too"
    again = Atlas.model_validate(document).model_dump(mode="json")
    surface = again["sections"]["surface"]
    assert surface["later"] == [1]
    assert surface["measures"]["entropy"]["later"] == "too"
    assert Atlas.model_validate(again).model_dump(mode="json") == again


def test_a_measure_without_value_weighted_numbers_has_no_field_for_them() -> None:
    sections = Atlas.model_validate(make_up_atlas()).model_dump()["sections"]
    assert "weighted" in sections["surface"]["measures"]["entropy"]
    assert "weighted" not in sections["coreference"]["measures"]["gap"]


def test_places_of_heads_go_layer_by_layer() -> None:
    heads = Atlas.model_validate(make_up_atlas()).heads
    assert heads == [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]


def test_the_format_and_the_sections_are_those_of_the_file() -> None:
    assert make_up_atlas()["format"] == FORMAT
    assert set(make_up_atlas()["sections"]) <= set(SECTIONS)
