"""Means and ratios over texts, with 95 % intervals: a text is one independent case.

By Student's t, because a corpus may have few texts. Ends are not clipped: the caller knows the
range. One case gives a value and no interval, none gives nothing: NaN.
"""

import numpy as np

from mha_core.atlas.student import t_95
from mha_core.atlas.tally import Numbers

Interval = tuple[Numbers, Numbers, Numbers]
"""A value, its lower and its upper end."""


def mean_interval(per_text: Numbers) -> Interval:
    """The mean over texts, [...] from [N, ...]."""
    ones: Numbers = np.ones_like(per_text)
    return ratio_interval(per_text, ones)


def ratio_interval(top: Numbers, bottom: Numbers) -> Interval:
    """sum(top) / sum(bottom) over texts, [...] from [N, ...]; bottom is never negative.

    Rows of one text are not independent cases, so the error is that of a ratio of two sums over
    texts, linearised. A text whose bottom is 0 has no part in it.
    """
    total: Numbers = np.where(bottom.sum(0) > 0, bottom.sum(0), np.nan)
    ratio = top.sum(0) / total
    many = (bottom > 0).sum(0).astype(np.float64)
    many = np.where(many > 1, many, np.nan)
    left = ((top - ratio * bottom) ** 2).sum(0)
    reach = t_95(many - 1) * np.sqrt(left * many / (many - 1)) / total
    return ratio, ratio - reach, ratio + reach
