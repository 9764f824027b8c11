"""Maps as a table, one line a weight. This file must not know where maps come from."""

import csv
import io
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

MEDIA_TYPE = "text/csv"
COLUMNS = ("layer", "head", "query", "key", "query_text", "key_text", "weight")

LabelledMap = tuple[int | None, int | None, NDArray[np.float32]]
"""Layer, head and weights [queries, keys]; no layer and head where a map is of many."""


def csv_table(
    maps: Iterable[LabelledMap], texts: Sequence[str], queries: Sequence[int], keys: Sequence[int]
) -> bytes:
    """The maps' weights with the numbers of both tokens, which are indices into `texts`."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for layer, head, pattern in maps:
        for query, weights in zip(queries, pattern, strict=True):
            # str of a float32 has the fewest digits that give the same number back.
            writer.writerows(
                (layer, head, query, key, texts[query], texts[key], str(weight))
                for key, weight in zip(keys, weights, strict=True)
            )
    return buffer.getvalue().encode()
