"""A measure is written as one number a head, null where it is undefined."""

import numpy as np

from mha_core.atlas.measure import Measure

VALUES = np.array([[0.123456, np.nan], [1.0, -0.5]])


def test_arrays_become_lists_layer_by_layer_rounded_and_null_where_undefined() -> None:
    ends = VALUES - 0.1, VALUES + 0.1
    record = Measure("Label", "Meaning.", "share", 7, 0.25, VALUES, *ends, VALUES * 2).record()
    assert record.values == [0.1235, None, 1.0, -0.5]
    assert record.low == [0.0235, None, 0.9, -0.6]
    assert record.weighted == [0.2469, None, 2.0, -1.0]
    assert (record.label, record.n, record.baseline) == ("Label", 7, 0.25)


def test_a_measure_without_an_interval_has_none_in_its_record() -> None:
    record = Measure.without_interval("Label", "Meaning.", "share", 7, VALUES).record()
    assert record.low is record.high is record.baseline is record.weighted is None
    assert len(record.values) == 4
