"""What a job works with: the settings, the model cache, the analysis cache, a slot to run in.

One session serves one job, in one thread. What all sessions share is in `Resources`.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from backend.engine.analysis_cache import AnalysisCache
from backend.engine.builds import Builds
from backend.engine.memory import free_memory, is_out_of_memory, keep_freed_memory
from backend.engine.model_cache import ModelCache
from backend.engine.slots import Slots
from backend.engine.stopwatch import Stopwatch
from backend.engine.trainings import Trainings
from backend.settings import Settings
from backend.wire.schemas import TextRequest
from mha_core.errors import Cancelled, PairNotSupported, TextTooLong
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress, silent
from mha_core.runs.analysis import Analysis, RunInfo, analyse, check_length
from mha_core.runs.generation import check_continuation
from mha_core.tap import OnWeights
from mha_core.text.tokens import TokenizedText

Result = TypeVar("Result")


@dataclass(frozen=True)
class PreparedRequest:
    """A request whose model is loaded and whose text is tokenized and within the limits."""

    request: TextRequest
    model: LoadedModel
    info: RunInfo
    stopwatch: Stopwatch


class Resources:
    """What all sessions of one engine share; safe to use from any thread."""

    def __init__(self, settings: Settings) -> None:
        keep_freed_memory()
        self.settings = settings
        self.models = ModelCache(settings)
        self.analyses = AnalysisCache(settings.cache_mb * 1_000_000)
        self.slots = Slots(settings.workers)
        self.builds = Builds()
        self.trainings = Trainings(settings.runs_dir)
        self.closing = threading.Event()

    def close(self) -> None:
        """Stop all sessions at their next check."""
        self.closing.set()
        self.models.close()
        self.trainings.close()


class Session:
    """The resources, for one job that may be cancelled."""

    def __init__(self, resources: Resources, cancelled: threading.Event | None = None) -> None:
        self.settings = resources.settings
        self.models = resources.models
        self.analyses = resources.analyses
        self.builds = resources.builds
        self.trainings = resources.trainings
        self._resources = resources
        self._slots = resources.slots
        self._closing = resources.closing
        self._cancelled = cancelled or threading.Event()
        self._has_slot = False
        self._stopwatch = Stopwatch()

    def continue_with(self, cancelled: threading.Event) -> "Session":
        """A session for work that goes on after this job, until it is cancelled in turn."""
        return Session(self._resources, cancelled)

    def check(self) -> None:
        """Called between the steps of a job, at each layer: raises Cancelled when it is unwanted.

        A job that runs a model also adjusts its share of the cores here.
        """
        self.check_cancelled()
        if self._has_slot:
            self._slots.share_cores()

    def check_cancelled(self) -> None:
        """The same, but the job keeps the cores it has: one, where operations are small."""
        if self._cancelled.is_set() or self._closing.is_set():
            raise Cancelled("The request was cancelled, or the server is being stopped.")

    def prepare(self, request: TextRequest, report: Progress = silent) -> PreparedRequest:
        """Load the model and tokenize the text; refuses what cannot be run."""
        stopwatch = Stopwatch()
        with stopwatch.lap("load"):
            model = self.models.get(request.model, report, self.check)
        with stopwatch.lap("tokenize"):
            tokenized = self._tokenize(model, request)
        return PreparedRequest(request, model, RunInfo.of(model, tokenized), stopwatch)

    def analyse(self, prepared: PreparedRequest) -> Analysis:
        """The analysis of a request: the kept one, else a run of its own."""
        return self.analyses.get(prepared.info.id) or self.run(prepared)

    def run(self, prepared: PreparedRequest, on_weights: OnWeights | None = None) -> Analysis:
        """Run the model in a slot and keep what it leaves; `on_weights` sees each layer's maps."""
        with self.slot(prepared.stopwatch), prepared.stopwatch.lap("forward"):
            model, tokenized = prepared.model, prepared.info.tokenized
            analysis = self.retry(lambda: analyse(model, tokenized, on_weights, self.check))
        self.analyses.keep(analysis)
        return analysis

    @contextmanager
    def slot(self, stopwatch: Stopwatch) -> Iterator[None]:
        """Hold one of the slots for runs; waits for a free one until the job is cancelled."""
        self._stopwatch = stopwatch
        self._acquire()
        try:
            yield
        finally:
            if self._has_slot:
                self._release()

    @contextmanager
    def without_slot(self) -> Iterator[None]:
        """Give the slot, if this job holds one, to others while it waits for something else."""
        if not self._has_slot:
            yield
            return
        self._release()
        with self._stopwatch.lap("queue"):  # no part of the forward pass that is interrupted
            yield
        self._acquire()

    def token_limit(self, model: LoadedModel) -> int:
        """The longest text, in tokens, that the settings and the model allow."""
        return min(self.settings.max_tokens, model.architecture.max_tokens)

    def retry(self, work: Callable[[], Result]) -> Result:
        """Run a model; out of memory, once more without what can be computed again."""
        try:
            return work()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        # Past the `except`, where the error would keep the tensors of the failed run alive.
        self.analyses.clear()
        free_memory()
        return work()

    def _acquire(self) -> None:
        with self._stopwatch.lap("queue"):
            self._slots.acquire(self.check)
        self._has_slot = True

    def _release(self) -> None:
        self._has_slot = False
        self._slots.release()

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
        limit = self.token_limit(model)
        if request.continuation:
            check_continuation(model, request.continuation, limit)
        texts = request.text, request.text_pair
        tokenized = model.tokenize(*texts, request.continuation, limit, chat=request.chat)
        check_length(tokenized, limit, in_all=self.settings.max_tokens)
        return tokenized
