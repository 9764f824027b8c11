"""Texts that go on, done in the calling thread: the next token's candidates, tokens one by one.

This file must not know HTTP or the event loop.
"""

from collections.abc import Callable
from dataclasses import asdict

from backend.engine.memory import memory_told
from backend.engine.session import Runs
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
from backend.wire import frames
from backend.wire.describe import progress_told, provenance
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Subject
from mha_core.runs.generation import Generation, Guess, Sampling
from mha_core.text.vocabulary import Vocabulary

TOP = 10
"""Candidates told of each generated token."""


class GenerationRunner:
    """What causal models say next, a turn a token: others may run in between."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def next_tokens(self, request: NextRequest) -> NextResponse:
        """The candidates for the token after a text."""
        question = self._runs.question(request)
        model, stopwatch = question.model, question.stopwatch
        text = Generation(model, question.subject.tokenized)
        with memory_told(question.subject), self._runs.turn(stopwatch), stopwatch.lap("forward"):
            guess = text.guess()
        candidates = _candidates(model, guess, request.top)
        return NextResponse(
            **provenance(Subject.of(model, text.tokenized)).model_dump(),
            candidates=candidates,
            rest=max(0.0, 1 - sum(candidate.probability for candidate in candidates)),
            entropy=guess.entropy,
            timing=stopwatch.timing(),
        )

    def generate(
        self,
        request: GenerateRequest,
        emit: Callable[[GenerateEvent], None],
        check: Callable[[], None],
    ) -> None:
        """Emit progress, start, each token and its rows, done; `check` raises when unwanted."""
        number = request.request
        question = self._runs.question(request, progress_told(number, emit, check))
        model, stopwatch = question.model, question.stopwatch
        text = Generation(model, question.subject.tokenized)
        limit = min(self._runs.settings.max_tokens, model.architecture.max_tokens)
        sampling = Sampling(request.temperature, request.top_k, request.seed)
        emit(_start(number, model, text, limit))
        reason: Reason = "length"
        with memory_told(question.subject):
            for step in range(request.n):
                if text.n_tokens >= limit:
                    reason = "limit"
                    break
                with self._runs.turn(stopwatch, check), stopwatch.lap("forward"):
                    guess = text.guess(check)
                stopwatch.frame()
                text.take(sampling.choose(guess, text.n_tokens))
                emit(_token(number, step, model, text, guess))
                emit(_rows_frame(guess))
                if text.ended:
                    reason = "end"
                    break
        continuation = list(text.tokenized.continuation)
        timing = stopwatch.timing()
        emit(GenerateDone(request=number, reason=reason, continuation=continuation, timing=timing))


def _start(request: int, model: LoadedModel, text: Generation, limit: int) -> GenerateStart:
    return GenerateStart(
        **provenance(Subject.of(model, text.tokenized)).model_dump(),
        request=request,
        n_layers=model.architecture.n_layers,
        n_heads=model.architecture.n_heads,
        max_tokens=limit,
    )


def _token(
    request: int, step: int, model: LoadedModel, text: Generation, guess: Guess
) -> GenerateToken:
    """What is told of the newest token of a text, which this guess led to."""
    token = text.tokenized.tokens[-1]
    return GenerateToken(
        **asdict(token),
        request=request,
        step=step,
        probability=float(guess.probabilities[token.id]),
        candidates=_candidates(model, guess, TOP),
    )


def _candidates(model: LoadedModel, guess: Guess, n: int) -> list[CandidateOut]:
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


def _rows_frame(guess: Guess) -> bytes:
    """What every head of the model looked at from one position, ready to send."""
    n_keys = guess.rows.shape[-1]
    frame = frames.Frame(
        kind=frames.FrameKind.ROWS,
        layer=0,
        values=guess.rows.reshape(-1, 1, n_keys).numpy(),  # [L*H, 1, K]
        n_queries=1,
        n_keys=n_keys,
        stack=frames.FrameStack.DECODER,
        flags=frames.Flags.CAUSAL,
    )
    return frames.encode(frame)
