"""What README and docs claim about heads is what the shipped atlases say."""

from pathlib import Path

import pytest

from tests.claims import CLAIMS, FILES, fill


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_claims_are_those_of_the_atlases(path: Path) -> None:
    text = path.read_text()
    assert fill(text) == text, "run `make claims`"


def test_every_claim_stands_in_a_document() -> None:
    documents = "".join(path.read_text() for path in FILES)
    assert [name for name in CLAIMS if f"<!-- atlas: {name} -->" not in documents] == []
