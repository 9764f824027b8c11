"""The excerpts OpenAPI shows of an atlas are parts of the atlas the server gives."""

from starlette.testclient import TestClient

from backend.atlas.examples import ATLAS, SIMILARITY
from tests.backend.heads.test_examples import is_excerpt


def test_each_example_is_part_of_what_the_server_answers(client: TestClient) -> None:
    atlas = client.get("/api/v1/models/minilm/atlas").json()
    assert is_excerpt(ATLAS, atlas)
    assert ATLAS.keys() == atlas.keys()
    similarity = client.get("/api/v1/models/minilm/atlas/similarity").json()
    assert is_excerpt(SIMILARITY, similarity)
    assert SIMILARITY.keys() == similarity.keys()
