"""The section on copying has scores on random tokens, and signs of what heads write."""

from mha_core.atlas.record import Atlas
from mha_core.atlas.synthetic import LENGTH, N_TEXTS, SEEDS


def test_scores_and_signs_have_a_number_a_head(small_atlas: Atlas) -> None:
    measures = small_atlas.sections["copy"].measures
    scores = {f"synthetic_{name}" for name in ("previous", "duplicate", "induction")}
    assert set(measures) == scores | {"copying", "copy_suppression"}
    for name in scores:
        for low, value, high in zip(*_columns(small_atlas, name), strict=True):
            assert 0 <= low <= value <= high <= 1
    for name in ("copying", "copy_suppression"):
        known = [value for value in measures[name].values if value is not None]
        assert known
        assert all(-1 <= value <= 1 for value in known)


def _columns(atlas: Atlas, name: str) -> list[list[float]]:
    measure = atlas.sections["copy"].measures[name]
    columns = (measure.low or [], measure.values, measure.high or [])
    return [[value if value is not None else -1 for value in column] for column in columns]


def test_the_random_tokens_are_told(small_atlas: Atlas) -> None:
    section = small_atlas.sections["copy"]
    texts = section.data.synthetic
    assert texts is not None
    assert (texts.tokens, texts.said, texts.texts) == (LENGTH, 2, N_TEXTS)
    assert texts.seeds == list(SEEDS)
    for role in section.roles:
        assert role.id in section.measures
        assert all(head.split == "random tokens, repeated" for head in role.heads)


def test_the_null_models_copy_nothing(small_atlas: Atlas) -> None:
    assert [null.roles for null in small_atlas.sections["copy"].nulls] == [0, 0, 0]
