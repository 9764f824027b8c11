"""Transformers keeps quiet, but not about errors."""

from logging import ERROR

import pytest
from transformers.utils import logging

from mha_core.models.quiet import quiet


def test_bars_and_warnings_go_and_errors_stay(capfd: pytest.CaptureFixture[str]) -> None:
    quiet()
    logger = logging.get_logger("transformers")
    logger.warning("a warning")
    logger.error("an error")
    assert list(logging.tqdm(range(3))) == [0, 1, 2]
    written = capfd.readouterr()
    assert "a warning" not in written.err + written.out
    assert "%" not in written.err + written.out
    assert logger.isEnabledFor(ERROR)
