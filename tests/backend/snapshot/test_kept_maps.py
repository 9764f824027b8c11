"""Maps that a snapshot keeps: every weight to within 0.00002, in two bytes."""

import numpy as np

from backend.snapshot.kept_maps import KeptMap


def test_every_weight_is_kept_to_within_two_hundred_thousandths() -> None:
    weights = np.random.default_rng(0).random((7, 5), np.float32) ** 8
    weights[0, :3] = 0, 1, 1.0000001  # a row that sums to one but for a rounding
    kept = KeptMap({"combine": "head"}, weights)
    codes = np.frombuffer(kept.encode(), "<u2").reshape(7, 5)
    assert np.abs((codes / 65_535) ** 2 - weights).max() < 2e-5
    assert kept.describe() == {"combine": "head", "rows": 7, "cols": 5}
