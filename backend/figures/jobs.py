"""Charts of heads as asked for: the values they show, found on a text or in the atlas.

This file must not know HTTP, nor how a chart is drawn.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from backend.atlas.jobs import find_atlas
from backend.atlas.schemas import FigureRequest
from backend.engine.session import Session
from backend.figures.charts import heads_map, heads_scatter, layer_profile, roles_by_layer
from backend.figures.series import HeadPoint, Role, Series, layer_series, role_series
from backend.heads.jobs import measure_heads
from backend.heads.schemas import HeadsResponse
from backend.wire.errors import NoAtlas, UnknownMetric
from backend.wire.schemas import TextRequest
from mha_core.atlas.record import Atlas
from mha_core.errors import EmptyText, InputError, UnreadableAtlas
from mha_core.metrics.measure import METRICS, SHAPES

Json = dict[str, Any]


def draw_figure(session: Session, request: FigureRequest) -> Json:
    """The figure as Plotly's JSON, in plain lists."""
    chart = Chart(request, find_atlas(session, request.model), session)
    chart.check()
    if request.kind == "scatter":
        x, y = chart.numbers(request.x), chart.numbers(request.y)
        figure = heads_scatter(chart.points, x, y, chart.color())
    elif request.kind == "map":
        record = chart.atlas.document
        layout, stress = record["layout"], record["stress"]
        figure = heads_map(chart.points, layout, stress, chart.color())
    elif request.y == "role":
        figure = roles_by_layer(chart.points, chart.groups)
    else:
        figure = layer_profile(chart.points, chart.numbers(request.y))
    drawn: Json = figure.to_plotly_json()
    return drawn


@dataclass(frozen=True)
class Chart:
    """One request, and the values it asks for."""

    request: FigureRequest
    found: Atlas | None
    session: Session

    def check(self) -> None:
        """Refuse what needs an atlas where there is none, before anything is run."""
        asked = self.request
        by_role = asked.y == "role" if asked.kind == "layers" else asked.color == "role"
        if asked.kind == "map" or asked.source == "corpus" or by_role:
            _ = self.atlas

    @property
    def atlas(self) -> Atlas:
        """The atlas, by those parts that cannot do without."""
        if self.found is None:
            raise NoAtlas.of(self.request.model)
        return self.found

    @cached_property
    def points(self) -> list[HeadPoint]:
        """Every head, with the roles the atlas gives it."""
        if self.found is None:
            return [HeadPoint(head.layer, head.head) for head in self.measured.heads]
        names = {group["id"]: group["label"] for group in self.found.document["groups"]}
        roles: dict[tuple[int, int], list[Role]] = {place: [] for place in self.found.heads}
        for role in self.found.document["roles"]:
            for head in role["heads"]:
                held = roles[head["layer"], head["head"]]
                held.append(Role(role["label"], names[role["group"]]))
        return [HeadPoint(*place, tuple(held)) for place, held in roles.items()]

    @property
    def groups(self) -> list[str]:
        """The groups of roles, in the order to show them."""
        return [group["label"] for group in self.atlas.document["groups"]]

    @cached_property
    def measured(self) -> HeadsResponse:
        """Every metric of every head on the text."""
        request = self.request
        if request.text is None:
            raise EmptyText("Values on a sentence need its `text`; or ask for `source` corpus.")
        question = TextRequest(
            model=request.model,
            text=request.text,
            text_pair=request.text_pair,
            continuation=request.continuation,
        )
        measured = measure_heads(self.session, question)
        # A chart is of one grid of heads: of an encoder-decoder its encoder's, like an atlas.
        first = [head for head in measured.heads if head.stack == measured.heads[0].stack]
        measured = measured.model_copy(update={"heads": first})
        if self.found is not None and len(self.found.heads) != len(measured.heads):
            raise UnreadableAtlas(
                f"The atlas of {request.model} is of a model of another shape: build it again with "
                f"`headscope atlas build`.",
                model=request.model,
            )
        return measured

    def numbers(self, name: str) -> Series:
        """What an axis shows: a metric that is a number, or the layer."""
        if name == "layer":
            return layer_series(self.points)
        return self._series(name, [it for it in self._known if not self._is_class(it)])

    def color(self) -> Series:
        """What the colours show: any metric, the layer, or the role."""
        if self.request.color == "layer":
            return layer_series(self.points)
        if self.request.color == "role":
            return role_series(self.points, self.groups)
        return self._series(self.request.color, list(self._known))

    @property
    def _known(self) -> Mapping[str, Any]:
        if self.request.source == "sentence":
            return METRICS
        measures: Mapping[str, Any] = self.atlas.document["measures"]
        return measures

    def _is_class(self, name: str) -> bool:
        return name in METRICS and METRICS[name].kind == "class"

    def _series(self, name: str, known: list[str]) -> Series:
        if name not in known:
            raise UnknownMetric.of(name, ["layer", *known])
        return self._on_corpus(name) if self.request.source == "corpus" else self._on_text(name)

    def _on_corpus(self, name: str) -> Series:
        measure = self.atlas.document["measures"][name]
        label, values = measure["label"], measure["values"]
        if self.request.weighted and "weighted" in measure:  # not all can be: GAP counts cases
            label, values = f"{label}, value-weighted", measure["weighted"]
        return Series(label, measure["unit"], values, where=f"on the corpus, n = {measure['n']:,}")

    def _on_text(self, name: str) -> Series:
        metric, n = METRICS[name], self.measured.opportunities[name].n
        label = f"{metric.label}, value-weighted" if self.request.weighted else metric.label
        classes = tuple(SHAPES) if metric.kind == "class" else ()
        values = self._values_on_text(name)
        return Series(label, metric.unit, values, classes, f"on this text, n = {n:,}")

    def _values_on_text(self, name: str) -> list[float | str | None]:
        rows = self.measured.heads
        if not self.request.weighted:
            return [row.raw[name] for row in rows]
        if any(row.weighted is None for row in rows):
            raise InputError(
                f"HeadScope does not know the output projections of {self.request.model}, so its "
                f"values cannot be weighted: leave out `weighted`.",
                model=self.request.model,
            )
        return [row.weighted[name] for row in rows if row.weighted is not None]
