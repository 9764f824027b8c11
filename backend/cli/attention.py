"""`headscope attention`: the attention maps of a text in a file."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from rich.console import Console

from backend.attention.jobs import compute_attention
from backend.attention.schemas import AttentionRequest
from backend.cli.fetch import find_model, get_model
from backend.engine.session import Resources, Session
from backend.figures.heatmaps import write_html
from backend.settings import Settings
from backend.wire.formats import AS_CSV, AS_JSON, AS_NPZ, AS_SAFETENSORS, MapsAnswer
from mha_core.errors import InputError

Writer = Callable[[MapsAnswer], bytes]

WRITERS: dict[str, Writer] = {
    f".{form.extension}": form.write for form in (AS_JSON, AS_NPZ, AS_SAFETENSORS, AS_CSV)
} | {".html": write_html}


def writer_for(out: Path) -> Writer:
    """How to write a file of that name; raises InputError before anything is run."""
    if out.suffix not in WRITERS:
        raise InputError(f"Cannot write {out.name}: choose a name with {', '.join(WRITERS)}.")
    if not out.parent.is_dir():
        raise InputError(f"There is no directory {out.parent}: make it first.")
    return WRITERS[out.suffix]


def write_attention(
    text: str,
    out: Path,
    *,
    model: str | None,
    text_pair: str | None,
    stack: Literal["encoder", "decoder", "cross"] | None,
    layers: tuple[int, ...] | None,
    heads: tuple[int, ...] | None,
) -> None:
    write, settings = writer_for(out), Settings()
    entry, settings = find_model(model or settings.default_model, settings)
    get_model(entry, settings)
    request = AttentionRequest(
        model=entry.id, text=text, text_pair=text_pair, stack=stack, layers=layers, heads=heads
    )
    answer = compute_attention(Session(Resources(settings)), request)
    try:
        out.write_bytes(write(answer))
    except OSError as error:
        raise InputError(f"Cannot write {out}: {error.strerror}.") from error
    n_layers, n_heads, queries, _ = answer.arrays["attention"].shape
    Console().print(
        f"{out}: {n_layers} layers x {n_heads} heads, {queries} tokens, {entry.id}, "
        f"{answer.about.timing.total_ms:.0f} ms",
        highlight=False,
    )
