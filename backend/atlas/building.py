"""Measuring a model's heads in the background: what can be built, starting and stopping a build."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from torch import Tensor

from backend.atlas.build_file import build_file
from backend.atlas.plan import find_corpora, find_earlier, plan_build
from backend.atlas.schemas import BuildRequest, BuildResponse
from backend.engine.interface import light
from backend.engine.memory import is_out_of_memory
from backend.engine.session import Session
from backend.engine.stopwatch import Stopwatch
from backend.wire.errors import AlreadyMeasured, CannotMeasure
from mha_core.atlas.record import SectionName
from mha_core.atlas.storage import built_path
from mha_core.errors import OutOfMemory
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress
from mha_core.tap import Tap
from mha_core.text.tokens import TokenizedText


@light
def describe_build(session: Session, model_id: str) -> BuildResponse:
    """What can be measured of a model, what is, and how far the build is; raises UnknownModel."""
    plan = plan_build(session, model_id)
    return BuildResponse(model=model_id, sections=plan, build=session.builds.state(model_id))


@light
def start_build(session: Session, asked: tuple[str, BuildRequest]) -> BuildResponse:
    """Measure sections in the background; raises CannotMeasure, AlreadyMeasured, BuildRunning."""
    model_id, request = asked
    chosen = choose_sections(session, model_id, request)

    def work(cancelled: threading.Event, report: Progress) -> None:
        build_sections(session.continue_with(cancelled), model_id, chosen, report)

    session.builds.start(model_id, chosen, work)
    return describe_build(session, model_id)


@light
def stop_build(session: Session, model_id: str) -> BuildResponse:
    """Stop the build of a model at its next batch; what is done is kept."""
    session.builds.stop(model_id)
    return describe_build(session, model_id)


def choose_sections(
    session: Session, model_id: str, request: BuildRequest
) -> tuple[SectionName, ...]:
    """The sections to build, in their order: those named, else all that can be built."""
    plan = plan_build(session, model_id)
    wanted = [it for it in plan if request.sections is None or it.section in request.sections]
    needs = [(it.section, it.needs) for it in wanted if it.needs is not None]
    if needs and (request.sections is not None or len(needs) == len(plan)):
        raise CannotMeasure.of(needs)
    possible = [it for it in wanted if it.needs is None]
    chosen = tuple(it.section for it in possible if request.again or it.measured is None)
    if not chosen:
        raise AlreadyMeasured.of(model_id)
    return chosen


def build_sections(
    session: Session, model_id: str, sections: tuple[SectionName, ...], report: Progress
) -> None:
    """Holds a slot for one batch at a time, so that other requests are answered in between."""
    model = session.models.get(model_id, report, session.check)
    path = built_path(model.entry.id, session.settings.models_dir)

    def pause() -> None:
        session.check()
        with session.without_slot():
            pass

    def progress(message: str, done: int, total: int) -> None:
        pause()
        report(message, done, total)

    with session.slot(Stopwatch()):
        try:
            build_file(
                path,
                InterruptibleModel.of(model, pause),
                find_corpora(session.settings),
                sections=sections,
                earlier=find_earlier(session, model_id),
                progress=progress,
            )
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            raise OutOfMemory(
                f"There is not enough memory on {model.device} to measure {model.entry.name}: what "
                f"is measured is kept, and the next start continues from there."
            ) from error


@dataclass(frozen=True, eq=False, kw_only=True)
class InterruptibleModel(LoadedModel):
    """A model that calls `pause` before each run; its null models, which are copies of it, too."""

    pause: Callable[[], None]

    @classmethod
    def of(cls, model: LoadedModel, pause: Callable[[], None]) -> "InterruptibleModel":
        parts = {field.name: getattr(model, field.name) for field in fields(model)}
        return cls(**parts, pause=pause)

    def forward_all(self, texts: Sequence[TokenizedText], tap: Tap | None = None) -> Tensor:
        """The last hidden states, [B, T, D], once others had their turn."""
        self.pause()
        return super().forward_all(texts, tap)
