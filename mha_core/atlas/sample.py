"""A random sample of a corpus, where the whole would take too long."""

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def sample(items: Sequence[Item], size: int, seed: int) -> list[Item]:
    """Up to `size` of the items, drawn without replacement, in the order they had."""
    chosen = random.Random(seed).sample(range(len(items)), min(size, len(items)))  # noqa: S311
    return [items[index] for index in sorted(chosen)]
