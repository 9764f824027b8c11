"""The means of a corpus as CSV: one line a metric and head, the ranking by the link first."""

import csv
import io

from backend.corpus.schemas import CorpusResponse
from backend.wire.formats import CSV, JSON, Format
from backend.wire.responses import encode_json

COLUMNS = (
    *("metric", "layer", "head", "mean", "low", "high"),
    *("n", "texts", "baseline", "by_position"),
)


def write_csv(answer: CorpusResponse) -> bytes:
    """What is null is empty. The link is called `link`; its cases are its texts."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\n")
    writer.writeheader()
    if answer.link is not None:
        of_link = {"metric": "link", "n": answer.link.texts, "texts": answer.link.texts}
        of_link["baseline"] = answer.link.uniform
        writer.writerows(of_link | vars(head) for head in answer.link.heads)
    for name, metric in answer.metrics.items():
        of_metric = {"metric": name, "baseline": metric.baseline}
        writer.writerows(of_metric | vars(head) for head in metric.heads)
    return buffer.getvalue().encode()


AS_JSON: Format[CorpusResponse] = Format(JSON, "json", encode_json)
AS_CSV: Format[CorpusResponse] = Format(CSV, "csv", write_csv)
FORMATS = (AS_JSON, AS_CSV)
