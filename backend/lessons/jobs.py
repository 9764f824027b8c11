"""Jobs of the head calculator, of exercises, and of the three ways to compute attention."""

from collections.abc import Callable
from dataclasses import asdict
from statistics import median

import torch

from backend.engine.interface import light
from backend.engine.memory import is_out_of_memory
from backend.engine.session import Session
from backend.engine.stopwatch import Stopwatch
from backend.lessons.schemas import (
    AnswerRequest,
    AnswerResponse,
    CalculatorRequest,
    CalculatorResponse,
    ChoiceOut,
    Differences,
    ExerciseOut,
    LoopsDone,
    LoopsEvent,
    LoopsRatios,
    LoopsRequest,
    LoopsRound,
    LoopsStart,
    LoopsTimes,
    PresetOut,
    PresetsResponse,
)
from mha_core.anatomy.calculator import HeadShape, count_shape, find_problems
from mha_core.anatomy.exercises import EXERCISES, find_exercise
from mha_core.anatomy.expressiveness import describe_limits
from mha_core.anatomy.loops import LoopComparison, LoopSizes, Way, largest_differences
from mha_core.anatomy.presets import PRESETS, shipped_presets
from mha_core.errors import OutOfMemory
from mha_core.models.device import resolve_device
from mha_core.threads import cores_for


@light
def list_presets(session: Session, _: None) -> PresetsResponse:
    """Published models, then those that come with HeadScope."""
    presets = (*PRESETS, *shipped_presets(session.settings.models_dir))
    return PresetsResponse(presets=[PresetOut(**vars(preset)) for preset in presets])


@light
def calculate(_: Session, request: CalculatorRequest) -> CalculatorResponse:
    """What sizes cost and express, or why they do not divide."""
    sizes = request.model_dump()
    shape = HeadShape(**sizes | {"n_kv_heads": request.n_kv_heads or request.n_heads})
    problems = find_problems(shape)
    return CalculatorResponse(
        shape=shape,
        divides=not problems,
        problems=problems,
        counts=None if problems else count_shape(shape),
        expresses=[] if problems else describe_limits(shape),
    )


@light
def list_exercises(_: Session, __: None) -> list[ExerciseOut]:
    """Every exercise, without its answer."""
    return [
        ExerciseOut(
            id=exercise.id,
            step=exercise.step,
            question=exercise.question,
            kind="choice" if exercise.choices else "number",
            choices=[ChoiceOut(id=id, text=text) for id, text in exercise.choices.items()],
        )
        for exercise in EXERCISES
    ]


def check_answer(_: Session, asked: tuple[str, AnswerRequest]) -> AnswerResponse:
    """Whether an answer is right; raises NoSuchExercise, UnreadableAnswer."""
    exercise_id, request = asked
    with cores_for(0):  # the small computations behind the right answer
        verdict = find_exercise(exercise_id).check(request.answer)
    return AnswerResponse(**vars(verdict))


def compare_loops(
    session: Session, request: LoopsRequest, emit: Callable[[LoopsEvent], None]
) -> None:
    """Emit start, the times of each round, done; others may run between two rounds."""
    sizes = LoopSizes(
        request.d_model, request.n_heads, request.n_tokens, request.batch, request.causal
    )
    sizes.check()
    stopwatch, device = Stopwatch(), resolve_device(session.settings.device)
    times: list[LoopsTimes] = []
    try:
        with session.slot(stopwatch):
            comparison = LoopComparison(sizes, device)
            start = _describe_start(request, sizes, comparison, device)
        emit(start)
        for number in range(request.rounds):
            with session.slot(stopwatch):
                session.check()
                seconds, threads = comparison.time_round(number), torch.get_num_threads()
            times.append(_describe_times(seconds))
            emit(
                LoopsRound(
                    **vars(times[-1]), request=request.request, round=number, threads=threads
                )
            )
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        raise OutOfMemory(
            f"There is not enough memory on {device} for these sizes, which need about "
            f"{sizes.n_bytes / 1e9:.1f} GB: choose fewer tokens, fewer heads or a smaller batch.",
            n_bytes=sizes.n_bytes,
        ) from error
    emit(_describe_done(request.request, times))


def _describe_start(
    request: LoopsRequest, sizes: LoopSizes, comparison: LoopComparison, device: torch.device
) -> LoopsStart:
    results = comparison.results()  # the first run of each way is slower than all others
    differences = largest_differences(results)
    return LoopsStart(
        **asdict(sizes),
        request=request.request,
        d_head=sizes.shape.d_head,
        rounds=request.rounds,
        flops=sizes.n_flops,
        differences=Differences(fused=differences["fused"], kernel=differences["kernel"]),
        largest=float(results["loop"].abs().max()),
        device=str(device),
        threads=torch.get_num_threads(),
    )


def _describe_times(seconds: dict[Way, float]) -> LoopsTimes:
    return LoopsTimes(**{f"{way}_ms": round(it * 1000, 4) for way, it in seconds.items()})


def _describe_done(request: int, times: list[LoopsTimes]) -> LoopsDone:
    """Medians of times and of ratios: the ways of one round share the machine's other load."""
    return LoopsDone(
        request=request,
        medians=LoopsTimes(
            loop_ms=median(it.loop_ms for it in times),
            fused_ms=median(it.fused_ms for it in times),
            kernel_ms=median(it.kernel_ms for it in times),
        ),
        ratios=LoopsRatios(
            loop_to_fused=median(it.loop_ms / it.fused_ms for it in times),
            loop_to_kernel=median(it.loop_ms / it.kernel_ms for it in times),
            fused_to_kernel=median(it.fused_ms / it.kernel_ms for it in times),
        ),
    )
