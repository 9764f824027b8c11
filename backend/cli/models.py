"""`headscope models`: which models are ready, and why the others are not."""

from functools import partial

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from backend.settings import Settings
from mha_core.models.catalogue import CatalogueEntry, all_models, entry_for
from mha_core.models.hub import hub_problem, start_probe
from mha_core.models.sources import Availability, availability

_HUB_SECONDS = 0.5
"""How long a list waits for the hub, from before the models are looked up."""

_STYLES = {"ready": "green", "not installed": "yellow", "broken": "red"}

Listing = list[tuple[CatalogueEntry, Availability]]


def list_models(settings: Settings) -> Listing:
    """Every model of the catalogue and the settings; fetches nothing and imports no torch."""
    if settings.hub:
        start_probe()
    find_hub_problem = partial(hub_problem, _HUB_SECONDS)
    places = settings.model_dump(include={"models_dir", "hub"})
    return [
        (entry, availability(entry, **places, find_hub_problem=find_hub_problem))
        for entry in all_models(map(entry_for, settings.extra_models))
    ]


def models_table(listing: Listing, max_tokens: int) -> RenderableType:
    """One line a model within 80 columns, and below each reason once."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("\nmodel", overflow="ellipsis")  # the one that gives way to the others
    table.add_column("\nfamily", no_wrap=True)
    table.add_column("layers\nx heads", no_wrap=True)
    table.add_column("\ntokens", no_wrap=True, justify="right")
    table.add_column("\nlicence", no_wrap=True, max_width=10)
    table.add_column("\nstate", no_wrap=True)
    for entry, known in listing:
        model = known.architecture
        table.add_row(
            entry.id,
            model.family if model else "?",
            f"{model.n_layers} x {model.n_heads}" if model else "?",
            str(min(model.max_tokens, max_tokens)) if model else "?",
            entry.licence,
            Text(known.state, style=_STYLES[known.state]),
        )
    return Group(table, *_explain(listing))


def _explain(listing: Listing) -> list[Text]:
    """Why models are not ready, each reason with all the models it concerns."""
    concerned: dict[tuple[str, str], list[str]] = {}
    for entry, known in listing:
        if known.state != "ready":
            reason = "Downloaded on first use." if known.available else known.reason or ""
            concerned.setdefault((known.state, reason), []).append(entry.id)
    lines = [
        Text(f"\n{state.capitalize()}: {', '.join(ids)}\n{reason}")
        for (state, reason), ids in concerned.items()
    ]
    if any(state == "not installed" for state, _ in concerned):
        lines.append(Text("\nTo install one: headscope models get NAME"))
    return lines
