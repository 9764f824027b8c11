"""Jobs about a text itself: its tokens, and the exact maps of chosen layers and heads."""

import numpy as np

from backend.attention.schemas import AttentionRequest, TokenizeResponse
from backend.engine.memory import report_out_of_memory
from backend.engine.session import Session
from backend.wire.describe import describe_run, describe_tokens
from backend.wire.errors import TooManyCells
from backend.wire.formats import MapsAnswer, OneMap
from backend.wire.schemas import MapsAbout, TextRequest
from mha_core.runs.analysis import check_heads


def tokenize_text(session: Session, request: TextRequest) -> TokenizeResponse:
    """Loads the model for its tokenizer, if need be."""
    tokens = describe_tokens(session.prepare(request).info.tokenized)
    return TokenizeResponse(tokens=tokens, n_tokens=len(tokens))


def compute_attention(
    session: Session, request: AttentionRequest, max_cells: int | None = None
) -> MapsAnswer:
    """The maps of a text; refuses, before any run, more weights than `max_cells`."""
    prepared = session.prepare(request)
    info, stopwatch = prepared.info, prepared.stopwatch
    stack = info.stack(request.stack)
    check_heads(stack, request.layers, request.heads)
    layers = list(request.layers or range(stack.n_layers))
    heads = list(request.heads or range(stack.n_heads))
    shape = (len(layers), len(heads), stack.n_queries, stack.n_keys)
    TooManyCells.check(int(np.prod(shape)), max_cells)
    grams = prepared.model.known_grams() if request.values == "weighted" else None
    with report_out_of_memory(info):
        analysis = session.analyse(prepared)
        with session.slot(stopwatch):
            values = np.empty(shape, np.float32)
            for row, layer in enumerate(layers):
                session.check()
                values[row] = analysis.patterns(layer, heads, stack.name, grams).numpy()
    maps = [
        OneMap(layer, head, values[row, column])
        for row, layer in enumerate(layers)
        for column, head in enumerate(heads)
    ]
    return MapsAnswer(
        about=MapsAbout(
            **vars(describe_run(info)),
            stack=stack.name,
            values=request.values,
            queries=stack.queries,
            keys=stack.keys,
            timing=stopwatch.timing(),
        ),
        causal=stack.causal,
        maps=maps,
        arrays={"attention": values, "layers": np.array(layers), "heads": np.array(heads)},
        body={"attention": [vars(one) for one in maps]},
    )
