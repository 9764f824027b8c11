"""The means of a corpus as a table of at most 80 columns."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from backend.corpus.schemas import CorpusLink, CorpusMetric, CorpusResponse, HeadMean, SkippedOut

SHOWN_HEADS = 10
SHOWN_LINES = 8


def describe_corpus(answer: CorpusResponse) -> RenderableType:
    """What was measured, what was left out, and the heads that come first."""
    kind = "value-weighted attention" if answer.values == "weighted" else "attention"
    heading = (
        f"{answer.model}, {kind}: {answer.texts:,} of {answer.given:,} texts measured, "
        f"{answer.n_tokens:,} tokens, {answer.timing.total_ms / 1000:.1f} s"
    )
    left_out = [Text(f"left out, {_describe(it)}", style="yellow") for it in answer.skipped]
    if answer.link is None:
        return Group(Text(heading), *left_out, Text(), _metrics_table(answer.metrics))
    unlinked = [Text(f"no link, {_describe(it)}", style="yellow") for it in answer.link.skipped]
    return Group(Text(heading), *left_out, *unlinked, Text(), *_link_table(answer.link))


def _describe(skipped: SkippedOut) -> str:
    more = ", …" if skipped.n > SHOWN_LINES else ""
    lines = ", ".join(map(str, skipped.lines[:SHOWN_LINES]))
    return f"{skipped.n:,}: {skipped.meaning} (line {lines}{more})"


def _link_table(link: CorpusLink) -> tuple[RenderableType, ...]:
    table = _table("head", "mean", "95 % interval", "by position")
    for head in link.heads[:SHOWN_HEADS]:
        interval = _interval(head.low, head.high)
        name = f"L{head.layer} H{head.head}"
        table.add_row(name, _number(head.mean), interval, _number(head.by_position))
    note = (
        f"The link over {link.texts:,} text{'s' * (link.texts != 1)}, strongest heads first; "
        f"uniform attention would give {_number(link.uniform)}. "
        f"By position: the same head at the same distances elsewhere in "
        f"{link.by_position_texts:,} of the texts."
    )
    return table, Text(), Text(note)


def _metrics_table(metrics: dict[str, CorpusMetric]) -> Table:
    table = _table("metric", "head", "mean", "95 % interval", "uniform", "cases", "texts")
    for metric in metrics.values():
        best = max(metric.heads, key=lambda head: float("-inf") if head.mean is None else head.mean)
        table.add_row(metric.label, *_metric_cells(best), _number(metric.baseline),
                      f"{best.n:,}", f"{best.texts:,}")  # fmt: skip
    table.caption = "The head with the largest mean of each metric."
    table.caption_justify = "left"
    return table


def _metric_cells(best: HeadMean) -> tuple[str, str, str]:
    if best.mean is None:
        return "-", "-", "-"
    name = f"L{best.layer} H{best.head}"
    return name, _number(best.mean), _interval(best.low, best.high)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        is_name = column in ("metric", "head")
        table.add_column(column, no_wrap=True, justify="left" if is_name else "right")
    return table


def _interval(low: float | None, high: float | None) -> str:
    return "one text" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
