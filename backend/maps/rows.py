"""The job about one token: its row of every head, derived from the kept analysis of its text."""

from itertools import product

import numpy as np
import torch
from torch import Tensor

from backend.engine.memory import report_out_of_memory
from backend.engine.session import Session
from backend.maps.describe import describe_rows
from backend.maps.jobs import row_or_column
from backend.maps.schemas import RowsRequest
from backend.wire.errors import TooManyCells
from backend.wire.formats import MapsAnswer, OneMap
from mha_core.runs.aggregate import derive_maps
from mha_core.tap import LayerCapture


def compute_rows(
    session: Session, request: RowsRequest, max_cells: int | None = None
) -> MapsAnswer:
    """One token's row of every head; what cannot be answered is refused before any run."""
    prepared = session.prepare(request)
    stack = prepared.info.stack(request.stack)
    query = row_or_column("query", request.query, stack.queries, stack)
    TooManyCells.check(stack.n_layers * stack.n_heads * stack.n_keys, max_cells)
    grams = prepared.model.known_grams() if request.values == "weighted" else {}
    with report_out_of_memory(prepared.info):
        captures = session.analyse(prepared).captures(stack.name)

        def derive_rows(capture: LayerCapture) -> Tensor:
            session.check()
            return derive_maps(capture.at_query(query), None, grams.get(capture.site))[:, 0]

        with session.slot(prepared.stopwatch), torch.inference_mode():
            rows = torch.stack([derive_rows(it) for it in captures]).cpu().numpy()  # [L, H, K]
    places = product(range(stack.n_layers), range(stack.n_heads))
    return MapsAnswer(
        about=describe_rows(prepared, request, stack),
        causal=stack.causal,
        maps=[OneMap(layer, head, rows[layer, head][None]) for layer, head in places],
        arrays={"rows": rows, "query": np.array(request.query), "keys": np.arange(*stack.keys)},
        body={"rows": rows},
    )
