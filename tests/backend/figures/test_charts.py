"""Charts of heads: every head once, exact values, undefined ones never as 0."""

import json
from typing import Any

import plotly.graph_objects as go

from backend.figures.charts import draw_map, draw_profile, draw_roles, draw_scatter
from backend.figures.series import UNASSIGNED, HeadPoint, Role, Series, layer_series, role_series

SYNTAX, COPY = Role("objects → their verb", "Syntax"), Role("induction", "Copy")
HEADS = [
    HeadPoint(0, 0, (SYNTAX, COPY)),
    HeadPoint(0, 1, ()),
    HeadPoint(1, 0, (COPY,)),
    HeadPoint(1, 1, ()),
]
GROUPS = ["Syntax", "Copy", "Sink"]
DISTANCE = Series("Distance", "tokens", [1.5, 2.0, 3.25, 0.5])
ENTROPY = Series("Entropy", "share", [0.1, 0.2, None, 0.4])
SHAPE = Series("Shape", "class", ["block", None, "vertical", "block"], ("vertical", "block"))


def drawn(figure: go.Figure) -> dict[str, Any]:
    """The figure as the page gets it."""
    body: dict[str, Any] = json.loads(json.dumps(figure.to_plotly_json(), allow_nan=False))
    return body


def points(body: dict[str, Any]) -> dict[tuple[int, int], tuple[float, float, str]]:
    """Place and words of each head drawn."""
    return {
        (layer, head): (x, y, text)
        for trace in body["data"]
        if "customdata" in trace
        for (layer, head), x, y, text in zip(
            trace["customdata"], trace["x"], trace["y"], trace["hovertext"], strict=True
        )
    }


def test_a_scatter_has_each_head_at_its_values_and_counts_those_without() -> None:
    body = drawn(draw_scatter(HEADS, DISTANCE, ENTROPY, layer_series(HEADS)))
    found = points(body)
    assert {head: place[:2] for head, place in found.items()} == {
        (0, 0): (1.5, 0.1),
        (0, 1): (2.0, 0.2),
        (1, 1): (0.5, 0.4),
    }
    assert body["layout"]["title"]["subtitle"]["text"].startswith("1 of 4 heads have no value")
    assert body["layout"]["xaxis"]["title"]["text"] == "Distance (tokens)"
    assert body["layout"]["yaxis"]["title"]["text"] == "Entropy (share)"
    (trace,) = body["data"]
    assert trace["marker"]["color"] == [0, 0, 1]


def test_the_words_under_the_pointer_say_head_values_and_roles() -> None:
    found = points(drawn(draw_scatter(HEADS, DISTANCE, ENTROPY, SHAPE)))
    assert found[0, 0][2].split("<br>") == [
        "L0 H0",
        "objects → their verb, induction",
        "Distance: 1.5",
        "Entropy: 0.1",
        "Shape: block",
    ]
    told = found[0, 1][2].split("<br>")
    assert (told[1], told[-1]) == (UNASSIGNED, "Shape: no case")


def test_without_an_atlas_nothing_is_said_of_roles() -> None:
    unknown = [HeadPoint(head.layer, head.head) for head in HEADS]
    found = points(drawn(draw_scatter(unknown, DISTANCE, ENTROPY, SHAPE)))
    assert found[0, 1][2].split("<br>")[:2] == ["L0 H1", "Distance: 2"]


def test_classes_have_a_trace_each_and_undefined_colours_one_of_their_own() -> None:
    body = drawn(draw_scatter(HEADS, DISTANCE, DISTANCE, SHAPE))
    assert [trace["name"] for trace in body["data"]] == ["vertical", "block", "Shape: no case"]
    assert len(points(body)) == 4
    body = drawn(draw_scatter(HEADS, DISTANCE, DISTANCE, ENTROPY))
    assert [trace["marker"].get("color") for trace in body["data"]] == [[0.1, 0.2, 0.4], None]


def test_a_head_with_roles_of_several_groups_takes_the_first_groups_colour() -> None:
    assert role_series(HEADS, GROUPS).values == ["Syntax", UNASSIGNED, "Copy", UNASSIGNED]
    assert role_series(HEADS, GROUPS[::-1]).values[0] == "Copy"


def test_a_map_has_every_head_at_its_place_on_equal_scales() -> None:
    layout = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]
    body = drawn(draw_map(HEADS, layout, 0.234, role_series(HEADS, GROUPS)))
    assert {head: place[:2] for head, place in points(body).items()} == {
        (head.layer, head.head): tuple(place) for head, place in zip(HEADS, layout, strict=True)
    }
    assert body["layout"]["yaxis"]["scaleanchor"] == "x"
    assert "23 %" in body["layout"]["title"]["subtitle"]["text"]


def test_a_profile_shows_every_head_and_mean_and_range_of_each_layer() -> None:
    body = drawn(draw_profile(HEADS, DISTANCE))
    assert len(points(body)) == 4
    mean = body["data"][1]
    assert (mean["x"], mean["y"]) == ([0, 1], [1.75, 1.875])
    assert (mean["error_y"]["array"], mean["error_y"]["arrayminus"]) == (
        *([0.25, 1.375], [0.25, 1.375]),
    )


def test_a_layer_without_a_value_has_no_mean() -> None:
    body = drawn(draw_profile(HEADS, Series("X", "", [1.0, 3.0, None, None])))
    assert (body["data"][1]["x"], body["data"][1]["y"]) == ([0], [2.0])


def test_role_bars_count_a_head_in_each_of_its_groups_and_the_unassigned() -> None:
    body = drawn(draw_roles(HEADS, GROUPS))
    assert {bar["name"]: bar["y"] for bar in body["data"]} == {
        **{"Syntax": [1, 0], "Copy": [1, 1], UNASSIGNED: [1, 1]},
    }
    assert body["layout"]["barmode"] == "stack"


def test_colours_and_fonts_are_left_to_whoever_shows_it() -> None:
    layout = drawn(draw_scatter(HEADS, DISTANCE, ENTROPY, SHAPE))["layout"]
    assert not {"font", "paper_bgcolor", "plot_bgcolor", "colorway"} & layout.keys()
    assert not layout["template"].get("layout")
