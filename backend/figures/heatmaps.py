"""A Plotly figure of attention maps, for files and notebooks."""

from math import ceil

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from backend.wire.formats import MapsAnswer
from mha_core.errors import InputError

MAX_MAPS = 24
"""Beyond this a figure is neither readable nor quick to open."""

COLUMNS = 3
CELL_PIXELS = 16


def draw_maps(answer: MapsAnswer) -> go.Figure:
    """Heatmaps side by side: rows look, columns are looked at, exact weights under the pointer."""
    maps = answer.maps
    if len(maps) > MAX_MAPS:
        raise InputError(
            f"A figure shows up to {MAX_MAPS} heads and these are {len(maps)}: "
            f"choose some with --layers and --heads.",
            maps=len(maps),
            max_maps=MAX_MAPS,
        )
    columns = min(COLUMNS, len(maps))
    rows = ceil(len(maps) / columns)
    titles = [f"L{one.layer} H{one.head}" for one in maps]
    figure = make_subplots(rows, columns, subplot_titles=titles)
    queries = [answer.texts[token] for token in answer.queries]
    keys = [answer.texts[token] for token in answer.keys]
    for number, one in enumerate(maps):
        # Colour by the square root, as on the page: small weights stay visible.
        heatmap = go.Heatmap(
            z=np.sqrt(one.pattern),
            customdata=one.pattern,
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
        title=f"{answer.about.model}: attention weight, square-root scale",
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


def write_html(answer: MapsAnswer) -> bytes:
    """The figure as one page that opens without a network."""
    page: str = draw_maps(answer).to_html(include_plotlyjs=True)
    return page.encode()
