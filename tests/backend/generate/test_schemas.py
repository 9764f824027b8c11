"""What may be asked of generation: its limits, and that the page has the same ones."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from backend.generate.schemas import SAFE_INTEGER, GenerateRequest

ROOT = Path(__file__).parents[3]
QUESTION = {"request": 1, "model": "smollm2", "text": "The"}


def most_of_the_page() -> dict[str, int]:
    """The largest values that the page lets people choose, read from its source."""
    source = (ROOT / "frontend/tabs/generate/sampling_choice.js").read_text(encoding="utf-8")
    found = re.search(r"export const MOST = \{(.*?)\}", source)
    assert found is not None
    said = dict(re.findall(r"(\w+): ([\w.]+)", found[1]))
    return {
        name: SAFE_INTEGER if value == "Number.MAX_SAFE_INTEGER" else int(value)
        for name, value in said.items()
    }


def test_the_page_lets_people_choose_as_much_as_the_server_takes_and_no_more() -> None:
    most = most_of_the_page()
    assert most.keys() == {"temperature", "n", "seed"}
    GenerateRequest.model_validate({**QUESTION, **most})
    for name, value in most.items():
        with pytest.raises(ValidationError, match="less than or equal"):
            GenerateRequest.model_validate({**QUESTION, name: value + 1})
