"""The section on names has attention to each name of a prompt, and makes no roles of it."""

from mha_core.atlas.name_prompts import TEMPLATES
from mha_core.atlas.names import NAMES_OF_A_PROMPT
from mha_core.atlas.record import Atlas


def test_every_name_of_a_prompt_has_a_measure_with_its_interval(small_atlas: Atlas) -> None:
    section = small_atlas.sections["names"]
    assert list(section.measures) == [f"names_{name}" for name in NAMES_OF_A_PROMPT]
    assert section.data.names is not None
    assert section.data.names.templates == len(TEMPLATES)
    for measure in section.measures.values():
        assert measure.n == section.data.names.prompts > 0
        assert measure.baseline is not None
        assert 0 < measure.baseline < 1
        assert measure.low is not None
        assert measure.high is not None
        assert all(value is not None and 0 <= value <= 1 for value in measure.values)


def test_where_the_last_position_looks_is_no_role(small_atlas: Atlas) -> None:
    section = small_atlas.sections["names"]
    assert section.roles == section.nulls == []
