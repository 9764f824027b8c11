"""Jobs about one layer: its matrices with and without edits, and the trace of one number."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from backend.anatomy.describe import describe_anatomy, describe_trace
from backend.anatomy.schemas import (
    AnatomyRequest,
    LayerRequest,
    TraceRequest,
    TraceResponse,
)
from backend.engine.memory import report_out_of_memory
from backend.engine.session import PreparedRequest, Session
from backend.wire.errors import TooManyNumbers
from backend.wire.formats import ArraysAnswer
from mha_core.anatomy.edits import Edits, InputEdit, WeightEdit
from mha_core.anatomy.families import check_family
from mha_core.anatomy.matrix import View
from mha_core.anatomy.run import Anatomy, check_short, run_anatomy
from mha_core.anatomy.steps import STEP_OF
from mha_core.anatomy.trace import find_matrix, trace
from mha_core.errors import NoSuchPosition
from mha_core.runs.analysis import check_heads
from mha_core.threads import cores_for


def compute_anatomy(
    session: Session, request: AnatomyRequest, max_cells: int | None = None
) -> ArraysAnswer:
    """The matrices of a step, or those named; what cannot be shown is refused before any run."""
    names = request.matrices or STEP_OF[request.step or ""].matrices
    matrices = [find_matrix(name) for name in names]
    prepared = session.prepare(request)
    with _run(session, prepared, request) as anatomy:
        view = View(anatomy.after, request.head, request.token)
        values = {matrix.name: matrix.values(view) for matrix in matrices}
        cells = sum(found.numel() for found in values.values() if found is not None)
        TooManyNumbers.check(cells, max_cells)
        arrays = {name: _as_array(it) for name, it in values.items() if it is not None}
        about = describe_anatomy(prepared, request, anatomy, view, values)
    return ArraysAnswer(about=about, arrays=arrays, body={"values": arrays})


def trace_number(session: Session, request: TraceRequest) -> TraceResponse:
    """One number of a matrix and what it is made of."""
    find_matrix(request.matrix)
    prepared = session.prepare(request)
    with _run(session, prepared, request) as anatomy:
        view = View(anatomy.after, request.head, request.token)
        found = trace(view, request.matrix, request.row, request.column, request.n_terms)
        return describe_trace(prepared, request, found, view)


@contextmanager
def _run(session: Session, prepared: PreparedRequest, request: LayerRequest) -> Iterator[Anatomy]:
    """The layer on the text, in a slot that is held while it is read."""
    edits = _check(prepared, request)
    model, stopwatch = prepared.model, prepared.stopwatch
    # The largest operations are over the hidden layer of an MLP, as a rule 4 d_model wide.
    n_numbers = prepared.info.n_tokens * 4 * model.architecture.d_model

    def run() -> Anatomy:
        return run_anatomy(model, analysis, request.layer, edits, session.check_cancelled)

    with report_out_of_memory(prepared.info):
        analysis = session.analyse(prepared)  # what the model itself computes
        with session.slot(stopwatch), cores_for(n_numbers), torch.inference_mode():
            with stopwatch.lap("forward"):
                anatomy = session.retry(run)
            yield anatomy


def _check(prepared: PreparedRequest, request: LayerRequest) -> Edits:
    """The edits of a request; raises for a model, a text or a place that cannot be shown."""
    sizes, n_tokens = prepared.model.architecture, prepared.info.n_tokens
    check_family(prepared.model)
    check_short(prepared.info.tokenized)
    check_heads(sizes, [request.layer], [request.head])
    if request.token >= n_tokens:
        raise NoSuchPosition(
            f"There is no token {request.token}: the text has {n_tokens} tokens, from 0.",
            position=request.token,
            n_tokens=n_tokens,
        )
    asked = request.edits
    edits = Edits(
        layer=request.layer if asked.layer is None else asked.layer,
        heads_off=asked.heads_off,
        scale=asked.scale,
        mask=asked.mask,
        causal=asked.causal,
        weights=tuple(WeightEdit(**vars(it)) for it in asked.weights),
        inputs=tuple(InputEdit(**vars(it)) for it in asked.inputs),
    )
    edits.check(sizes, n_tokens)
    return edits


def _as_array(values: Tensor) -> NDArray[np.generic]:
    """The values of a matrix in host memory: float32, of a mask 0 and 1."""
    kind = torch.uint8 if values.dtype == torch.bool else torch.float32
    return values.to("cpu", kind).contiguous().numpy()
