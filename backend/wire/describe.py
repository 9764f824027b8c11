"""Tokens, stacks and runs of `mha_core` as the shared schemas say them."""

from collections.abc import Callable
from dataclasses import asdict

from backend.wire.messages import ProgressMessage
from backend.wire.schemas import Provenance, StackOut, TokenOut
from mha_core.progress import Progress
from mha_core.runs.analysis import RunInfo
from mha_core.stacks import Stack
from mha_core.text.tokens import TokenizedText


def describe_tokens(tokenized: TokenizedText) -> list[TokenOut]:
    return [TokenOut(**vars(token)) for token in tokenized.tokens]


def describe_run(info: RunInfo) -> Provenance:
    """What every result says of itself."""
    return Provenance(
        id=info.id,
        model=info.model_id,
        revision=info.revision,
        device=info.device,
        dtype=info.dtype,
        tokens=describe_tokens(info.tokenized),
        n_tokens=info.n_tokens,
    )


def describe_stack(stack: Stack) -> StackOut:
    return StackOut(**asdict(stack), stack=stack.name)


def report_progress(
    request: int, emit: Callable[[ProgressMessage], None], check: Callable[[], None]
) -> Progress:
    """A progress callback that emits messages; `check` raises when the request is cancelled."""

    def report(message: str, done: int, total: int) -> None:
        check()
        emit(ProgressMessage(request=request, message=message, done=done, total=total))

    return report
