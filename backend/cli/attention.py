"""`headscope attention`: the maps of a text in a file."""

from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from backend.attention.jobs import compute_attention
from backend.attention.schemas import AttentionRequest
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
    """How to write a file of that name; refuses a name that cannot work before anything is run."""
    if out.suffix not in WRITERS:
        raise InputError(f"Cannot write {out.name}: choose a name with {', '.join(WRITERS)}.")
    if not out.parent.is_dir():
        raise InputError(f"There is no directory {out.parent}: make it first.")
    return WRITERS[out.suffix]


def export(settings: Settings, request: AttentionRequest, out: Path, write: Writer) -> None:
    """Run the text and write its maps."""
    answer = compute_attention(Session(Resources(settings)), request)
    try:
        out.write_bytes(write(answer))
    except OSError as error:
        raise InputError(f"Cannot write {out}: {error.strerror}.") from error
    layers, heads, queries, _ = answer.arrays["attention"].shape
    timing = answer.about.timing
    Console().print(
        f"{out}: {layers} layers x {heads} heads, {queries} tokens, {request.model}, "
        f"{timing.total_ms:.0f} ms",
        highlight=False,
    )
