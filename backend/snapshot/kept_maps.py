"""Maps that a snapshot keeps nearly as they are: two bytes a weight in place of one.

code = round(65535 * sqrt(weight))     off by 0.00002 at most
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 65_535


@dataclass(frozen=True)
class KeptMap:
    """One map, and what it is of in the words it is asked for with."""

    asked: Mapping[str, Any]
    pattern: NDArray[np.float32]  # [Q, K]

    def describe(self) -> dict[str, Any]:
        rows, cols = self.pattern.shape
        return {**self.asked, "rows": rows, "cols": cols}

    def encode(self) -> bytes:
        """Its weights row by row, two bytes each, the lower first."""
        # A row that was made to sum to one may be over it by a rounding.
        roots = np.sqrt(self.pattern.clip(0, 1))
        codes: NDArray[np.uint16] = np.rint(roots * LARGEST).astype("<u2")
        return codes.tobytes()
