"""What README and docs claim about heads is what the shipped atlases and runs say."""

from pathlib import Path

import pytest

from tests.claims import CLAIMS, FILES, fill


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_claims_are_those_of_what_is_shipped(path: Path) -> None:
    text = path.read_text()
    assert fill(text) == text, "run `make claims`"


def test_every_claim_stands_in_a_document() -> None:
    documents = "".join(path.read_text() for path in FILES)
    assert [name for name in CLAIMS if f": {name} -->" not in documents] == []
