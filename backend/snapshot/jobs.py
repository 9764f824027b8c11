"""The job that writes an analysis as one HTML file."""

from backend.atlas.jobs import find_atlas
from backend.engine.memory import report_out_of_memory
from backend.engine.session import Session
from backend.maps.jobs import compute_map
from backend.snapshot.kept_maps import KeptMap
from backend.snapshot.recording import Remarks, check_notes, record, write_snapshot
from backend.snapshot.schemas import MOST_CELLS, SnapshotRequest
from backend.wire.errors import TooManyCells
from mha_core.runs.analysis import RunInfo


def take_snapshot(session: Session, request: SnapshotRequest) -> tuple[str, str]:
    """The id of an analysis, and its HTML file with what an atlas says of the model's heads."""
    prepared = session.prepare(request)
    info = prepared.info
    check_notes(info, request.notes)
    check_cells(request, info)
    atlas = find_atlas(session, request.model)
    kept = [
        KeptMap(choice.model_dump(), compute_map(session, wanted).maps[0].pattern)
        for choice, wanted in zip(request.maps, request.map_requests(), strict=True)
    ]
    with report_out_of_memory(info):
        analysis = session.analyse(prepared)
        remarks = Remarks(view=request.view, notes=request.notes, maps=kept)
        with session.slot(prepared.stopwatch):
            recorded = record(prepared.model, analysis, atlas, remarks, session.check)
            return info.id, write_snapshot(recorded)


def check_cells(request: SnapshotRequest, info: RunInfo) -> None:
    """Refuse more maps to keep than a file should carry."""
    stacks = [info.stack(choice.stack) for choice in request.maps]
    cells = sum(stack.n_queries * stack.n_keys for stack in stacks)
    if cells > MOST_CELLS:
        raise TooManyCells(
            f"The maps to keep have {cells:,} weights and a file may hold {MOST_CELLS:,}: keep "
            f"fewer.",
            cells=cells,
            max_cells=MOST_CELLS,
        )
