"""Attention maps in a file, for the command line. This file must not know HTTP."""

from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from backend.attention.jobs import Attention, Runner
from backend.engine.session import Runs
from backend.figures.heatmaps import write_html
from backend.settings import Settings
from backend.wire.csv_table import csv_table
from backend.wire.formats import ATTENTION_FORMATS
from backend.wire.schemas import AttentionRequest
from mha_core.errors import InputError

Writer = Callable[[Attention], bytes]


def write_csv(attention: Attention) -> bytes:
    """One line a weight."""
    texts = [token.text for token in attention.provenance.tokens]
    maps = (
        (layer, head, attention.values[row, column])
        for row, layer in enumerate(attention.layers)
        for column, head in enumerate(attention.heads)
    )
    stack = attention.stack
    return csv_table(maps, texts, range(*stack.queries), range(*stack.keys))


WRITERS: dict[str, Writer] = {f".{form.extension}": form.write for form in ATTENTION_FORMATS} | {
    ".csv": write_csv,
    ".html": write_html,
}


def writer_for(out: Path) -> Writer:
    """How to write a file of that name; refuses a name that cannot work before anything is run."""
    if out.suffix not in WRITERS:
        raise InputError(f"Cannot write {out.name}: choose a name with {', '.join(WRITERS)}.")
    if not out.parent.is_dir():
        raise InputError(f"There is no directory {out.parent}: make it first.")
    return WRITERS[out.suffix]


def export(settings: Settings, request: AttentionRequest, out: Path, write: Writer) -> None:
    """Run the text and write its maps."""
    attention = Runner(Runs(settings)).attention(request, max_cells=None)
    try:
        out.write_bytes(write(attention))
    except OSError as error:
        raise InputError(f"Cannot write {out}: {error.strerror}.") from error
    layers, heads, queries, _ = attention.values.shape
    Console().print(
        f"{out}: {layers} layers x {heads} heads, {queries} tokens, {request.model}, "
        f"{attention.timing.total_ms:.0f} ms",
        highlight=False,
    )
