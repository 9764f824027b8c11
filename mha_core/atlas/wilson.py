"""Wilson's score interval of a share of successes (Wilson 1927).

Unlike the textbook interval it stays within 0 and 1 and is honest for few cases: 4 of 4 is no
proof, its lower end is .51.
"""

import numpy as np
from numpy.typing import ArrayLike

from mha_core.atlas.tally import Numbers

Z_95 = 1.959963984540054
"""The normal quantile that leaves 2.5 % on each side."""


def wilson_interval(hits: ArrayLike, n: ArrayLike) -> tuple[Numbers, Numbers]:
    """Lower and upper end of the 95 % interval of hits / n, of any shape; NaN where n is 0."""
    cases = np.where(np.greater(n, 0), n, np.nan)
    share = np.divide(hits, cases)
    scale = 1 + Z_95**2 / cases
    centre = (share + Z_95**2 / (2 * cases)) / scale
    half = Z_95 / scale * np.sqrt(share * (1 - share) / cases + (Z_95 / (2 * cases)) ** 2)
    # Rounding must not push an end past the share, or past 0 and 1: n of n ends at 1 exactly.
    return np.clip(centre - half, 0, share), np.clip(centre + half, share, 1)
