"""Keeps transformers from writing to the terminal: its errors are raised, and ours to word.

This file must not hide an error: only bars and warnings go.
"""

from transformers.utils import logging


def quiet() -> None:
    """No progress bars and no warnings from transformers; harmless when repeated."""
    logging.disable_progress_bar()
    logging.set_verbosity_error()
