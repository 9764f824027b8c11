"""The progress callback of long work."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with (message, done, total); total 0: unknown. Raising stops the work."""


def silent(message: str, done: int, total: int) -> None:
    """A `Progress` that ignores everything."""
