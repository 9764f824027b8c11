"""Jobs of causal models: the next token's candidates, and generation token by token."""

from collections.abc import Callable
from dataclasses import asdict

from backend.engine.memory import report_out_of_memory
from backend.engine.session import Session
from backend.generate.schemas import (
    CandidateOut,
    GenerateDone,
    GenerateEvent,
    GenerateRequest,
    GenerateStart,
    GenerateToken,
    NextRequest,
    NextResponse,
    Reason,
)
from backend.wire.describe import describe_run, report_progress
from backend.wire.frames import Flags, FrameStack, encode, frame_of_rows
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import RunInfo
from mha_core.runs.generation import Generation, Guess, Sampling
from mha_core.text.vocabulary import Vocabulary

N_CANDIDATES = 10
"""Candidates sent with each generated token."""


def predict_next(session: Session, request: NextRequest) -> NextResponse:
    """The candidates for the token after a text."""
    prepared = session.prepare(request)
    model, stopwatch = prepared.model, prepared.stopwatch
    text = Generation(model, prepared.info.tokenized)
    with (
        report_out_of_memory(prepared.info),
        session.slot(stopwatch),
        stopwatch.lap("forward"),
    ):
        guess = text.guess(session.check)
    candidates = _describe_candidates(model, guess, request.top)
    return NextResponse(
        **vars(describe_run(RunInfo.of(model, text.tokenized))),
        candidates=candidates,
        rest=max(0.0, 1 - sum(candidate.probability for candidate in candidates)),
        entropy=guess.entropy,
        timing=stopwatch.timing(),
    )


def generate_tokens(
    session: Session, request: GenerateRequest, emit: Callable[[GenerateEvent], None]
) -> None:
    """Emit progress, start, each token and its rows, done; others may run between two tokens."""
    number = request.request
    prepared = session.prepare(request, report_progress(number, emit, session.check))
    model, stopwatch = prepared.model, prepared.stopwatch
    text = Generation(model, prepared.info.tokenized)
    limit = min(session.settings.max_tokens, model.architecture.max_tokens)
    sampling = Sampling(request.temperature, request.top_k, request.seed)
    emit(
        GenerateStart(
            **vars(describe_run(RunInfo.of(model, text.tokenized))),
            request=number,
            n_layers=model.architecture.n_layers,
            n_heads=model.architecture.n_heads,
            max_tokens=limit,
        )
    )
    reason: Reason = "length"
    with report_out_of_memory(prepared.info):
        for step in range(request.n):
            if text.n_tokens >= limit:
                reason = "limit"
                break
            with session.slot(stopwatch), stopwatch.lap("forward"):
                guess = text.guess(session.check)
            stopwatch.frame()
            text.take(sampling.choose(guess, text.n_tokens))
            emit(_describe_token(number, step, model, text, guess))
            emit(_encode_rows(guess))
            if text.ended:
                reason = "end"
                break
    continuation = list(text.tokenized.continuation)
    timing = stopwatch.timing()
    emit(GenerateDone(request=number, reason=reason, continuation=continuation, timing=timing))


def _describe_token(
    request: int, step: int, model: LoadedModel, text: Generation, guess: Guess
) -> GenerateToken:
    """The newest token of a text, which this guess led to."""
    token = text.tokenized.tokens[-1]
    return GenerateToken(
        **asdict(token),
        request=request,
        step=step,
        probability=float(guess.probabilities[token.id]),
        candidates=_describe_candidates(model, guess, N_CANDIDATES),
    )


def _describe_candidates(model: LoadedModel, guess: Guess, n: int) -> list[CandidateOut]:
    vocabulary = Vocabulary(model.tokenizer)
    return [
        CandidateOut(
            id=id,
            text=vocabulary.display(id),
            piece=vocabulary.pieces([id])[0],
            probability=probability,
        )
        for id, probability in guess.top(n)
    ]


def _encode_rows(guess: Guess) -> bytes:
    """What every head of the model looked at from one position, as a frame."""
    return encode(frame_of_rows(guess.rows.numpy(), FrameStack.DECODER, Flags.CAUSAL))
