"""The right to run: models on their shelf, analyses kept, a place for each worker.

Any number of threads may call at once; `workers` of them run a model at a time. This file must
not know HTTP, the event loop or what is asked of an analysis.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from backend.engine.analysis_cache import Analyses
from backend.engine.memory import collect, is_out_of_memory
from backend.engine.model_cache import Shelf
from backend.engine.stopwatch import Stopwatch
from backend.settings import Settings
from backend.wire.schemas import TextRequest
from mha_core.errors import PairNotSupported, TextTooLong
from mha_core.models.loading import LoadedModel, Progress
from mha_core.runs.analysis import Analysis, Subject, analyse, check_length
from mha_core.runs.generation import check_continuation
from mha_core.tap import OnPattern
from mha_core.text.tokens import TokenizedText

SECONDS_BETWEEN_CHECKS = 0.1


@dataclass(frozen=True)
class Question:
    """A request whose model is loaded and whose text is tokenized and within the limits."""

    request: TextRequest
    model: LoadedModel
    subject: Subject
    stopwatch: Stopwatch


def go_on() -> None:
    """The check of work that somebody always waits for."""


class Runs:
    """Loaded models, kept analyses and the workers' places."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.models = self.shelf = Shelf(settings)
        self.analyses = Analyses(settings.cache_mb * 1_000_000)
        self._workers = threading.Semaphore(settings.workers)

    def close(self) -> None:
        """Stop what is being fetched or loaded."""
        self.shelf.close()

    def question(self, request: TextRequest, progress: Progress | None = None) -> Question:
        """Load the model and cut the text into tokens; refuses what cannot be run."""
        stopwatch = Stopwatch()
        with stopwatch.lap("load"):
            model = self.shelf.get(request.model, progress)
        with stopwatch.lap("tokenize"):
            tokenized = self._tokenize(model, request)
        return Question(request, model, Subject.of(model, tokenized), stopwatch)

    def analysis(self, question: Question) -> Analysis:
        """The answer's analysis: the kept one, else a run of its own."""
        return self.analyses.get(question.subject.id) or self.run(question)

    def run(
        self,
        question: Question,
        show: OnPattern | None = None,
        check: Callable[[], None] = go_on,
    ) -> Analysis:
        """Run the model in turn and keep what it leaves; `show` sees each layer on the way."""
        with self.turn(question.stopwatch, check), question.stopwatch.lap("forward"):
            analysis = self._analyse(question, show)
        self.analyses.keep(question.request, analysis)
        return analysis

    @contextmanager
    def turn(self, stopwatch: Stopwatch, check: Callable[[], None] = go_on) -> Iterator[None]:
        """Wait for one of the workers' places, giving up when nobody wants the answer."""
        with stopwatch.lap("queue"):
            while not self._workers.acquire(timeout=SECONDS_BETWEEN_CHECKS):
                check()
        try:
            yield
        finally:
            self._workers.release()

    def _tokenize(self, model: LoadedModel, request: TextRequest) -> TokenizedText:
        n_characters = len(request.text) + len(request.text_pair or "")
        limit = self.settings.max_characters
        if n_characters > limit:
            raise TextTooLong(
                f"The text has {n_characters:,} characters and the limit is {limit:,}: shorten it.",
                n_characters=n_characters,
                max_characters=limit,
            )
        if request.text_pair is not None and not model.architecture.takes_pairs:
            raise PairNotSupported(
                f"{model.entry.name} takes one text: leave out `text_pair`, or choose an encoder.",
                model=model.entry.id,
            )
        limit = min(self.settings.max_tokens, model.architecture.max_tokens)
        if request.continuation:
            check_continuation(model, request.continuation, limit)
        tokenized = model.tokenize(request.text, request.text_pair, request.continuation, limit)
        check_length(tokenized, limit, in_all=self.settings.max_tokens)
        return tokenized

    def _analyse(self, question: Question, show: OnPattern | None) -> Analysis:
        """Run the model; where memory is short, once more without what can be computed again."""
        try:
            return analyse(question.model, question.subject.tokenized, show)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        # Past the `except`, where the error would keep the tensors of the failed run alive.
        self.analyses.clear()
        collect()
        return analyse(question.model, question.subject.tokenized, show)


Session = Runs
