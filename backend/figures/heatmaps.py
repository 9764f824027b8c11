"""A Plotly figure of attention maps, for files and notebooks."""

from math import ceil

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from backend.attention.jobs import Attention
from mha_core.errors import InputError

MAX_MAPS = 24
"""Beyond this a figure is neither readable nor quick to open."""

COLUMNS = 3
CELL_PIXELS = 16


def maps_figure(attention: Attention) -> go.Figure:
    """Heatmaps side by side: rows look, columns are looked at, exact weights under the pointer."""
    pairs = [(layer, head) for layer in attention.layers for head in attention.heads]
    if len(pairs) > MAX_MAPS:
        raise InputError(
            f"A figure shows up to {MAX_MAPS} heads and these are {len(pairs)}: "
            f"choose some with --layers and --heads.",
            maps=len(pairs),
            max_maps=MAX_MAPS,
        )
    columns = min(COLUMNS, len(pairs))
    rows = ceil(len(pairs) / columns)
    titles = [f"L{layer} H{head}" for layer, head in pairs]
    figure = make_subplots(rows, columns, subplot_titles=titles)
    texts = [token.text for token in attention.provenance.tokens]
    queries, keys = (
        texts[slice(*ends)] for ends in (attention.stack.queries, attention.stack.keys)
    )
    maps = attention.values.reshape(len(pairs), len(queries), len(keys))
    for number, weights in enumerate(maps):
        # Colour by the square root, as on the page: small weights stay visible.
        heatmap = go.Heatmap(
            z=np.sqrt(weights),
            customdata=weights,
            coloraxis="coloraxis",
            hovertemplate="%{y} → %{x}: %{customdata:.6f}<extra></extra>",
        )
        figure.add_trace(heatmap, number // columns + 1, number % columns + 1)
    # Tokens repeat, so the axes count positions and only their labels are tokens.
    across, down = list(range(len(keys))), list(range(len(queries)))
    figure.update_xaxes(tickvals=across, ticktext=keys, side="bottom", tickangle=-90)
    figure.update_yaxes(tickvals=down, ticktext=queries, autorange="reversed")
    ticks = (0, 0.01, 0.1, 0.25, 0.5, 1)
    figure.update_layout(
        title=f"{attention.provenance.model}: attention weight, square-root scale",
        coloraxis={
            "colorscale": "Blues",
            "cmin": 0,
            "cmax": 1,
            "colorbar": {"tickvals": list(np.sqrt(ticks)), "ticktext": list(map(str, ticks))},
        },
        width=220 + columns * max(260, CELL_PIXELS * len(keys) + 120),
        height=140 + rows * max(260, CELL_PIXELS * len(queries) + 140),
    )
    return figure


def write_html(attention: Attention) -> bytes:
    """The figure as one page that opens without a network."""
    page: str = maps_figure(attention).to_html(include_plotlyjs=True)
    return page.encode()
