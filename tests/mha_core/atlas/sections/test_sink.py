"""The section on the sink has attention to the first token, and what its keys are like."""

from mha_core.atlas.record import Atlas


def test_attention_to_the_first_token_is_measured_in_windows(small_atlas: Atlas) -> None:
    section = small_atlas.sections["sink"]
    measure = section.measures["sink64"]
    assert measure.n > 1
    assert measure.baseline is not None
    assert 0 < measure.baseline < 0.2
    for role in section.roles:
        assert (role.id, role.group) == ("sink64", "sink")
        assert all("windows of 64 tokens" in head.evidence for head in role.heads)


def test_the_anatomy_of_a_sink_has_a_number_a_head(small_atlas: Atlas) -> None:
    measures = small_atlas.sections["sink"].measures
    names = {"sink64", "key_norm_ratio", "query_norm", "cosine_first", "cosine_other"}
    assert set(measures) == names
    for name in names:
        assert all(value is not None for value in measures[name].values), name
    assert all(-1 <= (value or 0) <= 1 for value in measures["cosine_first"].values)


def test_massive_activations_go_from_the_embedding_to_the_last_layer(small_atlas: Atlas) -> None:
    massive = small_atlas.sections["sink"].massive
    assert [row.layer for row in massive] == [0, 1, 2]
    for row in massive:
        assert row.magnitude > row.median > 0
        assert 0 < row.position_share <= 1
        assert 0 <= row.position < 64


def test_the_null_models_have_no_sink(small_atlas: Atlas) -> None:
    assert [null.roles for null in small_atlas.sections["sink"].nulls] == [0, 0, 0]
