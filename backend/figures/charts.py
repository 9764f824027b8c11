"""Plotly charts of all heads of a model, defined once, for the page and for notebooks.

Colours and fonts are Plotly's own, for the page or notebook to replace. Points carry [layer, head]
as `customdata`.
"""

from collections import defaultdict
from collections.abc import Sequence

import plotly.graph_objects as go

from backend.figures.series import UNASSIGNED, UNDEFINED, HeadPoint, Series, layer_series

COLORSCALE = "Viridis"
MARKER: dict[str, object] = {"size": 10, "opacity": 0.85}
HOLLOW: dict[str, object] = {"size": 8, "symbol": "circle-open"}


def draw_scatter(heads: Sequence[HeadPoint], x: Series, y: Series, color: Series) -> go.Figure:
    """Every head by two values, in the colour of a third; heads without a value are counted."""
    pairs = list(zip(x.values, y.values, strict=True))
    places = [place for place, pair in enumerate(pairs) if None not in pair]
    labels = [series.label[:1].lower() + series.label[1:] for series in (x, y)]
    figure = _empty_chart(f"Heads by {labels[0]} and {labels[1]}", x.title, y.title)
    figure.add_traces(_trace_heads(heads, places, x, y, color))
    left_out = len(heads) - len(places)
    if left_out:
        note = f"{left_out} of {len(heads)} heads have no value here ({UNDEFINED})"
        figure.update_layout(title_subtitle_text=note)
    return figure


def draw_map(
    heads: Sequence[HeadPoint], layout: Sequence[Sequence[float]], stress: float, color: Series
) -> go.Figure:
    """Heads that attend to the same tokens are close together."""
    x = Series("Similarity map, horizontal", "nats", [at[0] for at in layout])
    y = Series("Similarity map, vertical", "nats", [at[1] for at in layout])
    figure = _empty_chart("Heads by similarity of their attention", x.title, y.title)
    figure.add_traces(_trace_heads(heads, range(len(heads)), x, y, color))
    figure.update_yaxes(scaleanchor="x")
    note = (
        "Heads close together attend to the same tokens. "
        f"Two dimensions distort the distances by {100 * stress:.0f} % (Kruskal's stress)"
    )
    figure.update_layout(title_subtitle_text=note)
    return figure


def draw_profile(heads: Sequence[HeadPoint], series: Series) -> go.Figure:
    """A value over the depth of the model: every head, and mean and range of each layer."""
    figure = _empty_chart(f"{series.label} by layer", "Layer (from 0)", series.title)
    places = [place for place, value in enumerate(series.values) if value is not None]
    by_layer: dict[int, list[float]] = defaultdict(list)
    for head, value in zip(heads, series.values, strict=True):
        if isinstance(value, int | float):
            by_layer[head.layer].append(value)
    means = {layer: sum(values) / len(values) for layer, values in by_layer.items()}
    figure.add_traces(_trace_heads(heads, places, layer_series(heads), series, None))
    figure.add_scatter(
        name="mean and range of the layer",
        x=list(means),
        y=list(means.values()),
        error_y={
            "type": "data",
            "array": [max(values) - means[layer] for layer, values in by_layer.items()],
            "arrayminus": [means[layer] - min(values) for layer, values in by_layer.items()],
        },
        mode="lines+markers",
        hovertemplate="layer %{x}: mean %{y:.4g}<extra></extra>",
    )
    figure.update_xaxes(dtick=1)
    return figure


def draw_roles(heads: Sequence[HeadPoint], groups: Sequence[str]) -> go.Figure:
    """How many heads of each layer hold a role of each group; a head may hold several."""
    layers = sorted({head.layer for head in heads})
    figure = _empty_chart("Roles by layer", "Layer (from 0)", "Heads that hold such a role")
    for group in (*groups, UNASSIGNED):
        counts = dict.fromkeys(layers, 0)
        for head in heads:
            counts[head.layer] += group in head.groups
        if any(counts.values()):
            figure.add_bar(
                name=group,
                x=layers,
                y=list(counts.values()),
                hovertemplate=f"layer %{{x}}, {group}: %{{y}} heads<extra></extra>",
            )
    note = "From the atlas; a head with roles of several groups counts in each"
    figure.update_layout(barmode="stack", title_subtitle_text=note, showlegend=True)
    figure.update_xaxes(dtick=1)
    return figure


def _empty_chart(title: str, x_title: str, y_title: str) -> go.Figure:
    """An empty chart without Plotly's template, which would carry colours of its own."""
    return go.Figure(
        layout={
            "template": {},
            "title": {"text": title},
            "xaxis": {"title": {"text": x_title}},
            "yaxis": {"title": {"text": y_title}},
            "hovermode": "closest",
        }
    )


def _trace_heads(
    heads: Sequence[HeadPoint], places: Sequence[int], x: Series, y: Series, color: Series | None
) -> list[go.Scatter]:
    """The heads at these places: a trace a class, or one on a scale of colours."""
    shown = [x, y] if color is None or color in (x, y) else [x, y, color]

    def trace(places: Sequence[int], name: str, marker: dict[str, object]) -> go.Scatter:
        return go.Scatter(
            name=name,
            x=[x.values[place] for place in places],
            y=[y.values[place] for place in places],
            customdata=[[heads[place].layer, heads[place].head] for place in places],
            hovertext=[
                "<br>".join([*heads[place].description, *(it.describe(place) for it in shown)])
                for place in places
            ],
            hoverinfo="text",
            mode="markers",
            marker=marker,
        )

    if color is None:
        return [trace(places, "heads", HOLLOW)]
    chosen = {name: [at for at in places if color.values[at] == name] for name in color.classes}
    traces = [trace(found, name, MARKER) for name, found in chosen.items() if found]
    if not color.classes:
        defined = [place for place in places if color.values[place] is not None]
        scale = {
            "color": [color.values[place] for place in defined],
            "colorscale": COLORSCALE,
            "colorbar": {"title": {"text": color.title}},
        }
        traces.append(trace(defined, color.label, MARKER | scale))
    undefined = [place for place in places if color.values[place] is None]
    if undefined:
        traces.append(trace(undefined, f"{color.label}: {UNDEFINED}", HOLLOW))
    return traces
