"""Plotly charts of all heads of a model, defined once, for the page and for notebooks.

Colours and fonts are Plotly's own, for the page or notebook to replace. Points carry [layer, head]
as `customdata`.
"""

from collections.abc import Iterator, Sequence

import plotly.graph_objects as go

from backend.figures.series import UNASSIGNED, UNDEFINED, HeadPoint, Series, layer_series

COLORSCALE = "Viridis"
MARKER: dict[str, object] = {"size": 10, "opacity": 0.85}
HOLLOW: dict[str, object] = {"size": 8, "symbol": "circle-open"}


def draw_scatter(heads: Sequence[HeadPoint], x: Series, y: Series, color: Series) -> go.Figure:
    """Every head by two values, in the colour of a third; heads without a value are counted."""
    places = [
        place for place in range(len(heads)) if None not in (x.values[place], y.values[place])
    ]
    figure = _empty_chart(f"Heads by {_lower(x.label)} and {_lower(y.label)}", x.title, y.title)
    figure.add_traces(list(_points(heads, places, (x, y), color)))
    left_out = len(heads) - len(places)
    if left_out:
        note = f"{left_out} of {len(heads)} heads have no value here ({UNDEFINED})"
        figure.update_layout(title_subtitle_text=note)
    return figure


def draw_map(
    heads: Sequence[HeadPoint], layout: Sequence[Sequence[float]], stress: float, color: Series
) -> go.Figure:
    """Heads that look at the same tokens stand close together."""
    axes = [Series(f"Similarity map, {way}", "nats", [at[i] for at in layout])
            for i, way in enumerate(("horizontal", "vertical"))]  # fmt: skip
    figure = _empty_chart("Heads by similarity of their attention", axes[0].title, axes[1].title)
    figure.add_traces(list(_points(heads, range(len(heads)), (axes[0], axes[1]), color)))
    figure.update_yaxes(scaleanchor="x")
    note = f"Close heads look at the same tokens; stress of the flat map {stress:.2f}"
    figure.update_layout(title_subtitle_text=note)
    return figure


def draw_profile(heads: Sequence[HeadPoint], series: Series) -> go.Figure:
    """A value over the depth of the model: every head, and mean and range of each layer."""
    figure = _empty_chart(f"{series.label} by layer", "Layer (from 0)", series.title)
    places = [place for place in range(len(heads)) if series.values[place] is not None]
    by_layer: dict[int, list[float]] = {}
    for place in places:
        value = series.values[place]
        if isinstance(value, int | float):
            by_layer.setdefault(heads[place].layer, []).append(value)
    means = {layer: sum(values) / len(values) for layer, values in by_layer.items()}
    layers = layer_series(heads)
    figure.add_traces(list(_points(heads, places, (layers, series), None)))
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


def _points(
    heads: Sequence[HeadPoint],
    places: Sequence[int],
    axes: tuple[Series, Series],
    color: Series | None,
) -> Iterator[go.Scatter]:
    """The heads at these places: a trace a class, or one on a scale of colours."""
    if color is None:
        yield _trace(heads, places, axes, None, "heads", HOLLOW)
        return
    for name in color.classes:
        chosen = [place for place in places if color.values[place] == name]
        if chosen:
            yield _trace(heads, chosen, axes, color, name, MARKER)
    if not color.classes:
        chosen = [place for place in places if color.values[place] is not None]
        scale = {
            "color": [color.values[place] for place in chosen],
            "colorscale": COLORSCALE,
            "colorbar": {"title": {"text": color.title}},
        }
        yield _trace(heads, chosen, axes, color, color.label, MARKER | scale)
    undefined = [place for place in places if color.values[place] is None]
    if undefined:
        name = f"{color.label}: {UNDEFINED}"
        yield _trace(heads, undefined, axes, color, name, HOLLOW)


def _trace(
    heads: Sequence[HeadPoint],
    places: Sequence[int],
    axes: tuple[Series, Series],
    color: Series | None,
    name: str,
    marker: dict[str, object],
) -> go.Scatter:
    shown = (*axes, *([color] if color is not None and color not in axes else []))
    return go.Scatter(
        name=name,
        x=[axes[0].values[place] for place in places],
        y=[axes[1].values[place] for place in places],
        customdata=[[heads[place].layer, heads[place].head] for place in places],
        hovertext=[
            "<br>".join([*heads[place].description, *(series.describe(place) for series in shown)])
            for place in places
        ],
        hoverinfo="text",
        mode="markers",
        marker=marker,
    )


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]
