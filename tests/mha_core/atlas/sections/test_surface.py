"""The section on plain texts has every metric of every head, and nulls on some of the texts."""

from mha_core.atlas.null_models import NULL_MODELS
from mha_core.atlas.record import Atlas
from mha_core.atlas.surface import SURFACE


def test_every_metric_has_a_number_a_head_and_so_has_variability(small_atlas: Atlas) -> None:
    section = small_atlas.sections["surface"]
    assert list(section.measures) == [*SURFACE, "variability"]
    for measure in section.measures.values():
        assert len(measure.values) == 16
    assert section.measures["variability"].low is None
    assert section.measures["previous"].low is not None


def test_roles_follow_from_the_measures(small_atlas: Atlas) -> None:
    section = small_atlas.sections["surface"]
    assert {role.id for role in section.roles} <= set(section.measures)
    for role in section.roles:
        values = section.measures[role.id].values
        for head in role.heads:
            assert values[8 * head.layer + head.head] == round(head.value, 4)
            assert head.split == "the dev set"


def test_the_null_models_have_no_roles(small_atlas: Atlas) -> None:
    nulls = small_atlas.sections["surface"].nulls
    assert [null.id for null in nulls] == list(NULL_MODELS)
    assert [(null.roles, null.counts_as_false) for null in nulls] == [(0, True)] * 3


def test_the_texts_are_told(small_atlas: Atlas) -> None:
    data = small_atlas.sections["surface"].data
    assert data.texts is not None
    assert data.texts.source == "a treebank, dev split"
    assert data.treebank is data.gap is data.synthetic is None
