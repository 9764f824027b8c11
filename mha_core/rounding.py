"""Numbers as answers and files write them: rounded, and null where undefined."""

from math import isfinite


def round_number(value: float | None, digits: int) -> float | None:
    """The value to so many decimals; None for what is undefined (None, NaN, infinite)."""
    return None if value is None or not isfinite(value) else round(float(value), digits)
