"""The steps and matrices that tests of the page know are those of the server."""

import json
from pathlib import Path

from backend.anatomy.describe import describe_catalogue

KNOWN = Path(__file__).parents[2] / "frontend/anatomy_catalogue.json"


def test_the_page_is_tested_with_the_catalogue_of_the_server() -> None:
    told = describe_catalogue().model_dump(mode="json")
    assert json.loads(KNOWN.read_text()) == told, (
        f"Write it anew: json.dumps(describe_catalogue().model_dump(), ensure_ascii=False, "
        f"indent=1) into {KNOWN}"
    )
