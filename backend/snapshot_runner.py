"""Snapshots, made in the calling thread. This file must not know HTTP or the event loop."""

from dataclasses import dataclass

from backend.atlases import Atlases
from backend.memory import memory_told
from backend.runs import Runs
from backend.snapshot_schemas import SnapshotRequest
from mha_core.meter import Meter
from mha_core.snapshot import Remarks, check_notes, snapshot


@dataclass(frozen=True)
class Snapshot:
    """An analysis as a file."""

    id: str
    html: str


class SnapshotRunner:
    """Files of analyses, from kept ones or new runs."""

    def __init__(self, runs: Runs, atlases: Atlases) -> None:
        self._runs = runs
        self._atlases = atlases

    def snapshot(self, request: SnapshotRequest) -> Snapshot:
        """The analysis of a text as one HTML file, with what an atlas says of the model's heads."""
        question = self._runs.question(request)
        subject = question.subject
        check_notes(subject, request.notes)
        atlas = self._atlases.find(request.model)
        with memory_told(subject):
            analysis = self._runs.analysis(question)
            with self._runs.turn(question.watch):
                meter = Meter.of(question.model, subject.tokenized)
                remarks = Remarks(view=request.view, notes=request.notes)
                html = snapshot(question.model, analysis, meter, atlas, remarks)
        return Snapshot(subject.id, html)
