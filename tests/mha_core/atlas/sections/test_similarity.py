"""The section on similarity has all distances, the nearest heads and a map."""

import numpy as np

from mha_core.atlas.record import Atlas
from mha_core.atlas.sections.similarity import SIMILAR


def test_distances_are_those_of_a_metric_space_of_heads(small_atlas: Atlas) -> None:
    section = small_atlas.sections["similarity"]
    distances = np.array(section.distances)
    assert distances.shape == (16, 16)
    assert (distances == distances.T).all()
    assert (np.diag(distances) == 0).all()
    assert np.shape(section.layout) == (16, 2)
    assert section.stress is not None
    assert 0 <= section.stress < 1


def test_similar_heads_are_the_nearest_others_nearest_first(small_atlas: Atlas) -> None:
    section = small_atlas.sections["similarity"]
    distances = np.array(section.distances)
    assert set(section.similar) == {f"{layer}.{head}" for layer, head in small_atlas.heads}
    for place, (layer, head) in enumerate(small_atlas.heads):
        similar = section.similar[f"{layer}.{head}"]
        others = np.sort(np.delete(distances[place], place))
        assert len(similar) == SIMILAR
        assert (layer, head) not in [(at, number) for at, number, _ in similar]
        assert [round(away, 4) for *_, away in similar] == others[:SIMILAR].tolist()
