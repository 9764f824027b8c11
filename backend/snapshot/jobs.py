"""Snapshots, made in the calling thread. This file must not know HTTP or the event loop."""

from dataclasses import dataclass

from backend.atlas.jobs import Atlases
from backend.engine.memory import memory_told
from backend.engine.session import Runs
from backend.maps.jobs import MapRunner
from backend.snapshot.kept_maps import MOST_CELLS, KeptMap
from backend.snapshot.recording import Remarks, check_notes, snapshot
from backend.snapshot.schemas import SnapshotRequest
from backend.wire.errors import TooManyCells
from mha_core.metrics.meter import Meter
from mha_core.runs.analysis import Subject


@dataclass(frozen=True)
class Snapshot:
    """An analysis as a file."""

    id: str
    html: str


class SnapshotRunner:
    """Files of analyses, from kept ones or new runs."""

    def __init__(self, runs: Runs, atlases: Atlases) -> None:
        self._runs = runs
        self._maps = MapRunner(runs)
        self._atlases = atlases

    def snapshot(self, request: SnapshotRequest) -> Snapshot:
        """The analysis of a text as one HTML file, with what an atlas says of the model's heads."""
        question = self._runs.question(request)
        subject = question.subject
        check_notes(subject, request.notes)
        check_room(request, subject)
        atlas = self._atlases.find(request.model)
        kept = [
            KeptMap(choice.model_dump(), self._maps.map(asked, None).pattern)
            for choice, asked in zip(request.maps, request.map_requests(), strict=True)
        ]
        with memory_told(subject):
            analysis = self._runs.analysis(question)
            with self._runs.turn(question.stopwatch):
                meter = Meter.of(question.model, subject.tokenized)
                remarks = Remarks(view=request.view, notes=request.notes, maps=kept)
                html = snapshot(question.model, analysis, meter, atlas, remarks)
        return Snapshot(subject.id, html)


def check_room(request: SnapshotRequest, subject: Subject) -> None:
    """Refuse more maps to keep than a file should carry."""
    stacks = [subject.stack(choice.stack) for choice in request.maps]
    cells = sum(stack.n_queries * stack.n_keys for stack in stacks)
    if cells > MOST_CELLS:
        raise TooManyCells(
            f"The maps to keep have {cells:,} weights and a file may hold {MOST_CELLS:,}: keep "
            f"fewer.",
            cells=cells,
            max_cells=MOST_CELLS,
        )
