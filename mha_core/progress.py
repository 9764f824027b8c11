"""How long work tells whoever waits how far it is. This file must not know what the work is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, done, total); total 0: unknown. Raising stops the work."""


def silent(message: str, done: int, total: int) -> None:
    """A `Progress` for callers who do not want to be told."""
