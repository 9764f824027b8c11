"""Charts of heads as asked for: the values they show, found on a text or in the atlas."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from backend.atlas.jobs import find_atlas
from backend.engine.session import Session
from backend.figures.charts import draw_map, draw_profile, draw_roles, draw_scatter
from backend.figures.schemas import FigureRequest, FigureResponse
from backend.figures.series import HeadPoint, Role, Series, layer_series, role_series
from backend.heads.jobs import measure_heads
from backend.heads.schemas import HeadsRequest, HeadsResponse
from backend.wire.errors import NoAtlas, NotMeasured, UnknownMetric
from backend.wire.schemas import TextRequest, Values
from mha_core.atlas.summary import AtlasSummary, summarize
from mha_core.errors import EmptyText, UnreadableAtlas
from mha_core.metrics.catalogue import METRICS, SHAPES


def draw_figure(session: Session, request: FigureRequest) -> FigureResponse:
    """The figure as Plotly's JSON, in plain lists."""
    found = find_atlas(session, request.model)
    chart = Chart(session, request, None if found is None else summarize(found))
    by_role = (request.y if request.kind == "layers" else request.color) == "role"
    if request.kind == "map" or request.source == "corpus" or by_role:
        _ = chart.atlas  # refused before anything is run
    if request.kind == "scatter":
        x, y = chart.numbers(request.x), chart.numbers(request.y)
        figure = draw_scatter(chart.points, x, y, chart.color())
    elif request.kind == "map":
        layout, stress = chart.similarity()
        figure = draw_map(chart.points, layout, stress, chart.color())
    elif request.y == "role":
        figure = draw_roles(chart.points, chart.groups)
    else:
        figure = draw_profile(chart.points, chart.numbers(request.y))
    return FigureResponse(**figure.to_plotly_json())


@dataclass(frozen=True)
class Chart:
    """One request, and the values it asks for."""

    session: Session
    request: FigureRequest
    found: AtlasSummary | None

    @property
    def atlas(self) -> AtlasSummary:
        """The atlas; raises NoAtlas."""
        if self.found is None:
            raise NoAtlas.of(self.request.model)
        return self.found

    @cached_property
    def points(self) -> list[HeadPoint]:
        """Every head, with the roles the atlas gives it."""
        if self.found is None:
            return [HeadPoint(head.layer, head.head) for head in self.measured.heads]
        labels = {group.id: group.label for group in self.found.groups}
        sizes = (range(self.found.model.n_layers), range(self.found.model.n_heads))
        roles: dict[tuple[int, int], list[Role]] = {place: [] for place in product(*sizes)}
        for role in self.found.roles:
            for head in role.heads:
                roles[head.layer, head.head].append(Role(role.label, labels[role.group]))
        return [HeadPoint(*place, tuple(held)) for place, held in roles.items()]

    @property
    def groups(self) -> list[str]:
        """The groups of roles, in the order to show them."""
        return [group.label for group in self.atlas.groups]

    def similarity(self) -> tuple[list[tuple[float, float]], float]:
        """Where the atlas puts each head, and the stress of that map; raises NotMeasured."""
        if not self.atlas.layout or self.atlas.stress is None:
            raise NotMeasured.of(self.request.model, "similarity")
        return self.atlas.layout, self.atlas.stress

    @cached_property
    def measured(self) -> HeadsResponse:
        """Every metric of every head on the text."""
        request = self.request
        if request.text is None:
            raise EmptyText("Values on a sentence need its `text`; or ask for `source` corpus.")
        asked = request.model_dump(include=set(TextRequest.model_fields))
        values: Values = "weighted" if request.weighted else "raw"
        measured = measure_heads(self.session, HeadsRequest(**asked, values=values))
        # A chart is of one grid of heads: of an encoder-decoder its encoder's, like an atlas.
        first = [head for head in measured.heads if head.stack == measured.heads[0].stack]
        if self.found is not None and self.found.counts.heads != len(first):
            raise UnreadableAtlas(
                f"The atlas of {request.model} is of a model of another shape: build it again with "
                f"`headscope atlas build`.",
                model=request.model,
            )
        return measured.model_copy(update={"heads": first})

    def numbers(self, name: str) -> Series:
        """What an axis shows: a metric that is a number, or the layer."""
        if name == "layer":
            return layer_series(self.points)
        classes = {name for name, metric in METRICS.items() if metric.kind == "class"}
        return self._find_series(name, [it for it in self._known if it not in classes])

    def color(self) -> Series:
        """What the colours show: any metric, the layer, or the role."""
        if self.request.color == "layer":
            return layer_series(self.points)
        if self.request.color == "role":
            return role_series(self.points, self.groups)
        return self._find_series(self.request.color, list(self._known))

    @property
    def _known(self) -> Mapping[str, Any]:
        return METRICS if self.request.source == "sentence" else self.atlas.measures

    def _find_series(self, name: str, known: list[str]) -> Series:
        if name not in known:
            raise UnknownMetric.of(name, ["layer", *known])
        return self._on_corpus(name) if self.request.source == "corpus" else self._on_text(name)

    def _on_corpus(self, name: str) -> Series:
        measure = self.atlas.measures[name]
        label, values = measure.label, measure.values
        if self.request.weighted and measure.weighted is not None:  # not all can be: GAP counts
            label, values = f"{label}, value-weighted", measure.weighted
        return Series(label, measure.unit, values, where=f"on the corpus, n = {measure.n:,}")

    def _on_text(self, name: str) -> Series:
        metric, n = METRICS[name], self.measured.opportunities[name].n
        label = f"{metric.label}, value-weighted" if self.request.weighted else metric.label
        classes = SHAPES if metric.kind == "class" else ()
        tables = [row.weighted if self.request.weighted else row.raw for row in self.measured.heads]
        values = [table[name] for table in tables if table is not None]
        return Series(label, metric.unit, values, classes, f"on this text, n = {n:,}")
