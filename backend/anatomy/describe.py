"""A layer, its matrices and a trace, as the schemas say them."""

from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite

from torch import Tensor

from backend.anatomy.parts import (
    Candidate,
    ChangesOut,
    ComputationOut,
    NumbersOut,
    PredictionOut,
    Sizes,
)
from backend.anatomy.schemas import (
    AbsentMatrix,
    AnatomyAbout,
    AnatomyCatalogue,
    AnatomyRequest,
    FactorOut,
    LeafOut,
    MatrixKind,
    MatrixOut,
    RestOut,
    StepOut,
    TermOut,
    TraceRequest,
    TraceResponse,
)
from backend.engine.session import PreparedRequest
from backend.wire.describe import describe_run, describe_tokens
from mha_core.anatomy.changes import compare_runs
from mha_core.anatomy.facts import Facts
from mha_core.anatomy.families import READERS
from mha_core.anatomy.matrices.table import MATRICES
from mha_core.anatomy.matrix import Matrix, View
from mha_core.anatomy.numbers import count_numbers
from mha_core.anatomy.prediction import Prediction, predict
from mha_core.anatomy.run import MAX_TOKENS, Anatomy
from mha_core.anatomy.steps import STEPS
from mha_core.anatomy.terms import Leaf
from mha_core.anatomy.trace import Trace
from mha_core.attention import causal_mask


def describe_catalogue() -> AnatomyCatalogue:
    """All steps and matrices, in the words of the textbook."""
    textbook = Facts()
    return AnatomyCatalogue(
        steps=[StepOut(**asdict(step)) for step in STEPS],
        matrices=[_describe_kind(matrix, textbook) for matrix in MATRICES.values()],
        families=list(READERS),
        max_tokens=MAX_TOKENS,
    )


def describe_anatomy(
    prepared: PreparedRequest,
    request: AnatomyRequest,
    anatomy: Anatomy,
    view: View,
    values: Mapping[str, Tensor | None],
) -> AnatomyAbout:
    """What a layer says of itself, beside the values of its matrices."""
    model, run = prepared.model, anatomy.after
    facts = Facts.of(run)
    prediction = _describe_prediction(predict(model, run, view.token))
    changes = None
    if run is not anatomy.before:
        before = predict(model, anatomy.before, view.token)
        moved = compare_runs(anatomy.before, run)
        changes = ChangesOut(**asdict(moved), prediction_before=_describe_prediction(before))
    return AnatomyAbout(
        **vars(describe_run(prepared.info)),
        step=request.step,
        layer=request.layer,
        head=view.head,
        key_head=view.key_head,
        token=view.token,
        sizes=_describe_sizes(view),
        computation=_describe_computation(view, facts),
        matrices=[
            MatrixOut(**vars(_describe_kind(MATRICES[name], facts)), shape=list(found.shape))
            for name, found in values.items()
            if found is not None
        ],
        absent=[
            AbsentMatrix(name=name, why=MATRICES[name].absent)
            for name, found in values.items()
            if found is None
        ],
        numbers=NumbersOut(**asdict(count_numbers(run, view.head))),
        prediction=prediction,
        changes=changes,
        difference=anatomy.difference,
        timing=prepared.stopwatch.timing(),
    )


def describe_trace(
    prepared: PreparedRequest, request: TraceRequest, found: Trace, view: View
) -> TraceResponse:
    """One number and its terms."""
    terms = [
        TermOut(value=term.value, factors=[FactorOut(**asdict(it)) for it in term.factors])
        for term in found.terms
    ]
    return TraceResponse(
        **vars(describe_run(prepared.info)),
        **request.model_dump(include={"row", "column"}),
        matrix=_describe_kind(found.matrix, Facts.of(view.run)),
        layer=found.layer,
        head=found.head,
        value=_finite(found.value),
        formula=found.formula,
        combine=found.combine,
        function=found.function or None,
        sum=_finite(found.sum),
        terms=terms,
        rest=RestOut(n_terms=found.n_terms - len(terms), sum=found.rest),
        leaf=None if found.leaf is None else _describe_leaf(found.leaf, prepared),
        timing=prepared.stopwatch.timing(),
    )


def _describe_kind(matrix: Matrix, facts: Facts) -> MatrixKind:
    return MatrixKind(
        name=matrix.name,
        symbol=matrix.symbol,
        axes=list(matrix.axes),
        scope=matrix.scope,
        meaning=matrix.meaning,
        formula=matrix.write_formula(facts),
    )


def _describe_sizes(view: View) -> Sizes:
    run, weights, mlp = view.run, view.attention.weights, view.run.steps.block.mlp
    return Sizes(
        n_layers=len(run.computation.blocks),
        n_heads=weights.n_heads,
        n_kv_heads=weights.n_kv_heads,
        d_model=run.computation.d_model,
        d_head=weights.d_head,
        d_mlp=None if mlp is None else len(mlp.up.weight),
    )


def _describe_computation(view: View, facts: Facts) -> ComputationOut:
    visible = view.run.how[view.run.layer].visible
    later = ~causal_mask(len(visible), len(visible), visible.device)
    return ComputationOut(
        norm="LayerNorm" if facts.centred else "RMSNorm",
        norm_first=facts.norm_first,
        embedding_norm=facts.embedding_norm,
        final_norm=facts.final_norm,
        positions="rotary" if facts.rotary else "added",
        segments=facts.segments,
        shifted_keys=facts.shifted_keys,
        causal=not bool((visible & later).any()),
        activation=facts.activation or None,
        gated=facts.gated,
        predicts=view.run.computation.unembedding is not None,
    )


def _describe_prediction(found: Prediction) -> PredictionOut:
    candidates = [Candidate(**asdict(it)) for it in found.candidates]
    return PredictionOut(candidates=candidates, why_none=found.why_none)


def _describe_leaf(leaf: Leaf, prepared: PreparedRequest) -> LeafOut:
    tokens = describe_tokens(prepared.info.tokenized)
    token = None if leaf.token is None else tokens[leaf.token]
    return LeafOut(kind=leaf.kind, note=leaf.note, token=token)


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
