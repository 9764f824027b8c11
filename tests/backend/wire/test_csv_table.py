"""Maps as a table."""

import csv
import io

import numpy as np

from backend.wire.csv_table import COLUMNS, csv_table

TEXTS = ["the", 'a "b",', "line\nbreak", "猫"]


def test_every_weight_has_its_line_with_the_running_numbers_and_texts_of_both_tokens() -> None:
    pattern = np.random.default_rng(0).random((3, 1)).astype(np.float32)
    table = csv_table([(1, 0, pattern), (None, None, pattern[::-1])], TEXTS, range(1, 4), range(1))
    header, *rows = csv.reader(io.StringIO(table.decode(), newline=""))
    assert tuple(header) == COLUMNS
    assert [row[:6] for row in rows[:3]] == [
        ["1", "0", str(query), "0", TEXTS[query], "the"] for query in (1, 2, 3)
    ]
    assert [row[:2] for row in rows[3:]] == [["", ""]] * 3
    written = np.array([row[6] for row in rows], np.float32)
    assert np.array_equal(written, np.concatenate([pattern[:, 0], pattern[::-1, 0]]))
